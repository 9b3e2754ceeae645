/**
 * The gateway of somebody else, asked over HTTP: every answer says precisely what is known. `failure` is given only where
 * nothing happened; whatever cannot be proved is unknown, with E0001 and why; a reason with `alarm` looks like a forgery.
 * For authorise and checkout, whose answers have no result for it, E0001 (or I0062) as a failure says unknown.
 */
import { CODES, type Reason, reason } from '../core/code.ts';
import type { Answer, CallOptions, EntriesRequest, Gateway, PayoutRequest, Result } from '../core/gateway.ts';
import type { EntryOperation } from '../core/operation.ts';
import type {
  AuthoriseAnswer,
  AuthoriseRequest,
  CheckoutAnswer,
  CheckoutRequest,
  HostedSession,
} from '../core/payment.ts';
import type { QueryAnswer, QueryRequest } from '../core/query.ts';
import { readEntriesAnswer } from '../wire/messages/entries-answer.ts';
import { readPaymentAnswer } from '../wire/messages/payment-answer.ts';
import { readPayoutAnswer } from '../wire/messages/payout-answer.ts';
import { readQueryAnswer } from '../wire/messages/query-answer.ts';
import { readAmountText } from '../wire/messages/values-read.ts';
import { Exchange } from './exchange.ts';
import { matchEntries } from './match.ts';
import { type ClientSettings, type GatewayClientOptions, settingsOf } from './options.ts';
import { payoutResult } from './payout-result.ts';
import { namesNothing, strangerIn } from './queried.ts';
import { checkoutFields, entriesFields, paymentFields, payoutFields, queryFields } from './request-fields.ts';
import { forged, type Verdict } from './verdict.ts';

/** Connections stay open between requests: whoever makes a client closes it. */
export class GatewayClient implements Gateway {
  readonly #settings: ClientSettings;
  readonly #exchange: Exchange;

  /** @throws TypeError for an address that nothing is ever sent to, such as plain http to another machine */
  constructor(options: GatewayClientOptions) {
    this.#settings = settingsOf(options);
    this.#exchange = new Exchange(this.#settings);
  }

  capture(request: EntriesRequest, options?: CallOptions): Promise<Answer> {
    return this.#entries('capture', request, options);
  }

  cancel(request: EntriesRequest, options?: CallOptions): Promise<Answer> {
    return this.#entries('cancel', request, options);
  }

  review(request: EntriesRequest, options?: CallOptions): Promise<Answer> {
    return this.#entries('review', request, options);
  }

  refund(request: EntriesRequest, options?: CallOptions): Promise<Answer> {
    return this.#entries('refund', request, options);
  }

  async payout(request: PayoutRequest, options?: CallOptions): Promise<Answer> {
    const { payout } = request;
    const written = payoutFields(payout);
    if ('code' in written) return { failure: written, isDecided: true };
    const verdict = await this.#exchange.ask('payout', request, written.fields, options);
    if (verdict.is === 'nothing') return nothing(verdict);
    if (verdict.is === 'unknown') return this.#unknown(1, verdict.reason);
    if (!('fields' in verdict.answer)) throw new Error('a payout was answered with a page');
    const read = readPayoutAnswer(payout, verdict.answer.fields);
    if ('fault' in read) return this.#unknown(1, unreadable(read.fault));
    if ('differs' in read) return this.#unknown(1, otherThanAsked(read.differs));
    return { results: [payoutResult(request, read)], at: read.at };
  }

  async authorise(request: AuthoriseRequest, options?: CallOptions): Promise<AuthoriseAnswer> {
    const { order, means } = request;
    const written = paymentFields(order, means);
    if ('code' in written) return { failure: written };
    const verdict = await this.#exchange.ask('authorise', request, written.fields, options);
    if (verdict.is !== 'answered') return notAnswered(verdict);
    if (!('fields' in verdict.answer)) throw new Error('a payment was answered with a page');
    const read = readPaymentAnswer(order, verdict.answer.fields);
    if ('fault' in read) return { failure: unreadable(read.fault) };
    if ('differs' in read) return { failure: otherThanAsked(read.differs) };
    if ('payment' in read)
      return means.by === 'apm' ? { failure: otherThanAsked('kind of payment') } : { payment: read.payment };
    return means.by === 'apm'
      ? { session: sessionAt(read.issuerUrl, 'apm', '') }
      : { failure: otherThanAsked('kind of payment') };
  }

  async checkout(request: CheckoutRequest, options?: CallOptions): Promise<CheckoutAnswer> {
    const { order } = request;
    const written = checkoutFields(order);
    if ('code' in written) return { failure: written };
    const verdict = await this.#exchange.ask('checkout', request, written.fields, options);
    if (verdict.is !== 'answered') return notAnswered(verdict);
    if (!('page' in verdict.answer)) return { failure: unreadable('it is no page') };
    const { page, checkout } = verdict.answer;
    const isSame =
      checkout.orderNo === order.orderNo &&
      checkout.currency === order.currency &&
      readAmountText(checkout.amount ?? '', order.currency) === order.amount;
    if (!isSame) return { failure: otherThanAsked('order') };
    const kind = order.message.payment_method === undefined ? 'card' : 'apm';
    return { session: sessionAt(checkout.address, kind, checkout.transactionId, page) };
  }

  /** A query changes nothing, so whatever goes wrong with it, nothing happened. */
  async query(request: QueryRequest): Promise<QueryAnswer> {
    const { selection } = request;
    // On the wire no names at all would ask for the newest.
    if (namesNothing(selection)) return { failure: reason('I0051', 'the query names nothing') };
    const written = queryFields(selection);
    if ('code' in written) return { failure: written };
    const verdict = await this.#exchange.ask('query', request, written.fields);
    if (verdict.is === 'nothing') return { failure: verdict.reason };
    if (verdict.is === 'unknown') return { failure: unavailable(verdict.reason) };
    if (!('fields' in verdict.answer)) throw new Error('a query was answered with a page');
    const read = readQueryAnswer(verdict.answer.fields);
    if ('fault' in read) return { failure: unavailable(unreadable(read.fault)) };
    const stranger = strangerIn(read.records, selection);
    return stranger === undefined ? read : { failure: unavailable(forged(`it names ${stranger}`).reason) };
  }

  /** Ends the connections; requests that are on their way end as unknown. */
  close(): Promise<void> {
    return this.#exchange.close();
  }

  async #entries(
    operation: EntryOperation,
    request: EntriesRequest,
    options: CallOptions | undefined,
  ): Promise<Answer> {
    const { entries } = request;
    const written = entriesFields(operation, entries);
    if ('code' in written) return { failure: written, isDecided: true };
    const verdict = await this.#exchange.ask(operation, request, written.fields, options);
    if (verdict.is === 'nothing') return nothing(verdict);
    if (verdict.is === 'unknown') return this.#unknown(entries.length, verdict.reason);
    if (!('fields' in verdict.answer)) throw new Error(`a ${operation} was answered with a page`);
    const read = readEntriesAnswer(operation, verdict.answer.fields);
    if ('fault' in read) return this.#unknown(entries.length, unreadable(read.fault));
    return { results: matchEntries(operation, entries, read.entries), at: this.#settings.timing.clock() };
  }

  /** So many results of which nothing is known. */
  #unknown(count: number, why: Reason): Answer {
    const shown = why.code === 'E0001' ? why : { ...why, code: 'E0001' as const };
    const result: Result = { status: 'unknown', reason: shown };
    return { results: Array.from({ length: count }, () => result), at: this.#settings.timing.clock() };
  }
}

function nothing({ reason: failure, isDecided }: Extract<Verdict, { readonly is: 'nothing' }>): Answer {
  return isDecided === true ? { failure, isDecided } : { failure };
}

function unreadable(why: string): Reason {
  return reason('E0001', `its answer cannot be read: ${why}`);
}

/** F67 */
function otherThanAsked(what: string): Reason {
  return forged(`its answer is about another ${what} than was sent`).reason;
}

/** A payment that was not answered: what does not exist is told apart from every other refusal. */
function notAnswered(
  verdict: Exclude<Verdict, { readonly is: 'answered' }>,
): { readonly failure: Reason } | { readonly notFound: Reason } {
  return verdict.is === 'nothing' && verdict.status === 404
    ? { notFound: verdict.reason }
    : { failure: verdict.reason };
}

/** What a query did not find out: it is asked again, so nothing is left in doubt. */
function unavailable({ message, alarm }: Reason): Reason {
  const why = message.replace(`${CODES.E0001.sentence}: `, '').replace(/\.$/, '');
  return reason('E0002', why, alarm === true ? { alarm } : {});
}

/** The engine's sessions lie below the address of their server; those of others wherever their address says. */
function sessionAt(
  address: string,
  kind: HostedSession['kind'],
  transactionId: string,
  page?: string,
): HostedSession {
  return {
    transactionId,
    session: new URL(address).pathname.split('/').at(-1)!,
    kind,
    elsewhere: { address, ...(page === undefined ? {} : { page }) },
  };
}
