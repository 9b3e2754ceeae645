/**
 * The bank's side: what should reach or leave the merchant's account at the bank, against the bank's lines. Pure, and the
 * same whatever the order. Names come first, the most exact before the others; then amounts and days, where only one fits.
 */
import { getOrSet } from '../core/get-or-set.ts';
import { matchByDay } from './by-day.ts';
import { matchGroup } from './group.ts';

/** Money that should be seen at the bank. */
export interface Due {
  /** What it is known by among all that are due; the id of its break follows from it. */
  readonly name: string;
  readonly is: 'payout' | 'settlement';
  /** By which the bank may know it. */
  readonly references: readonly string[];
  readonly currency: string;
  /** Minor units; above zero reaches the account, below zero leaves it. */
  readonly amount: number;
  /** `YYYY-MM-DD`, empty where nobody says. */
  readonly day: string;
}

export interface BankLine {
  /** Its place among all lines. */
  readonly key: number;
  readonly number: number;
  readonly references: readonly string[];
  readonly text: string;
  readonly currency: string;
  readonly gross: number;
  readonly booked: string;
}

export type BankRule = 'reference' | 'entries add up' | 'lines add up' | 'amount and day';

export interface BankMatch {
  readonly rule: BankRule;
  readonly dues: readonly Due[];
  readonly lines: readonly BankLine[];
}

/** Null where a side has nothing. */
export interface BankFinding {
  readonly kind:
    | 'missing_in_statement'
    | 'missing_in_ledger'
    | 'duplicate_in_statement'
    | 'amount_differs'
    | 'currency_differs'
    | 'ambiguous';
  readonly due: Due | null;
  readonly line: BankLine | null;
}

export interface BankVerdict {
  readonly matches: readonly BankMatch[];
  readonly findings: readonly BankFinding[];
}

/** Words of a text that could be a name: shorter ones are words. */
const SHORTEST_NAME = 6;

/** @param window days by which the bank's day may lie apart from the books' */
export function matchBank(dues: readonly Due[], lines: readonly BankLine[], window: number): BankVerdict {
  const bank = new Bank(dues, lines);
  bank.byName((line) => line.references, 1);
  bank.byName((line) => wordsOf(line.text), 1);
  bank.byName((line) => line.references, Number.POSITIVE_INFINITY);
  bank.byDay(window);
  return bank.verdict();
}

class Bank {
  readonly #dues: Set<Due>;
  readonly #lines: Set<BankLine>;
  readonly #named: ReadonlyMap<string, readonly Due[]>;
  readonly #matches: BankMatch[] = [];
  readonly #findings: BankFinding[] = [];

  constructor(dues: readonly Due[], lines: readonly BankLine[]) {
    const inOrder = dues.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    this.#dues = new Set(inOrder);
    this.#lines = new Set(lines.toSorted((a, b) => a.key - b.key));
    const named = new Map<string, Due[]>();
    for (const due of inOrder)
      for (const reference of new Set(due.references)) getOrSet(named, reference, () => []).push(due);
    this.#named = named;
  }

  /**
   * Brings together what has a name in common.
   * @param most so many dues may have the name at most
   */
  byName(namesOf: (line: BankLine) => readonly string[], most: number): void {
    const groups = new Map<string, { dues: readonly Due[]; lines: BankLine[] }>();
    const free = new Map<string, readonly Due[]>();
    for (const line of this.#lines) {
      for (const name of namesOf(line)) {
        const dues = getOrSet(free, name, () =>
          (this.#named.get(name) ?? []).filter((due) => this.#dues.has(due)),
        );
        if (dues.length === 0 || dues.length > most) continue;
        // A due of which two lines use two names is one group all the same.
        const group = dues.length === 1 ? `one ${dues[0]!.name}` : `many ${name}`;
        getOrSet(groups, group, () => ({ dues, lines: [] })).lines.push(line);
        break;
      }
    }
    for (const { dues, lines } of groups.values()) {
      const left = dues.filter((due) => this.#dues.has(due));
      if (left.length > 0) this.#settle(left, lines);
    }
  }

  byDay(window: number): void {
    const { matches, unclear } = matchByDay([...this.#dues].filter(hasDay), [...this.#lines], window);
    for (const { entry, line } of matches) {
      this.#matches.push({ rule: 'amount and day', dues: [entry], lines: [line] });
      this.#take([entry], [line]);
    }
    for (const { entries, lines } of unclear) {
      for (const due of entries) this.#findings.push({ kind: 'ambiguous', due, line: null });
      for (const line of lines) this.#findings.push({ kind: 'ambiguous', due: null, line });
      this.#take(entries, lines);
    }
  }

  verdict(): BankVerdict {
    const rest: readonly BankFinding[] = [
      ...[...this.#dues].map((due) => ({ kind: 'missing_in_statement', due, line: null }) as const),
      ...[...this.#lines].map((line) => ({ kind: 'missing_in_ledger', due: null, line }) as const),
    ];
    return { matches: this.#matches, findings: [...this.#findings, ...rest] };
  }

  /** Dues and lines that have one name: what does not fit differs. */
  #settle(dues: readonly Due[], lines: readonly BankLine[]): void {
    const entries = dues.map((due, key) => ({ key, currency: due.currency, amount: due.amount, at: 0 }));
    const byKey = new Map(lines.map((line) => [line.key, line]));
    const { matches, findings } = matchGroup(entries, lines);
    for (const match of matches) {
      const found = {
        rule: match.rule,
        dues: match.entries.map(({ key }) => dues[key]!),
        lines: match.lines.map(({ key }) => byKey.get(key)!),
      };
      this.#matches.push(found);
      this.#take(found.dues, found.lines);
    }
    // Of several that one line may be of, none is said to differ from it.
    if (dues.length > 1) return;
    for (const { kind, entry, line } of findings) {
      const due = entry === null ? null : dues[entry.key]!;
      const bankLine = line === null ? null : byKey.get(line.key)!;
      // What one name leaves over, another name or the day may still explain.
      if (kind === 'missing_in_statement' || kind === 'missing_in_ledger') continue;
      this.#findings.push({ kind, due, line: bankLine });
      this.#take(due === null ? [] : [due], bankLine === null ? [] : [bankLine]);
    }
  }

  #take(dues: readonly Due[], lines: readonly BankLine[]): void {
    for (const due of dues) this.#dues.delete(due);
    for (const line of lines) this.#lines.delete(line);
  }
}

function hasDay({ day }: Due): boolean {
  return day !== '';
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\w.-]+/).filter((word) => word.length >= SHORTEST_NAME);
}
