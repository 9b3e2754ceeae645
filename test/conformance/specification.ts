/** The names in the specification's tables, as it lists them; nested fields with dots, elements of lists under the list. */

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

function under(path: string, text: string): readonly string[] {
  return words(text).map((name) => `${path}.${name}`);
}

const ADDRESS = 'city country_code postcode state street_address';

/** "Order / payment request", shared by direct, APM and redirect payments. */
const ORDER = [
  'the service',
  ...words(`merchant_id account_id order_no currency amount item_total shipping handling tax_total insurance
    shipping_discount discount items note custom shopper_id shopper_email shopper_ip shopper_phone shopper_level
    first_name last_name document birth_date billing_country billing_state billing_city billing_address
    billing_postal_code delivery_firstname delivery_lastname delivery_country delivery_state delivery_city
    delivery_address delivery_postal_code os browser browser_lang time_zone resolution color_depth user_agent
    device_type order_type platform_source cookie_new cookie_old open3d challenge_window_size session_id
    device_fingerprint token_flag installments installments_id checkout_time notify_url encryption_data
    fraudvendor_token_cookie price_id quote_id quote_price storefront_domains`),
];

/** "Nested structures". */
const NESTED = [
  ...under('cart_items.basic_item_data', 'name quantity type category productId'),
  ...under('cart_items.basic_item_data.price', 'amount_usd amount_local_currency currency'),
  ...under(
    'account_owner',
    `first_name last_name email account_id created past_orders_count past_orders_sum lastLogin_ip registration_ip`,
  ),
  ...under('total_discount', 'coupon_code_used discount_type'),
  ...under('additional_information.mpi_info', 'eci cavv xid dsTransID'),
  ...under(
    'subscription',
    `contract contract_name contract_amount interval interval_count contract_start contract_end price_id
     billing_cycle promotion_cycle`,
  ),
];

/** "APM payment extra fields". */
const APM = [
  ...words('payment_method return_url delivery_district_name delivery_street_name bank_code'),
  ...under(
    'person',
    `document_number document_type social_name email phone_country_code phone_area_code phone_number birth_date
     net_monthly_average_income address_street address_number address_complement address_postal_code address_city
     address_state address_country fiscal_country`,
  ),
  ...under('person.documents', 'file_type file_data file_url'),
  'person.documents.labels.person_bank_account_id',
  ...under(
    'person.documents.labels.bank_account',
    `account_type account_number branch_number owner_document_number owner_name branch_country currency`,
  ),
  ...under('person.documents.labels.bank_account.bank', 'code name'),
];

const ENVELOPE = words('merchant_id account_id encryption_data');
const ENTRY = 'transaction_id order_no currency amount';

const PARTY = 'company_name date_of_birth entity_type first_name last_name';

/** "Payout", its request. */
const PAYOUT = [
  ...ENVELOPE,
  ...words(`beneficiary_id client_data fee_paid_by payment_amount payment_currency payment_date payment_method reason
    reference request_id source_amount source_currency swift_charge_option fund_source notify_url`),
  ...under('beneficiary', PARTY),
  ...under(
    'beneficiary.additional_info',
    `business_area business_phone_number business_registration_number personal_email personal_id_number
     personal_id_type personal_mobile_number personal_net_monthly_average_income personal_phone_country_code
     personal_phone_area_code personal_fiscal_country`,
  ),
  ...under('beneficiary.address', `${ADDRESS} street number complement`),
  ...under('beneficiary.person_documents', 'file_type file_url labels'),
  ...under(
    'beneficiary.bank_details',
    `account_currency account_name owner_document_number account_number bank_account_category bank_branch
     bank_country_code bank_code bank_name bank_street_address binding_mobile_number iban swift_code
     transaction_reference`,
  ),
  ...under('payer', PARTY),
  ...under(
    'payer.additional_info',
    'business_registration_number business_registration_type external_id personal_email personal_id_number job',
  ),
  ...under('payer.address', ADDRESS),
];

/** What requests may carry. */
export const REQUESTS = {
  'direct payment': [
    ...ORDER,
    ...NESTED,
    ...words('accept card expiration_month expiration_year security_code'),
  ],
  'token payment': [...ORDER, ...NESTED, ...words('token_id accept')],
  'APM payment': [...ORDER, ...APM],
  'redirect payment': [...ORDER, ...NESTED, 'return_url', 'cancel_url'],
  query: ENVELOPE,
  capture: [...ENVELOPE, ...under('capture_orders', ENTRY)],
  cancel: [...ENVELOPE, ...under('cancel_orders', ENTRY)],
  review: [...ENVELOPE, ...under('review_orders', `${ENTRY} review_flag`)],
  refund: [...ENVELOPE, ...under('refund_orders', `${ENTRY} refund_amount refund_reason`)],
  payout: PAYOUT,
} as const;

const ANSWERED = words('merchant_id account_id return_status return_message encryption_data');

/** What answers carry. */
export const ANSWERS = {
  'direct payment': [
    ...words(`merchant_id account_id order_no amount currency transaction_id card order_status result_info
      contract_name recurring_id recurring_deduction_period recurring_deduction_time note token_id connector
      threeds_result risk_action risk_score encryption_data`),
    ...under('risk_reasons', 'name status'),
  ],
  'APM payment': words('merchant_id account_id order_no amount currency issuer_url'),
  'redirect payment': [
    'the service',
    ...words(`merNo gatewayNo orderNo orderCurrency orderAmount signInfo notifyUrl returnUrl cancelUrl firstName
      lastName shipFirstName shipLastName shipCountry shipState shipCity shipZip shipAddress shipFee itemTotal
      taxTotal shippingDiscount goodsInfo remark shopperId shopperLevel isOpen3D defaultLang gbc_id connector_code
      account_name pm_id apm_type descriptor orderprefix rrtimezone ordernumlength sendbgoods replacename
      send_bank_website replace_up_id replace_match_address to_pass_page default_lang source_request_ip
      source_notify_url return_url cancel_url verify_billing_address logo_name merSendLogoNo allParams`),
  ],
  query: [
    ...words('merchant_id account_id return_status return_message'),
    ...under(
      'orders_list',
      `amount currency order_no reference_no transaction_id shopper_email shopper_phone antifraud_provider is3ds
       payment_status query_result transaction_date`,
    ),
    'orders_list.the service',
    ...under(
      'orders_list.delivery_information',
      `delivery_address delivery_city delivery_country delivery_firstname delivery_lastname delivery_postal_code
       delivery_state`,
    ),
    ...under('orders_list.fraud_check_result', 'check_items status'),
    ...under(
      'orders_list.subscription_result',
      'contract_name recurring_deduction_period recurring_deduction_time recurring_id recurring_status',
    ),
  ],
  capture: [...ANSWERED, ...under('capture_orders', `${ENTRY} capture_status error_message`)],
  cancel: [...ANSWERED, ...under('cancel_orders', `${ENTRY} cancel_status error_message`)],
  review: [...ANSWERED, ...under('review_orders', `${ENTRY} review_flag review_status error_message`)],
  refund: [
    ...ANSWERED,
    ...under(
      'refund_orders',
      `${ENTRY} refund_amount refund_message refund_reason refund_reference refund_reference_id refund_status`,
    ),
  ],
  payout: [
    ...PAYOUT.filter((name) => name !== 'beneficiary.bank_details.bank_code'),
    'beneficiary.bank_details.local_clearing_system',
    ...words(`amount_beneficiary_receives amount_payer_pays fee_amount fee_currency created_at last_updated_at
      failure_reason failure_type payer_id transaction_id short_reference_id status`),
  ],
} as const;

export type Message = keyof typeof REQUESTS;

/** Dotted names of the fields of a message that hold something else than objects; elements of lists under the list. */
export function namesIn(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value) && value.every((element) => typeof element === 'object'))
    return [...new Set(value.flatMap((element) => namesIn(element, path)))];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    namesIn(inner, path === '' ? name : `${path}.${name}`),
  );
}
