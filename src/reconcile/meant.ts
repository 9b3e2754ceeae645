/**
 * Which transactions lines mean that do not name one by its id: by an order number, the acquirer's reference of the
 * payment, or the gateway's of a refund. A name that fits several transactions names none.
 */
import { namesOfLines } from '../ledger/compared-lines.ts';
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
    const named = lines.map((line) => [line.number, namesOf(line.references)] as const);
    const known = new Map(await books.named([...new Set(named.flatMap(([, names]) => names))]));
    for (const [line, names] of named) {
      const name = names.find((one) => known.get(one)?.length === 1) ?? names.find((one) => known.has(one));
      const ids = name === undefined ? [] : known.get(name)!;
      if (ids.length === 1) transactions.set(line, ids[0]!);
      if (ids.length > 1) unclear.set(line, name!);
    }
  }
  return { transactions, unclear };
}

/** The most exact first; of a refund's own id, `TRANSACTION-n`, also the transaction's. */
function namesOf(references: readonly string[]): readonly string[] {
  return references
    .filter((reference) => reference !== '')
    .flatMap((reference) => [reference, ...refunded(reference)]);
}

function refunded(reference: string): readonly string[] {
  const id = /^(.+)-\d{1,6}$/.exec(reference)?.[1];
  return id === undefined ? [] : [id];
}
