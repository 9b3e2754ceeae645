/** What was compared, by side and currency: the left and the right of every equation in the report. */
import type { Side } from '../core/break.ts';
import { getOrSet } from '../core/get-or-set.ts';
import { Sum } from '../core/money.ts';

/** Sums of minor units, and how many entries and lines they are of. */
export class Compared {
  readonly ledger = new Sum();
  readonly statement = new Sum();
  /** The same on both sides: a match has one sum. */
  readonly matched = new Sum();
  entries = 0;
  lines = 0;
}

export class Tally {
  readonly #compared = new Map<string, Compared>();
  readonly #rules = new Map<string, { matches: number; entries: number; lines: number }>();

  entry(side: Side, currency: string, amount: number): void {
    const compared = this.#of(side, currency);
    compared.ledger.add(amount);
    compared.entries += 1;
  }

  line(side: Side, currency: string, amount: number): void {
    const compared = this.#of(side, currency);
    compared.statement.add(amount);
    compared.lines += 1;
  }

  /** Entries and lines that explain each other; they are counted here, not by the two above. */
  match(
    side: Side,
    rule: string,
    entries: readonly { readonly currency: string; readonly amount: number }[],
    lines: readonly { readonly currency: string; readonly gross: number }[],
  ): void {
    for (const { currency, amount } of entries) {
      this.entry(side, currency, amount);
      this.#of(side, currency).matched.add(amount);
    }
    for (const { currency, gross } of lines) this.line(side, currency, gross);
    const count = getOrSet(this.#rules, `${side}\n${rule}`, () => ({ matches: 0, entries: 0, lines: 0 }));
    count.matches += 1;
    count.entries += entries.length;
    count.lines += lines.length;
  }

  /** Sides and currencies in a fixed order. */
  get compared(): readonly { readonly side: Side; readonly currency: string; readonly sums: Compared }[] {
    return sorted(this.#compared).map(([key, sums]) => {
      const [side, currency] = key.split('\n') as [Side, string];
      return { side, currency, sums };
    });
  }

  get rules(): readonly {
    readonly side: Side;
    readonly rule: string;
    readonly matches: number;
    readonly entries: number;
    readonly lines: number;
  }[] {
    return sorted(this.#rules).map(([key, count]) => {
      const [side, rule] = key.split('\n') as [Side, string];
      return { side, rule, ...count };
    });
  }

  #of(side: Side, currency: string): Compared {
    return getOrSet(this.#compared, `${side}\n${currency}`, () => new Compared());
  }
}

function sorted<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
