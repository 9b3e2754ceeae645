/** Risk: each rule alone, and what thresholds make of their sum. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assess, type RiskFacts, riskSettings } from '../../src/core/risk.ts';

const QUIET: RiskFacts = {
  currency: 'USD',
  amount: 10_000,
  cardNumber: '4111111111111111',
  billingCountry: undefined,
  deliveryCountry: undefined,
  earlier: { card: 0, email: 0, ip: 0 },
};

const DEFAULT = riskSettings.parse({});
const LIMITED = riskSettings.parse({ amount: { USD: 10_000 } });

const HELD = '4000000000009235';

function earlier(counts: Partial<RiskFacts['earlier']>): Partial<RiskFacts> {
  return { earlier: { ...QUIET.earlier, ...counts } };
}

describe('a rule', () => {
  test.each([
    ['amount', LIMITED, { amount: 10_000 }, 'pass', 0],
    ['amount', LIMITED, { amount: 10_001 }, 'review', 50],
    ['amount', LIMITED, { amount: 20_000 }, 'review', 50],
    ['amount', LIMITED, { amount: 20_001 }, 'fail', 90],
    ['amount', LIMITED, { amount: 90_000, currency: 'JPY' }, 'pass', 0],
    ['card_velocity', DEFAULT, earlier({ card: 29 }), 'pass', 0],
    ['card_velocity', DEFAULT, earlier({ card: 30 }), 'review', 20],
    ['email_velocity', DEFAULT, earlier({ email: 30 }), 'review', 15],
    ['ip_velocity', DEFAULT, earlier({ ip: 299 }), 'pass', 0],
    ['ip_velocity', DEFAULT, earlier({ ip: 300 }), 'review', 15],
    ['country_mismatch', DEFAULT, { billingCountry: 'BR' }, 'pass', 0],
    ['country_mismatch', DEFAULT, { billingCountry: 'BR', deliveryCountry: 'br' }, 'pass', 0],
    ['country_mismatch', DEFAULT, { billingCountry: 'BR', deliveryCountry: 'MX' }, 'review', 10],
    ['test_card', DEFAULT, { cardNumber: HELD }, 'review', 60],
    ['test_card', DEFAULT, { cardNumber: undefined }, 'pass', 0],
  ])('%s %#', (name, settings, change, status, score) => {
    const verdict = assess({ ...QUIET, ...change }, settings);
    expect(verdict.reasons.find((one) => one.name === name)?.status).toBe(status);
    expect(verdict.score).toBe(score);
  });
});

test.each([
  ['nothing', {}, 'accept', 0],
  ['much from one card and one address', earlier({ card: 99, email: 99 }), 'accept', 35],
  ['much from everywhere', earlier({ card: 99, email: 99, ip: 999 }), 'review', 50],
  ['a held card', { cardNumber: HELD }, 'review', 60],
  ['a held card, much used', { cardNumber: HELD, ...earlier({ card: 99, email: 99 }) }, 'reject', 95],
])('by default %s: %#', (_, change, action, score) => {
  expect(assess({ ...QUIET, ...change }, DEFAULT)).toMatchObject({ action, score });
});

test('a score is never above 100, and one reason a rule stands in the same order', () => {
  const count = fc.nat({ max: 1_000 });
  fc.assert(
    fc.property(
      count,
      count,
      count,
      fc.integer({ min: 1, max: 999_999_999_999_999 }),
      (card, email, ip, amount) => {
        const facts = { ...QUIET, cardNumber: HELD, amount, earlier: { card, email, ip } };
        const verdict = assess(facts, LIMITED);
        expect(verdict.score).toBeGreaterThanOrEqual(60);
        expect(verdict.score).toBeLessThanOrEqual(100);
        expect(verdict.reasons.map(({ name }) => name)).toEqual(
          assess(QUIET, DEFAULT).reasons.map(({ name }) => name),
        );
        expect(verdict.action).toBe(verdict.score >= 90 ? 'reject' : 'review');
      },
    ),
  );
});
