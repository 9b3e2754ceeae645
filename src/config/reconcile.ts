/** The setting `reconcile`: how long a movement may take, which fees were agreed, and what is severe. */
import * as z from 'zod';
import { digitsOf } from '../core/currency.ts';
import { parseAmount } from '../core/money.ts';
import type { ReconcileTerms } from '../core/reconcile-terms.ts';

/** Days. */
const days = z.int().min(0).max(3650);

/** Whole units of whatever currency a break is in. */
const severityTerms = z.strictObject({ amount: z.int().min(0), days });

/** A fee that was agreed with the acquirer: so many hundredths of the gross in per cent, and so much a line. */
const agreedFee = z
  .strictObject({
    currency: z.string().refine((code) => digitsOf(code) !== undefined, 'must be an ISO 4217 code'),
    kind: z.enum(['payment', 'refund', 'chargeback']).default('payment'),
    percent: z
      .string()
      .regex(/^\d{1,2}(\.\d{1,4})?$/, 'must be a number such as "1.4"')
      .default('0'),
    fixed: z.string().default('0'),
    /** What is done with parts of the smallest unit. */
    rounding: z.enum(['half-even', 'half-up', 'down', 'up']).default('half-even'),
    /** Smallest units by which a fee may differ without a break. */
    tolerance: z.int().min(0).default(0),
  })
  .transform((fee, context) => {
    const fixed = /^0+(\.0+)?$/.test(fee.fixed) ? 0 : parseAmount(fee.fixed, digitsOf(fee.currency) ?? 0);
    if (typeof fixed === 'number') return { ...fee, fixed };
    context.addIssue({
      code: 'custom',
      path: ['fixed'],
      message: 'must be a decimal amount of the currency, for example "0.25"',
    });
    return z.NEVER;
  });

const reconcileTerms = {
  /** The first day that is compared. */
  since: z.iso.date('must be a day, YYYY-MM-DD').optional(),
  /** Days after which a movement of the ledger should be in the acquirer's statement, … */
  lag: days.optional(),
  /** … and a payout in the bank's. */
  bank_lag: days.optional(),
  /** Days by which a statement's day may differ where only amount and day can tell. */
  window: days.optional(),
  severity: z.strictObject({ medium: severityTerms.optional(), high: severityTerms.optional() }).optional(),
  fees: z.array(agreedFee).optional(),
};

export const reconcileSchema = z.strictObject({
  ...reconcileTerms,
  /** By account, as MERCHANT/ACCOUNT; what is not said there, the lines above say. */
  accounts: z
    .record(z.string().regex(/^[^/]+\/[^/]+$/, 'must be MERCHANT/ACCOUNT'), z.strictObject(reconcileTerms))
    .default({}),
});

export type ReconcileConfig = z.output<typeof reconcileSchema>;

/** @param account as MERCHANT/ACCOUNT */
export function reconcileTermsOf(reconcile: ReconcileConfig, account: string): ReconcileTerms {
  const own = reconcile.accounts[account] ?? {};
  const lag = own.lag ?? reconcile.lag ?? 0;
  return {
    since: own.since ?? reconcile.since,
    lag,
    bankLag: own.bank_lag ?? reconcile.bank_lag ?? lag,
    window: own.window ?? reconcile.window ?? 5,
    severity: {
      medium: own.severity?.medium ?? reconcile.severity?.medium ?? { amount: 100, days: 7 },
      high: own.severity?.high ?? reconcile.severity?.high ?? { amount: 10_000, days: 30 },
    },
    fees: own.fees ?? reconcile.fees ?? [],
  };
}
