/** Requests of a shop, as they come out of a parsed message, and answers in few words. */
import { digitsOf } from '../../../src/core/currency.ts';
import type { HostedView } from '../../../src/core/hosted.ts';
import { formatAmount } from '../../../src/core/money.ts';
import type {
  AuthoriseAnswer,
  AuthoriseRequest,
  Card,
  CheckoutRequest,
  Means,
  Order,
} from '../../../src/core/payment.ts';
import type { PaymentMessage } from '../../../src/core/payment-message.ts';
import { STATES } from '../../../src/core/state.ts';
import type { Engine } from '../../../src/engine/engine.ts';

/** Test cards of the simulated acquirer. */
export const CARDS = {
  approved: '4111111111111111',
  alsoApproved: '4242424242424242',
  mastercard: '5555555555554444',
  declined: '4000000000000002',
  poor: '4000000000009995',
  expired: '4000000000000069',
  wrongCode: '4000000000000127',
  challenged: '4000000000003220',
  held: '4000000000009235',
  slow: '4000000000000119',
  unknown: '4012888888881881',
} as const;

export const SECURITY_CODE = '737';

export function card(number: string, change: Partial<Card> = {}): Card {
  return { number, month: 12, year: 2030, securityCode: SECURITY_CODE, ...change };
}

export interface Asked {
  readonly orderNo?: string;
  readonly currency?: string;
  /** Minor units. */
  readonly amount?: number;
  readonly accountId?: string;
  readonly message?: Partial<PaymentMessage>;
  readonly contractAmount?: number;
}

export function order(asked: Asked = {}): Order {
  const { orderNo = 'O1', currency = 'USD', amount = 10_000, message = {}, contractAmount } = asked;
  const text = formatAmount(amount, digitsOf(currency)!);
  return {
    message: { order_no: orderNo, currency, amount: text, ...message },
    orderNo,
    currency,
    amount,
    items: [],
    contractAmount,
  };
}

function by(means: Means, asked: Asked): AuthoriseRequest {
  return { ...checkout(asked), order: order(asked), means };
}

export function byCard(number: string, asked: Asked = {}, change: Partial<Card> = {}): AuthoriseRequest {
  return by({ by: 'card', card: card(number, change) }, asked);
}

export function byToken(tokenId: string, asked: Asked = {}): AuthoriseRequest {
  return by({ by: 'token', tokenId, securityCode: undefined }, asked);
}

export function byApm(method: string, asked: Asked = {}): AuthoriseRequest {
  const message = { payment_method: method, return_url: 'https://shop.test/back', ...asked.message };
  return by({ by: 'apm', method }, { ...asked, message });
}

export function checkout(asked: Asked = {}): CheckoutRequest {
  const message = {
    return_url: 'https://shop.test/back',
    cancel_url: 'https://shop.test/cart',
    ...asked.message,
  };
  const { accountId = 'A1' } = asked;
  return { merchantId: 'M1', accountId, order: order({ ...asked, message }), ip: '192.0.2.1' };
}

/** An answer in short: `1 success`, `0 D0005`, `2 R0002`, `failure I0061`, `session card`. */
export function words(answer: AuthoriseAnswer): string {
  if ('failure' in answer) return `failure ${answer.failure.code}`;
  if ('notFound' in answer) return `not found ${answer.notFound.column}`;
  if ('session' in answer) return `session ${answer.session.kind}`;
  return `${answer.payment.orderStatus} ${answer.payment.reason?.code ?? 'success'}`;
}

/** Where a shopper is in short: `open`, `challenge 05`, `over 1 success https://shop.test/back`. */
export function place(view: HostedView | undefined): string {
  if (view === undefined) return 'gone';
  const { step } = view;
  if (step.is === 'challenge') return `challenge ${step.windowSize}`;
  if (step.is !== 'over') return step.is;
  return `over ${step.orderStatus} ${step.reason?.code ?? 'success'} ${step.returnTo}`;
}

/** The payment of an answer, where one is expected. */
export function paymentOf(answer: AuthoriseAnswer) {
  if (!('payment' in answer)) throw new Error(`no payment, but ${words(answer)}`);
  return answer.payment;
}

export function sessionOf(answer: AuthoriseAnswer): string {
  if (!('session' in answer)) throw new Error(`no session, but ${words(answer)}`);
  return answer.session.session;
}

/** `payment_status` of each transaction with an order number, as a query shows it. */
export async function statusOf(
  engine: Engine,
  orderNo: string,
  accountId = 'A1',
): Promise<readonly number[]> {
  const answer = await engine.query({
    merchantId: 'M1',
    accountId,
    selection: { by: 'name', orderNos: [orderNo], transactionIds: [] },
  });
  if ('failure' in answer) throw new Error(answer.failure.message);
  return answer.records.flatMap((record) => ('found' in record ? [STATES[record.found.state]] : []));
}
