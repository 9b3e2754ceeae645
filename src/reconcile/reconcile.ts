/**
 * A reconciliation from the first step to the last: statements are loaded, what they share counts once, the books are
 * compared with all of them, breaks are kept, and a document says how it stands. The same statements in any order, once or
 * often, come to the same end: everything is worked out from what is loaded and what the books hold.
 */
import { basename } from 'node:path';
import { dayOf } from '../core/calendar.ts';
import type { ReconcileTerms } from '../core/reconcile-terms.ts';
import { Unreadable } from '../files/unreadable.ts';
import type { KnownAccount } from '../ledger/accounts.ts';
import { appendAct } from '../ledger/audit.ts';
import { payoutLines, sortTraded, strangeLines, sumsByPayout } from '../ledger/compared-lines.ts';
import type { Database } from '../ledger/database.ts';
import { booksOf, loadedStatements, type StoredStatement } from '../ledger/statements.ts';
import { type BankSums, compareBank } from './bank-side.ts';
import { ledgerBooks, remoteBooks } from './books.ts';
import { figureBreaks } from './figures.ts';
import { BreakKeeper, type Changes } from './keep.ts';
import { dropUnfinished, type Loaded, loadStatements } from './load.ts';
import { type Meant, whatIsMeant } from './meant.ts';
import { countOnce, replacedStatements } from './once.ts';
import { type PaidOutCheck, paidOutChecks, residualBreaks } from './payouts.ts';
import { type Period, periodOf } from './period.ts';
import type { StatementReader } from './statement.ts';
import { Tally } from './tally.ts';
import { type Comparison, compareTrades } from './trades.ts';

export interface ReconcileContext {
  readonly database: Database;
  /** The same database as it is at one moment; the caller of it closes it. */
  readonly snapshot: () => Promise<Database>;
  readonly actor: string;
  readonly now: number;
  readonly onProgress?: (what: 'loading' | 'comparing', file: string, lines: number) => void;
}

export interface ReconcileRequest {
  readonly account: KnownAccount;
  /** What executed: `engine`, or a remote gateway's name with its address. */
  readonly gateway: string;
  readonly address: string | null;
  readonly terms: ReconcileTerms;
  /** A reader is found when the file's turn has come; finding none is an error of the file. */
  readonly files: readonly { readonly path: string; readonly reader: () => Promise<StatementReader> }[];
  /** Days of the report, `YYYY-MM-DD`, both inclusive. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** A file that could not be used. */
export interface UnusableFile {
  readonly file: string;
  readonly error: Unreadable;
}

/** Everything that a report tells. */
export interface Reconciled {
  readonly books: number;
  readonly today: string;
  readonly period: Period;
  readonly tally: Tally;
  readonly checks: readonly PaidOutCheck[];
  /** Undefined while no bank statement is loaded. */
  readonly bank: BankSums | undefined;
  /** All that are loaded, and those of them of which a newer version is. */
  readonly statements: readonly StoredStatement[];
  readonly replaced: ReadonlySet<number>;
  readonly loaded: readonly Loaded[];
  readonly unusable: readonly UnusableFile[];
  readonly changes: Changes;
}

export async function reconcile(context: ReconcileContext, request: ReconcileRequest): Promise<Reconciled> {
  const { database, now } = context;
  const { account, gateway, terms } = request;
  const timeZone = account.settings.time_zone;
  const today = dayOf(now, timeZone);
  const period = periodOf(request.from, request.to, timeZone);
  const books = await database.write((statements) => booksOf(statements, account.number, gateway));
  await dropUnfinished(database);
  const { loaded, unusable } = await loadFiles(context, books, request.files);
  await countOnce(database, books);
  const statements = await loadedStatements(database.reads, books);
  const replaced = replacedStatements(statements);
  const keeper = new BreakKeeper(database, books, today);
  const tally = new Tally();
  context.onProgress?.('comparing', '', 0);
  const found = await compare(context, request, {
    number: books,
    owner: [account.merchantId, account.accountId, gateway],
    statements: new Map(
      statements.filter(({ number }) => !replaced.has(number)).map((one) => [one.number, one]),
    ),
    terms,
    timeZone,
    period,
    tally,
    take: (breaks) => keeper.take(breaks),
  });
  await keeper.end();
  await audit(context, request, keeper.changes);
  return {
    books,
    today,
    period,
    tally,
    ...found,
    statements,
    replaced,
    loaded,
    unusable,
    changes: keeper.changes,
  };
}

/** A file that cannot be read keeps no other from being loaded. */
async function loadFiles(
  { database, actor, now, onProgress }: ReconcileContext,
  books: number,
  files: ReconcileRequest['files'],
): Promise<{ readonly loaded: readonly Loaded[]; readonly unusable: readonly UnusableFile[] }> {
  const loaded: Loaded[] = [];
  const unusable: UnusableFile[] = [];
  for (const { path, reader } of files) {
    const file = basename(path);
    const onLines = (lines: number) => onProgress?.('loading', file, lines);
    try {
      loaded.push(await loadStatements({ database, books, actor, now, onLines }, path, await reader()));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      unusable.push({ file, error });
    }
  }
  return { loaded, unusable };
}

/** What the books say at one moment, against all statements that count. */
async function compare(
  { database, snapshot }: ReconcileContext,
  { account, address }: ReconcileRequest,
  common: Omit<Comparison, 'reads' | 'books'>,
): Promise<Pick<Reconciled, 'checks' | 'bank'>> {
  const { reads } = database;
  const { number, owner, statements, take } = common;
  const moment = await snapshot();
  try {
    const books =
      address === null
        ? ledgerBooks(moment.reads, account.number)
        : remoteBooks(moment.reads, account.number, address);
    const comparison: Comparison = { ...common, reads, books };
    const all = [...statements.values()];
    if (all.some(({ subject }) => subject === 'balance')) {
      await sortTraded(reads, number);
      const strangers = await strangeLines(reads, account.number, address);
      const meant: Meant = await whatIsMeant(reads, books, strangers);
      await compareTrades(comparison, meant);
    }
    const checks = paidOutChecks(await sumsByPayout(reads, number), await payoutLines(reads, number));
    await take(residualBreaks(owner, checks));
    await take(figureBreaks(owner, all));
    const hasBank = all.some(({ subject }) => subject === 'bank');
    return { checks, bank: hasBank ? await compareBank(comparison, checks) : undefined };
  } finally {
    await moment.close();
  }
}

/** A comparison that found everything as it was is no act. */
async function audit(
  { database, actor, now }: ReconcileContext,
  { account, gateway }: ReconcileRequest,
  changes: Changes,
): Promise<void> {
  if (changes.opened + changes.changed + changes.closed === 0) return;
  await database.write((statements) =>
    appendAct(statements, {
      at: now,
      who: actor,
      act: 'reconcile',
      subject: `${account.merchantId}/${account.accountId}`,
      detail: JSON.stringify({ gateway, ...changes }),
    }),
  );
}
