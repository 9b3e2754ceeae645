/**
 * The hidden inputs of the page that redirect checkout answers with. Specification, "Redirect payment result"; what the
 * service sets is decided in the engine decisions, "Fields the engine sets".
 */
import type { Order } from '../../core/payment.ts';
import type { JsonFields, JsonValue } from '../canonical.ts';
import { isAbsent } from './issues.ts';

/** What the inputs are made of. */
export interface CheckoutPage {
  readonly merchantId: string;
  readonly accountId: string;
  /** The request's fields, without its envelope. */
  readonly fields: JsonFields;
  readonly order: Order;
  readonly transactionId: string;
  /** `encryption_data`, and once more `signInfo`. */
  readonly signature: string;
  /** The connector that will be asked. */
  readonly connector: string;
  /** Address from which the request came. */
  readonly ip: string;
  /** Of the account, for example `Europe/Berlin`. */
  readonly timeZone: string;
}

/** A hidden input. Values are text as it was sent: whoever writes the page escapes them. */
export type Input = readonly [name: string, value: string];

/** Alternative names, and the fields that stand under them. */
const ALTERNATIVES: readonly Input[] = [
  ['orderNo', 'order_no'],
  ['orderCurrency', 'currency'],
  ['orderAmount', 'amount'],
  ['notifyUrl', 'notify_url'],
  ['returnUrl', 'return_url'],
  ['cancelUrl', 'cancel_url'],
  ['firstName', 'first_name'],
  ['lastName', 'last_name'],
  ['shipFirstName', 'delivery_firstname'],
  ['shipLastName', 'delivery_lastname'],
  ['shipCountry', 'delivery_country'],
  ['shipState', 'delivery_state'],
  ['shipCity', 'delivery_city'],
  ['shipZip', 'delivery_postal_code'],
  ['shipAddress', 'delivery_address'],
  ['shipFee', 'shipping'],
  ['itemTotal', 'item_total'],
  ['taxTotal', 'tax_total'],
  ['shippingDiscount', 'shipping_discount'],
  ['goodsInfo', 'items'],
  ['remark', 'note'],
  ['shopperId', 'shopper_id'],
  ['shopperLevel', 'shopper_level'],
  ['isOpen3D', 'open3d'],
];

/** Switches of the service: all off. */
const SWITCHES = [
  'sendbgoods',
  'replacename',
  'send_bank_website',
  'replace_up_id',
  'replace_match_address',
  'to_pass_page',
  'verify_billing_address',
];

/** All hidden inputs in their order, each name once; a field that was not sent is empty under its other names. */
export function checkoutInputs(page: CheckoutPage): readonly Input[] {
  const { merchantId, accountId, signature } = page;
  const inputs: readonly Input[] = [
    ['merchant_id', merchantId],
    ['account_id', accountId],
    ...ownNames(page.fields),
    ...alternativeNames(page),
    ...serviceNames(page),
  ];
  const unique = [...new Map(inputs)];
  return [
    ...unique,
    // Encoded like a query, so that a value may hold ampersands of its own.
    ['allParams', new URLSearchParams(Object.fromEntries(unique)).toString()],
    ['encryption_data', signature],
    ['signInfo', signature],
  ];
}

/** The request's fields; nested ones as JSON. */
function ownNames(fields: JsonFields): readonly Input[] {
  return Object.entries(fields).map(([name, value]) => [name, textOf(value)]);
}

function textOf(value: JsonValue | undefined): string {
  if (isAbsent(value)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function alternativeNames({ merchantId, accountId, fields }: CheckoutPage): readonly Input[] {
  return [
    ['merNo', merchantId],
    ['gatewayNo', accountId],
    ...ALTERNATIVES.map(([name, field]): Input => [name, textOf(fields[field])]),
    ['defaultLang', languageOf(fields)],
  ];
}

function serviceNames(page: CheckoutPage): readonly Input[] {
  const { accountId, fields, order, transactionId } = page;
  const method = order.message.payment_method;
  return [
    ['gbc_id', transactionId],
    ['connector_code', page.connector],
    ['account_name', accountId],
    ['the service', textOf(fields['the service'])],
    ['pm_id', method ?? 'card'],
    ['apm_type', method ?? ''],
    ['descriptor', accountId],
    ['orderprefix', ''],
    ['rrtimezone', page.timeZone],
    ['ordernumlength', String(order.orderNo.length)],
    ...SWITCHES.map((name): Input => [name, '0']),
    ['default_lang', languageOf(fields)],
    ['source_request_ip', page.ip],
    ['source_notify_url', textOf(fields.notify_url)],
    ['return_url', textOf(fields.return_url)],
    ['cancel_url', textOf(fields.cancel_url)],
    ['logo_name', ''],
    ['merSendLogoNo', ''],
  ];
}

function languageOf(fields: JsonFields): string {
  return textOf(fields.browser_lang) || 'en';
}
