/** The fee that was agreed with an acquirer, to the minor unit. */
import { parseAmount } from '../core/money.ts';
import type { AgreedFee } from '../core/reconcile-terms.ts';

/** A per cent of a per cent of a per cent: percents have four decimals at most. */
const PERCENT_DIGITS = 4;

/** What 100 % is in those. */
const WHOLE = 1_000_000n;

/**
 * @param gross minor units; its sign does not matter, a refund costs what a payment does
 * @returns minor units
 */
export function agreedFeeOf({ percent, fixed, rounding }: AgreedFee, gross: number): bigint {
  const amount = BigInt(Math.abs(gross));
  return rounded(amount * rateOf(percent), rounding) + BigInt(fixed);
}

function rateOf(percent: string): bigint {
  const rate = parseAmount(percent, PERCENT_DIGITS);
  return typeof rate === 'number' ? BigInt(rate) : 0n;
}

function rounded(parts: bigint, rounding: AgreedFee['rounding']): bigint {
  const whole = parts / WHOLE;
  const twice = (parts % WHOLE) * 2n;
  if (twice === 0n) return whole;
  switch (rounding) {
    case 'down':
      return whole;
    case 'up':
      return whole + 1n;
    case 'half-up':
      return twice >= WHOLE ? whole + 1n : whole;
    case 'half-even':
      return twice > WHOLE || (twice === WHOLE && whole % 2n === 1n) ? whole + 1n : whole;
  }
}
