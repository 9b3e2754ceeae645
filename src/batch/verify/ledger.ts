/** The database file and the numbering of the ledger. */
import type { Statements } from '../../ledger/database.ts';
import { integrityFaults } from '../../ledger/integrity.ts';
import { gapsInSequence, orphanedTransfers, promisedSequence, transferSpan } from '../../ledger/verify.ts';
import { Finding } from './finding.ts';

const MOST = 20;

export async function verifyFile(statements: Pick<Statements, 'all'>): Promise<Finding> {
  const finding = new Finding('database', 'the database file is sound');
  finding.checked = 1;
  for (const fault of await integrityFaults(statements, MOST)) finding.differs(fault);
  return finding;
}

export async function verifySequence(statements: Pick<Statements, 'all'>): Promise<Finding> {
  const finding = new Finding(
    'sequence',
    'transfers are numbered from 1 without a gap, and each belongs to something',
  );
  const { count, first, last } = await transferSpan(statements);
  finding.checked = count;
  if (first !== 1) finding.differs(`the first transfer is #${first}`);
  if (count !== last - first + 1) {
    for (const before of await gapsInSequence(statements, MOST)) finding.differs(`#${before + 1} is missing`);
  }
  const promised = await promisedSequence(statements);
  if (promised > last) finding.differs(`a report speaks of #${promised}, the last transfer is #${last}`);
  for (const sequence of await orphanedTransfers(statements, MOST))
    finding.differs(`#${sequence} belongs to nothing in the ledger`);
  return finding;
}
