/** What every hosted page is drawn with. */
import type { html } from 'hono/html';
import { digitsOf } from '../../core/currency.ts';
import type { HostedOrder } from '../../core/hosted.ts';
import { formatAmount } from '../../core/money.ts';
import type { Words } from './words/words.ts';

/** Escaped markup. */
export type Html = ReturnType<typeof html>;

/** The surroundings of a page. */
export interface Frame {
  readonly words: Words;
  /** Of this answer's one style sheet. */
  readonly nonce: string;
  readonly sandbox: boolean;
}

/** The surroundings of a page of an order. */
export interface Shown extends Frame {
  readonly order: HostedOrder;
  /** Path of the order's pages, without a slash at its end. */
  readonly base: string;
}

/** The amount as the language writes it, with exactly its currency's digits and the code: `1.234,50 BRL`. */
export function amountOf({ order, words }: Shown): string {
  const digits = digitsOf(order.currency);
  if (digits === undefined) throw new Error(`an order in ${order.currency} passed the schema`);
  const format = new Intl.NumberFormat(words.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // As text, so that no amount passes through a float.
  return `${format.format(formatAmount(order.amount, digits) as `${number}`)} ${order.currency}`;
}
