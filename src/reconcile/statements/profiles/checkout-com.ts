import type { MappingInput } from '../mapping.ts';

/**
 * Checkout.com's financial actions report, by payout or by days: one record for each part of an action, its fees among
 * them, so that each is a line of its own. The amount is the one in the holding currency, costs below zero. Written from
 * Checkout.com's documentation; not checked against a real file.
 */
export const CHECKOUT_COM: MappingInput = {
  name: 'checkout-com',
  recognise: [
    'Action Type',
    'Action ID',
    'Payment ID',
    'Breakdown Type',
    'Processed On',
    'Holding Currency',
    'Holding Currency Amount',
  ],
  amounts: 'decimal',
  excess_zeros: true,
  direction: 'signed',
  gross: { column: 'Holding Currency Amount' },
  fee: 'none',
  net: 'derived',
  currency: { column: 'Holding Currency' },
  kind: {
    column: 'Breakdown Type',
    words: {
      Capture: 'payment',
      '*fee*': 'fee',
      '*tax*': 'fee',
      '*chargeback*': 'chargeback',
      '*dispute*': 'chargeback',
      '*refund*': 'refund',
      '*payout*': 'payout',
      'Security Deposit*': 'reserve',
      '*Reserve*': 'reserve',
      '*Reservation*': 'reserve',
      '*Release*': 'reserve',
      '*Adjustment*': 'adjustment',
      'Cover Negative Position': 'adjustment',
      'Invoice Settlement': 'adjustment',
      'Top Up': 'transfer',
    },
    otherwise: 'other',
  },
  booked: { column: 'Processed On' },
  references: ['Payment ID', { column: 'Reference', optional: true }, 'Action ID'],
  id: ['Action ID', 'Breakdown Type'],
  group: { column: 'Payout ID', optional: true },
  text: ['Action Type', 'Breakdown Type'],
};
