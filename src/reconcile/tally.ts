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

interface RuleCount {
  matches: number;
  entries: number;
  lines: number;
}

export class Tally {
  readonly #compared = new Map<Side, Map<string, Compared>>();
  readonly #rules = new Map<Side, Map<string, RuleCount>>();

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
    this.#count(side, rule, entries.length, lines.length);
  }

  /** One line that is one movement, as nearly all are. */
  pair(side: Side, rule: string, currency: string, amount: number): void {
    const compared = this.#of(side, currency);
    compared.ledger.add(amount);
    compared.statement.add(amount);
    compared.matched.add(amount);
    compared.entries += 1;
    compared.lines += 1;
    this.#count(side, rule, 1, 1);
  }

  /** Sides and currencies in a fixed order. */
  get compared(): readonly { readonly side: Side; readonly currency: string; readonly sums: Compared }[] {
    return sorted(this.#compared).flatMap(([side, currencies]) =>
      sorted(currencies).map(([currency, sums]) => ({ side, currency, sums })),
    );
  }

  get rules(): readonly (Readonly<RuleCount> & { readonly side: Side; readonly rule: string })[] {
    return sorted(this.#rules).flatMap(([side, rules]) =>
      sorted(rules).map(([rule, count]) => ({ side, rule, ...count })),
    );
  }

  #of(side: Side, currency: string): Compared {
    return getOrSet(
      getOrSet(this.#compared, side, () => new Map<string, Compared>()),
      currency,
      () => new Compared(),
    );
  }

  #count(side: Side, rule: string, entries: number, lines: number): void {
    const rules = getOrSet(this.#rules, side, () => new Map<string, RuleCount>());
    const count = getOrSet(rules, rule, () => ({ matches: 0, entries: 0, lines: 0 }));
    count.matches += 1;
    count.entries += entries;
    count.lines += lines;
  }
}

function sorted<Key extends string, Value>(map: ReadonlyMap<Key, Value>): readonly (readonly [Key, Value])[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
