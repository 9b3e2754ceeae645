/** A remote gateway without a network: the engine of another data directory, asked as the client asks it. */
import type { RemoteExecutor } from '../../src/batch/executor.ts';
import { reason } from '../../src/core/code.ts';
import type {
  Answer,
  CallOptions,
  EntriesRequest,
  Gateway,
  InstructionGateway,
  PayoutRequest,
  Result,
} from '../../src/core/gateway.ts';
import type { Operation } from '../../src/core/operation.ts';
import type { QueryAnswer, QueryRequest } from '../../src/core/query.ts';
import type { ContextChange, Sandbox } from './ledger.ts';

/** What batches call it. */
export const REMOTE = 'https://gateway.example';

/** One request on its way. */
export interface Asked {
  readonly operation: Operation;
  readonly request: EntriesRequest | PayoutRequest;
  readonly options: CallOptions;
  /** How many came before it. */
  readonly at: number;
}

/**
 * What happens to a request. `executed, nobody knows`: the gateway has done it, and its answer is lost; `lost`: it never
 * arrived, and nobody knows; `refused`: nothing happened, and that is known; `killed`: this process ends after the gateway
 * has done it.
 */
export type Fate =
  | 'through'
  | 'executed, nobody knows'
  | 'lost'
  | 'down'
  | 'forbidden'
  | 'refused whole'
  | 'killed'
  | 'killed before';

export class Killed extends Error {}

export class RemoteWorld {
  readonly upstream: Sandbox;
  /** Every request that was made, with what became of it. */
  readonly asked: Asked[] = [];
  queries = 0;
  fateOf: (asked: Asked) => Fate = () => 'through';
  /** What a query answers instead. */
  queryFails: 'E0002' | 'I0013' | undefined;
  readonly #gateway: Gateway;

  constructor(upstream: Sandbox) {
    this.upstream = upstream;
    this.#gateway = upstream.engine();
  }

  /** As `context({...})` takes it. */
  context(change: Partial<RemoteExecutor> = {}): ContextChange {
    const executor: RemoteExecutor = {
      is: 'remote',
      gateway: this.gateway,
      address: REMOTE,
      idempotentMs: 3_600_000,
      settledMs: 900_000,
      concurrency: 1,
      ...change,
    };
    return { executor: () => executor };
  }

  readonly gateway: InstructionGateway & Pick<Gateway, 'query'> = {
    capture: (request, options) => this.#entries('capture', request, options),
    cancel: (request, options) => this.#entries('cancel', request, options),
    review: (request, options) => this.#entries('review', request, options),
    refund: (request, options) => this.#entries('refund', request, options),
    payout: (request, options) =>
      this.#meet({ operation: 'payout', request, options: options ?? {}, at: this.asked.length }, 1, () =>
        this.#gateway.payout(onTheWire(request), options),
      ),
    query: (request) => this.#query(request),
  };

  #entries(
    operation: Exclude<Operation, 'payout'>,
    request: EntriesRequest,
    options: CallOptions = {},
  ): Promise<Answer> {
    const asked = { operation, request, options, at: this.asked.length };
    return this.#meet(asked, request.entries.length, () =>
      this.#gateway[operation](onTheWire(request), options),
    );
  }

  async #meet(asked: Asked, count: number, execute: () => Promise<Answer>): Promise<Answer> {
    this.asked.push(asked);
    const fate = this.fateOf(asked);
    if (fate === 'killed before') throw new Killed('killed');
    if (fate === 'down' || fate === 'forbidden') {
      const failure = reason(fate === 'down' ? 'E0002' : 'I0013');
      // As the client does: nothing happens now, and what happened then nobody knows.
      return asked.options.sentBefore === true ? unknown(count) : { failure };
    }
    if (fate === 'refused whole') return { failure: reason('I0002', 'payer'), isDecided: true };
    if (fate === 'lost') return unknown(count);
    const answer = await execute();
    if (fate === 'killed') throw new Killed('killed');
    return fate === 'executed, nobody knows' ? unknown(count) : withoutReferences(asked.operation, answer);
  }

  #query(request: QueryRequest): Promise<QueryAnswer> {
    this.queries += 1;
    if (this.queryFails !== undefined) return Promise.resolve({ failure: reason(this.queryFails) });
    return this.#gateway.query(request);
  }
}

/** No line, no batch: the wire does not carry where a request comes from. */
function onTheWire<Request extends { readonly origin?: unknown }>(request: Request): Request {
  const { origin: _, ...rest } = request;
  return rest as Request;
}

function unknown(count: number): Answer {
  const result: Result = { status: 'unknown', reason: reason('E0001', 'no answer came') };
  return { results: Array.from({ length: count }, () => result), at: 0 };
}

/** The wire names what was done for refunds and payouts alone. */
function withoutReferences(operation: Operation, answer: Answer): Answer {
  if ('failure' in answer || operation === 'refund' || operation === 'payout') return answer;
  return {
    ...answer,
    results: answer.results.map((one) => (one.status === 'done' ? { ...one, reference: '' } : one)),
  };
}
