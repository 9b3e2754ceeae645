/** Values of messages: what is there, and how codes, times and amounts are written. */
import type { Reason } from '../../core/code.ts';
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import type { JsonFields, JsonValue } from '../canonical.ts';

/** True for an object. */
export function isFields(value: JsonValue | undefined): value is JsonFields {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** `Array.isArray` does not tell read-only lists from objects. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** `CODE:sentence`, as error_message, refund_message, result_info and return_message have it. */
export function verdict({ code, message }: Reason): string {
  return `${code}:${message}`;
}

/** `result_info` of a payment: why it is not approved, or that it is. */
export function resultInfo(reason: Reason | undefined): string {
  return reason === undefined ? '0000:Success' : verdict(reason);
}

/** Epoch milliseconds as `2026-11-20T08:02:03+0000`. */
export function dateTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+0000`;
}

/** Epoch milliseconds as `20261120080203`, UTC. */
export function compactTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace(/\D/g, '');
}

/**
 * Minor units as a decimal amount with all digits of its currency.
 * @param currency one that has been read before, and therefore exists
 */
export function amountText(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  if (digits === undefined) throw new Error(`an amount in ${currency} has been accepted`);
  return formatAmount(minor, digits);
}
