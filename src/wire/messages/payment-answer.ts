/**
 * The messages of authorise and checkout from the side that asks: an order and its means of payment to the fields of a
 * request, and the results of direct and APM payments. The other side is payment.ts.
 */
import type { Card, ContractState, Means, Order, PaymentResult } from '../../core/payment.ts';
import type { JsonFields } from '../canonical.ts';
import { issuerAnswer, paymentAnswer } from '../responses.ts';
import { plain } from './payout.ts';
import { shapeFault } from './shape-fault.ts';
import { amountText } from './values.ts';
import { readAmountText, readDateTime } from './values-read.ts';
import { readVerdict } from './verdict.ts';

/**
 * The fields of a request, without its envelope.
 * @param order in a currency that exists
 * @param means undefined for a checkout, whose shopper chooses on the hosted page
 */
export function writeOrderRequest(order: Order, means: Means | undefined): JsonFields {
  const { orderNo, currency, amount } = order;
  return plain({
    ...order.message,
    order_no: orderNo,
    currency,
    amount: amountText(amount, currency),
    ...(means === undefined ? {} : meansFields(means)),
  });
}

function meansFields(means: Means): object {
  switch (means.by) {
    case 'card':
      return cardFields(means.card);
    case 'token':
      return { token_id: means.tokenId, security_code: means.securityCode };
    case 'apm':
      return { payment_method: means.method };
  }
}

function cardFields({ number, month, year, securityCode }: Card): object {
  return {
    card: number,
    expiration_month: String(month).padStart(2, '0'),
    expiration_year: String(year),
    security_code: securityCode,
  };
}

/** What an answer to authorise says; or in which field it is about another order. */
export type AnsweredPayment =
  | { readonly payment: PaymentResult }
  | { readonly issuerUrl: string }
  | { readonly differs: string }
  | { readonly fault: string };

/** Reads the answer to authorise; its signature, where there is one, has held. */
export function readPaymentAnswer(order: Order, fields: JsonFields): AnsweredPayment {
  if (fields.issuer_url !== undefined) return readIssuer(order, fields);
  const parsed = paymentAnswer.safeParse(fields);
  if (!parsed.success) return { fault: shapeFault(parsed.error) };
  const differs = differenceFrom(order, parsed.data);
  if (differs !== undefined) return { differs };
  return resultOf(parsed.data);
}

function readIssuer(order: Order, fields: JsonFields): AnsweredPayment {
  // The specification signs direct payments only.
  const parsed = issuerAnswer.partial({ encryption_data: true }).safeParse(fields);
  if (!parsed.success) return { fault: shapeFault(parsed.error) };
  const differs = differenceFrom(order, parsed.data);
  if (differs !== undefined) return { differs };
  const { issuer_url } = parsed.data;
  return isWebAddress(issuer_url)
    ? { issuerUrl: issuer_url }
    : { fault: 'its issuer_url is no http or https address' };
}

/** A browser is sent there: it must not be a script. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function differenceFrom(
  order: Order,
  answer: { readonly order_no: string; readonly currency: string; readonly amount: string },
): string | undefined {
  if (answer.order_no !== order.orderNo) return 'order_no';
  if (answer.currency !== order.currency) return 'currency';
  return readAmountText(answer.amount, order.currency) === order.amount ? undefined : 'amount';
}

type PaymentAnswer = ReturnType<typeof paymentAnswer.parse>;

const ORDER_STATUS = { '0': 0, '1': 1, '2': 2 } as const;

function resultOf(answer: PaymentAnswer): AnsweredPayment {
  const { result_info, order_status } = answer;
  const isSuccess = result_info.startsWith('0000:');
  const why = isSuccess ? undefined : readVerdict(result_info);
  if (isSuccess !== (order_status === '1') || (why === undefined && !isSuccess))
    return { fault: 'its order_status and result_info contradict each other' };
  const contract = contractOf(answer);
  if (contract === 'fault') return { fault: 'its subscription is not as agreed' };
  return {
    payment: {
      transactionId: answer.transaction_id,
      orderStatus: ORDER_STATUS[order_status],
      reason: why,
      maskedCard: answer.card,
      tokenId: answer.token_id,
      connector: answer.connector,
      threeDs: answer.threeds_result,
      risk: {
        action: answer.risk_action,
        score: Number(answer.risk_score),
        reasons: answer.risk_reasons ?? [],
      },
      contract,
    },
  };
}

/** The fields of a subscription, as results and queries have them. */
export interface ContractFields {
  readonly contract_name: string;
  readonly recurring_id: string;
  readonly recurring_deduction_period: string;
  readonly recurring_deduction_time: string;
}

/** A contract that has just begun is active: the result of a payment has no field for its status. */
function contractOf(answer: PaymentAnswer): ContractState | undefined | 'fault' {
  const { contract_name, recurring_id, recurring_deduction_period, recurring_deduction_time } = answer;
  const given = [contract_name, recurring_id, recurring_deduction_period, recurring_deduction_time];
  if (given.every((text) => text === undefined)) return undefined;
  if (
    contract_name === undefined ||
    recurring_id === undefined ||
    recurring_deduction_period === undefined ||
    recurring_deduction_time === undefined
  )
    return 'fault';
  const named = { contract_name, recurring_id, recurring_deduction_period, recurring_deduction_time };
  return readContract(named, 1) ?? 'fault';
}

/** Undefined where its next charge is at no moment of the calendar. */
export function readContract(
  fields: ContractFields,
  status: ContractState['status'],
): ContractState | undefined {
  const { recurring_deduction_time: time } = fields;
  const next = time === '' ? undefined : readDateTime(time);
  if (time !== '' && next === undefined) return undefined;
  return {
    name: fields.contract_name,
    recurringId: fields.recurring_id,
    period: fields.recurring_deduction_period,
    next,
    status,
  };
}
