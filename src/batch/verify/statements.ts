/** The statements of acquirers and banks that are loaded, and what people said of breaks. */
import { unsaidResolutions } from '../../ledger/breaks.ts';
import type { Statements } from '../../ledger/database.ts';
import { linesOfStatements } from '../../ledger/statements.ts';
import { Finding } from './finding.ts';

export async function verifyStatements(statements: Pick<Statements, 'all'>): Promise<Finding> {
  const finding = new Finding('statements', 'every loaded statement has all its lines');
  for (const { file, place, said, there } of await linesOfStatements(statements)) {
    finding.checked += 1;
    if (said !== there) finding.differs(`${file}, statement ${place}: ${there} lines of ${said}`);
  }
  return finding;
}

export async function verifyBreaks(statements: Pick<Statements, 'all'>): Promise<Finding> {
  const finding = new Finding('breaks', 'every resolved break was resolved by somebody');
  const { resolved, unsaid } = await unsaidResolutions(statements);
  finding.checked = resolved;
  for (const id of unsaid) finding.differs(`${id} is resolved, and the audit does not say by whom`);
  return finding;
}
