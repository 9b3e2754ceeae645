/** The entries of capture, cancel, review and refund as a request carries them. Specification, "Batch order entries". */
import * as z from 'zod';
import type { EntryOperation } from './operation.ts';
import { decimal, freeText, id } from './text.ts';

const fields = {
  reference: id.optional(),
  transaction_id: id,
  order_no: id,
  currency: id,
  amount: decimal,
};

/** One entry of each operation. `reference` is the sender's own key of the instruction; contract, "HTTP". */
export const ENTRY_MESSAGES = {
  capture: z.strictObject(fields),
  cancel: z.strictObject(fields),
  review: z.strictObject({ ...fields, review_flag: z.enum(['0', '1'], '0 (reject) or 1 (accept)') }),
  refund: z.strictObject({ ...fields, refund_amount: decimal, refund_reason: freeText.optional() }),
} satisfies Record<EntryOperation, z.ZodType>;
