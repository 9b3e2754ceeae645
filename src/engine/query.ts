/**
 * The query: what an account may know of its transactions. It reads what is committed and changes nothing, so it goes
 * past the writer. Contract, "HTTP: Query selects by".
 */
import { type Reason, reason } from '../core/code.ts';
import {
  MOST_QUERIED,
  type QueriedTransaction,
  type QueryAnswer,
  type QueryRecord,
  type QueryRequest,
  type Selection,
} from '../core/query.ts';
import { stateOf, type Transaction } from '../core/transaction.ts';
import { type KnownAccount, readAccountsNamed } from '../ledger/accounts.ts';
import type { Statements } from '../ledger/database.ts';
import { loadPayments, type StoredPayment } from '../ledger/payments.ts';
import {
  type Place,
  type Selected,
  selectNewest,
  selectOrders,
  selectSpan,
  selectTransactions,
} from '../ledger/queries.ts';
import { loadTransactions } from '../ledger/transactions.ts';
import { contractStates } from './subscriptions/contracts.ts';

type Reads = Pick<Statements, 'all' | 'json'>;

/**
 * Answers a query.
 * @param now epoch milliseconds: states are those of this moment
 * @returns records in the order of the names; oldest first for a span of time; newest first otherwise. Failures: I0013
 * an unknown account, I0051 no name or too many, I0002 a cursor that is not one of this span
 */
export async function queryTransactions(
  statements: Reads,
  request: QueryRequest,
  now: number,
): Promise<QueryAnswer> {
  const [account] = await readAccountsNamed(statements, [request]);
  if (account === undefined) return { failure: reason('I0013') };
  const page = await pageOf(statements, account.number, request.selection);
  if ('failure' in page) return page;
  const known = await describe(statements, account, page.places, now);
  return { records: page.places.map((place) => recordOf(place, known)), cursor: page.cursor };
}

/** Names that are not there hold their place in the answer. */
type Found = Selected | Extract<QueryRecord, { readonly missing: unknown }>;

interface Page {
  readonly places: readonly Found[];
  readonly cursor: string | undefined;
}

type Outcome = Page | { readonly failure: Reason };

async function pageOf(statements: Reads, account: number, selection: Selection): Promise<Outcome> {
  switch (selection.by) {
    case 'name':
      return namedPage(statements, account, selection);
    case 'date':
      return datePage(statements, account, selection);
    case 'newest':
      return { places: await selectNewest(statements, account, MOST_QUERIED), cursor: undefined };
  }
}

/**
 * One order number can stand for several transactions, all but one of them declined, rejected, cancelled or expired.
 * The room of an answer is shared out evenly, so that no name is crowded out by the attempts under another.
 */
async function namedPage(
  statements: Reads,
  account: number,
  selection: Extract<Selection, { readonly by: 'name' }>,
): Promise<Outcome> {
  const orderNos = [...new Set(selection.orderNos)];
  const transactionIds = [...new Set(selection.transactionIds)];
  const names = orderNos.length + transactionIds.length;
  if (names === 0 || names > MOST_QUERIED) {
    return { failure: reason('I0051', `${names} names, and 1 to ${MOST_QUERIED} can be asked for`) };
  }
  const mostOfEach = Math.floor(MOST_QUERIED / names);
  const [byOrder, byId] = await Promise.all([
    selectOrders(statements, account, orderNos, mostOfEach),
    selectTransactions(statements, account, transactionIds),
  ]);
  const places = [
    ...orderNos.flatMap((orderNo) =>
      orMissing(
        byOrder.filter((one) => one.orderNo === orderNo),
        { orderNo, transactionId: undefined },
      ),
    ),
    ...transactionIds.flatMap((transactionId) =>
      orMissing(
        byId.filter((one) => one.transactionId === transactionId),
        { orderNo: undefined, transactionId },
      ),
    ),
  ];
  return { places: withoutRepeats(places), cursor: undefined };
}

function orMissing(
  found: readonly Selected[],
  missing: { readonly orderNo: string | undefined; readonly transactionId: string | undefined },
): readonly Found[] {
  return found.length === 0 ? [{ missing }] : found;
}

/** A transaction that is named by its order number and by its id stands in the answer once. */
function withoutRepeats(places: readonly Found[]): readonly Found[] {
  const seen = new Set<number>();
  return places.filter((place) => {
    if ('missing' in place) return true;
    if (seen.has(place.number)) return false;
    seen.add(place.number);
    return true;
  });
}

async function datePage(
  statements: Reads,
  account: number,
  { from, to, cursor }: Extract<Selection, { readonly by: 'date' }>,
): Promise<Outcome> {
  const after = cursor === undefined ? undefined : placeOf(cursor);
  if (cursor !== undefined && (after === undefined || after.createdAt < from || after.createdAt >= to)) {
    return { failure: reason('I0002', 'cursor is not one that a query of these dates gave') };
  }
  // One more than a page tells whether there is another page.
  const selected = await selectSpan(statements, account, { from, to }, after, MOST_QUERIED + 1);
  const places = selected.slice(0, MOST_QUERIED);
  return { places, cursor: selected.length > MOST_QUERIED ? cursorOf(places.at(-1)!) : undefined };
}

/** The last place of a page: whatever is added meanwhile, the next page neither repeats nor leaves out what was there. */
function cursorOf({ createdAt, number }: Place): string {
  return Buffer.from(`${createdAt}.${number}`).toString('base64url');
}

function placeOf(cursor: string): Place | undefined {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  return match === null ? undefined : { createdAt: Number(match[1]), number: Number(match[2]) };
}

async function describe(
  statements: Reads,
  account: KnownAccount,
  places: readonly Found[],
  now: number,
): Promise<ReadonlyMap<number, QueriedTransaction>> {
  const selected = places.filter((place): place is Selected => !('missing' in place));
  const numbers = selected.map(({ number }) => number);
  const ids = selected.map(({ transactionId }) => transactionId);
  const [loaded, payments, contracts] = await Promise.all([
    loadTransactions(statements, new Map([[account.number, ids]])),
    loadPayments(statements, numbers),
    contractStates(statements, numbers),
  ]);
  const createdAt = new Map(selected.map((one) => [one.number, one.createdAt]));
  return new Map(
    loaded.map(({ number, transaction }) => [
      number,
      {
        ...figuresOf(transaction),
        state: stateOf(transaction, now, account.settings.lifetime),
        createdAt: createdAt.get(number)!,
        ...paymentOf(payments.get(number)),
        contract: contracts.get(number),
      },
    ]),
  );
}

function figuresOf({ transactionId, orderNo, currency, amount }: Transaction) {
  return { transactionId, orderNo, currency, amount };
}

/** What only a payment has that this gateway authorised; the newest decision counts. */
function paymentOf(payment: StoredPayment | undefined) {
  const decisions = payment?.decisions ?? [];
  return {
    referenceNo: decisions.findLast(({ referenceNo }) => referenceNo !== undefined)?.referenceNo ?? '',
    is3ds: decisions.some(({ outcome, threeDs }) => outcome === 'challenge' || threeDs !== '-'),
    message: payment?.order.message,
    risk: payment?.attempt?.risk,
  };
}

function recordOf(place: Found, known: ReadonlyMap<number, QueriedTransaction>): QueryRecord {
  return 'missing' in place ? place : { found: known.get(place.number)! };
}
