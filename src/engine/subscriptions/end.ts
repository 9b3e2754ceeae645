/** The end of a contract by a person's word. */
import { appendAct } from '../../ledger/audit.ts';
import { insertEnding, setWake } from '../../ledger/contracts.ts';
import type { Database } from '../../ledger/database.ts';
import type { Ordered } from './charge.ts';
import { readContracts } from './contracts.ts';

/**
 * Ends a contract: nothing more is charged. An attempt whose answer is missing is still asked about, for it may have
 * been approved.
 * @param at epoch milliseconds
 * @returns false when it has ended already
 */
export function endContract(
  database: Database,
  number: number,
  { who, reason }: Ordered,
  at: number,
): Promise<boolean> {
  return database.write(async (statements) => {
    const contract = (await readContracts(statements, [number]))[0]!;
    if (contract.standing.is === 'ended') return false;
    await insertEnding(statements, number, { at, who, reason });
    await setWake(statements, number, undefined);
    await appendAct(statements, {
      at,
      who,
      act: 'recurring.end',
      subject: contract.recurringId,
      detail: JSON.stringify({ reason }),
    });
    return true;
  });
}
