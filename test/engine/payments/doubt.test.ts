/** Payments whose outcome is not known: slow acquirers, killed processes, requests that are sent again. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Connector } from '../../../src/engine/connector/connector.ts';
import { Simulator } from '../../../src/engine/connector/simulator.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { DatabaseBusy } from '../../../src/ledger/sqlite.ts';
import { DAY, NOON, Sandbox } from '../../support/ledger.ts';
import {
  byApm,
  byCard,
  CARDS,
  card,
  checkout,
  paymentOf,
  place,
  sessionOf,
  statusOf,
  words,
} from './shop.ts';

const MINUTE = 60_000;

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
});

afterEach(() => sandbox.remove());

function simulator(): Simulator {
  return new Simulator({ database: sandbox.database, clock: sandbox.clock });
}

/** An engine whose process dies when the acquirer is asked: before the question arrives, or after it. */
function dying(when: 'before' | 'after'): Engine {
  const inner = simulator();
  const never = new Promise<never>(() => {});
  const connector: Connector = {
    name: inner.name,
    recognises: (number) => inner.recognises(number),
    authorise: async (request) => {
      if (when === 'after') await inner.authorise(request);
      return never;
    },
    completeChallenge: async (reference, passed) => {
      if (when === 'after') await inner.completeChallenge(reference, passed);
      return never;
    },
    resolve: (reference) => inner.resolve(reference),
  };
  return sandbox.engine({ connector });
}

/** Long enough for everything that a request does before its acquirer does not answer. */
async function untilAsked(orderNo: string): Promise<void> {
  await expect.poll(() => statusOf(sandbox.engine(), orderNo)).toEqual([1050]);
  await new Promise((resolve) => setTimeout(resolve, 30));
}

describe('a slow acquirer', () => {
  test('is asked again until it knows', async () => {
    const engine = sandbox.engine();
    expect(words(await engine.authorise(byCard(CARDS.slow)))).toBe('2 E0001');
    sandbox.now = NOON + 59_999;
    expect(await engine.resolveDoubts()).toBe(0);
    expect(await statusOf(engine, 'O1')).toEqual([1050]);
    sandbox.now = NOON + MINUTE;
    expect(await sandbox.engine().resolveDoubts()).toBe(1);
    expect(await statusOf(engine, 'O1')).toEqual([2000]);
    expect(await engine.resolveDoubts()).toBe(0);
    expect((await sandbox.transfers()).map((text) => text.split(' ')[1])).toEqual(['authorise']);
  });

  test('whose connection breaks has perhaps heard', async () => {
    const inner = simulator();
    const connector = Object.assign(Object.create(inner) as Connector, {
      name: inner.name,
      recognises: (number: string) => inner.recognises(number),
      resolve: (reference: string) => inner.resolve(reference),
      authorise: async (request: Parameters<Connector['authorise']>[0]) => {
        await inner.authorise(request);
        throw new Error('reset');
      },
    });
    const engine = sandbox.engine({ connector });
    expect(words(await engine.authorise(byCard(CARDS.approved)))).toBe('2 E0001');
    sandbox.now += MINUTE;
    expect(await engine.resolveDoubts()).toBe(1);
    expect(await statusOf(engine, 'O1')).toEqual([2000]);
  });
});

describe('a process that is killed', () => {
  test.each([
    ['before', CARDS.approved, 6000],
    ['after', CARDS.approved, 2000],
    ['after', CARDS.poor, 6000],
    ['after', CARDS.held, 1200],
  ] as const)(
    '%s the acquirer heard of %s: payment_status %i once it is asked',
    async (when, number, status) => {
      void dying(when).authorise(byCard(number), { idempotencyKey: 'K', requestHash: 'h' });
      await untilAsked('O1');
      const restarted = sandbox.engine();
      expect(words(await restarted.authorise(byCard(number)))).toBe('failure I0062');
      expect(await restarted.resolveDoubts()).toBe(0);
      sandbox.now += MINUTE;
      expect(await restarted.resolveDoubts()).toBe(1);
      expect(await statusOf(restarted, 'O1')).toEqual([status]);
      const again = await restarted.authorise(byCard(number), { idempotencyKey: 'K', requestHash: 'h' });
      expect(paymentOf(again).maskedCard).toBe(`${number.slice(0, 6)}******${number.slice(-4)}`);
    },
  );

  test('frees the order where nothing happened, and a question that arrives late is refused', async () => {
    void dying('before').authorise(byCard(CARDS.approved));
    await untilAsked('O1');
    sandbox.now += MINUTE;
    await sandbox.engine().resolveDoubts();
    const [made] = await sandbox.database.reads.all<{ id: string }>('SELECT transaction_id AS id FROM txn');
    const late = await simulator().authorise({
      reference: made!.id,
      card: card(CARDS.approved),
      currency: 'USD',
      amount: 10_000,
      authentication: { asks: false, result: '-' },
    });
    expect(late).toEqual({ is: 'never asked' });
    expect(words(await sandbox.engine().authorise(byCard(CARDS.approved)))).toBe('1 success');
    expect(await statusOf(sandbox.engine(), 'O1')).toEqual([2000, 6000]);
  });

  test.each([
    ['before', 'challenge 05'],
    ['after', 'over 1 success https://shop.test/back'],
  ] as const)('%s the acquirer heard of a passed challenge', async (when, where) => {
    const session = sessionOf(await sandbox.engine().checkout(checkout()));
    await sandbox.engine().submitCard(session, card(CARDS.challenged), '198.51.100.7');
    void dying(when).answerChallenge(session, true);
    await untilAsked('O1');
    sandbox.now += MINUTE;
    expect(await sandbox.engine().resolveDoubts()).toBe(1);
    expect(place(await sandbox.engine().open(session))).toBe(where);
  });

  test('and decided by another one, which was only slow, is decided once', async () => {
    let goOn = () => {};
    const connector = simulator();
    const authorise = connector.authorise.bind(connector);
    connector.authorise = async (request) => {
      const answer = await authorise(request);
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return answer;
    };
    const paying = sandbox.engine({ connector }).authorise(byCard(CARDS.approved));
    await untilAsked('O1');
    sandbox.now += MINUTE;
    expect(await sandbox.engine().resolveDoubts()).toBe(1);
    goOn();
    expect(words(await paying)).toBe('1 success');
    expect(await sandbox.books()).toEqual({ holds: '-100.00', issuer: '100.00' });
    expect(await sandbox.transfers()).toHaveLength(1);
  });

  test('is not taken for one that is at work', async () => {
    let answer = () => {};
    const latency = () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      });
    const connector = new Simulator({ database: sandbox.database, clock: sandbox.clock, latency });
    const engine = sandbox.engine({ connector });
    const paying = engine.authorise(byCard(CARDS.approved));
    await untilAsked('O1');
    sandbox.now += MINUTE;
    expect(await engine.resolveDoubts()).toBe(0);
    answer();
    expect(words(await paying)).toBe('1 success');
  });
});

describe('the database is busy', () => {
  /** Fails the nth write from now on. */
  function failing(nth: number): Engine {
    const { database } = sandbox;
    let count = 0;
    const write: typeof database.write = (work) => {
      count += 1;
      return count === nth ? Promise.reject(new DatabaseBusy('busy')) : database.write(work);
    };
    const sometimes = { reads: database.reads, write } as unknown as typeof database;
    const { schedule, clock } = sandbox;
    return new Engine(sometimes, { schedule, clock, payments: sandbox.payments() });
  }

  test('before anything is reserved: nothing happened', async () => {
    expect(words(await failing(1).authorise(byCard(CARDS.approved)))).toBe('failure E0002');
    expect(await statusOf(sandbox.engine(), 'O1')).toEqual([]);
  });

  test('when the decision is to be written: nobody says that nothing happened', async () => {
    const engine = failing(2);
    expect(words(await engine.authorise(byCard(CARDS.approved)))).toBe('2 E0001');
    sandbox.now += MINUTE;
    expect(await engine.resolveDoubts()).toBe(1);
    expect(await statusOf(engine, 'O1')).toEqual([2000]);
  });
});

describe('an idempotency key', () => {
  const KEY = { idempotencyKey: 'K', requestHash: 'h' };

  test.each([CARDS.approved, CARDS.declined, CARDS.held, CARDS.slow, CARDS.unknown])(
    'gives the first answer again, card %s',
    async (number) => {
      const first = await sandbox.engine().authorise(byCard(number), KEY);
      sandbox.now += 1;
      expect(await sandbox.engine().authorise(byCard(number), KEY)).toEqual(first);
      expect(await statusOf(sandbox.engine(), 'O1')).toHaveLength(1);
    },
  );

  test('gives the same session again, and belongs to its operation', async () => {
    const first = await sandbox.engine().checkout(checkout(), KEY);
    expect(await sandbox.engine().checkout(checkout(), KEY)).toEqual(first);
    const apm = await sandbox.engine().authorise(byApm('wallet', { orderNo: 'O2' }), KEY);
    expect(words(apm)).toBe('session apm');
    expect(apm).not.toEqual(first);
  });

  test('is refused to another request, whether its hash is given or made here', async () => {
    await sandbox.engine().authorise(byCard(CARDS.declined), KEY);
    const other = { ...KEY, requestHash: 'i' };
    expect(words(await sandbox.engine().authorise(byCard(CARDS.declined), other))).toBe('failure V0015');
    const made = { idempotencyKey: 'L' };
    await sandbox.engine().authorise(byCard(CARDS.declined), made);
    expect(words(await sandbox.engine().authorise(byCard(CARDS.declined), made))).toBe('0 D0005');
    expect(words(await sandbox.engine().authorise(byCard(CARDS.declined, { amount: 1 }), made))).toBe(
      'failure V0015',
    );
  });

  test('of two requests at once charges once, and the other may come back', async () => {
    const engine = sandbox.engine();
    const both = [1, 2].map(() => engine.authorise(byCard(CARDS.approved), KEY));
    expect((await Promise.all(both)).map(words).sort()).toEqual(['1 success', 'failure I0062']);
    expect(words(await engine.authorise(byCard(CARDS.approved), KEY))).toBe('1 success');
  });

  test('of a request that was refused can be used for a right one', async () => {
    const engine = sandbox.engine();
    expect(words(await engine.authorise(byCard(CARDS.approved, { currency: 'BRL' }), KEY))).toBe(
      'failure V0003',
    );
    expect(words(await engine.authorise(byCard(CARDS.approved), { ...KEY, requestHash: 'i' }))).toBe(
      '1 success',
    );
  });

  test('is forgotten after 30 days', async () => {
    const engine = sandbox.engine();
    await engine.authorise(byCard(CARDS.declined), KEY);
    sandbox.now = NOON + 30 * DAY;
    expect(await engine.forgetAnswers()).toBe(0);
    sandbox.now += 1;
    expect(await engine.forgetAnswers()).toBe(1);
    expect(words(await engine.authorise(byCard(CARDS.approved), { ...KEY, requestHash: 'i' }))).toBe(
      '1 success',
    );
  });
});

describe('what runs out', () => {
  test('is written down once: authorisations after their lifetime, orders after a day', async () => {
    await sandbox.given({ id: 'T1', at: NOON - DAY }, { id: 'T2', state: 'captured' });
    const engine = sandbox.engine();
    await engine.authorise(byCard(CARDS.approved));
    await engine.checkout(checkout({ orderNo: 'O2' }));
    const session = sessionOf(await engine.checkout(checkout({ orderNo: 'O3' })));
    await engine.submitCard(session, card(CARDS.challenged), '198.51.100.7');
    const { length } = await sandbox.transfers();
    const written = async () => (await sandbox.transfers()).slice(length).map((text) => text.split(' ')[1]);
    sandbox.now = NOON + DAY - 1;
    expect(await engine.writeOverdue()).toBe(0);
    sandbox.now = NOON + DAY;
    expect(await engine.writeOverdue()).toBe(2);
    expect(await written()).toEqual(['lapse', 'lapse']);
    sandbox.now = NOON + 7 * DAY;
    expect(await engine.writeOverdue()).toBe(2);
    expect(await written()).toEqual(['lapse', 'lapse', 'expire', 'expire']);
    expect(await engine.writeOverdue()).toBe(0);
    // What was imported as captured was never held here.
    expect(await sandbox.books()).toEqual({ merchant: '100.00', acquirer: '-100.00' });
  });

  test('is written a thousand at a time, and none is left out', async () => {
    const ids = Array.from({ length: 2_345 }, (_, index) => ({ id: `T${index}`, at: NOON - DAY }));
    await sandbox.given(...ids);
    sandbox.now = NOON + 7 * DAY;
    const engine = sandbox.engine();
    const written: number[] = [];
    do written.push(await engine.writeOverdue());
    while (written.at(-1)! > 0);
    expect(written).toEqual([1_000, 1_000, 345, 0]);
    expect(await sandbox.books()).toEqual({});
  });
});
