/** Requests with every field that the specification lists for them, each with a value of its own. */
import type { JsonFields } from '../../src/wire/canonical.ts';
import { type Message, REQUESTS } from './specification.ts';

/** Values of fields that cannot hold just any text, by their own name. */
const VALUES: Readonly<Record<string, JsonFields[string]>> = {
  currency: 'USD',
  amount: '120.00',
  item_total: '100.00',
  shipping: '10.00',
  handling: '1.00',
  tax_total: '9.00',
  insurance: '2.00',
  shipping_discount: '1.50',
  discount: '0.50',
  quote_price: '120.00',
  items: 'SKU-1#,#Mill#,#1#,#100.00#;#SKU-2#,#Paper#,#4#,#5.00',
  shopper_email: 'ana@example.com',
  birth_date: '28-02-1990',
  open3d: 'do3DS',
  challenge_window_size: '01',
  token_flag: 'NO',
  checkout_time: 1790000000,
  notify_url: 'https://shop.example/notify',
  return_url: 'https://shop.example/thanks',
  cancel_url: 'https://shop.example/basket',
  storefront_domains: 'shop.example',
  payment_method: 'bank_transfer',
  card: '4111111111111111',
  expiration_month: '12',
  expiration_year: '2039',
  security_code: '123',
  amount_usd: 10.5,
  amount_local_currency: 9.75,
  created: 1700000000,
  past_orders_count: 3,
  past_orders_sum: 310.25,
  eci: '05',
  contract_amount: '19.90',
  interval: 'day',
  interval_count: '30',
  contract_start: '2026-11-20',
  contract_end: '2030-11-20',
  billing_cycle: 12,
  promotion_cycle: 0,
  review_flag: '1',
  refund_amount: '20.00',
  fee_paid_by: 'PAYER',
  source_amount: '50.00',
  source_currency: 'USD',
  payment_amount: '50.00',
  payment_currency: 'USD',
  payment_date: '2026-11-20',
  date_of_birth: '1980-02-29',
  entity_type: 'COMPANY',
  iban: 'DE89370400440532013000',
  swift_code: 'COBADEFFXXX',
  bank_country_code: 'DE',
  file_url: 'https://shop.example/document.pdf',
  labels: ['front', 'back'],
};

/** Names that mean something else inside a payout than elsewhere. */
const IN_PAYOUT: Readonly<Record<string, JsonFields[string]>> = {
  payment_method: 'SWIFT',
  swift_charge_option: 'SHARED',
};

/** Lists of objects. */
const LISTS: ReadonlySet<string> = new Set([
  ...['capture_orders', 'cancel_orders', 'review_orders', 'refund_orders'],
  ...['cart_items', 'account_owner', 'total_discount', 'additional_information', 'person_documents'],
]);

interface Nested {
  [name: string]: JsonFields[string] | Nested | Nested[];
}

/**
 * The message without its envelope.
 * @param change values of top-level fields instead
 */
export function fullMessage(message: Message, change: JsonFields = {}): JsonFields {
  const root: Nested = {};
  for (const name of REQUESTS[message]) {
    if (/^(merchant_id|account_id|encryption_data)$/.test(name)) continue;
    place(root, name.split('.'), valueFor(name, message));
  }
  return { ...(root as JsonFields), ...change };
}

function valueFor(name: string, message: Message): JsonFields[string] {
  const own = name.split('.').at(-1)!;
  return (message === 'payout' ? IN_PAYOUT[own] : undefined) ?? VALUES[own] ?? `the ${own}`;
}

function place(root: Nested, path: readonly string[], value: JsonFields[string]): void {
  let at = root;
  for (const name of path.slice(0, -1)) {
    const inner = (at[name] ?? (LISTS.has(name) ? [{}] : {})) as Nested | [Nested];
    at[name] = inner;
    at = Array.isArray(inner) ? inner[0]! : inner;
  }
  at[path.at(-1)!] = value;
}
