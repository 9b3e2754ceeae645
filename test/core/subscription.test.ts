/** Terms and calendar of subscriptions. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SubscriptionMessage } from '../../src/core/payment-message.ts';
import { dueOf, periodOf, readTerms, subscriptionFault, type Terms } from '../../src/core/subscription.ts';
import { wallOf } from '../../src/core/wall-time.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const DAY = 24 * 60 * 60 * 1000;

function terms(message: Partial<SubscriptionMessage>, openedAt = NOON, zone = 'UTC'): Terms {
  const read = readTerms({ interval: 'month', ...message }, 'O-1', openedAt, zone);
  if ('code' in read) throw new Error(read.message);
  return read;
}

/** The due times of the charges from the second on. */
function dues(of: Terms, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => new Date(dueOf(of, index + 2)!).toISOString());
}

describe('charges are due', () => {
  const at = (text: string) => Date.parse(text);

  test.each<[string, string, Partial<SubscriptionMessage>, string, string[]]>([
    ['every day', '2026-11-20T12:00Z', { interval: 'day' }, 'UTC', ['2026-11-21T12:00', '2026-11-22T12:00']],
    [
      'every second week',
      '2026-11-20T12:00Z',
      { interval: 'week', interval_count: '2' },
      'UTC',
      ['2026-12-04T12:00', '2026-12-18T12:00'],
    ],
    [
      'on the last day where a month is shorter, and on the 31st again',
      '2026-01-31T12:00Z',
      {},
      'UTC',
      ['2026-02-28T12:00', '2026-03-31T12:00', '2026-04-30T12:00', '2026-05-31T12:00'],
    ],
    [
      'on 29 February where there is one',
      '2028-02-29T12:00Z',
      { interval: 'year' },
      'UTC',
      ['2029-02-28T12:00', '2030-02-28T12:00', '2031-02-28T12:00', '2032-02-29T12:00'],
    ],
    [
      'every third month',
      '2026-11-30T12:00Z',
      { interval_count: '3' },
      'UTC',
      ['2027-02-28T12:00', '2027-05-30T12:00'],
    ],
    [
      'at the same time of the day, in summer as in winter',
      '2026-03-28T12:00Z',
      { interval: 'day' },
      'Europe/Berlin',
      ['2026-03-29T11:00', '2026-03-30T11:00'],
    ],
    [
      'when clocks have gone over their hour, right after it',
      '2026-03-28T01:30Z',
      { interval: 'day' },
      'Europe/Berlin',
      ['2026-03-29T01:30', '2026-03-30T00:30'],
    ],
    [
      'by the days of the account: it is the 31st there already',
      '2026-01-30T23:30Z',
      {},
      'Europe/Berlin',
      ['2026-02-27T23:30', '2026-03-30T22:30'],
    ],
    [
      'from a start ahead on: the first payment is for the time that begins there',
      '2026-11-20T12:00Z',
      { contract_start: '2026-12-01' },
      'Europe/Berlin',
      ['2026-12-31T23:00', '2027-01-31T23:00'],
    ],
    [
      'from the same day on',
      '2026-11-20T12:00Z',
      { interval: 'day', contract_start: '2026-11-20' },
      'UTC',
      ['2026-11-21T00:00', '2026-11-22T00:00'],
    ],
    [
      'never for the time before the first payment',
      '2026-11-20T12:00Z',
      { contract_start: '2024-01-31T08:00:00Z' },
      'UTC',
      ['2026-11-30T08:00', '2026-12-31T08:00'],
    ],
  ])('%s', (_, opened, message, zone, expected) => {
    expect(dues(terms(message, at(opened), zone), expected.length)).toEqual(
      expected.map((text) => `${text}:00.000Z`),
    );
  });

  test('until the calendar ends', () => {
    const yearly = terms({ interval: 'year', interval_count: '999' });
    expect(dueOf(yearly, 8)).toBeDefined();
    expect(dueOf(yearly, 9)).toBeUndefined();
    expect(dueOf(yearly, 999_999_999_999_999)).toBeUndefined();
  });
});

const ZONES = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Pacific/Kiritimati'];

const someTerms = fc
  .record({
    interval: fc.constantFrom('day', 'week', 'month', 'year'),
    interval_count: fc.integer({ min: 1, max: 30 }).map(String),
    openedAt: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) }),
    start: fc.option(fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) })),
    zone: fc.constantFrom(...ZONES),
  })
  .map(({ interval, interval_count, openedAt, start, zone }) => {
    const contract_start = start === null ? undefined : `${new Date(start).toISOString().slice(0, 19)}Z`;
    return { openedAt, terms: terms({ interval, interval_count, contract_start }, openedAt, zone) };
  });

describe('whatever the terms', () => {
  const cycle = fc.integer({ min: 2, max: 100 });

  test('each charge is due after the one before, and after the first payment', () => {
    fc.assert(
      fc.property(someTerms, cycle, ({ terms: some, openedAt }, n) => {
        const [due, next] = [dueOf(some, n)!, dueOf(some, n + 1)!];
        expect(due).toBeGreaterThan(openedAt);
        expect(next).toBeGreaterThan(due);
      }),
    );
  });

  test('months and years keep the day of the month, or clip it to the last', () => {
    fc.assert(
      fc.property(someTerms, cycle, ({ terms: some }, n) => {
        fc.pre(some.interval === 'month' || some.interval === 'year');
        const [start, due] = [some.start, dueOf(some, n)!].map((at) => new Date(wallOf(at, some.timeZone)));
        const isLast = new Date(due!.getTime() + DAY).getUTCDate() === 1;
        expect(
          due!.getUTCDate() === start!.getUTCDate() || (isLast && due!.getUTCDate() < start!.getUTCDate()),
        ).toBe(true);
      }),
    );
  });
});

describe('terms', () => {
  test('that the order does not say', () => {
    expect(terms({})).toEqual({
      name: 'O-1',
      interval: 'month',
      intervalCount: 1,
      cycles: 0,
      freeCycles: 0,
      timeZone: 'UTC',
      start: NOON,
      skipped: 0,
      end: undefined,
    });
  });

  test('have the name of the contract, or else its number', () => {
    expect(terms({ contract: 'C-7', contract_name: 'Tea every month' }).name).toBe('Tea every month');
    expect(terms({ contract: 'C-7' }).name).toBe('C-7');
  });

  test('end with the day in the zone of the account, or at a moment', () => {
    expect(terms({ contract_end: '2026-12-31' }, NOON, 'Europe/Berlin').end).toBe(
      Date.parse('2026-12-31T22:59:59.999Z'),
    );
    expect(terms({ contract_end: '2026-12-31T12:00:00+01:00' }).end).toBe(Date.parse('2026-12-31T11:00:00Z'));
  });

  test('have a period as the order writes it', () => {
    expect(periodOf(terms({ interval: 'week', interval_count: '2' }))).toBe('2 week');
  });

  test.each<[Partial<SubscriptionMessage>, string]>([
    [{ billing_cycle: -1 }, 'billing_cycle'],
    [{ promotion_cycle: -1 }, 'promotion_cycle'],
    [{ billing_cycle: 2, promotion_cycle: 3 }, 'promotion_cycle'],
    [{ contract_start: '20.11.2026' }, 'contract_start'],
    [{ contract_start: '2026-02-30' }, 'contract_start'],
    [{ contract_start: '2026-11-20T25:00:00Z' }, 'contract_start'],
    [{ contract_start: '2026-11-20T08:00:00' }, 'contract_start'],
    [{ contract_start: '1969-12-31' }, 'contract_start'],
    [{ contract_end: 'never' }, 'contract_end'],
    [{ contract_start: '2026-12-01', contract_end: '2026-11-30' }, 'contract_end'],
  ])('%j: %s is at fault', (message, field) => {
    expect(subscriptionFault({ interval: 'month', ...message }, false, NOON, 'UTC')).toMatchObject({
      code: 'I0002',
      column: `subscription.${field}`,
    });
  });

  test('are for cards alone', () => {
    const fault = (isApm: boolean) => subscriptionFault({ interval: 'day' }, isApm, NOON, 'UTC');
    expect([fault(false), fault(true)?.code]).toEqual([undefined, 'I0002']);
  });
});
