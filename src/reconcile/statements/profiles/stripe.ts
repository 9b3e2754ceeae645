import type { MappingInput } from '../mapping.ts';

/** Stripe's words for what a balance transaction is; it adds new ones, which are `other` until they stand here. */
const TYPES = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  partial_capture_reversal: 'payment',
  dispute: 'chargeback',
  dispute_reversal: 'chargeback',
  fee: 'fee',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  network_cost: 'fee',
  application_fee: 'fee',
  application_fee_refund: 'fee',
  'payout*': 'payout',
  '*reserve*': 'reserve',
  // Disputes and failed refunds have this type, too: it is compared, so that nobody misses them.
  adjustment: 'other',
  other_adjustment: 'adjustment',
  'transfer*': 'transfer',
  topup: 'transfer',
  topup_reversal: 'transfer',
} as const;

/** Balance transactions as the API says them: cents. Checked against a real, anonymised export. */
export const STRIPE_BALANCE: MappingInput = {
  name: 'stripe-balance',
  source: 'stripe',
  recognise: ['id', 'amount', 'available_on', 'currency', 'fee', 'net', 'source', 'status', 'type'],
  amounts: 'minor',
  direction: 'signed',
  gross: { column: 'amount' },
  fee: { column: 'fee', cost: 'positive' },
  net: { column: 'net' },
  currency: { column: 'currency' },
  kind: { column: 'type', words: TYPES, otherwise: 'other' },
  dates: ['iso', 'epoch'],
  booked: { column: 'created' },
  valued: 'available_on',
  references: ['source'],
  id: ['id'],
  group: { column: 'payout_id', optional: true },
  text: ['type', { column: 'description', optional: true }],
};

/**
 * Payouts as the API says them: cents, above zero what reaches the bank. What failed or was called off moved nothing.
 * Checked against a real, anonymised export.
 */
export const STRIPE_PAYOUTS: MappingInput = {
  name: 'stripe-payouts',
  of: 'payouts',
  source: 'stripe',
  recognise: ['id', 'amount', 'arrival_date', 'balance_transaction_id', 'currency', 'method', 'status'],
  ignore: [{ column: 'status', words: ['failed', 'canceled'] }],
  amounts: 'minor',
  direction: 'signed',
  gross: { column: 'amount' },
  fee: 'none',
  net: 'derived',
  currency: { column: 'currency' },
  kind: { constant: 'payout' },
  dates: ['iso', 'epoch'],
  booked: { column: 'created' },
  valued: 'arrival_date',
  references: ['id', 'balance_transaction_id'],
  id: ['id'],
  group: 'id',
  text: [{ column: 'description', optional: true }, 'status'],
};

/**
 * The itemised reports of the reporting API, "balance change from activity" and "payout reconciliation": decimal
 * amounts. Written from Stripe's documentation; not checked against a real file.
 */
export const STRIPE_RECONCILIATION: MappingInput = {
  name: 'stripe-reconciliation',
  source: 'stripe',
  recognise: ['balance_transaction_id', 'created', 'currency', 'gross', 'fee', 'net', 'reporting_category'],
  amounts: 'decimal',
  direction: 'signed',
  gross: { column: 'gross' },
  fee: { column: 'fee', cost: 'positive' },
  net: { column: 'net' },
  currency: { column: 'currency' },
  kind: { column: 'reporting_category', words: TYPES, otherwise: 'other' },
  booked: { column: 'created' },
  valued: { column: 'available_on', optional: true },
  references: [
    { column: 'source_id', optional: true },
    { column: 'charge_id', optional: true },
    { column: 'payment_intent_id', optional: true },
  ],
  id: ['balance_transaction_id'],
  group: { column: 'automatic_payout_id', optional: true },
  text: ['reporting_category', { column: 'description', optional: true }],
};
