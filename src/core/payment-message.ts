/**
 * The order request of the specification with all its nested fields: what direct, APM and redirect payments share, and
 * what each adds. Allowed values where the specification shows only samples are this project's choice; contract, "HTTP".
 */
import * as z from 'zod';
import { decimal, email, freeText, id, name, url, webAddress } from './text.ts';

const text = name.optional();
const long = freeText.optional();
const amount = decimal.optional();

/** JSON carries a number as the specification types it; XML and form fields carry its digits. */
const whole = z
  .union([z.int(), z.string().regex(/^-?\d{1,15}$/, 'a whole number')], 'a whole number')
  .transform(Number)
  .optional();
const number = z
  .union([z.number(), z.string().regex(/^-?\d{1,15}(\.\d{1,15})?$/, 'a number')], 'a number')
  .transform(Number)
  .optional();

/** Day-month-year with hyphens, as in the samples. */
const birthDate = z
  .string()
  .regex(/^\d{1,2}-\d{1,2}-\d{4}$/, 'a date as DD-MM-YYYY')
  .optional();

/** Lists of the specification are short; their number is bounded so that a message is. */
function list<T extends z.ZodType>(element: T) {
  return z.array(element).max(200, 'at most 200 elements').optional();
}

const cartItem = z.strictObject({
  name: text,
  quantity: text,
  type: text,
  price: z.strictObject({ amount_usd: number, amount_local_currency: number, currency: text }).optional(),
  category: text,
  productId: text,
});

const accountOwner = z.strictObject({
  first_name: text,
  last_name: text,
  email: email.optional(),
  account_id: text,
  created: number,
  past_orders_count: number,
  past_orders_sum: number,
  lastLogin_ip: text,
  registration_ip: text,
});

const subscription = z.strictObject({
  contract: text,
  contract_name: text,
  contract_amount: amount,
  interval: z.enum(['day', 'week', 'month', 'year'], 'day, week, month or year'),
  interval_count: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'a whole number from 1 to 999')
    .optional(),
  contract_start: text,
  contract_end: text,
  price_id: text,
  billing_cycle: whole,
  promotion_cycle: whole,
});

/** What direct, APM and redirect payments share. `merchant_id`, `account_id` and `encryption_data` are the envelope's. */
const shared = {
  order_no: id,
  currency: id,
  amount: decimal,
  item_total: amount,
  shipping: amount,
  handling: amount,
  tax_total: amount,
  insurance: amount,
  shipping_discount: amount,
  discount: amount,
  'the service': text,
  items: long,
  note: long,
  custom: long,
  shopper_id: id.optional(),
  shopper_email: email.optional(),
  shopper_ip: text,
  shopper_phone: text,
  shopper_level: text,
  first_name: text,
  last_name: text,
  document: text,
  birth_date: birthDate,
  billing_country: text,
  billing_state: text,
  billing_city: text,
  billing_address: text,
  billing_postal_code: text,
  delivery_firstname: text,
  delivery_lastname: text,
  delivery_country: text,
  delivery_state: text,
  delivery_city: text,
  delivery_address: text,
  delivery_postal_code: text,
  os: text,
  browser: text,
  browser_lang: text,
  time_zone: text,
  resolution: text,
  color_depth: text,
  user_agent: long,
  device_type: text,
  order_type: text,
  platform_source: text,
  cookie_new: long,
  cookie_old: long,
  open3d: id.optional(),
  challenge_window_size: z.enum(['01', '02', '03', '04', '05'], '01 to 05').optional(),
  session_id: text,
  device_fingerprint: text,
  token_flag: z.enum(['YES', 'NO'], 'YES or NO').optional(),
  installments: id.optional(),
  installments_id: id.optional(),
  checkout_time: whole,
  notify_url: url.optional(),
  fraudvendor_token_cookie: long,
  price_id: id.optional(),
  quote_id: id.optional(),
  quote_price: amount,
  storefront_domains: long,
  cart_items: list(z.strictObject({ basic_item_data: cartItem.optional() })),
  account_owner: list(accountOwner),
  total_discount: list(z.strictObject({ coupon_code_used: text, discount_type: text })),
  additional_information: list(
    z.strictObject({
      mpi_info: z.strictObject({ eci: text, cavv: text, xid: text, dsTransID: text }).optional(),
    }),
  ),
  subscription: subscription.optional(),
};

const bankAccount = z.strictObject({
  account_type: text,
  account_number: text,
  branch_number: text,
  owner_document_number: text,
  owner_name: text,
  branch_country: text,
  currency: text,
  bank: z.strictObject({ code: text, name: text }).optional(),
});

const personDocument = z.strictObject({
  file_type: text,
  file_data: z.string('text').max(1_000_000, 'at most 1000000 characters').optional(),
  file_url: url.optional(),
  labels: z.strictObject({ person_bank_account_id: text, bank_account: bankAccount.optional() }).optional(),
});

const person = z.strictObject({
  document_number: text,
  document_type: text,
  social_name: text,
  email: email.optional(),
  phone_country_code: text,
  phone_area_code: text,
  phone_number: text,
  birth_date: birthDate,
  net_monthly_average_income: text,
  address_street: text,
  address_number: text,
  address_complement: text,
  address_postal_code: text,
  address_city: text,
  address_state: text,
  address_country: text,
  fiscal_country: text,
  documents: z.union([personDocument, z.array(personDocument).max(20)], 'a document').optional(),
});

/** What names an alternative payment method. */
const apm = {
  payment_method: id,
  delivery_district_name: text,
  delivery_street_name: text,
  bank_code: id.optional(),
  person: person.optional(),
};

/** Card data: in memory only, from here to the connector. */
const card = {
  card: z.string().regex(/^\d{12,19}$/, 'a card number of 12 to 19 digits'),
  expiration_month: z.string().regex(/^(0[1-9]|1[0-2])$/, 'a month as 01 to 12'),
  expiration_year: z.string().regex(/^(\d{2}|20\d{2})$/, 'a year as YY or YYYY'),
  security_code: z.string().regex(/^\d{3,4}$/, 'three or four digits'),
};

/** Fields that never reach a disk, a log or a stored answer. */
export const CARD_FIELDS = Object.keys(card) as readonly (keyof typeof card)[];

/** Where nobody can go is refused before anything is paid: afterwards the shopper would be stranded. */
const returns = { return_url: webAddress, cancel_url: webAddress.optional() };

/** The schemas of the four ways to pay, each without the envelope. */
export const PAYMENT_MESSAGES = {
  /** A direct payment by card. */
  card: z.strictObject({ ...shared, ...card, accept: text }),
  /** A direct payment by a stored card; a security code may come along. */
  token: z.strictObject({
    ...shared,
    token_id: id,
    security_code: card.security_code.optional(),
    accept: text,
  }),
  /** An alternative payment method. */
  apm: z.strictObject({ ...shared, ...apm, ...returns }),
  /** A redirect to the hosted page; with a `payment_method` that method's page. */
  checkout: z.strictObject({
    ...shared,
    ...apm,
    payment_method: id.optional(),
    ...returns,
    token_id: id.optional(),
  }),
} as const;

export type PaymentKind = keyof typeof PAYMENT_MESSAGES;

/** A parsed message of any kind without card data: what is kept of it. */
export type PaymentMessage = Omit<
  z.infer<(typeof PAYMENT_MESSAGES)['checkout']> & z.infer<(typeof PAYMENT_MESSAGES)['token']>,
  'return_url' | 'token_id' | 'security_code'
> & { readonly return_url?: string | undefined; readonly token_id?: string | undefined };

export type SubscriptionMessage = z.infer<typeof subscription>;
