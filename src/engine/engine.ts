/**
 * The embedded gateway: every instruction is decided by the pure functions of the core on what the ledger holds, and
 * written in the same database transaction.
 */
import { type Reason, reason } from '../core/code.ts';
import type { Answer, CallOptions, EntriesRequest, Gateway, PayoutRequest } from '../core/gateway.ts';
import type { HostedPayments, HostedView } from '../core/hosted.ts';
import { type EntryOperation, weightOf } from '../core/operation.ts';
import type {
  AuthoriseAnswer,
  AuthoriseRequest,
  Card,
  CheckoutAnswer,
  CheckoutRequest,
} from '../core/payment.ts';
import type { QueryAnswer, QueryRequest } from '../core/query.ts';
import type { Database } from '../ledger/database.ts';
import { Writer } from '../ledger/group-commit.ts';
import { DatabaseBusy } from '../ledger/sqlite.ts';
import { executeGroup } from './group.ts';
import { PaymentDesk, type PaymentOptions } from './payments/desk.ts';
import type { Charge } from './payments/payments.ts';
import { queryTransactions } from './query.ts';
import type { GroupRequest } from './request.ts';
import type { PayoutSchedule } from './terms.ts';

export interface EngineOptions {
  readonly schedule: PayoutSchedule;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** What payments need; without it the engine executes instructions only, as for a plan. */
  readonly payments?: PaymentOptions;
}

export class Engine implements Gateway, HostedPayments {
  readonly #writer: Writer<GroupRequest, Answer>;
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #payments: PaymentDesk | undefined;

  constructor(database: Database, { schedule, clock, payments }: EngineOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#payments = payments && new PaymentDesk(database, clock, payments);
    this.#writer = new Writer((requests) =>
      database.write((statements) => executeGroup(statements, requests, schedule, clock())),
    );
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

  payout(request: PayoutRequest, options: CallOptions = {}): Promise<Answer> {
    return this.#writer
      .submit({ operation: 'payout', request, options }, weightOf('payout'), options.more === true)
      .catch(asFailure);
  }

  authorise(request: AuthoriseRequest, options?: CallOptions): Promise<AuthoriseAnswer> {
    return this.#desk.payments.authorise(request, options).catch(asFailure);
  }

  checkout(request: CheckoutRequest, options?: CallOptions): Promise<CheckoutAnswer> {
    return this.#desk.payments.checkout(request, options).catch(asFailure);
  }

  query(request: QueryRequest): Promise<QueryAnswer> {
    return queryTransactions(this.#database.reads, request, this.#clock());
  }

  /** Charges a stored card for a contract, with no shopper there. */
  charge(charge: Charge): Promise<AuthoriseAnswer> {
    return this.#desk.payments.charge(charge).catch(asFailure);
  }

  open(session: string): Promise<HostedView | undefined> {
    return this.#desk.hosted.open(session);
  }

  submitCard(session: string, card: Card, ip: string): Promise<HostedView | undefined> {
    return this.#desk.hosted.submitCard(session, card, ip);
  }

  submitStoredCard(session: string, securityCode: string, ip: string): Promise<HostedView | undefined> {
    return this.#desk.hosted.submitStoredCard(session, securityCode, ip);
  }

  answerChallenge(session: string, passed: boolean): Promise<HostedView | undefined> {
    return this.#desk.hosted.answerChallenge(session, passed);
  }

  decideApm(session: string, approved: boolean): Promise<HostedView | undefined> {
    return this.#desk.hosted.decideApm(session, approved);
  }

  leave(session: string): Promise<HostedView | undefined> {
    return this.#desk.hosted.leave(session);
  }

  /** Asks connectors about payments in doubt; returns how many of them are known now. For every minute. */
  resolveDoubts(): Promise<number> {
    return this.#desk.upkeep.resolveDoubts();
  }

  /** Writes down what has run out; returns how much. For every minute. */
  writeOverdue(): Promise<number> {
    return this.#desk.upkeep.writeOverdue();
  }

  /** Forgets first answers under idempotency keys that are older than 30 days; returns how many. For every hour. */
  forgetAnswers(): Promise<number> {
    return this.#desk.upkeep.forgetAnswers();
  }

  get #desk(): PaymentDesk {
    if (this.#payments === undefined) throw new Error('this engine was made without payments');
    return this.#payments;
  }

  #entries(operation: EntryOperation, request: EntriesRequest, options: CallOptions = {}): Promise<Answer> {
    const weight = request.entries.length * weightOf(operation);
    return this.#writer
      .submit({ operation, request, options }, weight, options.more === true)
      .catch(asFailure);
  }
}

/** Nothing happened while another process held the database; any other error is a bug or a broken machine. */
function asFailure(error: unknown): { readonly failure: Reason } {
  if (!(error instanceof DatabaseBusy)) throw error;
  return { failure: reason('E0002', 'another process holds the database') };
}
