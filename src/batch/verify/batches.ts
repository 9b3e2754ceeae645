/** Batches: their kept copies, what their reports say against what the journal holds, and their lines against the ledger. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EMBEDDED } from '../../core/gateway.ts';
import { OUTCOMES } from '../../core/outcome.ts';
import { hashOf } from '../../files/hash.ts';
import { type ListedRevision, revisionsOf } from '../../ledger/history.ts';
import { type BatchRecord, listBatches } from '../../ledger/journal.ts';
import { remoteLineCounts } from '../../ledger/remote.ts';
import { lineTransferCounts, payoutCounts } from '../../ledger/verify.ts';
import type { BatchDocument } from '../../report/document.ts';
import type { BatchContext } from '../context.ts';
import { keptFile, keptPath, walkOf } from '../kept-file.ts';
import { type Findings, type VisitedLine, visitBlocks } from '../report.ts';
import { unpackRevision } from '../stored-document.ts';
import { Finding } from './finding.ts';
import { type Accounted, matchLines, matchRemoteLines } from './lines.ts';

type Looking = Pick<BatchContext, 'database' | 'folders'>;

class BatchFindings {
  readonly copies = new Finding('kept files', 'the kept copy of every file is what was handed in');
  readonly documents = new Finding(
    'totals',
    'every report says what its file and the journal say, and its totals add up',
  );
  readonly lines = new Finding(
    'lines',
    'every line that succeeded has its transfers, and no transfer lacks its line',
  );
  readonly reports = new Finding(
    'reports',
    'report files that still lie where they were written are unchanged',
  );

  get all(): readonly Finding[] {
    return [this.copies, this.documents, this.lines, this.reports];
  }
}

export async function verifyBatches(
  context: Looking,
  onProgress: (lines: number) => void,
): Promise<readonly Finding[]> {
  const findings = new BatchFindings();
  const { reads } = context.database;
  const transfers = new Map(await lineTransferCounts(reads));
  const payouts = new Map(await payoutCounts(reads));
  const remote = new Map(await remoteLineCounts(reads));
  for (const record of await listBatches(reads)) {
    // A file that was rejected on arrival has neither copy nor journal.
    if (record.status === 'rejected' && record.revision === 0) continue;
    const accounted = { transfers: 0, payouts: 0, remote: 0 };
    const isWhole = await verifyBatch(context, record, findings, accounted, onProgress);
    const left = {
      transfers: (transfers.get(record.number) ?? 0) - accounted.transfers,
      payouts: (payouts.get(record.number) ?? 0) - accounted.payouts,
      remote: (remote.get(record.number) ?? 0) - accounted.remote,
    };
    if (isWhole) unexplained(record.id, left, findings.lines);
    transfers.delete(record.number);
    payouts.delete(record.number);
    remote.delete(record.number);
  }
  for (const [number, count] of transfers)
    unexplained(`batch number ${number}`, { ...NOTHING, transfers: count }, findings.lines);
  for (const [number, count] of payouts)
    unexplained(`batch number ${number}`, { ...NOTHING, payouts: count }, findings.lines);
  for (const [number, count] of remote)
    unexplained(`batch number ${number}`, { ...NOTHING, remote: count }, findings.lines);
  return findings.all;
}

const NOTHING: Accounted = { transfers: 0, payouts: 0, remote: 0 };

function unexplained(batch: string, { transfers, payouts, remote }: Accounted, finding: Finding): void {
  if (transfers > 0) finding.differs(`${batch}: transfers in the ledger that no line has made: ${transfers}`);
  if (payouts > 0) finding.differs(`${batch}: payouts in the ledger that no line has made: ${payouts}`);
  if (remote > 0) finding.differs(`${batch}: identities that are held for no line: ${remote}`);
}

/** Returns false where the ledger may be ahead of the journal, because the batch is not finished. */
async function verifyBatch(
  context: Looking,
  record: BatchRecord,
  findings: BatchFindings,
  accounted: Accounted,
  onProgress: (lines: number) => void,
): Promise<boolean> {
  const revisions = await revisionsOf(context.database.reads, record.number);
  const isWhole = revisions.every(({ document }) => document !== null);
  findings.copies.checked += 1;
  const input = keptPath(context.folders, record);
  const fault = !existsSync(input)
    ? 'is missing'
    : (await hashOf(input)) === record.sha256
      ? undefined
      : 'has changed';
  if (fault !== undefined) {
    findings.copies.differs(`${record.id}: ${input} ${fault}`);
    // Its lines cannot be told any more.
    return false;
  }
  const match = record.gateway === EMBEDDED ? matchLines : matchRemoteLines;
  for (const revision of revisions) {
    const isNewest = revision === revisions.at(-1);
    const visit = (lines: readonly VisitedLine[]) =>
      isNewest ? match(context.database.reads, record, lines, findings.lines, accounted) : Promise.resolve();
    try {
      const found = await recount(context, record, revision.revision, visit, onProgress);
      if (revision.document !== null) await verifyRevision(context, record, revision, found, findings);
    } catch (error) {
      findings.documents.differs(
        `${record.id}, revision ${revision.revision}, cannot be read again: ${String(error)}`,
      );
      return false;
    }
  }
  return isWhole;
}

/** Walks the file as it was known in a revision. */
async function recount(
  { database, folders }: Looking,
  record: BatchRecord,
  revision: number,
  visit: (lines: readonly VisitedLine[]) => Promise<void>,
  onProgress: (lines: number) => void,
): Promise<Findings> {
  const kept = await keptFile(database.reads, folders, record);
  return visitBlocks(await walkOf(database.reads, kept, revision, onProgress), visit);
}

async function verifyRevision(
  { folders }: Looking,
  record: BatchRecord,
  { revision, document: packed }: ListedRevision,
  { tally }: Findings,
  { documents, reports }: BatchFindings,
): Promise<void> {
  const { document, hashes } = unpackRevision(packed!);
  const name = `${record.id}, revision ${revision}`;
  documents.checked += 1;
  const isMixed = document.operation === 'mixed';
  const said = [document.lines, document.totals, document.breakdown];
  const counted = [tally.counts(), isMixed ? null : tally.totals(), tally.breakdown()];
  if (JSON.stringify(said) !== JSON.stringify(counted))
    documents.differs(`${name}: counted again, its lines or totals are others`);
  if (!addsUp(document)) documents.differs(`${name}: its totals do not add up`);
  for (const [kind, path] of Object.entries(document.reports)) {
    const hash = hashes[kind as keyof typeof hashes];
    if (path === null || hash === null) continue;
    // The data directory may have been moved since.
    const places = new Set([path, join(folders.reportsOf(record.id), basename(path))]);
    for (const place of [...places].filter(existsSync)) {
      reports.checked += 1;
      if ((await hashOf(place)) !== hash)
        reports.differs(`${name}: ${place} has changed since it was written`);
    }
  }
}

/** Instructed is the sum of all outcomes, in lines and in money. */
function addsUp({ lines, breakdown }: BatchDocument): boolean {
  const minor = (amount: string) => BigInt(amount.replace('.', ''));
  const total = OUTCOMES.reduce((sum, outcome) => sum + lines[outcome], 0);
  return (
    total === lines.total &&
    breakdown.every(({ amounts }) => {
      const sum = OUTCOMES.reduce((all, outcome) => all + minor(amounts[outcome]), 0n);
      return sum === minor(amounts.instructed);
    })
  );
}
