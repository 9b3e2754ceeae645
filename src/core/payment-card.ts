/** What may be shown of a card, and until when it is good. */
import type { Card, Order } from './payment.ts';

/** First 6 and last 4 digits, which is the most that anybody may see. */
export function maskedCard(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`;
}

/** `YYYYMM`, which sorts by time. */
export function expiryOf({ month, year }: Pick<Card, 'month' | 'year'>): string {
  return `${year}${String(month).padStart(2, '0')}`;
}

/** A card is good to the end of its month, UTC. */
export function hasExpired({ month, year }: Pick<Card, 'month' | 'year'>, now: number): boolean {
  return now >= Date.UTC(year, month, 1);
}

/** A card number with what people write between its groups. */
function written(number: string): RegExp {
  return new RegExp(number.split('').join('[ -]?'), 'g');
}

/**
 * The order without the number of the card that it is paid with: merchants put it into notes and custom fields.
 * @param mayShow first 6 and last 4 digits may stay, because such a card is issued
 */
export function withoutCardNumber(order: Order, number: string, mayShow: boolean): Order {
  const shown = mayShow ? maskedCard(number) : '*'.repeat(number.length);
  const clean = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(written(number), shown));
  return { ...order, message: clean(order.message), items: clean(order.items) };
}

/** True when an order number, which is kept and shown as it is, holds the number of the card. */
export function namesCard({ orderNo }: Order, number: string): boolean {
  return written(number).test(orderNo);
}
