/** Counting lines and money per account, operation and currency: what totals and breakdown of a report are made of. */
import { digitsOf } from '../core/currency.ts';
import type { Movement } from '../core/gateway.ts';
import { formatAmount, Sum } from '../core/money.ts';
import { OUTCOMES, type Outcome } from '../core/outcome.ts';
import type { Amounts, BreakdownRow, LineCounts } from '../report/document.ts';

/** Where a line belongs; undefined where an invalid line does not say. */
export interface Place {
  readonly merchantId: string | undefined;
  readonly accountId: string | undefined;
  readonly operation: string | undefined;
}

class Row {
  readonly place: Place;
  readonly currency: string;
  readonly lines = new Map<Outcome, number>();
  readonly sums = new Map<Outcome, Sum>();
  readonly movedIn = new Sum();
  readonly movedOut = new Sum();
  readonly fees = new Sum();
  unreadable = 0;

  constructor(place: Place, currency: string) {
    this.place = place;
    this.currency = currency;
  }

  add(outcome: Outcome, amount: number | undefined): void {
    this.lines.set(outcome, (this.lines.get(outcome) ?? 0) + 1);
    if (amount === undefined) {
      this.unreadable += 1;
      return;
    }
    const sum = this.sums.get(outcome);
    if (sum !== undefined) sum.add(amount);
    else {
      const first = new Sum();
      first.add(amount);
      this.sums.set(outcome, first);
    }
  }

  remove(outcome: Outcome, amount: number): void {
    this.lines.set(outcome, (this.lines.get(outcome) ?? 0) - 1);
    this.sums.get(outcome)?.add(-amount);
  }

  counts(): LineCounts {
    return lineCounts((outcome) => this.lines.get(outcome) ?? 0);
  }

  sum(outcome: Outcome): bigint {
    return this.sums.get(outcome)?.value ?? 0n;
  }
}

export class Tally {
  readonly #rows = new Map<string, Row>();
  /** The row asked for last: neighbouring lines mostly belong together. */
  #last: Row | undefined;

  /** @param amount acted-on amount in minor units; undefined when the line has none that can be read */
  add(place: Place, currency: string | undefined, outcome: Outcome, amount: number | undefined): void {
    this.#row(place, currency ?? '').add(outcome, amount);
  }

  /** A line that was counted as `not_sent` before has been executed. */
  settle(place: Place, currency: string, outcome: Outcome, amount: number): void {
    const row = this.#row(place, currency);
    row.remove('not_sent', amount);
    row.add(outcome, amount);
  }

  /** Money that a line moved on the balance. It may be in another currency than the line's own amount. */
  moved(place: Place, movements: readonly Movement[]): void {
    for (const { currency, movedIn, movedOut, fees } of movements) {
      const row = this.#row(place, currency);
      row.movedIn.add(movedIn);
      row.movedOut.add(movedOut);
      row.fees.add(fees);
    }
  }

  /** Lines per outcome over everything. */
  counts(): LineCounts {
    const rows = [...this.#rows.values()];
    return lineCounts((outcome) => rows.reduce((count, row) => count + (row.lines.get(outcome) ?? 0), 0));
  }

  /** Amounts per currency over everything; lines without a readable currency are only counted. */
  totals(): Readonly<Record<string, Amounts>> {
    const currencies = [
      ...new Set(
        this.#sorted()
          .filter(isInstructed)
          .map(({ currency }) => currency),
      ),
    ].sort();
    return Object.fromEntries(
      currencies.map((currency) => {
        const rows = this.#sorted().filter((row) => row.currency === currency);
        return [
          currency,
          amountsOf(currency, (outcome) => rows.reduce((sum, row) => sum + row.sum(outcome), 0n)),
        ];
      }),
    );
  }

  breakdown(): readonly BreakdownRow[] {
    return this.#sorted().map((row) => {
      const digits = digitsOf(row.currency) ?? 0;
      return {
        account: row.place.accountId ?? '',
        merchant: row.place.merchantId ?? '',
        operation: row.place.operation ?? '',
        currency: row.currency,
        lines: row.counts(),
        amounts: amountsOf(row.currency, (outcome) => row.sum(outcome)),
        moved_in: formatAmount(row.movedIn.value, digits),
        moved_out: formatAmount(row.movedOut.value, digits),
        fees: formatAmount(row.fees.value, digits),
        unreadable_amounts: row.unreadable,
      };
    });
  }

  #row(place: Place, currency: string): Row {
    const last = this.#last;
    if (last !== undefined && last.currency === currency && isSame(last.place, place)) return last;
    const key = `${place.merchantId ?? ''}\n${place.accountId ?? ''}\n${place.operation ?? ''}\n${currency}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      const { merchantId, accountId, operation } = place;
      row = new Row({ merchantId, accountId, operation }, currency);
      this.#rows.set(key, row);
    }
    this.#last = row;
    return row;
  }

  #sorted(): readonly Row[] {
    return [...this.#rows.values()].sort(byPlace);
  }
}

/** By merchant, account, operation and currency; what a line does not say comes last. */
function byPlace(one: Row, other: Row): number {
  const parts = ({ place, currency }: Row) => [place.merchantId, place.accountId, place.operation, currency];
  const others = parts(other);
  for (const [at, part] of parts(one).entries()) {
    if (part === others[at]) continue;
    if (!part) return 1;
    return others[at] && part > others[at] ? 1 : -1;
  }
  return 0;
}

/** Another row only shows what moved: a payout's source currency, when its amount is in the other. */
function isInstructed({ currency, lines }: Row): boolean {
  return currency !== '' && lines.size > 0;
}

function isSame(one: Place, other: Place): boolean {
  return (
    one.accountId === other.accountId &&
    one.merchantId === other.merchantId &&
    one.operation === other.operation
  );
}

function lineCounts(count: (outcome: Outcome) => number): LineCounts {
  const entries = OUTCOMES.map((outcome) => [outcome, count(outcome)] as const);
  const total = entries.reduce((sum, [, lines]) => sum + lines, 0);
  return { total, ...(Object.fromEntries(entries) as Record<Outcome, number>) };
}

function amountsOf(currency: string, sum: (outcome: Outcome) => bigint): Amounts {
  const digits = digitsOf(currency) ?? 0;
  const entries = OUTCOMES.map((outcome) => [outcome, sum(outcome)] as const);
  const instructed = entries.reduce((all, [, amount]) => all + amount, 0n);
  const texts = entries.map(([outcome, amount]) => [outcome, formatAmount(amount, digits)] as const);
  return {
    instructed: formatAmount(instructed, digits),
    ...(Object.fromEntries(texts) as Record<Outcome, string>),
  };
}

/** Counts and amounts of nothing. */
export const NO_LINES: LineCounts = lineCounts(() => 0);
