/** The messages of payout: what is asked for, and the payout record. Specification, "Payout". */
import { createHash } from 'node:crypto';
import type { Payout, Result } from '../../core/gateway.ts';
import { DOT } from '../../core/money.ts';
import { payoutOf } from '../../core/payout-amounts.ts';
import { type PayoutMessage, payoutMessage } from '../../core/payout-message.ts';
import type { PayoutRecord } from '../../core/payout-record.ts';
import { canonicalJson, type JsonFields, type JsonValue } from '../canonical.ts';
import { withoutCardNumbers } from '../card-number.ts';
import { clearingSystemOf } from './clearing-system.ts';
import { parseMessage } from './issues.ts';
import { type Refused, refusedFor, withoutHint } from './refused.ts';
import { dateTime } from './values.ts';

/** Reads the request of a payout. */
export function readPayout(fields: JsonFields): Payout | Refused {
  const parsed = parseMessage(payoutMessage, fields);
  if ('reasons' in parsed) return parsed;
  const payout = payoutOf(withoutCardNumbers(parsed.message), 0, DOT);
  return 'reasons' in payout ? refusedFor(payout.reasons.map(withoutHint)) : payout;
}

/**
 * The payout record: the request, and what was made of it. A payout that was refused has moved nothing.
 * @param at when it was decided, epoch milliseconds
 */
export function writePayout(payout: Payout, result: Result, at: number): JsonFields {
  return {
    ...echo(payout.message),
    payer_id: payerId(payout.message.payer),
    ...outcome(payout, result, at),
  };
}

/** The request's fields, but for the bank's code. */
function echo({ beneficiary, ...message }: PayoutMessage): JsonFields {
  const { bank_details, ...party } = beneficiary;
  if (bank_details === undefined) return plain({ ...message, beneficiary: party });
  const { bank_code: _, ...bank } = bank_details;
  const local_clearing_system = clearingSystemOf(bank.bank_country_code);
  return plain({ ...message, beneficiary: { ...party, bank_details: { ...bank, local_clearing_system } } });
}

/** As JSON carries it: without fields that are undefined. */
export function plain(message: object): JsonFields {
  return JSON.parse(JSON.stringify(message)) as JsonFields;
}

/** The same for equal payers, and empty where the request names none. */
function payerId(payer: PayoutMessage['payer']): string {
  if (payer === undefined) return '';
  return createHash('sha256')
    .update(canonicalJson(plain(payer)))
    .digest('base64url')
    .slice(0, 22);
}

/** Figures are integers in minor units. */
function outcome(payout: Payout, result: Result, at: number): Readonly<Record<string, JsonValue>> {
  const { sourceCurrency: fee_currency } = payout;
  if (result.status === 'done' || result.status === 'pending') {
    if (result.payout === undefined)
      throw new Error('a payout without origin was answered without its record');
    return { ...written(result.payout), fee_currency, failure_type: '', failure_reason: '' };
  }
  if (result.status === 'repeat') throw new Error('a payout without origin was answered as a repeat');
  const { code, message } = result.reason;
  return {
    ...NOTHING_MOVED,
    fee_currency,
    status: result.status === 'unknown' ? 'PROCESSING' : 'FAILED',
    failure_type: code,
    failure_reason: message,
    created_at: dateTime(at),
    last_updated_at: dateTime(at),
  };
}

const NOTHING_MOVED = {
  amount_beneficiary_receives: 0,
  amount_payer_pays: 0,
  fee_amount: 0,
  transaction_id: '',
  short_reference_id: '',
} as const;

function written(record: PayoutRecord) {
  return {
    amount_beneficiary_receives: record.beneficiaryReceives,
    amount_payer_pays: record.payerPays,
    fee_amount: record.fee,
    transaction_id: record.transactionId,
    // The end of it is what differs between two payouts.
    short_reference_id: record.transactionId.slice(-8),
    status: record.status,
    created_at: dateTime(record.createdAt),
    last_updated_at: dateTime(record.updatedAt),
  };
}
