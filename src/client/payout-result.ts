/** The result of a payout, from what its answer says. */
import type { PayoutRequest, Result } from '../core/gateway.ts';
import type { AnsweredPayout } from '../wire/messages/payout-answer.ts';

/** The money moves when a payout is accepted, also one that is completed later. */
export function payoutResult({ payout, origin }: PayoutRequest, answer: AnsweredPayout): Result {
  const { said, transactionId } = answer;
  if ('reason' in said) return said;
  const { payerPays, fee } = said.figures;
  const moved = { currency: payout.sourceCurrency, movedIn: 0, movedOut: payerPays - fee, fees: fee };
  const { record } = said;
  return {
    status: said.status,
    reference: transactionId,
    moved: [moved],
    ...(origin === undefined && record !== undefined ? { payout: record } : {}),
  };
}
