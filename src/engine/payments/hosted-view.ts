/** What a hosted page shows of a payment. */
import { type Reason, reason } from '../../core/code.ts';
import type { HostedOrder, HostedStep, HostedView } from '../../core/hosted.ts';
import type { OpenPayment } from './open-payment.ts';

/** The largest window: an order that names none shows the challenge on the whole page. */
const WHOLE_PAGE = '05';

/** @param storedCard last 4 digits of the stored card that the order names */
export function viewOf(open: OpenPayment, storedCard: string | undefined): HostedView {
  return { order: orderOf(open, storedCard), step: stepOf(open) };
}

function orderOf({ payment, account }: OpenPayment, storedCard: string | undefined): HostedOrder {
  const { order, way } = payment;
  return {
    merchantId: account.merchantId,
    accountId: account.accountId,
    transactionId: payment.transactionId,
    orderNo: order.orderNo,
    currency: order.currency,
    amount: order.amount,
    items: order.items,
    language: order.message.browser_lang,
    kind: way === 'apm' ? 'apm' : 'card',
    method: payment.method,
    storedCard,
    storefronts: account.settings.storefronts,
  };
}

/** What the merchant does with a payment later changes nothing about how it ended for the shopper. */
function stepOf({ payment, working }: OpenPayment): HostedStep {
  const { message } = payment.order;
  switch (working.transaction.standing) {
    case 'created':
      return { is: 'open' };
    case 'challenge':
      return { is: 'challenge', windowSize: message.challenge_window_size ?? WHOLE_PAGE };
    case 'in_doubt':
      return { is: 'asked' };
    case 'cancelled':
      return over(message.cancel_url ?? message.return_url, 0, payment.decisions.at(-1)?.reason);
    case 'in_review':
      return underReview(message.return_url, working.transaction.review, payment.decisions.at(-1)?.reason);
    case 'declined':
      return over(message.return_url, 0, payment.decisions.at(-1)?.reason);
    case 'expired':
      return over(message.return_url, 0, reason('V0008'));
    default:
      return over(message.return_url, 1, undefined);
  }
}

function underReview(
  returnTo: string | undefined,
  review: 'accepted' | 'rejected' | undefined,
  held: Reason | undefined,
): HostedStep {
  if (review === 'accepted') return over(returnTo, 1, undefined);
  return review === 'rejected' ? over(returnTo, 0, reason('R0001')) : over(returnTo, 2, held);
}

function over(returnTo: string | undefined, orderStatus: 0 | 1 | 2, why: Reason | undefined): HostedStep {
  if (returnTo === undefined) throw new Error('a payment on a hosted page has no return_url');
  return { is: 'over', returnTo, orderStatus, reason: why };
}
