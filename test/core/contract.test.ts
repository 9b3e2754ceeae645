/** Where a contract stands: tables of what has happened and what comes next. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Charge,
  type ChargeOutcome,
  type ContractFacts,
  contractState,
  outcomeOf,
  type Standing,
  standingOf,
} from '../../src/core/contract.ts';
import type { SubscriptionMessage } from '../../src/core/payment-message.ts';
import { readTerms, type Terms } from '../../src/core/subscription.ts';

const OPENED = Date.parse('2026-01-31T12:00:00Z');

function terms(message: Partial<SubscriptionMessage> = {}): Terms {
  const read = readTerms({ interval: 'month', ...message }, 'O-1', OPENED, 'UTC');
  if ('code' in read) throw new Error(read.message);
  return read;
}

/** `2.1 approved 2026-02-28T12:05`: cycle, attempt, outcome and when it was begun. */
function charge(text: string): Charge {
  const [, cycle, attempt, outcome, at] = /^(\d+)\.(\d+) (\w+) (\S+)$/.exec(text)!;
  return {
    cycle: Number(cycle),
    attempt: Number(attempt),
    outcome: outcome as ChargeOutcome,
    at: Date.parse(`${at}:00Z`),
  };
}

function facts(of: Terms, last: string | undefined, change: Partial<ContractFacts> = {}): ContractFacts {
  const newest = last === undefined ? undefined : charge(last);
  const askedAt = newest === undefined || newest.outcome === 'free' ? OPENED : newest.at;
  return { terms: of, first: 'approved', last: newest, askedAt, ended: false, ...change };
}

function words(standing: Standing): string {
  if (standing.is !== 'active' && standing.is !== 'past due') return standing.is;
  const { cycle, attempt, from, free } = standing.next;
  const time = new Date(from).toISOString().slice(0, 16);
  return `${standing.is}: ${cycle}.${attempt}${free ? ' free' : ''} from ${time}`;
}

describe('after the newest charge', () => {
  test.each<[string, Partial<SubscriptionMessage>, string | undefined, string]>([
    ['none: the second', {}, undefined, 'active: 2.1 from 2026-02-28T12:00'],
    ['approved: the one after it', {}, '2.1 approved 2026-02-28T12:00', 'active: 3.1 from 2026-03-31T12:00'],
    ['begun: itself', {}, '2.1 begun 2026-02-28T12:05', 'active: 2.1 from 2026-02-28T12:00'],
    ['waiting: nothing', {}, '2.1 waiting 2026-02-28T12:00', 'waiting'],
    ['declined: day 1', {}, '2.1 declined 2026-02-28T12:05', 'active: 2.2 from 2026-03-01T12:00'],
    ['declined twice: day 3', {}, '2.2 declined 2026-03-01T12:05', 'active: 2.3 from 2026-03-03T12:00'],
    ['declined three times: day 5', {}, '2.3 declined 2026-03-03T12:05', 'active: 2.4 from 2026-03-05T12:00'],
    [
      'declined four times: past due',
      {},
      '2.4 declined 2026-03-05T12:05',
      'past due: 2.5 from 2026-02-28T12:00',
    ],
    [
      'declined when a person ordered it',
      {},
      '2.5 declined 2026-06-01T09:00',
      'past due: 2.6 from 2026-02-28T12:00',
    ],
    [
      'approved when a person ordered it',
      {},
      '2.5 approved 2026-03-06T09:00',
      'active: 3.1 from 2026-03-31T12:00',
    ],
    [
      'declined late: a day later all the same',
      {},
      '2.1 declined 2026-03-10T12:05',
      'active: 2.2 from 2026-03-11T00:00',
    ],
    [
      'declined late again: two days later',
      {},
      '2.2 declined 2026-03-11T00:05',
      'active: 2.3 from 2026-03-13T00:00',
    ],
    ['a missed one: once a day', {}, '2.1 approved 2026-06-10T09:00', 'active: 3.1 from 2026-06-11T00:00'],
    [
      'free: the next',
      { promotion_cycle: 3 },
      '2.1 free 2026-02-28T12:00',
      'active: 3.1 free from 2026-03-31T12:00',
    ],
    [
      'the last free one',
      { promotion_cycle: 3 },
      '3.1 free 2026-03-31T12:00',
      'active: 4.1 from 2026-04-30T12:00',
    ],
    [
      'a missed free one: at once',
      { promotion_cycle: 3 },
      '2.1 free 2026-06-01T12:00',
      'active: 3.1 free from 2026-03-31T12:00',
    ],
    [
      'the last but one of three',
      { billing_cycle: 3 },
      '2.1 approved 2026-02-28T12:00',
      'active: 3.1 from 2026-03-31T12:00',
    ],
    ['the last of three', { billing_cycle: 3 }, '3.1 approved 2026-03-31T12:00', 'ended'],
    ['none, and one is all', { billing_cycle: 1 }, undefined, 'ended'],
    ['due on the last day', { contract_end: '2026-02-28' }, undefined, 'active: 2.1 from 2026-02-28T12:00'],
    ['due after the last day', { contract_end: '2026-02-27' }, undefined, 'ended'],
    [
      'tried again after the last day',
      { contract_end: '2026-02-28' },
      '2.1 declined 2026-02-28T12:00',
      'active: 2.2 from 2026-03-01T12:00',
    ],
  ])('%s', (_, message, last, expected) => {
    expect(words(standingOf(facts(terms(message), last)))).toBe(expected);
  });

  test('of a contract that a person has ended: nothing', () => {
    expect(words(standingOf(facts(terms(), '2.1 begun 2026-02-28T12:00', { ended: true })))).toBe('ended');
  });
});

describe('a first payment', () => {
  test.each<[ChargeOutcome, string]>([
    ['approved', 'active: 2.1 from 2026-02-28T12:00'],
    ['waiting', 'waiting'],
    ['declined', 'ended'],
  ])('that is %s: %s', (first, expected) => {
    expect(words(standingOf(facts(terms(), undefined, { first })))).toBe(expected);
  });

  test.each([
    ['in_doubt', undefined, 'waiting'],
    ['in_review', undefined, 'waiting'],
    ['in_review', 'accepted', 'approved'],
    ['in_review', 'rejected', 'declined'],
    ['declined', undefined, 'declined'],
    ['authorised', undefined, 'approved'],
    // Taken back by the merchant after it was approved: that is no reason to charge it again.
    ['cancelled', undefined, 'approved'],
    ['refunded', undefined, 'approved'],
  ] as const)('%s, review %s, counts as %s', (standing, review, expected) => {
    expect(outcomeOf({ standing, review })).toBe(expected);
  });
});

describe('results show', () => {
  test.each<[string | undefined, Partial<ContractFacts>, number, string | undefined]>([
    [undefined, {}, 1, '2026-02-28T12:00'],
    [undefined, { first: 'waiting' }, 1, '2026-02-28T12:00'],
    ['2.1 declined 2026-02-28T12:00', {}, 1, '2026-03-01T12:00'],
    ['2.1 waiting 2026-02-28T12:00', {}, 1, '2026-02-28T12:00'],
    ['2.4 declined 2026-03-05T12:00', {}, 2, undefined],
    [undefined, { ended: true }, 0, undefined],
  ])('%s %j: status %d, next %s', (last, change, status, next) => {
    const state = contractState('R1', terms(), standingOf(facts(terms(), last, change)));
    expect(state).toEqual({
      name: 'O-1',
      recurringId: 'R1',
      period: '1 month',
      next: next === undefined ? undefined : Date.parse(`${next}:00Z`),
      status,
    });
  });
});

/** Runs a contract day by day with some answers, and returns everything that was asked for. */
function live(of: Terms, answers: readonly ChargeOutcome[], pauses: readonly number[]): readonly Charge[] {
  const made: Charge[] = [];
  let now = OPENED;
  let askedAt = OPENED;
  for (let pass = 0; pass < answers.length; pass += 1) {
    now += pauses[pass % pauses.length]!;
    const last = made.at(-1);
    const standing = standingOf({ terms: of, first: 'approved', last, askedAt, ended: false });
    if (standing.is !== 'active' || standing.next.from > now) continue;
    const { cycle, attempt, free } = standing.next;
    made.push({ cycle, attempt, at: now, outcome: free ? 'free' : answers[pass]! });
    if (!free) askedAt = now;
  }
  return made;
}

test('whatever the answers, and however rarely somebody looks: each cycle once, in order, and never one too many', () => {
  const message = fc.record({
    interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
    billing_cycle: fc.integer({ min: 0, max: 6 }),
    promotion_cycle: fc.integer({ min: 0, max: 2 }),
  });
  const answers = fc.array(fc.constantFrom<ChargeOutcome>('approved', 'declined'), {
    minLength: 20,
    maxLength: 60,
  });
  const pauses = fc.array(fc.integer({ min: 60_000, max: 40 * 24 * 60 * 60 * 1000 }), { minLength: 1 });
  fc.assert(
    fc.property(message, answers, pauses, (asked, given, waits) => {
      fc.pre(asked.billing_cycle === 0 || asked.promotion_cycle <= asked.billing_cycle);
      const made = live(terms(asked), given, waits);
      const settled = made.filter(({ outcome }) => outcome !== 'declined').map(({ cycle }) => cycle);
      expect(settled).toEqual(settled.map((_, index) => index + 2));
      if (asked.billing_cycle > 0) expect(settled.length).toBeLessThan(Math.max(1, asked.billing_cycle));
      expect(made.filter(({ outcome }) => outcome === 'free').length).toBeLessThanOrEqual(
        Math.max(0, asked.promotion_cycle - 1),
      );
      const days = made
        .filter(({ outcome }) => outcome !== 'free')
        .map(({ at }) => new Date(at).toISOString().slice(0, 10));
      expect(new Set(days).size).toBe(days.length);
      expect(made.every(({ attempt }) => attempt <= 4)).toBe(true);
    }),
  );
});
