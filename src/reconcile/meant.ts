/**
 * Which transactions lines mean that do not name one by its id: by an order number, the acquirer's reference of the
 * payment, or the gateway's of a refund. A name that fits several transactions names none.
 */
import { type LineNames, namesOfLines } from '../ledger/compared-lines.ts';
import type { Statements } from '../ledger/database.ts';
import type { Books } from './books.ts';

const BLOCK = 2_000;

export interface Meant {
  /** Transaction ids by line number. */
  readonly transactions: ReadonlyMap<number, string>;
  /** Names that fit several, by line number. */
  readonly unclear: ReadonlyMap<number, string>;
}

/** @param strangers numbers of the lines whose first reference is no transaction id, with those references */
export async function whatIsMeant(
  reads: Pick<Statements, 'json'>,
  books: Books,
  strangers: readonly number[],
): Promise<Meant> {
  const transactions = new Map<number, string>();
  const unclear = new Map<number, string>();
  for (let from = 0; from < strangers.length; from += BLOCK) {
    const lines = [...(await namesOfLines(reads, strangers.slice(from, from + BLOCK))).values()];
    const names = [...new Set(lines.flatMap(namesOf))];
    const known = new Map(await books.named(names));
    for (const line of lines) {
      const name = line.references.find((one) => known.get(one)?.length === 1);
      const several = line.references.find((one) => known.has(one));
      const refunded = refundedBy(line).find((id) => known.get(id)?.includes(id));
      if (name !== undefined) transactions.set(line.number, known.get(name)![0]!);
      else if (refunded !== undefined) transactions.set(line.number, refunded);
      else if (several !== undefined) unclear.set(line.number, several);
    }
  }
  return { transactions, unclear };
}

function namesOf(line: LineNames): readonly string[] {
  return [...line.references, ...refundedBy(line)];
}

/** Of a refund that is called by the gateway's own id of it, `TRANSACTION-n`: the transaction. */
function refundedBy({ kind, gross, references }: LineNames): readonly string[] {
  if (kind !== 'refund' || gross >= 0) return [];
  return references.flatMap((reference) => /^(.+)-\d{1,6}$/.exec(reference)?.[1] ?? []);
}
