import type { MappingInput } from '../mapping.ts';

/**
 * Mercado Pago's settlement report ("account money"). A fee stands below zero. Checked against the sample of its
 * documentation, which has payments only; the other words are documented. PACK_ID is text, whatever it looks like
 * (`2E+15`), and names nothing: a spreadsheet has made many of it one.
 */
export const MERCADOPAGO: MappingInput = {
  name: 'mercadopago',
  recognise: [
    'EXTERNAL_REFERENCE',
    'SOURCE_ID',
    'TRANSACTION_TYPE',
    'TRANSACTION_AMOUNT',
    'FEE_AMOUNT',
    'SETTLEMENT_NET_AMOUNT',
    'SETTLEMENT_CURRENCY',
  ],
  delimiter: [';', ','],
  amounts: 'decimal',
  direction: 'signed',
  gross: { column: 'TRANSACTION_AMOUNT' },
  gross_currency: 'TRANSACTION_CURRENCY',
  fee: { column: 'FEE_AMOUNT', cost: 'negative', empty: 'zero' },
  net: { column: 'SETTLEMENT_NET_AMOUNT' },
  currency: { column: 'SETTLEMENT_CURRENCY' },
  kind: {
    column: 'TRANSACTION_TYPE',
    words: {
      'SETTLEMENT*': 'payment',
      'REFUND*': 'refund',
      'CHARGEBACK*': 'chargeback',
      'DISPUTE*': 'reserve',
      'WITHDRAWAL*': 'payout',
      'PAYOUT*': 'payout',
      CASHBACK: 'adjustment',
    },
    otherwise: 'other',
  },
  booked: { column: 'SETTLEMENT_DATE' },
  references: ['SOURCE_ID', 'EXTERNAL_REFERENCE', { column: 'ORDER_ID', optional: true }],
  id: ['SOURCE_ID', 'TRANSACTION_TYPE', 'TRANSACTION_DATE'],
  text: [
    'TRANSACTION_TYPE',
    { column: 'PAYMENT_METHOD', optional: true },
    { column: 'PACK_ID', optional: true },
  ],
};
