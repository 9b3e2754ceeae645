/** Card numbers in text: 13 to 19 digits that pass Luhn in a known card range, in one run or in groups as on the card. */
import cards from 'card-validator';
import luhn from 'card-validator/dist/luhn-10.js';

export const SHORTEST_CARD = 13;

const GAP = '[ .\\u00a0-]';
/** Groups of four of which the last may be shorter, and a `tail` that belongs to the number or is something else; 4-6-5, 4-6-4. */
const GROUPED = `\\d{4}(?:${GAP}\\d{4}){2}${GAP}\\d{1,4}(?<tail>${GAP}\\d{1,3})?|\\d{4}${GAP}\\d{6}${GAP}\\d{4,5}`;
const CANDIDATE = new RegExp(`(?<![0-9A-Za-z])(?:\\d{13,19}|${GROUPED})(?![0-9A-Za-z])`, 'g');

/** Ids, references, account and phone numbers, amounts: one in ten numbers of 16 digits passes Luhn. */
const NO_TEXT =
  /(?:^|[._ -])(?:ids?|no|nr|numbers?|ref|references?|phone|mobile|iban|bic|swift_code|amount)$|(?:^|[._ -])(?:reference|phone)[_ -]|^_line_of$|^repeat_of$/i;

/** Whether a field's name says that long numbers belong there, so that they are never taken for those of cards. */
export function namesNoText(field: string): boolean {
  return NO_TEXT.test(field);
}

/** Where a card number begins and ends in a text. */
export interface CardPlace {
  readonly start: number;
  readonly end: number;
}

export function findCards(text: string): readonly CardPlace[] {
  const found: CardPlace[] = [];
  CANDIDATE.lastIndex = 0;
  for (let match = CANDIDATE.exec(text); match !== null; match = CANDIDATE.exec(text)) {
    const length = cardLength(match[0], match.groups?.tail);
    if (length > 0) found.push({ start: match.index, end: match.index + length });
    // What is no card number may have the first digits of one at its end.
    CANDIDATE.lastIndex = match.index + Math.max(length, 1);
  }
  return found;
}

/** How much of a candidate is a card number: all, all but its tail, or nothing. */
function cardLength(candidate: string, tail: string | undefined): number {
  if (isCardNumber(candidate)) return candidate.length;
  const shorter = tail === undefined ? '' : candidate.slice(0, -tail.length);
  return isCardNumber(shorter) ? shorter.length : 0;
}

/** Luhn comes first: the card ranges take a hundred times as long. */
function isCardNumber(candidate: string): boolean {
  const digits = candidate.replace(/\D/g, '');
  return (
    digits.length >= SHORTEST_CARD &&
    luhn(digits) &&
    cards.number(digits, { luhnValidateUnionPay: true }).isValid
  );
}

/** The text with its card numbers cut to the first six and the last four digits. */
export function maskNumbers(text: string): string {
  let masked = '';
  let from = 0;
  for (const { start, end } of findCards(text)) {
    masked += text.slice(from, start) + maskNumber(text.slice(start, end));
    from = end;
  }
  return masked + text.slice(from);
}

function maskNumber(number: string): string {
  const digits = number.replace(/\D/g, '').length;
  let seen = 0;
  return number.replace(/\d/g, (digit) => {
    seen++;
    return seen <= 6 || seen > digits - 4 ? digit : '*';
  });
}

/**
 * A message as it may be kept and shown: card numbers in its free text are cut. Nothing of it becomes longer.
 * @param name of the field that holds the value; empty for the message itself
 */
export function withoutCardNumbers<T>(value: T, name = ''): T {
  return clean(value, name) as T;
}

function clean(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return value.length < SHORTEST_CARD || namesNoText(name) ? value : maskNumbers(value);
  if (Array.isArray(value)) return value.map((one) => clean(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, clean(inner, field)]));
}
