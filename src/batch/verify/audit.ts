/** The chain of acts: each row's hash covers the one before, and every report has its act. */
import { actsAfter, CHAIN_START, chainHash } from '../../ledger/audit.ts';
import type { Statements } from '../../ledger/database.ts';
import { finishedRevisions } from '../../ledger/history.ts';
import { unpackRevision } from '../stored-document.ts';
import { Finding } from './finding.ts';

/** Acts read at a time. */
const PAGE = 1_000;

export async function verifyAudit(statements: Pick<Statements, 'all'>): Promise<Finding> {
  const finding = new Finding(
    'audit',
    'no act was changed, exchanged or taken out, and every report has its act',
  );
  const { heads, reports } = await promises(statements);
  heads.delete(CHAIN_START);
  let before = CHAIN_START;
  for (let after = 0; ; ) {
    const page = await actsAfter(statements, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) break;
    for (const act of page) {
      finding.checked += 1;
      if (act.number !== finding.checked)
        finding.differs(`act ${act.number} stands at place ${finding.checked}`);
      if (chainHash(before, act) !== act.hash)
        finding.differs(`act ${act.number} (${act.act} ${act.subject}) is not what was written`);
      before = act.hash;
      heads.delete(act.hash);
      if (act.act === 'batch.report') reports.delete(`${act.subject} ${revisionOf(act.detail)}`);
    }
    after = last.number;
  }
  for (const report of reports) finding.differs(`the act of writing report ${report} is missing`);
  for (const head of heads)
    finding.differs(`a report speaks of the act with the hash ${head.slice(0, 16)}…, which is missing`);
  return finding;
}

function revisionOf(detail: string): unknown {
  return (JSON.parse(detail) as { readonly revision?: unknown }).revision;
}

/** What finished reports promise of the chain. */
async function promises(
  statements: Pick<Statements, 'all'>,
): Promise<{ heads: Set<string>; reports: Set<string> }> {
  const heads = new Set<string>();
  const reports = new Set<string>();
  for (const { id, revision, document } of await finishedRevisions(statements)) {
    heads.add(unpackRevision(document).evidence.audit_head);
    reports.add(`${id} ${revision}`);
  }
  return { heads, reports };
}
