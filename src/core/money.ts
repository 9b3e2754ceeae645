/**
 * Money is an integer count of minor units. One amount is a safe JavaScript integer; sums, which can be larger,
 * are BigInt. Nothing here or anywhere else turns money into a float.
 */

/** Largest single amount, in minor units: fifteen digits stay well inside the safe integers (2^53 − 1). */
export const MAX_MINOR = 999_999_999_999_999;

/** An amount in minor units with its currency. */
export interface Money {
  readonly currency: string;
  readonly amount: number;
}

/** How a file writes decimal numbers. Wire messages always use `DOT`. */
export interface AmountStyle {
  readonly decimal: 'dot' | 'comma';
  readonly thousands: 'none' | 'dot' | 'comma' | 'space';
}

export const DOT: AmountStyle = { decimal: 'dot', thousands: 'none' };

export type AmountFault = 'malformed' | 'too_many_decimals' | 'not_positive' | 'too_large';

const PLAIN = /^(\d{1,40})(?:\.(\d{1,20}))?$/;

/**
 * Reads a decimal amount.
 * @param text the amount as written, for example `10.5`
 * @param digits decimal digits of its currency
 * @returns minor units (`10.5` with 2 digits is 1050), or why it is not an amount above zero
 */
export function parseAmount(text: string, digits: number, style: AmountStyle = DOT): number | AmountFault {
  const plain = style.decimal === 'dot' && style.thousands === 'none' ? text : plainDecimal(text, style);
  const match = plain === undefined ? null : PLAIN.exec(plain);
  if (match === null) return 'malformed';
  const whole = match[1]!;
  const fraction = match[2] ?? '';
  if (fraction.length > digits) return 'too_many_decimals';
  // Up to 15 significant digits a Number is exact; anything longer is too large, unless it is leading zeros.
  const joined = whole + fraction.padEnd(digits, '0');
  const minor = Number(joined);
  if (minor > MAX_MINOR) return 'too_large';
  return minor === 0 ? 'not_positive' : minor;
}

/** `text` rewritten with a dot and without thousands marks, or undefined when it does not follow `style`. */
function plainDecimal(text: string, style: AmountStyle): string | undefined {
  const shape = SHAPES[`${style.decimal}/${style.thousands}`];
  if (shape === undefined || !shape.test(text)) return undefined;
  const ungrouped = style.thousands === 'none' ? text : text.replaceAll(THOUSANDS_MARK[style.thousands], '');
  return style.decimal === 'comma' ? ungrouped.replace(',', '.') : ungrouped;
}

const THOUSANDS_MARK = { dot: '.', comma: ',', space: ' ' } as const;

/** A grouped number either has no mark at all, or one between every three digits. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'dot/none': /^\d+(?:\.\d+)?$/,
  'dot/comma': /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/,
  'dot/space': /^(?:\d+|\d{1,3}(?: \d{3})+)(?:\.\d+)?$/,
  'comma/none': /^\d+(?:,\d+)?$/,
  'comma/dot': /^(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/,
  'comma/space': /^(?:\d+|\d{1,3}(?: \d{3})+)(?:,\d+)?$/,
};

/** True when the two marks can stand in one number: a thousands mark never equals the decimal mark. */
export function isConsistent(style: AmountStyle): boolean {
  return style.decimal !== style.thousands;
}

/** Minor units as a decimal string with exactly the currency's digits: 1050 with 2 digits is `10.50`. */
export function formatAmount(minor: number | bigint, digits: number): string {
  const negative = minor < 0;
  const text = String(negative ? -minor : minor).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const sign = negative ? '-' : '';
  return digits === 0 ? sign + whole : `${sign}${whole}.${text.slice(text.length - digits)}`;
}

/** A running sum of minor units: fast on Numbers, exact beyond them. */
export class Sum {
  #small = 0;
  #large = 0n;

  add(minor: number): void {
    this.#small += minor;
    // One more amount (at most 10^15) always still fits below 2^53 from here.
    if (this.#small > 4_000_000_000_000_000 || this.#small < -4_000_000_000_000_000) this.#spill();
  }

  addBig(minor: bigint): void {
    this.#large += minor;
  }

  get value(): bigint {
    return this.#large + BigInt(this.#small);
  }

  #spill(): void {
    this.#large += BigInt(this.#small);
    this.#small = 0;
  }
}
