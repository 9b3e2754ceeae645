/** A payout's message with its amounts read. */
import { noSuchCurrency, readAmount } from './amount-field.ts';
import type { Reason } from './code.ts';
import { digitsOf } from './currency.ts';
import type { Payout } from './gateway.ts';
import { type AmountStyle, formatAmount } from './money.ts';
import type { PayoutMessage } from './payout-message.ts';

/**
 * The payout that a message asks for.
 * @param line on which it stands in its file; 0 outside files
 * @param style how its amounts are written
 * @returns the payout, or what is wrong with its amounts
 */
export function payoutOf(
  message: PayoutMessage,
  line: number,
  style: AmountStyle,
): Payout | { readonly reasons: readonly Reason[] } {
  const sourceAmount = amountOf('source', message.source_amount, message.source_currency, style);
  const paymentAmount = amountOf('payment', message.payment_amount, message.payment_currency, style);
  if (typeof sourceAmount === 'object' || typeof paymentAmount === 'object') {
    return { reasons: [sourceAmount, paymentAmount].filter((read) => typeof read === 'object') };
  }
  return {
    message: inDots(message, sourceAmount, paymentAmount),
    requestId: message.request_id,
    sourceCurrency: message.source_currency,
    paymentCurrency: message.payment_currency,
    sourceAmount,
    paymentAmount,
    line,
  };
}

/** The message as the wire carries it: amounts with a dot, whatever the file's own style. */
function inDots(
  message: PayoutMessage,
  source: number | undefined,
  payment: number | undefined,
): PayoutMessage {
  return {
    ...message,
    ...(source === undefined
      ? {}
      : { source_amount: formatAmount(source, digitsOf(message.source_currency)!) }),
    ...(payment === undefined
      ? {}
      : { payment_amount: formatAmount(payment, digitsOf(message.payment_currency)!) }),
  };
}

/** One side of a payout: its currency must exist even where its amount is not given. */
function amountOf(
  side: 'source' | 'payment',
  text: string | undefined,
  currency: string,
  style: AmountStyle,
): number | undefined | Reason {
  if (text !== undefined) return readAmount(`${side}_amount`, text, `${side}_currency`, currency, style);
  return digitsOf(currency) === undefined ? noSuchCurrency(currency, `${side}_currency`) : undefined;
}
