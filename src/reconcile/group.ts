/**
 * Matching what the ledger and a statement say under one reference. Pure, and the same whatever the order of entries and
 * lines: equal ones are interchangeable. A line and an entry are in one match at most; what is left over is a finding.
 */
import type { StatementLine } from './statement.ts';

/** Money that the ledger says has moved between acquirer and merchant. */
export interface LedgerEntry {
  /** Its place in the ledger. */
  readonly key: number;
  readonly currency: string;
  /** Minor units; above zero is owed to the merchant, below zero by the merchant. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What of a statement's line matching looks at. */
export type MatchedLine = Pick<StatementLine, 'currency' | 'gross' | 'booked'> & {
  /** Its place among all lines. */
  readonly key: number;
  /**
   * What in the ledger it can explain: captures, refunds, or nothing that the ledger knows, such as a chargeback. Where
   * nobody says, its direction tells.
   */
  readonly explains?: Explains;
};

export type Explains = 'capture' | 'refund' | 'nothing';

/** How a match was found. */
export type Rule =
  /** One entry, one line: reference, currency and amount. */
  | 'reference'
  /** Several entries add up to one line. */
  | 'entries add up'
  /** One entry is the sum of several lines. */
  | 'lines add up';

export interface Match {
  readonly rule: Rule;
  readonly entries: readonly LedgerEntry[];
  readonly lines: readonly MatchedLine[];
}

/** What does not fit; null where a side has nothing. */
export type Finding =
  | { readonly kind: 'missing_in_statement'; readonly entry: LedgerEntry; readonly line: null }
  | { readonly kind: 'missing_in_ledger'; readonly entry: null; readonly line: MatchedLine }
  | { readonly kind: 'duplicate_in_statement'; readonly entry: null; readonly line: MatchedLine }
  | { readonly kind: 'amount_differs'; readonly entry: LedgerEntry; readonly line: MatchedLine }
  | { readonly kind: 'currency_differs'; readonly entry: LedgerEntry; readonly line: MatchedLine };

export interface GroupVerdict {
  readonly matches: readonly Match[];
  readonly findings: readonly Finding[];
}

/** Explains all entries and lines that have one reference. */
export function matchGroup(entries: readonly LedgerEntry[], lines: readonly MatchedLine[]): GroupVerdict {
  const [entry] = entries;
  const [line] = lines;
  // Nearly always it is this.
  if (
    entry !== undefined &&
    line !== undefined &&
    entries.length === 1 &&
    lines.length === 1 &&
    isSame(entry, line)
  )
    return { matches: [{ rule: 'reference', entries, lines }], findings: [] };
  const group = new Group(entries, lines);
  const matches = [...group.exact(), ...group.sums()];
  return { matches, findings: [...group.duplicates(matches), ...group.differences(), ...group.rest()] };
}

/** What of a reference is not explained yet; each step takes away what it explains. */
class Group {
  #entries: readonly LedgerEntry[];
  #lines: readonly MatchedLine[];

  constructor(entries: readonly LedgerEntry[], lines: readonly MatchedLine[]) {
    this.#entries = entries.toSorted(
      (a, b) => a.amount - b.amount || compare(a.currency, b.currency) || a.at - b.at || a.key - b.key,
    );
    this.#lines = lines.toSorted(
      (a, b) =>
        a.gross - b.gross || compare(a.currency, b.currency) || compare(a.booked, b.booked) || a.key - b.key,
    );
  }

  exact(): readonly Match[] {
    return this.#pair(isSame).map(([entry, line]) => ({
      rule: 'reference',
      entries: [entry],
      lines: [line],
    }));
  }

  /** All that is left on one side, of one kind and currency, is one piece on the other. */
  sums(): readonly Match[] {
    const matches: Match[] = [];
    for (const place of new Set([...this.#entries.map(placeOf), ...this.#lines.map(placeOf)])) {
      const entries = this.#entries.filter((one) => placeOf(one) === place);
      const lines = this.#lines.filter((one) => placeOf(one) === place);
      const isOne = (entries.length === 1) !== (lines.length === 1);
      if (!isOne || entries.length === 0 || lines.length === 0) continue;
      if (sum(entries.map(({ amount }) => amount)) !== sum(lines.map(({ gross }) => gross))) continue;
      matches.push({ rule: lines.length === 1 ? 'entries add up' : 'lines add up', entries, lines });
      this.#take(entries, lines);
    }
    return matches;
  }

  /** The same line once more than the ledger has it. */
  duplicates(matches: readonly Match[]): readonly Finding[] {
    const explained = matches.flatMap(({ lines }) => lines);
    const twice = this.#lines.filter((line) =>
      explained.some((one) => placeOf(one) === placeOf(line) && one.gross === line.gross),
    );
    this.#take([], twice);
    return twice.map((line) => ({ kind: 'duplicate_in_statement', entry: null, line }));
  }

  differences(): readonly Finding[] {
    const amounts = this.#pair((entry, line) => placeOf(entry) === placeOf(line));
    const currencies = [
      ...this.#pair((entry, line) => entry.amount === line.gross && whatOf(entry) === whatOf(line)),
      ...this.#pair((entry, line) => whatOf(entry) === whatOf(line)),
    ];
    return [
      ...amounts.map(([entry, line]) => ({ kind: 'amount_differs', entry, line }) as const),
      ...currencies.map(([entry, line]) => ({ kind: 'currency_differs', entry, line }) as const),
    ];
  }

  rest(): readonly Finding[] {
    return [
      ...this.#entries.map((entry) => ({ kind: 'missing_in_statement', entry, line: null }) as const),
      ...this.#lines.map((line) => ({ kind: 'missing_in_ledger', entry: null, line }) as const),
    ];
  }

  /** Takes away pairs that fit, each one once, in the order of amounts. */
  #pair(
    fits: (entry: LedgerEntry, line: MatchedLine) => boolean,
  ): readonly (readonly [LedgerEntry, MatchedLine])[] {
    const pairs: [LedgerEntry, MatchedLine][] = [];
    const free = new Set(this.#lines);
    for (const entry of this.#entries) {
      for (const line of free) {
        if (!fits(entry, line)) continue;
        pairs.push([entry, line]);
        free.delete(line);
        break;
      }
    }
    this.#take(
      pairs.map(([entry]) => entry),
      pairs.map(([, line]) => line),
    );
    return pairs;
  }

  #take(entries: readonly LedgerEntry[], lines: readonly MatchedLine[]): void {
    const [taken, gone] = [new Set(entries), new Set(lines)];
    this.#entries = this.#entries.filter((one) => !taken.has(one));
    this.#lines = this.#lines.filter((one) => !gone.has(one));
  }
}

function isSame(entry: LedgerEntry, line: MatchedLine): boolean {
  return entry.amount === line.gross && placeOf(entry) === placeOf(line);
}

/** Currency, and what it is: a line of another kind explains nothing, whatever its amount. */
function placeOf(one: LedgerEntry | MatchedLine): string {
  return `${one.currency} ${whatOf(one)}`;
}

function whatOf(one: LedgerEntry | MatchedLine): Explains {
  if ('amount' in one) return one.amount > 0 ? 'capture' : 'refund';
  return one.explains ?? (one.gross > 0 ? 'capture' : 'refund');
}

function sum(amounts: readonly number[]): bigint {
  return amounts.reduce((all, amount) => all + BigInt(amount), 0n);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
