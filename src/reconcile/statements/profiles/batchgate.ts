import type { MappingInput } from '../mapping.ts';

/** The settlement file that `batchgate generate` writes. Its days are empty: its bytes depend on nothing but the seed. */
export const BATCHGATE: MappingInput = {
  name: 'batchgate',
  recognise: ['reference', 'type', 'order_no', 'currency', 'gross', 'fee', 'net', 'date'],
  amounts: 'decimal',
  direction: 'signed',
  gross: { column: 'gross' },
  fee: { column: 'fee', cost: 'positive' },
  net: { column: 'net' },
  currency: { column: 'currency' },
  kind: { column: 'type', words: { capture: 'payment', refund: 'refund' } },
  booked: { column: 'date', empty: 'unknown' },
  references: ['reference', 'order_no'],
};
