/** What spreadsheets do to values, as far as the value alone shows it (F45). Comparing ids with known ones is the ledger's part. */

/** `1.23E+15` as spreadsheets write it; `1e5` and `1E5` are ids that somebody chose (F23). */
const SCIENTIFIC = /^-?\d(?:[.,]\d+E[+-]|E\+)\d+$/;

/** `#REF!`, `#NAME?`, `#N/A`, `#BEZUG!`, `#¡VALOR!`, `#NV`, `#N/D`, and the `####` of a column that is too narrow. */
const ERROR = /^#(?:[^\s\d/]{2,}[!?]|¡?DIV\/0!|N\/[AD]|NV|#+)$/;

const FORMULA = /^=/;

/** Short names of months in English, German, French, Spanish, Italian, Portuguese and Dutch, as spreadsheets write them. */
const MONTHS =
  'jan feb mar apr may jun jul aug sep oct nov dec jän mär mrz mai okt dez janv févr fév mars avr juin juil août aoû sept déc ' +
  'ene abr ago dic gen mag giu lug set ott fev out mrt mei';
/** `Mar` or `mar`, never `MAR`. */
const MONTH = `(?:${MONTHS.split(' ').map(firstInEitherCase).join('|')})`;
/** `01-Mar`, `10.Dez`, `3. Jan. 26`, `Mar-01`, `Jan 26`. */
const DAY_AND_MONTH = new RegExp(
  `^(?:\\d{1,2}[-. ] ?${MONTH}\\.?(?:[-. ]\\d{2,4})?|${MONTH}\\.?[-. ]\\d{2})$`,
);
/** `2026-01-03`, `03.01.2026`, `1/3/26`: no amount, but possibly somebody's order number. */
const DATE = /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2}))$/;

function firstInEitherCase(word: string): string {
  return `[${word[0]}${word[0]!.toUpperCase()}]${word.slice(1)}`;
}

interface Damage {
  readonly pattern: RegExp;
  readonly explanation: string;
}

const ANYWHERE: readonly Damage[] = [
  {
    pattern: SCIENTIFIC,
    explanation: 'a spreadsheet has rounded a long number, and its last digits are lost',
  },
  { pattern: ERROR, explanation: 'a formula of the spreadsheet has failed' },
  { pattern: FORMULA, explanation: 'this is a formula, not its value' },
];
const DAYS: Damage = { pattern: DAY_AND_MONTH, explanation: 'a spreadsheet has taken the value for a date' };
const DATES: Damage = { pattern: DATE, explanation: 'a spreadsheet has taken the amount for a date' };

/** By the last part of a field's name. Somebody's reference may well be `Jan 26`. */
const FIELDS: readonly (readonly [ending: RegExp, damages: readonly Damage[]])[] = [
  [/(?:^|[._])amount$/, [...ANYWHERE, DAYS, DATES]],
  [/(?:^|[._])(?:id|no|number|iban)$/, [...ANYWHERE, DAYS]],
  [/(?:^|[._])reference$/, ANYWHERE],
];

/** All patterns at once: next to no value matches. */
const ANY = new RegExp(
  [...ANYWHERE, DAYS, DATES].map(({ pattern }) => pattern.source.replace(/\\([12])/g, '[-/.]')).join('|'),
);

/**
 * Explains what a spreadsheet has done to the value of an id, an order number, a reference or an amount.
 * @returns a sentence, or undefined when nothing shows, and for all other fields
 */
export function excelDamage(field: string, value: string): string | undefined {
  if (!ANY.test(value)) return undefined;
  const damages = FIELDS.find(([ending]) => ending.test(field))?.[1];
  const damage = damages?.find(({ pattern }) => pattern.test(value));
  return damage && `${JSON.stringify(value)}: ${damage.explanation}`;
}
