/**
 * The embedded gateway: every instruction is decided by the pure functions of the core on what the ledger holds, and
 * written in the same database transaction.
 */
import { reason } from '../core/code.ts';
import type {
  Answer,
  CallOptions,
  EntriesRequest,
  InstructionGateway,
  PayoutRequest,
} from '../core/gateway.ts';
import { type EntryOperation, weightOf } from '../core/operation.ts';
import type { Database } from '../ledger/database.ts';
import { DatabaseBusy } from '../ledger/sqlite.ts';
import { executeGroup } from './group.ts';
import type { GroupRequest } from './request.ts';
import type { PayoutSchedule } from './terms.ts';
import { Writer } from './writer.ts';

export interface EngineOptions {
  readonly schedule: PayoutSchedule;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export class Engine implements InstructionGateway {
  readonly #writer: Writer<GroupRequest, Answer>;

  constructor(database: Database, { schedule, clock }: EngineOptions) {
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

  #entries(operation: EntryOperation, request: EntriesRequest, options: CallOptions = {}): Promise<Answer> {
    const weight = request.entries.length * weightOf(operation);
    return this.#writer
      .submit({ operation, request, options }, weight, options.more === true)
      .catch(asFailure);
  }
}

/** Nothing happened while another process held the database; any other error is a bug or a broken machine. */
function asFailure(error: unknown): Answer {
  if (!(error instanceof DatabaseBusy)) throw error;
  return { failure: reason('E0002', 'another process holds the database') };
}
