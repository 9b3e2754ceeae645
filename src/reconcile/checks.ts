/**
 * What a statement says of itself, recalculated: balances, counts, totals, and each line's own sum. Nothing of a statement
 * is believed because it says so. Amounts are sums of minor units, exact however many lines there are.
 */

import type { Money } from '../core/money.ts';
import { Sum } from '../core/money.ts';
import type { StatementEnd, StatementHeader, StatementLine } from './statement.ts';

/** A statement that contradicts itself, or the one before it. */
export interface Contradiction {
  readonly kind: 'balance_gap' | 'control_total';
  readonly what:
    | 'closing balance'
    | 'opening balance'
    | 'number of lines'
    | 'total'
    | 'credits'
    | 'debits'
    | 'net of a line';
  /** Undefined for a number of lines. */
  readonly currency: string | undefined;
  /** Minor units, or lines. */
  readonly stated: bigint;
  readonly calculated: bigint;
  /** First physical line, where one line is meant. */
  readonly line: number | undefined;
  /** The currency that stands beside the stated amount, where it is not the account's. */
  readonly statedIn?: string;
}

/** Lines with a contradiction of their own that are told one by one; more of them say nothing new. */
const MOST_LINES = 1_000;

/** Checks one statement while it goes by. */
export class StatementCheck {
  readonly #header: StatementHeader;
  #lines = 0;
  readonly #nets = new Map<string, Sum>();
  readonly #credits = new Map<string, Sum>();
  readonly #debits = new Map<string, Sum>();
  readonly #found: Contradiction[] = [];

  constructor(header: StatementHeader) {
    this.#header = header;
  }

  take(lines: readonly StatementLine[]): void {
    for (const one of lines) {
      const { line, currency, gross, fee, net } = one;
      this.#lines += 1;
      add(this.#nets, currency, net);
      add(net < 0 ? this.#debits : this.#credits, currency, Math.abs(net));
      if (gross - fee === net || this.#found.length === MOST_LINES) continue;
      const figures = { stated: BigInt(net), calculated: BigInt(gross) - BigInt(fee) };
      this.#found.push({ kind: 'control_total', what: 'net of a line', currency, line, ...figures });
    }
  }

  /** All contradictions, when the last line has gone by. */
  end(end: StatementEnd): readonly Contradiction[] {
    return [
      ...this.#found,
      ...this.#balance(end),
      ...compared('number of lines', undefined, end.count, BigInt(this.#lines)),
      ...this.#totals('total', end.totals, this.#nets),
      ...this.#totals('credits', end.credits, this.#credits),
      ...this.#totals('debits', end.debits, this.#debits),
    ];
  }

  /** Opening and movements make the closing balance; without one of the two there is nothing to check. */
  #balance({ closing }: StatementEnd): readonly Contradiction[] {
    const { opening } = this.#header;
    if (opening === undefined || closing === undefined) return [];
    // An account has one currency: another one at the end is a contradiction whatever the figure.
    const { currency, amount } = opening;
    const calculated = BigInt(amount) + (this.#nets.get(currency)?.value ?? 0n);
    if (closing.currency === currency) return gap('closing balance', closing, calculated);
    const stated = BigInt(closing.amount);
    return [
      {
        kind: 'balance_gap',
        what: 'closing balance',
        currency,
        stated,
        calculated,
        line: undefined,
        statedIn: closing.currency,
      },
    ];
  }

  #totals(
    what: 'total' | 'credits' | 'debits',
    stated: readonly Money[],
    sums: ReadonlyMap<string, Sum>,
  ): readonly Contradiction[] {
    return stated.flatMap(({ currency, amount }) =>
      compared(what, currency, amount, sums.get(currency)?.value ?? 0n),
    );
  }
}

/** Between one statement of an account and the next: what the first ends with, the second begins with. */
export function chainGap(closing: Money | undefined, opening: Money | undefined): readonly Contradiction[] {
  if (closing === undefined || opening === undefined || closing.currency !== opening.currency) return [];
  return gap('opening balance', opening, BigInt(closing.amount));
}

function gap(
  what: 'closing balance' | 'opening balance',
  { currency, amount }: Money,
  calculated: bigint,
): readonly Contradiction[] {
  const stated = BigInt(amount);
  return stated === calculated
    ? []
    : [{ kind: 'balance_gap', what, currency, stated, calculated, line: undefined }];
}

function compared(
  what: 'number of lines' | 'total' | 'credits' | 'debits',
  currency: string | undefined,
  stated: number | undefined,
  calculated: bigint,
): readonly Contradiction[] {
  if (stated === undefined || BigInt(stated) === calculated) return [];
  return [{ kind: 'control_total', what, currency, stated: BigInt(stated), calculated, line: undefined }];
}

function add(sums: Map<string, Sum>, currency: string, amount: number): void {
  let sum = sums.get(currency);
  if (sum === undefined) {
    sum = new Sum();
    sums.set(currency, sum);
  }
  sum.add(amount);
}
