/** Exact sums of decimal strings, for checking a report's own figures. Never a float. */

/** A decimal as an integer and the number of its decimals: `10.50` is 1050 and 2. */
interface Scaled {
  readonly units: bigint;
  readonly digits: number;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** @throws TypeError for anything but a plain decimal: the documents are ours, so that would be a bug */
function parse(text: string): Scaled {
  const match = DECIMAL.exec(text);
  if (match === null) throw new TypeError(`not a decimal: ${JSON.stringify(text)}`);
  const fraction = match[3] ?? '';
  return { units: BigInt(`${match[1]}${match[2]}${fraction}`), digits: fraction.length };
}

function unitsAt(digits: number, { units, digits: own }: Scaled): bigint {
  return units * 10n ** BigInt(digits - own);
}

function format(units: bigint, digits: number): string {
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const cut = text.length - digits;
  return `${units < 0n ? '-' : ''}${text.slice(0, cut)}${digits === 0 ? '' : `.${text.slice(cut)}`}`;
}

/** The sum, with as many decimals as the longest of the amounts; `0` of none. */
export function sum(amounts: readonly string[]): string {
  const scaled = amounts.map(parse);
  const digits = Math.max(0, ...scaled.map((amount) => amount.digits));
  return format(
    scaled.reduce((total, amount) => total + unitsAt(digits, amount), 0n),
    digits,
  );
}

/** `a − b`. */
export function difference(a: string, b: string): string {
  return sum([a, b.startsWith('-') ? b.slice(1) : `-${b}`]);
}

export function isEqual(a: string, b: string): boolean {
  return isZero(difference(a, b));
}

export function isNegative(amount: string): boolean {
  return parse(amount).units < 0n;
}

/** The amount without its sign. */
export function absolute(amount: string): string {
  return isNegative(amount) ? difference('0', amount) : amount;
}

export function larger(a: string, b: string): string {
  return isNegative(difference(a, b)) ? b : a;
}

export function isZero(amount: string): boolean {
  return parse(amount).units === 0n;
}

/** Part of the whole in hundredths of a per cent, rounded down; 0 of nothing. For lengths in charts and rounded words. */
export function basisPoints(part: string, whole: string): number {
  const [a, b] = [parse(part), parse(whole)];
  const digits = Math.max(a.digits, b.digits);
  const divisor = unitsAt(digits, b);
  return divisor === 0n ? 0 : Number((unitsAt(digits, a) * 10_000n) / divisor);
}

/** The amount with a comma between every three digits and a true minus: `-1234.5` is `−1,234.5`. */
export function grouped(amount: string | number): string {
  const [whole = '', fraction] = String(amount).split('.');
  const digits = whole.replace('-', '').replace(/\B(?=(\d{3})+$)/g, ',');
  return `${whole.startsWith('-') ? '−' : ''}${digits}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** The same with a plus where it is above zero, for amounts that are added: `+1,234.50`, `−0.10`, `0.00`. */
export function signed(amount: string): string {
  return isNegative(amount) || isZero(amount) ? grouped(amount) : `+${grouped(amount)}`;
}
