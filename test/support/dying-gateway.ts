/** A process that is killed after the gateway has executed a chunk and before anybody has written that down. */
import type {
  Answer,
  CallOptions,
  EntriesRequest,
  InstructionGateway,
  PayoutRequest,
} from '../../src/core/gateway.ts';

export class Killed extends Error {}

export class DyingGateway implements InstructionGateway {
  readonly #inner: InstructionGateway;
  #left: number;

  /** @param calls so many are answered; those after them are executed, and their answers lost */
  constructor(inner: InstructionGateway, calls: number) {
    this.#inner = inner;
    this.#left = calls;
  }

  capture(request: EntriesRequest, options?: CallOptions): Promise<Answer> {
    return this.#lost(this.#inner.capture(request, options));
  }

  cancel(request: EntriesRequest, options?: CallOptions): Promise<Answer> {
    return this.#lost(this.#inner.cancel(request, options));
  }

  review(request: EntriesRequest, options?: CallOptions): Promise<Answer> {
    return this.#lost(this.#inner.review(request, options));
  }

  refund(request: EntriesRequest, options?: CallOptions): Promise<Answer> {
    return this.#lost(this.#inner.refund(request, options));
  }

  payout(request: PayoutRequest, options?: CallOptions): Promise<Answer> {
    return this.#lost(this.#inner.payout(request, options));
  }

  async #lost(answer: Promise<Answer>): Promise<Answer> {
    const mayLive = this.#left > 0;
    this.#left -= 1;
    await answer;
    if (!mayLive) throw new Killed('killed');
    return answer;
  }
}
