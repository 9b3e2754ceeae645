/** The card form as it comes back: a card, or what is wrong with it. No message holds anything that was typed. */
import validator from 'card-validator';
import type { Card } from '../../core/payment.ts';
import type { CARD_FIELDS } from '../../core/payment-message.ts';
import type { Words } from './words/words.ts';

/** By its name in the form, which is its name in the API. */
export type CardField = (typeof CARD_FIELDS)[number];

/** By field, in words for the shopper. */
export type CardFaults = Readonly<Partial<Record<CardField, string>>>;

/** What may be shown again: never the number, never the code. */
export interface Typed {
  readonly month: string;
  readonly year: string;
}

/** A card that may be handed on, or why not. */
export type ReadForm = { readonly card: Card } | { readonly faults: CardFaults; readonly typed: Typed };

/**
 * Reads the posted fields. Whether the card exists or has expired where it was issued is the connector's to say; here
 * only what a shopper can mend.
 */
export function readCardForm(posted: Readonly<Record<string, unknown>>, words: Words['faults']): ReadForm {
  const number = textOf(posted.card).replace(/[\s-]/g, '');
  const month = textOf(posted.expiration_month);
  const year = textOf(posted.expiration_year);
  const code = textOf(posted.security_code);
  const faults = {
    ...cardFault(number, words),
    ...expiryFault(month, year, words),
    ...codeFault(number, code, words),
  };
  if (Object.keys(faults).length > 0) return { faults, typed: { month, year } };
  return { card: { number, month: Number(month), year: fullYear(year), securityCode: code } };
}

/**
 * Reads the posted security code of a stored card.
 * @returns the code, or what is wrong with it
 */
export function readSecurityCode(
  posted: Readonly<Record<string, unknown>>,
  words: Words['faults'],
): { readonly code: string } | { readonly fault: string } {
  const code = textOf(posted.security_code);
  return /^\d{3,4}$/.test(code) ? { code } : { fault: words.badCode(undefined) };
}

/** A field that is missing, sent twice or a file counts as empty; none of them is longer than a card number with spaces. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 40) : '';
}

function cardFault(number: string, words: Words['faults']): CardFaults {
  if (number === '') return { card: words.noCard };
  const isCard = /^\d{12,19}$/.test(number) && validator.number(number).isValid;
  return isCard ? {} : { card: words.badCard };
}

function expiryFault(month: string, year: string, words: Words['faults']): CardFaults {
  const faults = {
    ...(/^(0?[1-9]|1[0-2])$/.test(month) ? {} : { expiration_month: words.badMonth }),
    ...(/^(\d{2}|20\d{2})$/.test(year) ? {} : { expiration_year: words.badYear }),
  };
  if (Object.keys(faults).length > 0) return faults;
  const isAhead = validator.expirationDate({ month, year }).isValid;
  return isAhead ? {} : { expiration_month: words.pastExpiry };
}

function codeFault(number: string, code: string, words: Words['faults']): CardFaults {
  const digits = validator.number(number).card?.code.size;
  const isCode = digits === undefined ? /^\d{3,4}$/.test(code) : validator.cvv(code, digits).isValid;
  return isCode ? {} : { security_code: words.badCode(digits) };
}

function fullYear(year: string): number {
  return year.length === 2 ? 2000 + Number(year) : Number(year);
}
