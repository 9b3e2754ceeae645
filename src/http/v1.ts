/**
 * The eight operations in one table: where each is asked for, how its fields become a request, how the gateway is asked
 * and how the answer is written. Specification, "Endpoints".
 */
import type { Answer, CallOptions, Entry, Gateway, Result } from '../core/gateway.ts';
import { type EntryOperation, OPERATIONS } from '../core/operation.ts';
import type { HostedSession } from '../core/payment.ts';
import type { JsonFields } from '../wire/canonical.ts';
import { checkoutInputs } from '../wire/messages/checkout.ts';
import { type ReadEntry, readEntries, writeEntries } from '../wire/messages/entries.ts';
import { readAuthorise, readCheckout, writeIssuer, writePayment } from '../wire/messages/payment.ts';
import { readPayout, writePayout } from '../wire/messages/payout.ts';
import { readQuery, writeQuery } from '../wire/messages/query.ts';
import { type ApiOperation, PATHS } from '../wire/paths.ts';
import type { Key } from '../wire/signature.ts';
import type { Merchant } from './ports.ts';
import { type Refusal, refusal, refusalWith } from './refusal.ts';
import { jsonResponse, redirectResponse, signed, xmlResponse } from './respond.ts';

/** A request that has passed every check of its envelope. */
export interface SignedRequest {
  /** The message without its envelope. */
  readonly fields: JsonFields;
  /** The request's own signature. */
  readonly signature: string;
  readonly merchant: Merchant;
  /** Signs the answer. */
  readonly key: Key;
  /** Address of the sender. */
  readonly ip: string;
  /** Address of this server, without a slash at its end. */
  readonly publicUrl: string;
  /** Name of the connector that will be asked for what is paid on a hosted page. */
  readonly connector: string;
  readonly call: CallOptions;
  readonly gateway: Gateway;
}

export interface Answered {
  readonly response: Response;
  /** What became of each instruction. */
  readonly statuses?: readonly string[];
}

export interface Route {
  readonly operation: ApiOperation;
  readonly path: string;
  /** Understands XML as well. */
  readonly takesXml: boolean;
  /** Answers registered addresses only. */
  readonly onlyRegistered: boolean;
  /** Moves money or state: what is asked twice under one key happens once. */
  readonly changes: boolean;
  readonly answer: (request: SignedRequest) => Promise<Answered | Refusal>;
}

const USUAL = { takesXml: false, onlyRegistered: false, changes: true } as const;

export const ROUTES: readonly Route[] = [
  { ...USUAL, operation: 'authorise', path: PATHS.authorise, answer: authorise },
  { ...USUAL, operation: 'checkout', path: PATHS.checkout, answer: checkout, takesXml: true },
  { ...USUAL, operation: 'query', path: PATHS.query, answer: query, onlyRegistered: true, changes: false },
  { ...USUAL, operation: 'capture', path: PATHS.capture, answer: (request) => entries('capture', request) },
  { ...USUAL, operation: 'cancel', path: PATHS.cancel, answer: (request) => entries('cancel', request) },
  { ...USUAL, operation: 'review', path: PATHS.review, answer: (request) => entries('review', request) },
  { ...USUAL, operation: 'refund', path: PATHS.refund, answer: (request) => entries('refund', request) },
  { ...USUAL, operation: 'payout', path: PATHS.payout, answer: payout },
];

/** A direct payment, or the way to the page of an alternative method. */
async function authorise(request: SignedRequest): Promise<Answered | Refusal> {
  const read = readAuthorise(request.fields);
  if ('reasons' in read) return refusal(...read.reasons);
  const { order } = read;
  const answer = await request.gateway.authorise(
    { ...idsOf(request), ...read, ip: request.ip },
    request.call,
  );
  if ('failure' in answer) return refusal(answer.failure);
  if ('notFound' in answer) return refusalWith(404, answer.notFound);
  const elements =
    'payment' in answer
      ? writePayment(order, answer.payment)
      : writeIssuer(order, hostedPage(request, answer.session));
  const status = 'payment' in answer ? ORDER_STATUS[answer.payment.orderStatus] : 'pending';
  const message = signed({ ...envelopeOf(request), ...elements }, request.key);
  return { response: xmlResponse('respon', message), statuses: [status] };
}

const ORDER_STATUS = { 0: 'refused', 1: 'done', 2: 'pending' } as const;

/** The page that takes the shopper's browser to the hosted page. */
async function checkout(request: SignedRequest): Promise<Answered | Refusal> {
  const { fields, signature, connector, ip, merchant } = request;
  const read = readCheckout(fields);
  if ('reasons' in read) return refusal(...read.reasons);
  const answer = await request.gateway.checkout({ ...idsOf(request), ...read, ip }, request.call);
  if ('failure' in answer) return refusal(answer.failure);
  if ('notFound' in answer) return refusalWith(404, answer.notFound);
  const { transactionId } = answer.session;
  const { timeZone } = merchant;
  const page = { ...idsOf(request), ...read, fields, transactionId, signature, connector, ip, timeZone };
  const response = await redirectResponse(hostedPage(request, answer.session), checkoutInputs(page));
  return { response, statuses: ['pending'] };
}

function hostedPage({ publicUrl }: SignedRequest, { session }: HostedSession): string {
  return `${publicUrl}/hosted/${session}`;
}

async function query(request: SignedRequest): Promise<Answered | Refusal> {
  const selection = readQuery(request.fields);
  if ('reasons' in selection) return refusal(...selection.reasons);
  const answer = await request.gateway.query({ ...idsOf(request), selection });
  if ('failure' in answer) return refusal(answer.failure);
  const message = { ...envelopeOf(request), ...ACCEPTED, ...writeQuery(answer) };
  return { response: jsonResponse(200, signed(message, request.key)) };
}

/** A payout that is refused is an answer like any other, with status FAILED. */
async function payout(request: SignedRequest): Promise<Answered | Refusal> {
  const read = readPayout(request.fields);
  if ('reasons' in read) return refusal(...read.reasons);
  const answer = await request.gateway.payout({ ...idsOf(request), payout: read }, request.call);
  if ('failure' in answer) return refusal(answer.failure);
  const result = answer.results[0]!;
  const message = { ...envelopeOf(request), ...writePayout(read, result, answer.at) };
  return { response: jsonResponse(200, signed(message, request.key)), statuses: [result.status] };
}

/** Capture, cancel, review and refund: malformed entries are refused here, the others by the gateway or not at all. */
async function entries(operation: EntryOperation, request: SignedRequest): Promise<Answered | Refusal> {
  const { fields, call, gateway, key } = request;
  const read = readEntries(operation, fields);
  if ('reasons' in read) return refusal(...read.reasons);
  const sound = read.entries.filter(isSound);
  // A request without a sound entry still uses up its key.
  const answer: Answer =
    sound.length === 0 && call.idempotencyKey === undefined
      ? { results: [], at: 0 }
      : await gateway[operation]({ ...idsOf(request), entries: sound }, call);
  if ('failure' in answer) return refusal(answer.failure);
  const results = inOrder(read.entries, answer.results);
  const { list } = OPERATIONS[operation];
  const message = {
    ...envelopeOf(request),
    ...ACCEPTED,
    [list]: writeEntries(operation, fields, results),
  };
  return { response: jsonResponse(200, signed(message, key)), statuses: results.map(({ status }) => status) };
}

function isSound(entry: ReadEntry): entry is Entry {
  return !('reason' in entry);
}

/** One result per entry: the gateway's for those that it has seen. */
function inOrder(read: readonly ReadEntry[], results: readonly Result[]): readonly Result[] {
  const answered = results[Symbol.iterator]();
  return read.map((entry) =>
    isSound(entry) ? answered.next().value! : { status: 'refused', reason: entry.reason },
  );
}

function idsOf({ merchant: { merchantId, accountId } }: SignedRequest) {
  return { merchantId, accountId };
}

/** What the envelope of an answered batch or query says. */
const ACCEPTED = { return_status: '1', return_message: 'OK' } as const;

function envelopeOf({ merchant: { merchantId, accountId } }: SignedRequest) {
  return { merchant_id: merchantId, account_id: accountId };
}
