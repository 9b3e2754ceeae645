/**
 * What risk makes of a payment before anybody is asked for it: a list of small rules, each adding to a score; the
 * account's thresholds turn the score into an action. Engine decisions, "Risk"; the figures are this project's choice.
 */
import * as z from 'zod';
import type { RiskVerdict } from './payment.ts';

/** The sandbox's card of a payment that risk holds for review. */
const HELD_TEST_CARD = '4000000000009235';

const MOST_SCORE = 100;

const threshold = z.int().min(1).max(MOST_SCORE);

/**
 * Settings of an account. A score from `review` on holds a payment, from `reject` on refuses it. `amount` is by currency,
 * in minor units: above it a payment is held, above its double refused. `per_hour` is how often a card, an e-mail
 * address or an address of the network may pay; beyond that it counts against the payment without deciding it alone.
 */
export const riskSettings = z.strictObject({
  review: threshold.default(50),
  reject: threshold.default(90),
  amount: z.record(z.string(), z.int().positive()).default({}),
  per_hour: z
    .strictObject({
      card: z.int().positive().default(30),
      email: z.int().positive().default(30),
      ip: z.int().positive().default(300),
    })
    .prefault({}),
});

export type RiskSettings = z.infer<typeof riskSettings>;

/** Over this span the `per_hour` counts reach back, milliseconds. */
export const VELOCITY_SPAN = 60 * 60 * 1000;

/** What is known of a payment when risk is asked. */
export interface RiskFacts {
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  /** In memory only; undefined where no card is used. */
  readonly cardNumber: string | undefined;
  readonly billingCountry: string | undefined;
  readonly deliveryCountry: string | undefined;
  /** Earlier payments of the last hour in the same account, by what they share with this one. */
  readonly earlier: { readonly card: number; readonly email: number; readonly ip: number };
}

interface Finding {
  readonly status: 'pass' | 'review' | 'fail';
  readonly score: number;
}

type Rule = (facts: RiskFacts, settings: RiskSettings) => Finding;

const PASS: Finding = { status: 'pass', score: 0 };

function suspicious(when: boolean, score: number): Finding {
  return when ? { status: 'review', score } : PASS;
}

/** All rules by the name under which their finding is told. */
const RULES: Readonly<Record<string, Rule>> = {
  amount({ amount, currency }, settings) {
    const limit = settings.amount[currency];
    if (limit === undefined || amount <= limit) return PASS;
    return amount > 2 * limit ? { status: 'fail', score: 90 } : { status: 'review', score: 50 };
  },
  card_velocity: ({ earlier }, { per_hour }) => suspicious(earlier.card >= per_hour.card, 20),
  email_velocity: ({ earlier }, { per_hour }) => suspicious(earlier.email >= per_hour.email, 15),
  ip_velocity: ({ earlier }, { per_hour }) => suspicious(earlier.ip >= per_hour.ip, 15),
  country_mismatch: ({ billingCountry, deliveryCountry }) =>
    suspicious(
      billingCountry !== undefined &&
        deliveryCountry !== undefined &&
        billingCountry.toUpperCase() !== deliveryCountry.toUpperCase(),
      10,
    ),
  test_card: ({ cardNumber }) => suspicious(cardNumber === HELD_TEST_CARD, 60),
};

/** The verdict on a payment: one reason a rule, in the order of the rules. */
export function assess(facts: RiskFacts, settings: RiskSettings): RiskVerdict {
  const findings = Object.entries(RULES).map(([name, rule]) => ({ name, ...rule(facts, settings) }));
  const score = Math.min(
    MOST_SCORE,
    findings.reduce((sum, finding) => sum + finding.score, 0),
  );
  return {
    action: score >= settings.reject ? 'reject' : score >= settings.review ? 'review' : 'accept',
    score,
    reasons: findings.map(({ name, status }) => ({ name, status })),
  };
}
