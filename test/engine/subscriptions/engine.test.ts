/** Subscriptions with the whole engine: from the first payment, by card or on the hosted page, to charges of the stored card. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuthoriseAnswer } from '../../../src/core/payment.ts';
import { Simulator } from '../../../src/engine/connector/simulator.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { type ChargingContext, chargeDue } from '../../../src/engine/subscriptions/charge.ts';
import { eachContract } from '../../../src/engine/subscriptions/contracts.ts';
import type { AccountSettings } from '../../../src/ledger/accounts.ts';
import { Database } from '../../../src/ledger/database.ts';
import { DAY, Sandbox } from '../../support/ledger.ts';
import {
  byApm,
  byCard,
  byToken,
  CARDS,
  card,
  checkout,
  order,
  paymentOf,
  sessionOf,
  words,
} from '../payments/shop.ts';
import { words as inWords, MINUTE } from './bank.ts';

let sandbox: Sandbox;

beforeEach(() => open());

afterEach(() => sandbox.remove());

async function open(settings: Partial<AccountSettings> = {}): Promise<void> {
  sandbox = await Sandbox.make([settings]);
}

const MONTHLY = { subscription: { interval: 'month', contract_name: 'Tea' } } as const;
const FIRST = { orderNo: 'O1', amount: 1000, contractAmount: 900, message: MONTHLY };

/** A program that runs serve's upkeep on the ledger. */
function server() {
  const engine = sandbox.engine();
  const context: ChargingContext = {
    database: sandbox.database,
    clock: sandbox.clock,
    charge: (charge) => engine.charge(charge),
  };
  return {
    engine,
    async minute(): Promise<readonly string[]> {
      await engine.resolveDoubts();
      const { reports } = await chargeDue(context);
      return reports.map((report) => inWords(report).replace(/^\S+ /, ''));
    },
  };
}

async function contracts() {
  const all = [];
  for await (const contract of eachContract(sandbox.database.reads)) all.push(contract);
  return all;
}

/** Transfers without the ids of their transactions. */
async function kinds(): Promise<readonly string[]> {
  return (await sandbox.transfers()).map((text) => text.replace(/^\S+ /, ''));
}

const at = (text: string) => Date.parse(`${text}Z`);

function contractOf(answer: AuthoriseAnswer) {
  return paymentOf(answer).contract;
}

describe('a first payment by card', () => {
  test('opens the contract and stores the card; later charges need neither', async () => {
    const { engine, minute } = server();
    const answer = await engine.authorise(byCard(CARDS.approved, FIRST));
    const { transactionId, tokenId } = paymentOf(answer);
    expect(tokenId).toBeDefined();
    expect(contractOf(answer)).toEqual({
      name: 'Tea',
      recurringId: `R${transactionId}`,
      period: '1 month',
      next: at('2026-12-20T12:00'),
      status: 1,
    });
    sandbox.now = at('2026-12-20T12:00');
    expect(await minute()).toEqual(['2.1 approved']);
    expect(await minute()).toEqual([]);
    expect(await kinds()).toEqual(['authorise 1000', 'authorise 900']);
    expect(await sandbox.books()).toEqual({ holds: '-19.00', issuer: '19.00' });
  });

  test('is captured at once where the account says so, and its charges too', async () => {
    await sandbox.remove();
    await open({ capture: 'automatic' });
    const { engine, minute } = server();
    await engine.authorise(byCard(CARDS.approved, FIRST));
    sandbox.now = at('2026-12-20T12:00');
    await minute();
    expect(await kinds()).toEqual(['authorise 1000', 'capture 1000', 'authorise 900', 'capture 900']);
  });

  test('by a stored card goes on with that card', async () => {
    const { engine, minute } = server();
    const { tokenId } = paymentOf(
      await engine.authorise(byCard(CARDS.approved, { orderNo: 'O0', message: { token_flag: 'YES' } })),
    );
    await engine.authorise(byToken(tokenId!, FIRST));
    sandbox.now = at('2026-12-20T12:00');
    expect(await minute()).toEqual(['2.1 approved']);
    expect((await contracts()).map((contract) => contract.tokenId)).toEqual([tokenId]);
  });

  test('that is declined opens none', async () => {
    const { engine } = server();
    const answer = await engine.authorise(byCard(CARDS.declined, FIRST));
    expect([words(answer), contractOf(answer)]).toEqual(['0 D0005', undefined]);
    expect(await contracts()).toEqual([]);
  });

  test('that is in doubt opens it once it is known', async () => {
    const { engine, minute } = server();
    const answer = await engine.authorise(byCard(CARDS.slow, FIRST));
    expect([words(answer), contractOf(answer)]).toEqual(['2 E0001', undefined]);
    sandbox.now += 2 * MINUTE;
    expect(await minute()).toEqual([]);
    expect(await contracts()).toMatchObject([{ standing: { is: 'active' } }]);
  });

  test('that is held for review charges nothing before it is accepted', async () => {
    const { engine, minute } = server();
    const answer = await engine.authorise(byCard(CARDS.held, FIRST));
    expect([words(answer), contractOf(answer)?.status]).toEqual(['2 R0002', 1]);
    const { transactionId } = paymentOf(answer);
    sandbox.now = at('2026-12-20T12:00');
    expect(await minute()).toEqual([]);
    const review = { transactionId, orderNo: 'O1', currency: 'USD', amount: 1000, reviewFlag: 1 as const };
    const nothing = {
      refundAmount: undefined,
      refundReason: undefined,
      reference: undefined,
      repeatOf: undefined,
    };
    await engine.review({ merchantId: 'M1', accountId: 'A1', entries: [{ ...review, ...nothing, line: 0 }] });
    sandbox.now += 6 * MINUTE;
    // The same card is held again.
    expect(await minute()).toEqual(['2.1 waiting R0002']);
  });

  test('with terms that cannot be is refused before anybody is asked', async () => {
    const { engine } = server();
    const message = { subscription: { interval: 'month', billing_cycle: -1 } } as const;
    const answer = await engine.authorise(byCard(CARDS.approved, { ...FIRST, message }));
    expect('failure' in answer && answer.failure).toMatchObject({
      code: 'I0002',
      column: 'subscription.billing_cycle',
    });
    expect(await kinds()).toEqual([]);
  });

  test('by an alternative method cannot begin one', async () => {
    const { engine } = server();
    const answer = await engine.authorise(byApm('wallet', { message: MONTHLY }));
    expect('failure' in answer && answer.failure).toMatchObject({ code: 'I0002', column: 'subscription' });
  });

  test('gets the same answer again under its key, whatever was charged meanwhile', async () => {
    const { engine, minute } = server();
    const key = { idempotencyKey: 'K', requestHash: 'h' };
    const first = await engine.authorise(byCard(CARDS.approved, FIRST), key);
    sandbox.now = at('2026-12-20T12:00');
    await minute();
    expect(await engine.authorise(byCard(CARDS.approved, FIRST), key)).toEqual(first);
    expect(await contracts()).toHaveLength(1);
  });
});

test('a first payment on the hosted page opens the contract, too', async () => {
  const { engine, minute } = server();
  const session = sessionOf(await engine.checkout(checkout(FIRST)));
  expect(await contracts()).toEqual([]);
  await engine.submitCard(session, card(CARDS.challenged), '192.0.2.9');
  expect(await contracts()).toEqual([]);
  await engine.answerChallenge(session, true);
  expect(await contracts()).toMatchObject([{ amount: 900, standing: { is: 'active' } }]);
  sandbox.now = at('2026-12-20T12:00');
  // The issuer wants to see the shopper again, and there is none.
  expect(await minute()).toEqual(['2.1 declined D0065']);
});

test('a query of the first payment and of a charge shows the contract as it is', async () => {
  const { engine, minute } = server();
  await engine.authorise(byCard(CARDS.approved, FIRST));
  await engine.authorise(byCard(CARDS.approved, { orderNo: 'O2' }));
  sandbox.now = at('2026-12-20T12:00');
  await minute();
  const answer = await engine.query({ merchantId: 'M1', accountId: 'A1', selection: { by: 'newest' } });
  const records = 'records' in answer ? answer.records : [];
  const shown = records.map((record) => ('found' in record ? record.found.contract : undefined));
  expect(shown.map((contract) => contract && [contract.name, contract.next])).toEqual([
    ['Tea', at('2027-01-20T12:00')],
    undefined,
    ['Tea', at('2027-01-20T12:00')],
  ]);
});

describe('charges', () => {
  test('of a stored card that has expired meanwhile are declined, and end past due', async () => {
    const { engine, minute } = server();
    await engine.authorise(byCard(CARDS.approved, FIRST, { month: 11, year: 2026 }));
    const seen: string[] = [];
    for (sandbox.now = at('2026-12-20T12:00'); sandbox.now < at('2027-01-05T12:00'); sandbox.now += DAY) {
      seen.push(...(await minute()));
    }
    expect(seen).toEqual([
      '2.1 declined D0054',
      '2.2 declined D0054',
      '2.3 declined D0054',
      '2.4 declined D0054',
    ]);
    expect(await contracts()).toMatchObject([{ standing: { is: 'past due' } }]);
  });

  test('are asked for once under one number, even where they came to nothing', async () => {
    const { engine } = server();
    await engine.authorise(byCard(CARDS.approved, FIRST, { month: 11, year: 2026 }));
    sandbox.now = at('2026-12-20T12:00');
    const [account] = await sandbox.accounts();
    const [contract] = await contracts();
    const charge = { account: account!, order: order({ orderNo: 'R-2-1' }), tokenId: contract!.tokenId };
    expect(words(await engine.charge(charge))).toBe('0 D0054');
    expect(words(await engine.charge(charge))).toBe('failure I0061');
  });

  test('that time out are asked about, and counted once they are known', async () => {
    const { engine, minute } = server();
    await engine.authorise(byCard(CARDS.slow, FIRST));
    sandbox.now += 2 * MINUTE;
    await minute();
    // In doubt for as long as the first payment was: the contract begins when it is approved.
    sandbox.now = at('2026-12-20T12:10');
    expect(await minute()).toEqual(['2.1 waiting E0001']);
    sandbox.now += 6 * MINUTE;
    expect(await minute()).toEqual([]);
    expect(await contracts()).toMatchObject([{ last: { outcome: 'approved' } }]);
    expect(await kinds()).toEqual(['authorise 1000', 'authorise 900']);
  });

  test('F71 killed before the connector is asked: it says that it never was, and the next attempt is made', async () => {
    const { engine } = server();
    await engine.authorise(byCard(CARDS.approved, FIRST));
    sandbox.now = at('2026-12-20T12:00');
    const { connector } = sandbox.payments();
    connector.authorise = () => new Promise(() => {});
    const killed = sandbox.engine({ connector });
    const { database, clock } = sandbox;
    void chargeDue({ database, clock, charge: (charge) => killed.charge(charge) });
    await until(async () => (await contracts())[0]?.last?.outcome === 'waiting');
    const restarted = server();
    sandbox.now += 6 * MINUTE;
    expect(await restarted.minute()).toEqual([]);
    sandbox.now = at('2026-12-21T12:00');
    expect(await restarted.minute()).toEqual(['2.2 approved']);
    expect(await kinds()).toEqual(['authorise 1000', 'decline 0', 'authorise 900']);
  });

  test('F71 killed after the connector was asked: it is asked what it said, and the card is charged once', async () => {
    const { engine } = server();
    await engine.authorise(byCard(CARDS.approved, FIRST));
    sandbox.now = at('2026-12-20T12:00');
    const { connector } = sandbox.payments();
    const authorise = connector.authorise.bind(connector);
    let isAsked = false;
    connector.authorise = async (request) => {
      await authorise(request);
      isAsked = true;
      return new Promise(() => {});
    };
    const killed = sandbox.engine({ connector });
    const { database, clock } = sandbox;
    void chargeDue({ database, clock, charge: (charge) => killed.charge(charge) });
    await until(async () => isAsked);
    const restarted = server();
    sandbox.now += 6 * MINUTE;
    expect(await restarted.minute()).toEqual([]);
    expect(await kinds()).toEqual(['authorise 1000', 'authorise 900']);
    expect(await contracts()).toMatchObject([
      { last: { outcome: 'approved' }, standing: { next: { cycle: 3 } } },
    ]);
  });

  test('by three programs at once are made once each', async () => {
    const { engine } = server();
    for (let index = 0; index < 4; index += 1) {
      await engine.authorise(byCard(CARDS.approved, { ...FIRST, orderNo: `O${index}` }));
    }
    sandbox.now = at('2026-12-20T12:00');
    const databases = await Promise.all([1, 2, 3].map(() => Database.open(sandbox.folders.database)));
    await Promise.all(databases.map((database) => chargeDue(program(database))));
    await Promise.all(databases.map((database) => database.close()));
    expect((await kinds()).filter((kind) => kind === 'authorise 900')).toHaveLength(4);
    expect(await sandbox.books()).toEqual({ holds: '-76.00', issuer: '76.00' });
  });

  test('F46 killed at any commit, before or after it: the cycle is charged once in the end', async () => {
    for (const moment of ['before', 'after'] as const) {
      for (let commit = 1; ; commit += 1) {
        await sandbox.remove();
        await open();
        await server().engine.authorise(byCard(CARDS.approved, FIRST));
        sandbox.now = at('2026-12-20T12:00');
        const hasDied = await chargedAndKilled(commit, moment);
        const restarted = server();
        sandbox.now += 6 * MINUTE;
        await restarted.minute();
        sandbox.now = at('2026-12-21T12:00');
        await restarted.minute();
        const approved = (await kinds()).filter((kind) => kind === 'authorise 900');
        expect([moment, commit, ...approved]).toEqual([moment, commit, 'authorise 900']);
        expect(await contracts()).toMatchObject([{ standing: { is: 'active', next: { cycle: 3 } } }]);
        if (!hasDied) break;
      }
    }
  });
});

/** Charging in a program with this connection. */
function program(database: Database): ChargingContext {
  const { clock, schedule } = sandbox;
  const payments = sandbox.payments({ connector: new Simulator({ database, clock }) });
  const engine = new Engine(database, { schedule, clock, payments });
  return { database, clock, charge: (charge) => engine.charge(charge) };
}

/**
 * Charges in a program that dies at its nth commit: from then on it writes nothing.
 * @returns whether there were so many commits
 */
async function chargedAndKilled(nth: number, moment: 'before' | 'after'): Promise<boolean> {
  const database = await Database.open(sandbox.folders.database);
  const write = database.write.bind(database);
  let commits = 0;
  database.write = async (work) => {
    commits += 1;
    if (commits > nth || (commits === nth && moment === 'before')) throw new Error('killed');
    const value = await write(work);
    if (commits === nth) throw new Error('killed');
    return value;
  };
  await chargeDue(program(database)).catch(() => undefined);
  await database.close();
  return commits >= nth;
}

/** Waits until it holds, two seconds at most. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1000 && !(await holds()); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(await holds()).toBe(true);
}
