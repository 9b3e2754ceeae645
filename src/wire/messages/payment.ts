/**
 * The messages of authorise and checkout: an order and its means of payment out of a request, and the results of direct
 * and APM payments. Specification, "Order / payment request" and the sections on its results; contract, "HTTP".
 */
import { readAmount } from '../../core/amount-field.ts';
import { type Reason, reason } from '../../core/code.ts';
import { digitsOf } from '../../core/currency.ts';
import { DOT } from '../../core/money.ts';
import type { Card, ContractState, Item, Means, Order, PaymentResult } from '../../core/payment.ts';
import {
  CARD_FIELDS,
  PAYMENT_MESSAGES,
  type PaymentKind,
  type PaymentMessage,
} from '../../core/payment-message.ts';
import type { JsonFields } from '../canonical.ts';
import { withoutCardNumbers } from '../card-number.ts';
import { fitsXml } from '../xml.ts';
import { isAbsent, parseMessage } from './issues.ts';
import { type Refused, refusedFor, withoutHint } from './refused.ts';
import { amountText, dateTime, resultInfo } from './values.ts';

/** What a request for a direct or an APM payment asks for. Card data stands in `means` alone. */
export interface Authorisation {
  readonly order: Order;
  readonly means: Means;
}

/** Reads the request of authorise. A `payment_method` makes it an APM payment; engine decisions, "Payments". */
export function readAuthorise(fields: JsonFields): Authorisation | Refused {
  const kind = kindOf(fields);
  if (typeof kind === 'object') return kind;
  const parsed = parseMessage(PAYMENT_MESSAGES[kind], fields);
  if ('reasons' in parsed) return parsed;
  const order = orderOf(parsed.message);
  if ('reasons' in order) return order;
  return { order, means: meansOf(parsed.message) };
}

/** Reads the request of checkout. */
export function readCheckout(fields: JsonFields): { readonly order: Order } | Refused {
  const both = excluding(fields, ['apm', 'token']);
  if (both !== undefined) return both;
  const parsed = parseMessage(PAYMENT_MESSAGES.checkout, fields);
  if ('reasons' in parsed) return parsed;
  const order = orderOf(parsed.message);
  return 'reasons' in order ? order : { order };
}

/** The fields of which one says how a payment is made. */
const MEANS = { apm: 'payment_method', token: 'token_id', card: 'card' } as const;

function kindOf(fields: JsonFields): Exclude<PaymentKind, 'checkout'> | Refused {
  const kinds = ['apm', 'token', 'card'] as const;
  return excluding(fields, kinds) ?? namedOf(fields, kinds)[0] ?? 'card';
}

type Kind = keyof typeof MEANS;

function namedOf(fields: JsonFields, kinds: readonly Kind[]): readonly Kind[] {
  return kinds.filter((kind) => !isAbsent(fields[MEANS[kind]]));
}

/** Why the request is refused when it names more than one of these means. */
function excluding(fields: JsonFields, kinds: readonly Kind[]): Refused | undefined {
  const [kind, ...others] = namedOf(fields, kinds);
  if (kind === undefined || others.length === 0) return undefined;
  return refusedFor(
    others.map((other) => {
      const column = MEANS[other];
      return reason('I0002', `${column} and ${MEANS[kind]} exclude each other`, { column });
    }),
  );
}

type Parsed = PaymentMessage & Partial<Record<(typeof CARD_FIELDS)[number] | 'token_id', string | undefined>>;

/** The schema has made sure that the fields of the kind are there. */
function meansOf(message: Parsed): Means {
  const { card, token_id, payment_method, security_code: securityCode } = message;
  if (card !== undefined) return { by: 'card', card: cardOf(card, message) };
  if (token_id !== undefined) return { by: 'token', tokenId: token_id, securityCode };
  return { by: 'apm', method: payment_method! };
}

function cardOf(number: string, { expiration_month, expiration_year, security_code }: Parsed): Card {
  const year = Number(expiration_year);
  return {
    number,
    month: Number(expiration_month),
    year: year < 100 ? 2000 + year : year,
    securityCode: security_code,
  };
}

function orderOf(message: Parsed): Order | Refused {
  const amounts = readAmounts(message);
  const items = readItems(message.items);
  const faults = [amounts, items].flatMap((read) => ('reasons' in read ? read.reasons : []));
  const unwritable = unwritableFields(message);
  if ('reasons' in amounts || 'reasons' in items || unwritable.length > 0) {
    return refusedFor([...unwritable, ...faults]);
  }
  const kept = Object.entries(message).filter(([name]) => !CARD_NAMES.has(name));
  return {
    message: withoutCardNumbers(Object.fromEntries(kept) as PaymentMessage),
    orderNo: message.order_no,
    currency: message.currency,
    ...amounts,
    items: withoutCardNumbers(items.items),
  };
}

const CARD_NAMES: ReadonlySet<string> = new Set(CARD_FIELDS);

/** Amounts that only inform, and may be zero. */
const INFORMING = [
  'item_total',
  'shipping',
  'handling',
  'tax_total',
  'insurance',
  'shipping_discount',
  'discount',
  'quote_price',
] as const;

function readAmounts(message: Parsed): Pick<Order, 'amount' | 'contractAmount'> | Refused {
  const { currency, subscription } = message;
  const amount = readOne('amount', message.amount, currency);
  // Without a currency nothing can be said of the others.
  if (typeof amount === 'object' && digitsOf(currency) === undefined) return { reasons: [amount] };
  const contract = subscription?.contract_amount;
  const contractAmount =
    contract === undefined ? undefined : readOne('subscription.contract_amount', contract, currency);
  const informing = INFORMING.flatMap((field) => {
    const text = message[field];
    return text === undefined || /^0{1,40}(\.0{1,20})?$/.test(text) ? [] : [readOne(field, text, currency)];
  });
  const faults = [amount, contractAmount, ...informing].filter((read) => typeof read === 'object');
  if (typeof amount === 'object' || typeof contractAmount === 'object' || faults.length > 0) {
    return refusedFor(faults);
  }
  return { amount, contractAmount };
}

/** Digits that the shortest card number has. */
const SHORTEST_CARD = 12;

/** A card number can stand in an amount's place, so a text with so many digits is not quoted. */
function readOne(field: string, text: string, currency: string): number | Reason {
  const read = readAmount(field, text, 'currency', currency, DOT);
  if (typeof read === 'number') return read;
  const column = read.column === 'currency' ? 'currency' : field;
  const shown = column === 'currency' ? currency : text;
  if (shown.replace(/\D/g, '').length < SHORTEST_CARD) return withoutHint(read);
  const expected = column === 'currency' ? 'an ISO 4217 code' : 'a positive amount of at most 15 digits';
  return reason(read.code, `${column}; expected ${expected}`, { column });
}

/** Entries between `#;#`, four parts each between `#,#`; specification, "items". */
function readItems(text: string | undefined): { readonly items: readonly Item[] } | Refused {
  if (text === undefined) return { items: [] };
  const entries = text.split('#;#').map((entry) => entry.split('#,#'));
  const odd = entries.findIndex((parts) => parts.length !== 4);
  if (odd < 0) return { items: entries as unknown as readonly Item[] };
  const detail = `items; its entry ${odd + 1} has ${entries[odd]!.length} parts between #,#, not four`;
  return { reasons: [reason('I0002', detail, { column: 'items' })] };
}

/** Fields that come back in an XML result, which must be possible whatever becomes of the payment. */
function unwritableFields({ order_no, note, subscription }: Parsed): readonly Reason[] {
  const echoed = { order_no, note, 'subscription.contract_name': subscription?.contract_name };
  const unwritable = Object.entries(echoed).filter(([, text]) => text !== undefined && !fitsXml(text));
  return unwritable.map(([column]) =>
    reason('I0002', `${column} has a character that the XML of the answer cannot carry`, { column }),
  );
}

/** The elements of the XML result of a direct payment, without its envelope. What is absent stays absent. */
export function writePayment(order: Order, result: PaymentResult): JsonFields {
  const { risk } = result;
  const fields = {
    ...writeOrder(order),
    transaction_id: result.transactionId,
    card: result.maskedCard,
    order_status: String(result.orderStatus),
    result_info: resultInfo(result.reason),
    ...(result.contract === undefined ? {} : writeContract(result.contract)),
    note: order.message.note,
    token_id: result.tokenId,
    connector: result.connector,
    threeds_result: result.threeDs,
    risk_action: risk.action,
    risk_score: String(risk.score),
    risk_reasons:
      risk.reasons.length === 0 ? undefined : risk.reasons.map(({ name, status }) => ({ name, status })),
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as JsonFields;
}

/**
 * The elements of the XML result of an APM payment, without its envelope.
 * @param issuerUrl address of the page where the shopper goes on
 */
export function writeIssuer(order: Order, issuerUrl: string): JsonFields {
  return { ...writeOrder(order), issuer_url: issuerUrl };
}

function writeOrder({ orderNo, amount, currency }: Order) {
  return { order_no: orderNo, amount: amountText(amount, currency), currency };
}

/** A subscription as results and queries show it; without a next charge its time is empty. */
export function writeContract({ name, recurringId, period, next }: ContractState) {
  return {
    contract_name: name,
    recurring_id: recurringId,
    recurring_deduction_period: period,
    recurring_deduction_time: next === undefined ? '' : dateTime(next),
  };
}
