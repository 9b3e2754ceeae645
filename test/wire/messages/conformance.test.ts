/** The fields of requests are those of the specification's tables: none is missing, none is made up. */
import { describe, expect, test } from 'vitest';
import { PAYMENT_MESSAGES } from '../../../src/core/payment-message.ts';
import { PAYOUT_COLUMNS } from '../../../src/core/payout-message.ts';
import type { JsonFields } from '../../../src/wire/canonical.ts';
import { readAuthorise, readCheckout } from '../../../src/wire/messages/payment.ts';

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** "Order / payment request", without the envelope, `the service`, card data and `accept`. */
const SHARED = [
  'the service',
  ...words(`
    order_no currency amount item_total shipping handling tax_total insurance shipping_discount discount items note
    custom shopper_id shopper_email shopper_ip shopper_phone shopper_level first_name last_name document birth_date
    billing_country billing_state billing_city billing_address billing_postal_code delivery_firstname delivery_lastname
    delivery_country delivery_state delivery_city delivery_address delivery_postal_code os browser browser_lang
    time_zone resolution color_depth user_agent device_type order_type platform_source cookie_new cookie_old open3d
    challenge_window_size session_id device_fingerprint token_flag installments installments_id checkout_time notify_url
    fraudvendor_token_cookie price_id quote_id quote_price storefront_domains cart_items account_owner total_discount
    additional_information subscription`),
];

const CARD = words('card expiration_month expiration_year security_code');

/** "APM payment extra fields"; `cancel_url` is the contract's. */
const APM = words(`
  payment_method return_url cancel_url delivery_district_name delivery_street_name bank_code person`);

test.each([
  ['card', [...SHARED, ...CARD, 'accept']],
  ['token', [...SHARED, 'token_id', 'security_code', 'accept']],
  ['apm', [...SHARED, ...APM]],
  ['checkout', [...SHARED, ...APM, 'token_id']],
] as const)('a payment by %s has the fields of the specification', (kind, fields) => {
  expect(Object.keys(PAYMENT_MESSAGES[kind].shape).sort()).toEqual([...fields].sort());
});

const EXAMPLES: Readonly<Record<string, string>> = {
  order_no: 'ORD-1',
  currency: 'USD',
  items: 'a#,#b#,#1#,#9.99',
  birth_date: '31-12-1990',
  challenge_window_size: '01',
  token_flag: 'NO',
  checkout_time: '1790000000',
  return_url: 'https://shop.example/back',
  cancel_url: 'http://shop.example/',
  card: '4111111111111111',
  expiration_month: '09',
  expiration_year: '31',
  security_code: '123',
};
const AMOUNTS = words(
  'amount item_total shipping handling tax_total insurance shipping_discount discount quote_price',
);

/** Nested fields with everything that the specification lists in them. */
const NESTED: JsonFields = {
  cart_items: [
    {
      basic_item_data: {
        ...texts('name quantity type category productId'),
        price: { amount_usd: 1.5, amount_local_currency: 2, currency: 'EUR' },
      },
    },
  ],
  account_owner: [
    {
      ...texts('first_name last_name email account_id lastLogin_ip registration_ip'),
      created: 1,
      past_orders_count: 2,
      past_orders_sum: 3.5,
    },
  ],
  total_discount: [texts('coupon_code_used discount_type')],
  additional_information: [{ mpi_info: texts('eci cavv xid dsTransID') }],
  subscription: {
    ...texts('contract contract_name contract_start contract_end price_id'),
    contract_amount: '1.00',
    interval: 'day',
    interval_count: '1',
    billing_cycle: 12,
    promotion_cycle: 1,
  },
};

const PERSON: JsonFields = {
  ...texts(`document_number document_type social_name email phone_country_code phone_area_code phone_number
    net_monthly_average_income address_street address_number address_complement address_postal_code address_city
    address_state address_country fiscal_country`),
  birth_date: '31-12-1990',
  documents: {
    ...texts('file_type file_data file_url'),
    labels: {
      person_bank_account_id: 'x',
      bank_account: {
        ...texts(
          `account_type account_number branch_number owner_document_number owner_name branch_country currency`,
        ),
        bank: texts('code name'),
      },
    },
  },
};

function texts(names: string): Readonly<Record<string, string>> {
  return Object.fromEntries(words(names).map((name) => [name, 'x']));
}

function filled(names: readonly string[]): JsonFields {
  const simple = names.filter((name) => NESTED[name] === undefined && name !== 'person');
  return {
    ...Object.fromEntries(
      simple.map((name) => [name, AMOUNTS.includes(name) ? '1.00' : (EXAMPLES[name] ?? 'x')]),
    ),
    ...NESTED,
    ...(names.includes('person') ? { person: PERSON } : {}),
  };
}

describe('a message with every field of the specification is taken', () => {
  test.each([
    ['by card', readAuthorise, [...SHARED, ...CARD, 'accept']],
    ['by token', readAuthorise, [...SHARED, 'token_id', 'accept']],
    ['by another method', readAuthorise, [...SHARED, ...APM]],
    ['at checkout', readCheckout, [...SHARED, ...APM]],
  ] as const)('%s', (_, read, names) => {
    expect(read(filled(names))).toHaveProperty('order');
  });
});

/** "Payout", without the envelope and what only the response has. */
test('a payout has the fields of the specification', () => {
  const under = (path: string, names: string) => words(names).map((name) => `${path}.${name}`);
  const expected = [
    ...words(`beneficiary_id client_data fee_paid_by payment_amount payment_currency payment_date payment_method reason
      reference request_id source_amount source_currency swift_charge_option fund_source notify_url`),
    ...under('beneficiary', 'company_name date_of_birth entity_type first_name last_name'),
    ...under(
      'beneficiary.additional_info',
      `business_area business_phone_number business_registration_number personal_email personal_id_number
       personal_id_type personal_mobile_number personal_net_monthly_average_income personal_phone_country_code
       personal_phone_area_code personal_fiscal_country`,
    ),
    ...under(
      'beneficiary.address',
      'city country_code postcode state street number street_address complement',
    ),
    ...under('beneficiary.person_documents.0', 'file_type file_url labels.0'),
    ...under(
      'beneficiary.bank_details',
      `account_currency account_name owner_document_number account_number bank_account_category bank_branch
       bank_country_code bank_code bank_name bank_street_address binding_mobile_number iban swift_code
       transaction_reference`,
    ),
    ...under('payer', 'company_name date_of_birth entity_type first_name last_name'),
    ...under(
      'payer.additional_info',
      'business_registration_number business_registration_type external_id personal_email personal_id_number job',
    ),
    ...under('payer.address', 'city country_code postcode state street_address'),
  ];
  expect([...PAYOUT_COLUMNS].sort()).toEqual(expected.sort());
});
