/**
 * `reconciliation.html`: one file that needs nothing else, for people. It says what the document says and checks its
 * sums again; it reads no clock, locale or machine, so the same document gives the same bytes.
 */
import { page } from '../html/page.ts';
import { html } from '../html/template.ts';
import { baseName, given } from '../html/words.ts';
import { breaks } from './breaks.ts';
import { comparisons } from './comparisons.ts';
import type { ReconciliationDocument } from './document.ts';
import { kinds } from './kinds.ts';
import { payouts } from './payouts.ts';
import { rules } from './rules.ts';
import { statements } from './statements.ts';
import { STYLE } from './style.ts';
import { unusable } from './unusable.ts';
import { headline, verdict } from './verdict.ts';
import { waterfalls } from './waterfall.ts';
import { date } from './words.ts';

/** The page as text. Sections that would have nothing in them are left out. */
export async function reconciliationHtml(document: ReconciliationDocument): Promise<string> {
  const { account, merchant, gateway, day, environment, reports } = document;
  return page({
    title: `Reconciliation of ${account}, ${day}: ${headline(document)}`,
    heading: 'Reconciliation report',
    which: html`Account ${given(account)} · ${given(merchant)} · gateway ${given(gateway)} · ${date(day)} · ${environment}`,
    subject: `reconciliation of ${account} on ${day}`,
    style: STYLE,
    environment,
    gateway,
    verdict: verdict(document),
    sections: [
      unusable(document),
      comparisons(document),
      await waterfalls(document),
      await kinds(document),
      breaks(document),
      payouts(document),
      rules(document),
      statements(document),
    ],
    footer: html`Written by batchgate ${document.program_version} from the ledger and the statements of account ${given(account)}. The same figures for programs are in ${given(baseName(reports.json))}.`,
  });
}
