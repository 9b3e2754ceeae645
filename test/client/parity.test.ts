/** Every operation asked of the client, by way of a real server, ends as it does when the engine is asked directly. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayClient } from '../../src/client/gateway-client.ts';
import type { Answer, Gateway, Payout, Result } from '../../src/core/gateway.ts';
import type { EntryOperation } from '../../src/core/operation.ts';
import type { AuthoriseAnswer } from '../../src/core/payment.ts';
import type { QueryAnswer, Selection } from '../../src/core/query.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { PayoutSchedule } from '../../src/engine/terms.ts';
import type { RunningServer } from '../../src/http/server.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { readPayout } from '../../src/wire/messages/payout.ts';
import { writeQuery } from '../../src/wire/messages/query.ts';
import { byApm, byCard, byToken, CARDS, checkout } from '../engine/payments/shop.ts';
import { Api } from '../http/api.ts';
import { type Given, NOON } from '../support/ledger.ts';
import { serveApp } from '../support/serve-app.ts';
import { entry, FakeTime, M1 } from './fake-gateway.ts';

/** Two ledgers alike: one whose engine is asked directly, one behind a server. */
class Pair {
  readonly engine: Engine;
  readonly client: GatewayClient;
  readonly #direct: Api;
  readonly #served: Api;
  readonly #server: RunningServer;

  private constructor(direct: Api, served: Api, server: RunningServer) {
    this.#direct = direct;
    this.#served = served;
    this.#server = server;
    this.engine = direct.sandbox.engine();
    const timing = new FakeTime();
    timing.now = NOON;
    this.client = new GatewayClient({ url: server.url, keysOf: () => [served.key()], timing });
  }

  static async make(): Promise<Pair> {
    const settings = { allow_ip: ['127.0.0.1'] };
    const [direct, served] = [await Api.make({}, [settings]), await Api.make({}, [settings])];
    const server = await serveApp(served.app);
    const pair = new Pair(direct, served, server);
    for (const { sandbox } of pair.#both) sandbox.schedule = new PayoutSchedule([], []);
    return pair;
  }

  get #both(): readonly Api[] {
    return [this.#direct, this.#served];
  }

  async given(...transactions: readonly Given[]): Promise<void> {
    for (const { sandbox } of this.#both) await sandbox.given(...transactions);
  }

  /** Asks both, and returns what they say. */
  async ask<T>(question: (gateway: Gateway) => Promise<T>): Promise<readonly [direct: T, asked: T]> {
    return [await question(this.engine), await question(this.client)];
  }

  ledgers(): Promise<readonly (readonly string[])[]> {
    return Promise.all(this.#both.map(({ sandbox }) => sandbox.transfers()));
  }

  async remove(): Promise<void> {
    await this.client.close();
    await this.#server.stop(1000);
    for (const api of this.#both) await api.remove();
  }
}

let pair: Pair;
beforeAll(async () => {
  pair = await Pair.make();
  await pair.given(
    ...['A', 'B', 'C', 'D', 'E', 'G'].map((id) => ({ id })),
    { id: 'F', state: 'captured', amount: 500_000 },
    { id: 'R', state: 'in_review' },
    { id: 'S', state: 'in_review' },
  );
});
afterAll(async () => {
  const [direct, served] = await pair.ledgers();
  await pair.remove();
  expect(served).toEqual(direct);
});

/** What the wire carries of results: only refunds have an id of what was done, and no reason names a column. */
function carried(operation: EntryOperation, answer: Answer): unknown {
  if ('failure' in answer) return answer;
  const results = answer.results.map((result: Result) => {
    if ('reference' in result) return operation === 'refund' ? result : { ...result, reference: '' };
    if (!('reason' in result)) return result;
    const { column: _, ...reason } = result.reason;
    return { ...result, reason };
  });
  return { ...answer, results };
}

const whole = { amount: 10_000 };

describe('entries', () => {
  test.each<[EntryOperation, readonly ReturnType<typeof entry>[]]>([
    ['capture', [entry('A', whole), entry('B', { amount: 4000 }), entry('C', { amount: 10_001 })]],
    ['capture', [entry('B', { amount: 1000 }), entry('B', { amount: 2000 }), entry('NONE')]],
    ['capture', [entry('G', { amount: 1000 }), entry('G', { amount: 1000 }), entry('A')]],
    ['capture', [entry('D', { ...whole, orderNo: 'O-other' }), entry('D', { ...whole, currency: 'EUR' })]],
    ['cancel', [entry('B', { amount: 3000 }), entry('D', whole), entry('E', { amount: 1 })]],
    ['review', [entry('R', { ...whole, reviewFlag: 1 }), entry('S', { ...whole, reviewFlag: 0 })]],
    ['review', [entry('R', { ...whole, reviewFlag: 1 }), entry('A', { ...whole, reviewFlag: 0 })]],
    [
      'refund',
      [
        entry('A', { ...whole, refundAmount: 1000, refundReason: 'too small', reference: 'RMA-1' }),
        entry('A', { ...whole, refundAmount: 1000, reference: 'RMA-2' }),
        entry('B', { ...whole, refundAmount: 100_000 }),
        entry('F', { amount: 500_000, refundAmount: 1 }),
      ],
    ],
    ['refund', [entry('A', { ...whole, refundAmount: 1000, reference: 'RMA-1' })]],
    ['refund', [entry('A', { ...whole, refundAmount: 2000, reference: 'RMA-1' })]],
  ])('%s, case %#', async (operation, entries) => {
    const [direct, asked] = await pair.ask((gateway) => gateway[operation]({ ...M1, entries }));
    expect(carried(operation, asked)).toEqual(carried(operation, direct));
  });

  test('the same key again gets the first answer again', async () => {
    const entries = [entry('E', { amount: 2500 })];
    const again = async (gateway: Gateway) => {
      const first = await gateway.capture({ ...M1, entries }, { idempotencyKey: 'E-1' });
      expect(await gateway.capture({ ...M1, entries }, { idempotencyKey: 'E-1' })).toEqual(first);
      return first;
    };
    const [direct, asked] = await pair.ask(again);
    expect(carried('capture', asked)).toEqual(carried('capture', direct));
  });

  test('too many orders are not sent', async () => {
    const entries = Array.from({ length: 51 }, (_, index) => entry(`T${index}`));
    expect(await pair.client.capture({ ...M1, entries })).toMatchObject({ failure: { code: 'I0051' } });
  });

  test.each([
    ['a fraction of a unit', { amount: 10.5 }, 'I0021'],
    ['less than nothing', { amount: -1 }, 'I0021'],
    ['no number', { amount: Number.NaN }, 'I0021'],
    ['money that does not exist', { currency: 'XYZ' }, 'I0022'],
    ['an empty id', { orderNo: '' }, 'I0001'],
    ['half of a character', { orderNo: '\ud800' }, 'I0002'],
  ] as const)('%s is not sent', async (_, change, code) => {
    const answer = await pair.client.capture({ ...M1, entries: [entry('A', change)] });
    expect(answer).toMatchObject({ failure: { code } });
  });

  test('an account without a key here is not asked for', async () => {
    const client = new GatewayClient({ url: 'http://127.0.0.1:9', keysOf: () => [] });
    expect(await client.capture({ ...M1, entries: [entry('A')] })).toMatchObject({
      failure: { code: 'I0013' },
    });
    await client.close();
  });
});

function payout(change: JsonFields = {}): Payout {
  const read = readPayout({
    request_id: 'P-1',
    payment_method: 'SWIFT',
    source_currency: 'USD',
    payment_currency: 'USD',
    payment_amount: '12.50',
    fee_paid_by: 'SHARED',
    beneficiary: {
      entity_type: 'COMPANY',
      company_name: 'Acme',
      bank_details: { iban: 'DE89370400440532013000', bank_country_code: 'DE', bank_code: 'x' },
    },
    ...change,
  });
  if ('reasons' in read) throw new Error(JSON.stringify(read));
  return read;
}

describe('payout', () => {
  test.each<[string, JsonFields]>([
    ['is completed', {}],
    ['sent again is the same', {}],
    ['with other content is refused', { payment_amount: '13.00' }],
    ['of the future is scheduled', { request_id: 'P-2', payment_date: '2099-01-01' }],
    ['by its source amount', { request_id: 'P-3', payment_amount: '', source_amount: '3.00' }],
    ['of too much is refused', { request_id: 'P-4', payment_amount: '999999.00' }],
    [
      'to nowhere is refused',
      {
        request_id: 'P-5',
        beneficiary: {
          entity_type: 'COMPANY',
          company_name: 'A',
          bank_details: { iban: 'DE00370400440532013000' },
        },
      },
    ],
    ['without a rate is refused', { request_id: 'P-6', payment_currency: 'EUR' }],
  ])('%s', async (_, change) => {
    const [direct, asked] = await pair.ask((gateway) => gateway.payout({ ...M1, payout: payout(change) }));
    expect(asked).toEqual(direct);
  });
});

describe('payments', () => {
  const ip = '127.0.0.1';

  test.each<[string, Parameters<Gateway['authorise']>[0]]>([
    ['approved', byCard(CARDS.approved, { orderNo: 'C1', message: { note: 'a <note> & more' } })],
    ['declined', byCard(CARDS.declined, { orderNo: 'C2' })],
    ['held for review', byCard(CARDS.held, { orderNo: 'C3' })],
    ['in doubt', byCard(CARDS.slow, { orderNo: 'C4' })],
    ['of an order number in use', byCard(CARDS.approved, { orderNo: 'C1' })],
    ['of an order number in doubt', byCard(CARDS.approved, { orderNo: 'C4' })],
    [
      'in a currency that the account does not have',
      byCard(CARDS.approved, { orderNo: 'C5', currency: 'GBP' }),
    ],
    ['by a token that is not there', byToken('K0000', { orderNo: 'C6' })],
    ['by an unknown method', byApm('shells', { orderNo: 'C7' })],
    [
      'with a subscription',
      byCard(CARDS.approved, {
        orderNo: 'C8',
        message: { subscription: { contract_name: 'Coffee', interval: 'month', interval_count: '1' } },
      }),
    ],
  ])('%s', async (_, request) => {
    const [direct, asked] = await pair.ask((gateway) => gateway.authorise({ ...request, ip }));
    expect(asked).toEqual(direct);
  });

  test('by a stored card', async () => {
    const [direct, asked] = await pair.ask(async (gateway) => {
      const stored = await gateway.authorise({
        ...byCard(CARDS.approved, { orderNo: 'K1', message: { token_flag: 'YES' } }),
        ip,
      });
      const { tokenId } = (stored as Extract<AuthoriseAnswer, { payment: unknown }>).payment;
      return gateway.authorise({ ...byToken(tokenId!, { orderNo: 'K2' }), ip });
    });
    expect(asked).toEqual(direct);
    expect(asked).toMatchObject({ payment: { orderStatus: 1 } });
  });

  test('by an alternative method: the shopper goes on at the address that the answer names', async () => {
    const request = { ...byApm('wallet', { orderNo: 'W1' }), ip };
    const [direct, asked] = await pair.ask((gateway) => gateway.authorise(request));
    if (!('session' in asked) || !('session' in direct)) throw new Error('no session');
    expect(asked.session).toEqual({
      ...direct.session,
      transactionId: '',
      elsewhere: { address: `https://pay.example/hosted/${direct.session.session}` },
    });
  });

  test('a checkout: the page for the shopper, and where it leads', async () => {
    const [direct, asked] = await pair.ask((gateway) => gateway.checkout(checkout({ orderNo: 'H1' })));
    if (!('session' in asked) || !('session' in direct)) throw new Error('no session');
    expect(asked.session).toEqual({
      ...direct.session,
      elsewhere: {
        address: `https://pay.example/hosted/${direct.session.session}`,
        page: expect.stringContaining('<form'),
      },
    });
  });
});

describe('query', () => {
  test.each<[string, Selection]>([
    ['by name', { by: 'name', orderNos: ['O-B', 'C1', 'C8', 'nobody'], transactionIds: ['R', 'S', 'T404'] }],
    ['by time', { by: 'date', from: NOON - 1000, to: NOON + 1000, cursor: undefined }],
    ['by an open span of time', { by: 'date', from: 0, to: 8_640_000_000_000_000, cursor: undefined }],
    ['the newest', { by: 'newest' }],
  ])('%s', async (_, selection) => {
    const [direct, asked] = await pair.ask((gateway) => gateway.query({ ...M1, selection }));
    expect(messageOf(asked)).toEqual(messageOf(direct));
  });

  test('of nothing is not a query of the newest', async () => {
    const selection = { by: 'name', orderNos: [], transactionIds: [] } as const;
    const [direct, asked] = await pair.ask((gateway) => gateway.query({ ...M1, selection }));
    expect([direct, asked]).toMatchObject([{ failure: { code: 'I0051' } }, { failure: { code: 'I0051' } }]);
  });
});

/** What is known of each transaction, as the wire carries it. */
function messageOf(answer: QueryAnswer): JsonFields {
  if ('failure' in answer) throw new Error(answer.failure.message);
  return writeQuery(answer);
}
