/**
 * The acquirer's side: what moved under each transaction, against the lines that mean it. Both come in the order of
 * transaction ids and are walked through once, so that memory stays flat for any number of them.
 */
import { type BreakKind, dayAfter, type FoundBreak } from '../core/break.ts';
import { dayOf } from '../core/calendar.ts';
import type { AgreedFee, ReconcileTerms } from '../core/reconcile-terms.ts';
import type { Trade } from '../ledger/compared.ts';
import { type ComparedLine, namesOfLines } from '../ledger/compared-lines.ts';
import type { Statements } from '../ledger/database.ts';
import type { StoredStatement } from '../ledger/statements.ts';
import { agreedFeeOf } from './agreed-fee.ts';
import type { Books } from './books.ts';
import { matchByDay } from './by-day.ts';
import { Cursor, compareTexts } from './cursor.ts';
import { type Anchor, breakId, MEANINGS, placeOf, type Take } from './found.ts';
import { type Finding, type LedgerEntry, type MatchedLine, matchGroup } from './group.ts';
import type { Meant } from './meant.ts';
import { whatItSays } from './once.ts';
import { hasDay, hasMoment, type Period } from './period.ts';
import { explainedBy } from './roles.ts';
import type { Tally } from './tally.ts';
import { tradeLines } from './trade-lines.ts';

const SIDE = 'acquirer';

const SEVERAL_LINES = 'Several lines without a name could be it, by amount and day.';
const SEVERAL_MOVEMENTS = 'It names nothing, and could be several movements by amount and day.';

/** Breaks that are handed on together. */
const BLOCK = 1_000;

export interface Comparison {
  readonly reads: Pick<Statements, 'json'>;
  /** The number of the books, and whose they are: merchant, account, gateway. */
  readonly number: number;
  readonly owner: readonly string[];
  readonly books: Books;
  /** By number. */
  readonly statements: ReadonlyMap<number, StoredStatement>;
  readonly terms: ReconcileTerms;
  readonly timeZone: string;
  readonly period: Period;
  readonly tally: Tally;
  readonly take: Take;
}

/** A line with its place among all lines, which has nothing to do with the order in which they were loaded. */
type PlacedLine = ComparedLine & MatchedLine;

/** A movement in the books, and which one it is of its transaction. */
interface Moved {
  readonly reference: string;
  /** Of its transaction's captures, or refunds, from 1. */
  readonly nth: number;
  readonly currency: string;
  readonly amount: number;
  readonly at: number;
  readonly day: string;
}

/** A break without what only its line's row says. */
interface Draft {
  readonly found: Omit<FoundBreak, 'id' | 'place'>;
  readonly line: ComparedLine | null;
  /** Of a movement in the books; undefined where only the line can tell. */
  readonly anchor: Anchor | undefined;
}

export async function compareTrades(comparison: Comparison, meant: Meant): Promise<void> {
  const walk = new Walk(comparison, meant);
  let last: string | undefined;
  const trades = new Cursor(comparison.books.trades());
  const lines = new Cursor(tradeLines(comparison.reads, meant.transactions));
  for (;;) {
    const trade = trades.row ?? ((await trades.more()) ? trades.row : undefined);
    const line = lines.row ?? ((await lines.more()) ? lines.row : undefined);
    if (trade === undefined && line === undefined) break;
    const order =
      line === undefined ? -1 : trade === undefined ? 1 : compareTexts(trade.reference, line.reference);
    const group: ComparedLine[] = [];
    if (order >= 0) {
      const { reference } = line!;
      for (;;) {
        const next = lines.row ?? ((await lines.more()) ? lines.row : undefined);
        if (next?.reference !== reference) break;
        group.push(next);
        lines.take();
      }
    }
    if (order <= 0) {
      if (last !== undefined && compareTexts(last, trade!.reference) >= 0)
        throw new Error(`${trade!.reference} comes after ${last}: the walk would miss lines`);
      last = trade!.reference;
      trades.take();
    }
    walk.group(order <= 0 ? trade : undefined, group);
    if (walk.isFull) await walk.flush();
  }
  walk.end();
  await walk.flush();
}

class Walk {
  readonly #comparison: Comparison;
  readonly #meant: Meant;
  readonly #fees: ReadonlyMap<string, AgreedFee>;
  readonly #ranks: ReadonlyMap<number, number>;
  #drafts: Draft[] = [];
  /** Lines that name nothing, their amounts, and the movements of those amounts that nobody has named. */
  #nameless: readonly ComparedLine[] = [];
  #amounts: ReadonlySet<string> = new Set();
  readonly #unnamed: Moved[] = [];

  constructor(comparison: Comparison, meant: Meant) {
    this.#comparison = comparison;
    this.#meant = meant;
    this.#fees = new Map(comparison.terms.fees.map((fee) => [`${fee.kind} ${fee.currency}`, fee]));
    this.#ranks = new Map([...comparison.statements.keys()].map((number, rank) => [number, rank]));
  }

  get isFull(): boolean {
    return this.#drafts.length >= BLOCK;
  }

  /** What moved under one transaction, and the lines that mean it. */
  group(trade: Trade | undefined, lines: readonly ComparedLine[]): void {
    const { tally, period } = this.#comparison;
    if (this.#fees.size > 0) for (const line of lines) this.#checkFee(line);
    const [line] = lines;
    const [movement] = trade?.movements ?? [];
    // Nearly always it is this: what `matchGroup` says of it needs no groups.
    if (
      movement !== undefined &&
      line !== undefined &&
      trade!.movements.length === 1 &&
      lines.length === 1 &&
      movement[1] === line.gross &&
      trade!.currency === line.currency &&
      explainedBy(line.kind) === (line.gross > 0 ? 'capture' : 'refund')
    ) {
      if (hasMoment(period, movement[2])) tally.pair(SIDE, 'reference', line.currency, line.gross);
      return;
    }
    if (trade === undefined && line!.reference === '') {
      this.#keep(lines);
      return;
    }
    const entries = trade === undefined ? [] : entriesOf(trade);
    const { matches, findings } = matchGroup(
      entries,
      lines.map((line) => this.#placed(line)),
    );
    for (const match of matches)
      if (hasMoment(period, firstMoment(match.entries)))
        tally.match(SIDE, match.rule, match.entries, match.lines);
    for (const { kind, entry, line } of findings) {
      const moved = entry === null ? null : this.#moved(trade!.reference, entry, entries);
      this.#note(kind, moved, line as PlacedLine | null);
    }
  }

  /** When all groups have gone by: what names nothing, against what nobody has named. */
  end(): void {
    const { tally, period, terms } = this.#comparison;
    const { matches, unclear, entries, lines } = matchByDay(this.#unnamed, this.#nameless, terms.window);
    for (const { entry, line } of matches)
      if (hasMoment(period, entry.at)) tally.match(SIDE, 'amount and day', [entry], [line]);
    for (const cluster of unclear) {
      for (const moved of cluster.entries) this.#found('ambiguous', moved, null, SEVERAL_LINES);
      for (const line of cluster.lines) this.#found('ambiguous', null, line, SEVERAL_MOVEMENTS);
    }
    for (const moved of entries) this.#found('missing_in_statement', moved, null);
    for (const line of lines) this.#found('missing_in_ledger', null, line);
  }

  async flush(): Promise<void> {
    const drafts = this.#drafts;
    if (drafts.length === 0) return;
    this.#drafts = [];
    const { reads, take } = this.#comparison;
    const numbers = drafts.flatMap(({ line }) => (line === null ? [] : [line.number]));
    const names = await namesOfLines(reads, numbers);
    await take(
      drafts.map((draft) =>
        this.#break(draft, draft.line && (names.get(draft.line.number)?.identity ?? null)),
      ),
    );
  }

  /** They come before all others: by then no movement has been asked for. */
  #keep(lines: readonly ComparedLine[]): void {
    const canExplain = ({ kind, gross }: ComparedLine) =>
      explainedBy(kind) === (gross > 0 ? 'capture' : 'refund');
    this.#nameless = lines.filter(canExplain);
    this.#amounts = new Set(this.#nameless.map(({ currency, gross }) => `${currency} ${gross}`));
    for (const line of lines) if (!canExplain(line)) this.#found('missing_in_ledger', null, line);
  }

  #note(kind: Finding['kind'], moved: Moved | null, line: PlacedLine | null): void {
    if (moved !== null && line === null && this.#amounts.has(`${moved.currency} ${moved.amount}`)) {
      this.#unnamed.push(moved);
      return;
    }
    const unclear = moved === null ? this.#meant.unclear.get(line!.number) : undefined;
    if (unclear === undefined) this.#found(kind, moved, line);
    else this.#found('ambiguous', null, line, `Several transactions have the name ${unclear}.`);
  }

  /** Notes a break, and counts what it is about. */
  #found(kind: BreakKind, moved: Moved | null, line: ComparedLine | null, why = MEANINGS[kind]): void {
    const { terms, tally, period } = this.#comparison;
    const day = moved?.day ?? line!.booked;
    if (kind === 'missing_in_statement' && terms.since !== undefined && day < terms.since) return;
    if (hasDay(period, day)) {
      if (moved !== null) tally.entry(SIDE, moved.currency, moved.amount);
      if (line !== null) tally.line(SIDE, line.currency, line.gross);
    }
    const currency = moved?.currency ?? line!.currency;
    this.#drafts.push({
      line,
      anchor: moved === null ? undefined : ['movement', moved.reference, Math.sign(moved.amount), moved.nth],
      found: {
        side: SIDE,
        kind,
        reference: moved?.reference ?? line!.reference,
        currency,
        statementCurrency: line === null || line.currency === currency ? null : line.currency,
        ledger: moved === null ? null : BigInt(moved.amount),
        statement: line === null ? null : BigInt(line.gross),
        compared: true,
        day,
        due: kind === 'missing_in_statement' ? dayAfter(day, terms.lag) : null,
        why,
      },
    });
  }

  #moved(reference: string, entry: LedgerEntry, entries: readonly LedgerEntry[]): Moved {
    const { currency, amount, at } = entry;
    const day = dayOf(at, this.#comparison.timeZone);
    return { reference, nth: nth(entry, entries), currency, amount, at, day };
  }

  #checkFee(line: ComparedLine): void {
    const agreed = this.#fees.get(`${line.kind} ${line.currency}`);
    if (agreed === undefined) return;
    const expected = agreedFeeOf(agreed, line.gross);
    const differs = BigInt(line.fee) - expected;
    if ((differs < 0n ? -differs : differs) <= BigInt(agreed.tolerance)) return;
    this.#drafts.push({
      line,
      anchor: undefined,
      found: {
        side: SIDE,
        kind: 'fee_differs',
        reference: line.reference,
        currency: line.currency,
        statementCurrency: null,
        ledger: expected,
        statement: BigInt(line.fee),
        compared: false,
        day: line.booked,
        due: null,
        why: `${MEANINGS.fee_differs} Agreed: ${agreed.percent} % and a fixed part.`,
      },
    });
  }

  #placed(line: ComparedLine): PlacedLine {
    // A statement has fewer than 2^31 lines, and there are fewer than 2^22 statements: the key stays exact.
    const key = this.#ranks.get(line.statement)! * 2 ** 31 + line.line;
    return { ...line, key, explains: explainedBy(line.kind) };
  }

  #break({ found, line, anchor }: Draft, identity: string | null): FoundBreak {
    const { owner, statements } = this.#comparison;
    const statement = line === null ? undefined : statements.get(line.statement)!;
    const about: Anchor =
      anchor ??
      (identity === null
        ? ['line', statement!.sha256, statement!.place, line!.line]
        : ['identity', identity, ...whatItSays(line!)]);
    return {
      ...found,
      id: breakId(owner, SIDE, [found.kind === 'fee_differs' ? 'fee' : 'amount', ...about]),
      place: line === null ? null : placeOf(statement!.file, line.line),
    };
  }
}

function entriesOf({ currency, movements }: Trade): readonly LedgerEntry[] {
  return movements.map(([key, amount, at]) => ({ key, currency, amount, at }));
}

function firstMoment(entries: readonly LedgerEntry[]): number {
  return entries.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
}

/** Which one it is of its transaction's captures, or refunds, from 1. */
function nth(entry: LedgerEntry, entries: readonly LedgerEntry[]): number {
  const alike = entries.filter(({ amount }) => Math.sign(amount) === Math.sign(entry.amount));
  return alike.filter(({ key }) => key <= entry.key).length;
}
