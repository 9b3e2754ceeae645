/**
 * Which result belongs to which entry of a request. An answer is matched by transaction and order number, whatever its
 * order, and every echoed figure is compared: a success that is not exactly what was asked for is none. F63 to F67
 */
import { usualMovement } from '../core/answer.ts';
import { reason } from '../core/code.ts';
import { digitsOf } from '../core/currency.ts';
import type { Entry, Result } from '../core/gateway.ts';
import { getOrSet } from '../core/get-or-set.ts';
import { parseAmount } from '../core/money.ts';
import type { EntryOperation } from '../core/operation.ts';
import type { AnsweredEntry } from '../wire/messages/entries-answer.ts';

/** Entries of a request that act on one transaction, and what the answer says of it. */
interface Group {
  /** Places in the request. */
  readonly asked: number[];
  readonly said: AnsweredEntry[];
}

/** One result per entry of the request, in its order. */
export function matchEntries(
  operation: EntryOperation,
  entries: readonly Entry[],
  answered: readonly AnsweredEntry[],
): readonly Result[] {
  const groups = new Map<string, Group>();
  for (const [index, entry] of entries.entries()) {
    getOrSet(groups, subjectOf(entry), () => ({ asked: [], said: [] })).asked.push(index);
  }
  for (const one of answered) {
    const group = groups.get(subjectOf(one));
    if (group === undefined) return entries.map(() => UNASKED);
    group.said.push(one);
  }
  const results = new Array<Result>(entries.length);
  for (const { asked, said } of groups.values()) {
    const ofGroup = resultsOf(
      operation,
      asked.map((index) => entries[index]!),
      said,
    );
    for (const [place, index] of asked.entries()) results[index] = ofGroup[place]!;
  }
  return results;
}

/** No id has a line end. */
function subjectOf({ transactionId, orderNo }: Pick<Entry, 'transactionId' | 'orderNo'>): string {
  return `${transactionId}\n${orderNo}`;
}

/** What an entry asks for or an answer repeats, in a form that can be compared. */
function figuresOf(one: {
  readonly currency: string;
  readonly amount: number | string;
  readonly refundAmount: number | string | undefined;
  readonly reviewFlag: number | string | undefined;
}): string {
  const { currency, amount, refundAmount, reviewFlag } = one;
  return [currency, minorOf(amount, currency), minorOf(refundAmount, currency), reviewFlag ?? ''].join(' ');
}

function minorOf(amount: number | string | undefined, currency: string): string {
  if (typeof amount !== 'string') return String(amount ?? '');
  const digits = digitsOf(currency);
  return String(digits === undefined ? 'malformed' : parseAmount(amount, digits));
}

/** Results of the entries that act on one transaction: nearly always one. */
function resultsOf(
  operation: EntryOperation,
  entries: readonly Entry[],
  said: readonly AnsweredEntry[],
): readonly Result[] {
  const places = new Map<string, number[]>();
  for (const [place, entry] of entries.entries()) {
    getOrSet(places, keyOf(entry, entry.reference, operation), () => []).push(place);
  }
  const byKey = new Map<string, AnsweredEntry[]>();
  for (const one of said) {
    const key = keyOf(one, one.reference, operation);
    if (!places.has(key)) return entries.map(() => DIFFERENT);
    getOrSet(byKey, key, () => []).push(one);
  }
  const results = new Array<Result>(entries.length);
  for (const [key, alike] of places) {
    const ofThese = resultsOfAlike(operation, entries, alike, byKey.get(key) ?? []);
    for (const [index, place] of alike.entries()) results[place] = ofThese[index]!;
  }
  return results;
}

/** Only refunds echo the sender's own key. */
function keyOf(
  one: Parameters<typeof figuresOf>[0],
  reference: string | undefined,
  operation: EntryOperation,
): string {
  return operation === 'refund' ? `${figuresOf(one)} ${reference ?? ''}` : figuresOf(one);
}

/** Entries that no answer can tell apart are interchangeable: which of them is the first says nothing about money. */
function resultsOfAlike(
  operation: EntryOperation,
  entries: readonly Entry[],
  places: readonly number[],
  said: readonly AnsweredEntry[],
): readonly Result[] {
  const told = places.length === 1 ? withoutRepeats(said) : said;
  if (told.length < places.length) return places.map(() => MISSING);
  if (told.length > places.length) return places.map(() => CONTRADICTING);
  return places.map((place, index) => resultOf(operation, entries[place]!, told[index]!));
}

function withoutRepeats(said: readonly AnsweredEntry[]): readonly AnsweredEntry[] {
  return [...new Map(said.map((one) => [JSON.stringify(one), one])).values()];
}

function resultOf(
  operation: EntryOperation,
  entry: Entry,
  { said, gatewayReference }: AnsweredEntry,
): Result {
  if ('reason' in said) return said;
  const { refundAmount, amount, currency } = entry;
  const moved = said.status === 'done' ? usualMovement(operation, refundAmount ?? amount, currency) : [];
  return { status: said.status, reference: gatewayReference, moved };
}

function unknown(detail: string, alarm: { readonly alarm?: true } = {}): Result {
  return { status: 'unknown', reason: reason('E0001', detail, alarm) };
}

const ALARM = { alarm: true } as const;

const MISSING = unknown('the answer has no entry for it');
const CONTRADICTING = unknown('the answer has several entries for it, and they contradict each other');
const UNASKED = unknown('the answer has an entry that nobody asked for', ALARM);
const DIFFERENT = unknown('the answer repeats another amount, currency or flag than was sent', ALARM);
