/** Writes the reports of a reconciliation: three files with fixed names in a folder of their own. */
import { join } from 'node:path';
import type { SeverityTerms } from '../core/break.ts';
import type { Statements } from '../ledger/database.ts';
import { writeWhole } from '../report/atomic.ts';
import { reconciliationCsv } from '../report/reconciliation/csv.ts';
import type { ListedBreak, ReconciliationDocument } from '../report/reconciliation/document.ts';
import { reconciliationHtml } from '../report/reconciliation/html.ts';
import { listedBreak } from './listed.ts';
import type { Reconciled } from './reconcile.ts';
import { allBreaks } from './sums.ts';

/** Paths of the reports in a folder. */
export function reportsIn(folder: string): ReconciliationDocument['reports'] {
  return {
    json: join(folder, 'reconciliation.json'),
    csv: join(folder, 'reconciliation.csv'),
    html: join(folder, 'reconciliation.html'),
  };
}

/** The folder is there already; files of an earlier run in it are replaced, each of them whole. */
export async function writeReports(
  reads: Pick<Statements, 'json'>,
  { books, period, today }: Reconciled,
  document: ReconciliationDocument,
  severity: SeverityTerms,
): Promise<void> {
  const { json, csv, html } = document.reports;
  const page = await reconciliationHtml(document);
  await writeWhole(html, (sink) => sink.write(page));
  await writeWhole(csv, (sink) => reconciliationCsv(listed(), sink));
  await writeWhole(json, (sink) => sink.write(`${JSON.stringify(document, undefined, 2)}\n`));

  async function* listed(): AsyncGenerator<readonly ListedBreak[]> {
    for await (const block of allBreaks(reads, books, period))
      yield block.map((one) => listedBreak(one, today, severity));
  }
}
