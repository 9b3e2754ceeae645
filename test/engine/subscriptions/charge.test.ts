/** Charges as they fall due: each cycle once, in order, whatever happens. The clock stands at 2026-11-20T12:00Z at first. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contractState } from '../../../src/core/contract.ts';
import { chargeDue, makeAttempt } from '../../../src/engine/subscriptions/charge.ts';
import { contractStates } from '../../../src/engine/subscriptions/contracts.ts';
import { endContract } from '../../../src/engine/subscriptions/end.ts';
import { actsAfter } from '../../../src/ledger/audit.ts';
import { loadPayments } from '../../../src/ledger/payments.ts';
import { DAY } from '../../support/ledger.ts';
import { type Bank, type Death, MINUTE, makeBank, words } from './bank.ts';

let bank: Bank;

beforeEach(async () => {
  bank = await makeBank();
});

afterEach(() => bank.sandbox.remove());

const at = (text: string) => Date.parse(`${text}Z`);

/** Lets serve's minute pass at each of these times; what was done at each. */
async function passes(...times: readonly string[]): Promise<readonly (readonly string[])[]> {
  const done: (readonly string[])[] = [];
  for (const time of times) {
    bank.sandbox.now = at(time);
    done.push(await bank.run());
  }
  return done;
}

describe('a monthly contract', () => {
  test('is charged when it is due, and not before', async () => {
    const opened = await bank.subscribe({ interval: 'month', contract_name: 'Tea' });
    expect(opened).toEqual({
      name: 'Tea',
      recurringId: 'RT1',
      period: '1 month',
      next: at('2026-12-20T12:00'),
      status: 1,
    });
    expect(
      await passes(
        '2026-11-20T12:01',
        '2026-12-20T11:59',
        '2026-12-20T12:00',
        '2026-12-20T12:01',
        '2027-01-20T12:00',
      ),
    ).toEqual([[], [], ['RT1 2.1 approved'], [], ['RT1 3.1 approved']]);
    expect(await bank.sandbox.transfers()).toEqual([
      'T1 authorise 1000',
      'T2 authorise 900',
      'T3 authorise 900',
    ]);
  });

  test('takes the first amount where no other is named', async () => {
    await bank.subscribe({ interval: 'month' }, { contractAmount: 'the same' });
    await passes('2026-12-20T12:00');
    expect(await bank.sandbox.transfers()).toEqual(['T1 authorise 1000', 'T2 authorise 1000']);
  });

  test('charges an order of its own that says who pays and nothing of what was ordered first', async () => {
    await bank.subscribe({ interval: 'month' });
    await passes('2026-12-20T12:00');
    const payments = await loadPayments(bank.sandbox.database.reads, [2]);
    expect(payments.get(2)).toMatchObject({
      way: 'recurring',
      order: { orderNo: 'RT1-2-1', amount: 900, items: [] },
    });
    expect(payments.get(2)!.order.message).toEqual({
      order_no: 'RT1-2-1',
      currency: 'USD',
      amount: '9.00',
      shopper_email: 'shopper@example.com',
    });
  });

  test('ends with its last cycle', async () => {
    await bank.subscribe({ interval: 'month', billing_cycle: 2 });
    expect(await passes('2026-12-20T12:00', '2027-01-20T12:00', '2028-01-20T12:00')).toEqual([
      ['RT1 2.1 approved'],
      [],
      [],
    ]);
    expect((await bank.contract()).standing).toEqual({ is: 'ended' });
  });

  test('ends with its last day', async () => {
    await bank.subscribe({ interval: 'month', contract_end: '2027-01-19' });
    expect(await passes('2026-12-20T12:00', '2027-01-20T12:00')).toEqual([['RT1 2.1 approved'], []]);
  });

  test('counts cycles that cost nothing, and asks no card for them', async () => {
    await bank.subscribe({ interval: 'month', billing_cycle: 4, promotion_cycle: 2 });
    expect(
      await passes('2026-12-20T12:00', '2027-01-20T12:00', '2027-02-20T12:00', '2027-03-20T12:00'),
    ).toEqual([['RT1 2.1 free'], ['RT1 3.1 approved'], ['RT1 4.1 approved'], []]);
    expect(bank.asked).toEqual(['RT1-3-1', 'RT1-4-1']);
  });

  test('that ends after its first payment is ended at once', async () => {
    expect(await bank.subscribe({ interval: 'month', billing_cycle: 1 })).toMatchObject({
      status: 0,
      next: undefined,
    });
  });
});

describe('a declined charge', () => {
  test('is tried again on days 1, 3 and 5, then the contract is past due', async () => {
    await bank.subscribe({ interval: 'month' });
    bank.answers = ['declines', 'declines', 'declines', 'declines'];
    expect(
      await passes(
        '2026-12-20T12:00',
        '2026-12-21T11:59',
        '2026-12-21T12:00',
        '2026-12-22T12:00',
        '2026-12-23T12:00',
        '2026-12-25T12:00',
        '2026-12-27T12:00',
        '2027-06-27T12:00',
      ),
    ).toEqual([
      ['RT1 2.1 declined D0051'],
      [],
      ['RT1 2.2 declined D0051'],
      [],
      ['RT1 2.3 declined D0051'],
      ['RT1 2.4 declined D0051'],
      [],
      [],
    ]);
    expect(await stateOf('RT1')).toMatchObject({ status: 2, next: undefined });
  });

  test('that succeeds on a later day leaves the calendar as it was', async () => {
    await bank.subscribe({ interval: 'month' });
    bank.answers = ['declines', 'declines'];
    await passes('2026-12-20T12:00', '2026-12-21T12:00', '2026-12-23T12:00');
    expect(await stateOf('RT1')).toMatchObject({ status: 1, next: at('2027-01-20T12:00') });
  });

  test('of a contract that is past due is tried again when a person orders it, and then goes on', async () => {
    await bank.subscribe({ interval: 'month' });
    bank.answers = ['declines', 'declines', 'declines', 'declines', 'declines'];
    await passes('2026-12-20T12:00', '2026-12-21T12:00', '2026-12-23T12:00', '2026-12-25T12:00');
    const ordered = { who: 'ann', reason: 'the shopper has called' };
    bank.sandbox.now = at('2027-02-01T09:00');
    expect(await makeAttempt(bank.context, 1)).toBeUndefined();
    expect(words((await makeAttempt(bank.context, 1, ordered))!)).toBe('RT1 2.5 declined D0051');
    expect(await stateOf('RT1')).toMatchObject({ status: 2 });
    bank.sandbox.now = at('2027-02-02T09:00');
    expect(words((await makeAttempt(bank.context, 1, ordered))!)).toBe('RT1 2.6 approved');
    expect(await passes('2027-02-02T09:01', '2027-02-03T00:00', '2027-02-20T12:00')).toEqual([
      [],
      ['RT1 3.1 approved'],
      ['RT1 4.1 approved'],
    ]);
    const acts = await actsAfter(bank.sandbox.database.reads, 0, 10);
    expect(acts.map(({ who, act, subject, detail }) => [who, act, subject, JSON.parse(detail)])).toEqual([
      ['ann', 'recurring.run', 'RT1', { reason: 'the shopper has called', cycle: 2, attempt: 5 }],
      ['ann', 'recurring.run', 'RT1', { reason: 'the shopper has called', cycle: 2, attempt: 6 }],
    ]);
  });

  test('can be ordered before its next try, one that is not yet due cannot', async () => {
    await bank.subscribe({ interval: 'month' });
    const ordered = { who: 'ann', reason: 'the shopper has called' };
    expect(await makeAttempt(bank.context, 1, ordered)).toBeUndefined();
    bank.answers = ['declines'];
    await passes('2026-12-20T12:00');
    expect(words((await makeAttempt(bank.context, 1, ordered))!)).toBe('RT1 2.2 approved');
  });
});

describe('a person who ends a contract', () => {
  const ann = { who: 'ann', reason: 'asked for by the shopper' };

  test('has nothing charged any more, and it stands in the audit', async () => {
    await bank.subscribe({ interval: 'month' });
    expect(await endContract(bank.sandbox.database, 1, ann, bank.sandbox.now)).toBe(true);
    expect(await passes('2026-12-20T12:00', '2027-12-20T12:00')).toEqual([[], []]);
    expect(await stateOf('RT1')).toMatchObject({ status: 0, next: undefined });
    expect(await actsAfter(bank.sandbox.database.reads, 0, 10)).toMatchObject([
      { who: 'ann', act: 'recurring.end', subject: 'RT1', detail: '{"reason":"asked for by the shopper"}' },
    ]);
    expect(await endContract(bank.sandbox.database, 1, ann, bank.sandbox.now)).toBe(false);
  });

  test('ends one that is past due', async () => {
    await bank.subscribe({ interval: 'month' });
    bank.answers = ['declines', 'declines', 'declines', 'declines'];
    await passes('2026-12-20T12:00', '2026-12-21T12:00', '2026-12-23T12:00', '2026-12-25T12:00');
    expect(await endContract(bank.sandbox.database, 1, ann, bank.sandbox.now)).toBe(true);
    expect(await stateOf('RT1')).toMatchObject({ status: 0 });
  });
});

describe('an answer that is missing', () => {
  test('is waited for, and counts when it comes', async () => {
    await bank.subscribe({ interval: 'day' });
    bank.answers = ['is silent'];
    expect(await passes('2026-11-21T12:00', '2026-11-21T12:06', '2026-11-22T12:00')).toEqual([
      ['RT1 2.1 waiting E0001'],
      [],
      [],
    ]);
    await bank.decide('T2', 'authorise');
    expect(await passes('2026-11-22T12:10', '2026-11-22T12:20')).toEqual([['RT1 3.1 approved'], []]);
    expect(bank.asked).toEqual(['RT1-2-1', 'RT1-3-1']);
  });

  test('that turns out to be a decline is followed by the next try', async () => {
    await bank.subscribe({ interval: 'month' });
    bank.answers = ['is silent'];
    await passes('2026-12-20T12:00');
    await bank.decide('T2', 'decline');
    expect(await passes('2026-12-20T12:10', '2026-12-21T12:00')).toEqual([[], ['RT1 2.2 approved']]);
  });

  test('is that of a charge held for review, too', async () => {
    await bank.subscribe({ interval: 'month' });
    bank.answers = ['reviews'];
    expect(await passes('2026-12-20T12:00', '2027-01-20T12:00')).toEqual([['RT1 2.1 waiting R0002'], []]);
    await bank.decide('T2', 'review_accepted');
    expect(await passes('2027-01-20T12:10')).toEqual([['RT1 3.1 approved']]);
  });

  test('of the first payment keeps the contract waiting: it is held for review', async () => {
    expect(await bank.subscribe({ interval: 'month' }, { state: 'in_review' })).toMatchObject({ status: 1 });
    await bank.subscribe({ interval: 'month' }, { state: 'in_review' });
    await bank.decide('T1', 'review_accepted');
    await bank.decide('T2', 'review_rejected');
    expect(await passes('2026-12-20T12:00')).toEqual([['RT1 2.1 approved']]);
    expect(await stateOf('RT2')).toMatchObject({ status: 0 });
  });
});

describe('a card that cannot be asked', () => {
  test('is asked under the same number some minutes later', async () => {
    await bank.subscribe({ interval: 'month' });
    bank.answers = ['is away'];
    expect(await passes('2026-12-20T12:00', '2026-12-20T12:04', '2026-12-20T12:05')).toEqual([
      ['RT1 2.1 begun E0002'],
      [],
      ['RT1 2.1 approved'],
    ]);
    expect(bank.asked).toEqual(['RT1-2-1']);
  });
});

describe('cycles that were missed', () => {
  test('are caught up with one a day, in order', async () => {
    await bank.subscribe({ interval: 'month' });
    expect(
      await passes(
        '2027-02-25T09:00',
        '2027-02-25T09:01',
        '2027-02-26T00:00',
        '2027-02-27T09:00',
        '2027-02-28T09:00',
        '2027-03-20T12:00',
      ),
    ).toEqual([
      ['RT1 2.1 approved'],
      [],
      ['RT1 3.1 approved'],
      ['RT1 4.1 approved'],
      [],
      ['RT1 5.1 approved'],
    ]);
  });

  test('and cost nothing are passed over at once', async () => {
    await bank.subscribe({ interval: 'month', promotion_cycle: 3 });
    expect(await passes('2027-02-25T09:00', '2027-02-25T09:01', '2027-02-25T09:02')).toEqual([
      ['RT1 2.1 free'],
      ['RT1 3.1 free'],
      ['RT1 4.1 approved'],
    ]);
  });

  test('F52 a clock that jumps ahead and back charges nothing twice', async () => {
    await bank.subscribe({ interval: 'month' });
    expect(
      await passes(
        '2026-12-20T12:00',
        '2027-03-20T12:00',
        '2026-12-20T12:01',
        '2026-12-21T12:00',
        '2027-01-20T12:00',
        '2027-03-21T12:00',
      ),
    ).toEqual([['RT1 2.1 approved'], ['RT1 3.1 approved'], [], [], [], ['RT1 4.1 approved']]);
    expect(new Set(bank.asked).size).toBe(bank.asked.length);
  });
});

describe('killed', () => {
  test.each<[Death, string[], string[]]>([
    ['before the reservation', ['RT1 2.1 approved'], ['RT1-2-1']],
    ['before the answer', [], ['RT1-2-1']],
    ['after the answer', [], ['RT1-2-1']],
  ])('F46 %s: %j is done by the next run, and the card was asked once', async (death, next, asked) => {
    await bank.subscribe({ interval: 'month' });
    bank.sandbox.now = at('2026-12-20T12:00');
    bank.death = death;
    await expect(bank.run()).rejects.toThrow('killed');
    bank.death = undefined;
    bank.sandbox.now += 6 * MINUTE;
    expect(await bank.run()).toEqual(next);
    expect(await bank.run()).toEqual([]);
    if (death === 'before the answer') await bank.decide('T2', 'authorise');
    bank.sandbox.now += DAY;
    expect(await bank.run()).toEqual([]);
    expect(bank.asked).toEqual(asked);
    expect(await stateOf('RT1')).toMatchObject({ status: 1, next: at('2027-01-20T12:00') });
  });

  test('before the reservation, and then ended by a person: nothing is charged', async () => {
    await bank.subscribe({ interval: 'month' });
    bank.sandbox.now = at('2026-12-20T12:00');
    bank.death = 'before the reservation';
    await expect(bank.run()).rejects.toThrow('killed');
    bank.death = undefined;
    await endContract(bank.sandbox.database, 1, { who: 'ann', reason: '' }, bank.sandbox.now);
    bank.sandbox.now += DAY;
    expect(await bank.run()).toEqual([]);
    expect(bank.asked).toEqual([]);
  });

  test('on one contract, the others get their turn', async () => {
    await bank.subscribe({ interval: 'month' });
    await bank.subscribe({ interval: 'month' });
    bank.sandbox.now = at('2026-12-20T12:00');
    bank.death = 'before the reservation';
    await expect(bank.run()).rejects.toThrow('killed');
    bank.death = undefined;
    expect(await bank.run()).toEqual(['RT2 2.1 approved']);
    bank.sandbox.now += 6 * MINUTE;
    expect(await bank.run()).toEqual(['RT1 2.1 approved']);
  });
});

describe('two runs at once', () => {
  test('ask each card once', async () => {
    for (let index = 0; index < 5; index += 1) await bank.subscribe({ interval: 'month' });
    bank.sandbox.now = at('2026-12-20T12:00');
    bank.latency = () => new Promise((resolve) => setTimeout(resolve, 2));
    await Promise.all([bank.run(), bank.run(), bank.run()]);
    expect([...bank.asked].sort()).toEqual([1, 2, 3, 4, 5].map((number) => `RT${number}-2-1`));
    expect(await passes('2026-12-20T12:30')).toEqual([[]]);
  });
});

describe('a call', () => {
  test('stops between contracts when it is asked to', async () => {
    await bank.subscribe({ interval: 'month' });
    await bank.subscribe({ interval: 'month' });
    bank.sandbox.now = at('2026-12-20T12:00');
    let turns = 1;
    const { reports } = await chargeDue(bank.context, () => {
      turns -= 1;
      return turns >= 0;
    });
    expect(reports.map(words)).toEqual(['RT1 2.1 approved']);
    expect(await bank.run()).toEqual(['RT2 2.1 approved']);
  });
});

/** What queries say of a contract. */
async function stateOf(recurringId: string) {
  const { terms, standing } = await bank.contract(recurringId);
  return contractState(recurringId, terms, standing);
}

test('queries find the contract of its first payment and of its charges, and of nothing else', async () => {
  await bank.sandbox.given({ id: 'IMPORTED' });
  await bank.subscribe({ interval: 'month', contract_name: 'Tea' });
  await bank.subscribe({ interval: 'day', contract_name: 'Milk' });
  await passes('2026-12-20T12:00');
  const states = await contractStates(bank.sandbox.database.reads, [1, 2, 3, 4, 5]);
  expect([...states].map(([txn, { name }]) => [txn, name]).sort()).toEqual([
    [2, 'Tea'],
    [3, 'Milk'],
    [4, 'Milk'],
    [5, 'Tea'],
  ]);
  expect(await contractStates(bank.sandbox.database.reads, [])).toEqual(new Map());
});
