/**
 * The acquirer of the sandbox: deterministic, and with a memory that lasts. Test cards and what becomes of them: engine
 * decisions, "Payments".
 */
import type { Code } from '../../core/code.ts';
import type { Card } from '../../core/payment.ts';
import { hasExpired } from '../../core/payment-card.ts';
import type { ConnectorAnswer } from '../../core/payment-decision.ts';
import { recallAnswer, rememberAnswer } from '../../ledger/acquirer.ts';
import type { Database, Statements } from '../../ledger/database.ts';
import { JobQueue } from '../job-queue.ts';
import type { Connector, ConnectorRequest } from './connector.ts';

type Behaviour = 'approves' | 'challenges' | 'is slow' | Extract<Code, `D${string}`>;

/** Every other number is one that nobody issues. */
const TEST_CARDS: Readonly<Record<string, Behaviour>> = {
  '4111111111111111': 'approves',
  '4242424242424242': 'approves',
  '5555555555554444': 'approves',
  // Risk holds it; the acquirer has nothing against it.
  '4000000000009235': 'approves',
  '4000000000003220': 'challenges',
  '4000000000000119': 'is slow',
  '4000000000000002': 'D0005',
  '4000000000009995': 'D0051',
  '4000000000000069': 'D0054',
  '4000000000000127': 'D0082',
};

/** How long the slow card's outcome stays unknown, milliseconds. */
const SLOWNESS = 60_000;

export interface SimulatorOptions {
  readonly database: Database;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** How long an answer takes. */
  readonly latency?: () => Promise<void>;
}

export class Simulator implements Connector {
  readonly name = 'simulator';
  readonly #jobs: JobQueue;
  readonly #clock: () => number;
  readonly #latency: () => Promise<void>;

  constructor({ database, clock, latency = async () => {} }: SimulatorOptions) {
    this.#jobs = new JobQueue(database);
    this.#clock = clock;
    this.#latency = latency;
  }

  recognises(cardNumber: string): boolean {
    return Object.hasOwn(TEST_CARDS, cardNumber);
  }

  async authorise(request: ConnectorRequest): Promise<ConnectorAnswer> {
    await this.#latency();
    return this.#first(request.reference, (now) => ({
      answer: answerTo(request, now),
      knownAt: TEST_CARDS[request.card.number] === 'is slow' ? now + SLOWNESS : now,
    }));
  }

  async completeChallenge(reference: string, passed: boolean): Promise<ConnectorAnswer> {
    await this.#latency();
    return this.#jobs.run(async (statements) => {
      const known = await this.#recall(statements, reference);
      if (known?.is !== 'challenge') return known ?? { is: 'never asked' };
      const { referenceNo } = known;
      const answer: ConnectorAnswer = passed
        ? { is: 'approved', referenceNo, threeDs: 'Y' }
        : { is: 'declined', code: 'D0065', referenceNo, threeDs: 'N' };
      await rememberAnswer(statements, reference, { answer: JSON.stringify(answer), knownAt: this.#clock() });
      return answer;
    });
  }

  async resolve(reference: string): Promise<ConnectorAnswer> {
    await this.#latency();
    return this.#first(reference, (now) => ({ answer: { is: 'never asked' }, knownAt: now }));
  }

  /** What is remembered under the reference; the first time, what is then remembered. */
  #first(
    reference: string,
    make: (now: number) => { readonly answer: ConnectorAnswer; readonly knownAt: number },
  ): Promise<ConnectorAnswer> {
    return this.#jobs.run(async (statements) => {
      const known = await this.#recall(statements, reference);
      if (known !== undefined) return known;
      const { answer, knownAt } = make(this.#clock());
      await rememberAnswer(statements, reference, { answer: JSON.stringify(answer), knownAt });
      return knownAt > this.#clock() ? { is: 'unknown' } : answer;
    });
  }

  async #recall(statements: Statements, reference: string): Promise<ConnectorAnswer | undefined> {
    const known = await recallAnswer(statements, reference);
    if (known === undefined) return undefined;
    return known.knownAt > this.#clock() ? { is: 'unknown' } : (JSON.parse(known.answer) as ConnectorAnswer);
  }
}

function answerTo({ reference, card, authentication }: ConnectorRequest, now: number): ConnectorAnswer {
  const referenceNo = `S${reference}`;
  // A shopper who is authenticated without being asked anything.
  const threeDs = authentication.asks ? 'Y' : authentication.result;
  const declined = (code: Code): ConnectorAnswer => ({ is: 'declined', code, referenceNo, threeDs });
  if (hasExpired(card, now)) return declined('D0054');
  const behaviour = behaviourOf(card);
  if (behaviour === 'approves' || behaviour === 'is slow') return { is: 'approved', referenceNo, threeDs };
  if (behaviour !== 'challenges') return declined(behaviour);
  const isAuthenticated = authentication.result === 'Y' || authentication.result === 'A';
  return isAuthenticated ? { is: 'approved', referenceNo, threeDs } : { is: 'challenge', referenceNo };
}

function behaviourOf({ number }: Card): Behaviour {
  return TEST_CARDS[number] ?? 'D0014';
}
