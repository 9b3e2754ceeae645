/**
 * `report.html`: one file that needs nothing else, for people. It says what the document says and checks its sums
 * again; it reads no clock, locale or machine, so the same document gives the same bytes.
 */
import type { ReportDocument } from './document.ts';
import { accountFigure, exceptionFigure, shareFigure } from './html/charts.ts';
import { evidence } from './html/evidence.ts';
import { errors, exceptions } from './html/exceptions.ts';
import { changes, listing } from './html/listing.ts';
import { moved } from './html/moved.ts';
import { page } from './html/page.ts';
import { reading } from './html/reading.ts';
import { html, type Part } from './html/template.ts';
import { totals } from './html/totals.ts';
import { headline, verdict } from './html/verdict.ts';
import { given } from './html/words.ts';

/** The page as text. */
export async function reportHtml(document: ReportDocument): Promise<string> {
  const { batch, revision, environment, gateway } = document;
  return page({
    title: `${document.file} ${headline(document)}`,
    heading: 'Batch report',
    which: html`Batch ${given(batch)} · revision ${revision} · ${environment}`,
    subject: `batch ${batch}`,
    environment,
    gateway,
    verdict: verdict(document),
    sections: [
      errors(document),
      ...(document.status === 'rejected' ? [] : await figures(document)),
      reading(document),
      listing(document),
      changes(document),
      evidence(document),
    ],
    footer: html`Written by batchgate ${document.evidence.program_version} from the journal of batch ${given(batch)}. The same figures for programs are in report.json.`,
  });
}

/** What only a file that was executed has. */
async function figures(document: ReportDocument): Promise<readonly Part[]> {
  return [
    totals(document, await shareFigure(document)),
    moved(document.breakdown, await accountFigure(document)),
    exceptions(document, await exceptionFigure(document)),
  ];
}
