/** The shapes of text that every message is made of, with their lengths. Contract, "HTTP: Lengths". */
import * as z from 'zod';

/** Control characters, line and paragraph separators: an id must survive a line of any file or log. */
const UNPRINTABLE = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';

/** Content and length in one expression: a check each would double the time of a line. */
function printable(most: number) {
  return z.string().regex(new RegExp(`^[^${UNPRINTABLE}]{1,${most}}$`), `1 to ${most} printable characters`);
}

export const id = printable(64);
export const name = printable(255);
export const email = printable(254);
export const url = printable(2048);

const web = z.url({ protocol: /^https?$/ });

/** An address to which a shopper's browser is sent. */
export const webAddress = url.refine(
  (text) => web.safeParse(text).success,
  'an http or https address of at most 2048 characters',
);

/** Free text may have line breaks. */
export const freeText = z.string('text').max(4096, 'at most 4096 characters');

/** A decimal amount as text; its digits are judged with its currency, in money.ts. */
export const decimal = z.string('a decimal amount').max(64, 'a decimal amount of at most 64 characters');

/** A day of the calendar, YYYY-MM-DD. */
export const day = z.string('a date').refine(isDay, 'a day of the calendar as YYYY-MM-DD');

function isDay(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || date < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return date <= [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}
