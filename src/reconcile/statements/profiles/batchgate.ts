import type { MappingInput } from '../mapping.ts';

/**
 * A plain settlement file, for whoever has no other: `batchgate generate` writes it too. Refunds and costs stand below
 * zero; a column `payout` may say in which payout a line is. Days may be empty: the bytes of a generated file depend on
 * nothing but the seed.
 */
export const BATCHGATE: MappingInput = {
  name: 'batchgate',
  recognise: ['reference', 'type', 'order_no', 'currency', 'gross', 'fee', 'net', 'date'],
  amounts: 'decimal',
  direction: 'signed',
  gross: { column: 'gross' },
  fee: { column: 'fee', cost: 'positive' },
  net: { column: 'net' },
  currency: { column: 'currency' },
  kind: {
    column: 'type',
    words: {
      capture: 'payment',
      refund: 'refund',
      chargeback: 'chargeback',
      fee: 'fee',
      payout: 'payout',
      reserve: 'reserve',
      adjustment: 'adjustment',
    },
  },
  booked: { column: 'date', empty: 'unknown' },
  references: ['reference', 'order_no'],
  group: { column: 'payout', optional: true },
};
