/** How breaks and what is compared are called and marked in reports. */
import type { BreakKind, BreakState, Severity, Side } from '../../core/break.ts';
import type { Paint } from '../html/colours.ts';
import { grouped } from '../html/decimal.ts';
import { mark } from '../html/outcome-look.ts';
import { type Html, html, type Part } from '../html/template.ts';
import { count, given, money } from '../html/words.ts';
import type { ListedBreak } from './document.ts';

/** Each kind as a few words, and as a sentence for somebody who meets it for the first time. */
export const KINDS: Readonly<Record<BreakKind, { readonly word: string; readonly meaning: string }>> = {
  missing_in_statement: {
    word: 'Missing in the statement',
    meaning: 'The ledger has it, and no statement says it.',
  },
  missing_in_ledger: {
    word: 'Missing in the ledger',
    meaning: 'A statement says it, and the ledger does not have it.',
  },
  amount_differs: {
    word: 'Amount differs',
    meaning: 'Both sides have it, with different amounts.',
  },
  currency_differs: {
    word: 'Currency differs',
    meaning: 'Both sides have it, in different currencies.',
  },
  duplicate_in_statement: {
    word: 'Twice in the statement',
    meaning: 'The statement says once more what is already matched.',
  },
  ambiguous: {
    word: 'Ambiguous',
    meaning: 'Several could explain it, so none was taken.',
  },
  balance_gap: {
    word: 'Gap between balances',
    meaning: 'Balances of a statement do not fit its movements, or the balance before.',
  },
  control_total: {
    word: 'Control total differs',
    meaning: 'A count or sum that a statement states is not that of its lines.',
  },
  fee_differs: {
    word: 'Fee differs',
    meaning: 'The acquirer kept another fee than was agreed.',
  },
};

interface Mark {
  readonly word: string;
  readonly sign: string;
  readonly paint: Paint;
}

/** Where an amount of one side ends up. */
export const PARTS = {
  matched: { word: 'Matched', sign: '✓', paint: 'succeeded' },
  open: { word: 'Open', sign: '!', paint: 'refused' },
  expected: { word: 'Expected', sign: '…', paint: 'pending' },
  resolved: { word: 'Resolved', sign: '✓', paint: 'duplicate' },
} as const satisfies Record<string, Mark>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

const STATES: Readonly<Record<BreakState, Mark>> = {
  ...PARTS,
  closed: { word: 'Closed', sign: '–', paint: 'not_sent' },
};

export const SEVERITY_MARKS: Readonly<Record<Severity, Mark>> = {
  high: { word: 'High', sign: '▲', paint: 'refused' },
  medium: { word: 'Medium', sign: '◆', paint: 'invalid' },
  low: { word: 'Low', sign: '▼', paint: 'duplicate' },
};

/** The sides as headings, and what is held against what. */
export const SIDE_WORDS: Readonly<Record<Side, { readonly word: string; readonly compares: string }>> = {
  acquirer: { word: 'Acquirer', compares: 'Transactions with the acquirer’s statements.' },
  bank: { word: 'Bank', compares: 'Payouts and settled nets with the bank’s statements.' },
};

export function partMark(part: PartName): Html {
  return markOf(PARTS[part]);
}

export function stateMark(state: BreakState): Html {
  return markOf(STATES[state]);
}

export function severityMark(severity: Severity): Html {
  return markOf(SEVERITY_MARKS[severity]);
}

function markOf({ paint, sign, word }: Mark): Html {
  return mark(paint, sign, word);
}

/** A day, kept on one line. */
export function date(day: string): Html {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? html`<span class="date">${day}</span>` : given(day);
}

/** What stands where a side has nothing. */
export const NOTHING = '–';

/** An amount of a break with its currency; a number of lines where there is none. */
export function figureOf(currency: string | null, amount: string | null): Part {
  if (amount === null) return NOTHING;
  return currency === null ? linesText(amount) : money(currency, amount);
}

/** Sums of breaks, one below the other: each currency, and lines. */
export function sumsBelow(sums: readonly (readonly [currency: string | null, amount: string])[]): Part {
  if (sums.length === 0) return NOTHING;
  return sums.map(([currency, amount]) => html`<div>${figureOf(currency, amount)}</div>`);
}

function linesText(amount: string): string {
  return amount === '1' ? '1 line' : `${grouped(amount)} lines`;
}

/** `1 break is`, `12 breaks are`. */
export function breaksAre(number: number): string {
  return `${count(number, 'break')} ${number === 1 ? 'is' : 'are'}`;
}

export function inState(breaks: readonly ListedBreak[], state: BreakState): readonly ListedBreak[] {
  return breaks.filter((one) => one.state === state);
}
