/** The messages of payout from the side that asks: the request, and the payout record. The other side is payout.ts. */

import { type Reason, reason } from '../../core/code.ts';
import type { Payout } from '../../core/gateway.ts';
import { feePartOf } from '../../core/payout.ts';
import type { PayoutFigures, PayoutRecord } from '../../core/payout-record.ts';
import type { JsonFields } from '../canonical.ts';
import { payoutAnswer } from '../responses.ts';
import { plain } from './payout.ts';
import { shapeFault } from './shape-fault.ts';
import { readDateTime } from './values-read.ts';
import { readVerdict } from './verdict.ts';

/** The fields of a request, without its envelope. */
export function writePayoutRequest({ message }: Payout): JsonFields {
  return plain(message);
}

/** What an answer says of a payout. */
export type SaidOfPayout =
  | { readonly status: 'done' | 'pending'; readonly figures: PayoutFigures; readonly record?: PayoutRecord }
  | { readonly status: 'refused' | 'unknown'; readonly reason: Reason };

export interface AnsweredPayout {
  /** When it was last changed, epoch milliseconds. */
  readonly at: number;
  readonly transactionId: string;
  readonly said: SaidOfPayout;
}

/** The answer is about another payout than the one asked for. */
export interface OtherPayout {
  readonly differs: string;
}

/** Fields that an answer must repeat as they were sent. */
const ECHOED = [
  'request_id',
  'source_currency',
  'payment_currency',
  'source_amount',
  'payment_amount',
  'payment_date',
] as const;

/**
 * The answer to a payout, once its signature has held.
 * @returns also in words why it cannot be read
 */
export function readPayoutAnswer(
  payout: Payout,
  fields: JsonFields,
): AnsweredPayout | OtherPayout | { readonly fault: string } {
  const parsed = payoutAnswer.safeParse(fields);
  if (!parsed.success) return { fault: shapeFault(parsed.error) };
  const answer = parsed.data;
  const differs = ECHOED.find((name) => answer[name] !== payout.message[name]);
  if (differs !== undefined) return { differs };
  if (answer.fee_currency !== payout.sourceCurrency) return { differs: 'fee_currency' };
  const createdAt = readDateTime(answer.created_at);
  const updatedAt = readDateTime(answer.last_updated_at);
  if (createdAt === undefined || updatedAt === undefined) return { fault: 'it has no day of the calendar' };
  const said = saidOf(payout, answer, createdAt, updatedAt);
  return { at: updatedAt, transactionId: answer.transaction_id, said };
}

type PayoutAnswer = ReturnType<typeof payoutAnswer.parse>;

function saidOf(payout: Payout, answer: PayoutAnswer, createdAt: number, updatedAt: number): SaidOfPayout {
  const { status, failure_type, failure_reason } = answer;
  const why = failure_type === '' ? undefined : readVerdict(`${failure_type}:${failure_reason}`);
  if (why?.code === 'E0001') return { status: 'unknown', reason: why };
  if (status === 'FAILED' && why !== undefined) return { status: 'refused', reason: why };
  const figures = figuresOf(payout, answer);
  if (status === 'FAILED' || failure_type !== '' || figures === undefined || answer.transaction_id === '') {
    return {
      status: 'unknown',
      reason: reason('E0001', 'status and figures of the answer contradict each other'),
    };
  }
  if (status === 'PROCESSING') return { status: 'pending', figures };
  const record = { ...figures, status, transactionId: answer.transaction_id, createdAt, updatedAt };
  return { status: status === 'COMPLETED' ? 'done' : 'pending', figures, record };
}

/** Undefined for figures that cannot be those of a payout. */
function figuresOf(payout: Payout, answer: PayoutAnswer): PayoutFigures | undefined {
  const { amount_payer_pays: payerPays, fee_amount: fee, amount_beneficiary_receives } = answer;
  const part = feePartOf(payout.message.fee_paid_by ?? 'PAYER', fee);
  const sourceAmount = payout.sourceAmount ?? payerPays - part.payerAdds;
  const sound = fee >= 0 && payerPays > fee && sourceAmount > 0 && amount_beneficiary_receives > 0;
  return sound
    ? { sourceAmount, payerPays, fee, beneficiaryReceives: amount_beneficiary_receives }
    : undefined;
}
