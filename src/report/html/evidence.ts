/** What backs the report: who, when, from what, against which ledger. */
import { EMBEDDED } from '../../core/gateway.ts';
import type { Evidence, ReportDocument } from '../document.ts';
import { difference, grouped, isZero } from './decimal.ts';
import { table } from './table.ts';
import { type Html, html, type Part } from './template.ts';
import { byName, check, code, facts, given, section } from './words.ts';

export function evidence(document: ReportDocument): Html {
  const { evidence: proof, batch, revision, environment, chunks } = document;
  return section(
    'evidence',
    'Evidence',
    facts([
      ['Batch', code(batch)],
      ['Revision', String(revision)],
      ['Environment', environment],
      ['Submitted by', given(proof.submitted_by)],
      ['Submitted from', given(proof.submitted_from)],
      ['Received', proof.received_at],
      ['Started', proof.started_at],
      ['Finished', proof.finished_at],
      ['Chunks', `${grouped(chunks.done)} of ${grouped(chunks.planned)} done`],
      ['Ledger sequence', ledgerSequence(document)],
      ['Program', `batchgate ${proof.program_version}`],
      ['Options', options(proof)],
      ['Head of the audit chain', code(proof.audit_head)],
    ]),
    controlTotals(proof),
    balances(proof),
  );
}

function ledgerSequence({ gateway, status, evidence: { ledger_sequence } }: ReportDocument): Part {
  const { from, to } = ledger_sequence;
  if (from <= to) return `${grouped(from)} to ${grouped(to)}`;
  return gateway === EMBEDDED || status === 'rejected'
    ? 'nothing written'
    : html`no entries in this ledger: executed by ${given(gateway)}`;
}

function options({ options: given_ }: Evidence): Html | undefined {
  const entries = byName(given_);
  if (entries.length === 0) return undefined;
  return html`${entries.map(([name, value], at) => html`${at === 0 ? '' : ', '}${name} ${given(String(value))}`)}`;
}

/** What the sender said the file holds, beside what it holds. */
function controlTotals({ control_totals: { stated, calculated } }: Evidence): Html {
  const columns = [
    { title: 'Figure', look: 'short' },
    { title: 'Stated by the sender', look: 'number' },
    { title: 'Calculated from the file', look: 'number' },
    { title: 'Check', look: 'plain' },
  ] as const;
  const rows = [
    controlRow('Rows', stated?.rows == null ? undefined : String(stated.rows), String(calculated.rows)),
    ...byName({ ...stated?.totals, ...calculated.totals }).map(([currency]) =>
      controlRow(`Total, ${currency}`, stated?.totals[currency], calculated.totals[currency] ?? '0'),
    ),
  ];
  return html`<h3>Control totals</h3>\n${table('Control totals', columns, rows)}`;
}

function controlRow(figure: string, stated: string | undefined, calculated: string): readonly Part[] {
  if (stated === undefined) return [figure, 'not stated', grouped(calculated), '–'];
  const left = difference(calculated, stated);
  return [figure, grouped(stated), grouped(calculated), check(isZero(left), `differs by ${grouped(left)}`)];
}

function balances({ balances: found }: Evidence): Html | undefined {
  if (found.length === 0) return undefined;
  const columns = [
    { title: 'Account', look: 'plain' },
    { title: 'Merchant', look: 'plain' },
    { title: 'Currency', look: 'plain' },
    { title: 'Before', look: 'number' },
    { title: 'After', look: 'number' },
    { title: 'Change', look: 'number' },
  ] as const;
  const rows = found.map(({ account, merchant, currency, before, after }) => [
    given(account),
    given(merchant),
    given(currency),
    ...[before, after, difference(after, before)].map(grouped),
  ]);
  return html`<h3>Balances</h3>\n${table('Balances before and after', columns, rows)}`;
}
