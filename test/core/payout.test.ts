import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payout } from '../../src/core/gateway.ts';
import {
  convert,
  decidePayout,
  type FeePaidBy,
  type PayoutTerms,
  parseRate,
  payoutTransfers,
  type Rate,
} from '../../src/core/payout.ts';

interface Asked {
  readonly from?: string;
  readonly to?: string;
  readonly source?: number;
  readonly payment?: number;
  readonly paidBy?: FeePaidBy;
}

function payout({ from = 'USD', to = 'USD', source, payment, paidBy }: Asked): Payout {
  return {
    message: {
      request_id: 'P1',
      payment_method: 'SWIFT',
      source_currency: from,
      payment_currency: to,
      ...(paidBy === undefined ? {} : { fee_paid_by: paidBy }),
      beneficiary: { entity_type: 'COMPANY' },
    },
    requestId: 'P1',
    sourceCurrency: from,
    paymentCurrency: to,
    sourceAmount: source,
    paymentAmount: payment,
    line: 2,
  };
}

function terms(changes: Partial<PayoutTerms> = {}): PayoutTerms {
  return { balance: 1_000_000n, fee: 0, rate: undefined, bankFault: undefined, ...changes };
}

function rate(text: string): Rate {
  const parsed = parseRate(text);
  if (parsed === undefined) throw new Error(`${text} is no rate`);
  return parsed;
}

/** A decision as one line of a ledger: `source payer_pays fee → beneficiary_receives`, or the code. */
function figures(asked: Asked, given: Partial<PayoutTerms> = {}): string {
  const decided = decidePayout(payout(asked), terms(given));
  if ('code' in decided) return decided.code;
  return `${decided.sourceAmount} ${decided.payerPays} ${decided.fee} → ${decided.beneficiaryReceives}`;
}

describe('who pays the fee, in one currency', () => {
  test.each<[FeePaidBy | undefined, number, Asked, string]>([
    // P = S + F: the beneficiary gets the source amount.
    ['PAYER', 0, { source: 10000 }, '10000 10000 0 → 10000'],
    ['PAYER', 250, { source: 10000 }, '10000 10250 250 → 10000'],
    ['PAYER', 250, { payment: 10000 }, '10000 10250 250 → 10000'],
    [undefined, 250, { source: 10000 }, '10000 10250 250 → 10000'],
    // P = S: the fee is taken from it.
    ['BENEFICIARY', 250, { source: 10000 }, '10000 10000 250 → 9750'],
    ['BENEFICIARY', 250, { payment: 10000 }, '10250 10250 250 → 10000'],
    // P = S + ⌈F/2⌉: the odd unit is the payer's.
    ['SHARED', 250, { source: 10000 }, '10000 10125 250 → 9875'],
    ['SHARED', 251, { source: 10000 }, '10000 10126 251 → 9875'],
    ['SHARED', 1, { source: 10000 }, '10000 10001 1 → 10000'],
    ['SHARED', 251, { payment: 10000 }, '10125 10251 251 → 10000'],
    ['SHARED', 1, { payment: 10000 }, '10000 10001 1 → 10000'],
  ])('%s, fee %i, %j: %s', (paidBy, fee, asked, expected) => {
    expect(figures(paidBy === undefined ? asked : { ...asked, paidBy }, { fee })).toBe(expected);
  });
});

describe('across currencies, half to even', () => {
  test.each<[string, string, string, Asked, string]>([
    ['USD', 'EUR', '0.9213', { source: 10000 }, '10000 10000 0 → 9213'],
    ['USD', 'EUR', '0.5', { source: 1 }, 'V0014'],
    ['USD', 'EUR', '0.5', { source: 3 }, '3 3 0 → 2'],
    ['USD', 'EUR', '0.5', { source: 5 }, '5 5 0 → 2'],
    ['USD', 'EUR', '0.5', { source: 7 }, '7 7 0 → 4'],
    ['USD', 'EUR', '0.50001', { source: 5 }, '5 5 0 → 3'],
    // Digits: a dollar has 100 cents, a yen nothing smaller.
    ['USD', 'JPY', '150', { source: 100 }, '100 100 0 → 150'],
    ['USD', 'JPY', '150.25', { source: 10 }, '10 10 0 → 15'],
    ['USD', 'JPY', '150.25', { source: 1 }, '1 1 0 → 2'],
    ['USD', 'JPY', '150', { payment: 150 }, '100 100 0 → 150'],
    ['JPY', 'USD', '0.0066', { source: 10000 }, '10000 10000 0 → 6600'],
    ['JPY', 'USD', '0.0066', { payment: 6600 }, '10000 10000 0 → 6600'],
    ['KWD', 'USD', '3.25', { source: 1000 }, '1000 1000 0 → 325'],
    ['KWD', 'USD', '3.25', { source: 1 }, 'V0014'],
    ['KWD', 'USD', '3.25', { source: 2 }, '2 2 0 → 1'],
    ['USD', 'KWD', '0.307', { source: 100 }, '100 100 0 → 307'],
    ['USD', 'KWD', '0.307', { payment: 307 }, '100 100 0 → 307'],
    // Tiny and huge rates.
    ['USD', 'EUR', '0.000000000001', { source: 999_999 }, 'V0014'],
    ['USD', 'EUR', '0.0001', { payment: 1 }, '5001 5001 0 → 1'],
    ['USD', 'EUR', '0.0001', { payment: 2 }, '15000 15000 0 → 2'],
    ['USD', 'IDR', '16000', { source: 1 }, '1 1 0 → 16000'],
    // No source amount hits it: the beneficiary gets what was asked for, the rest stays in the fx book.
    ['USD', 'IDR', '16000', { payment: 16001 }, '2 2 0 → 16001'],
    ['USD', 'EUR', '3', { payment: 4 }, '2 2 0 → 4'],
  ])('%s to %s at %s, %j: %s', (from, to, at, asked, expected) => {
    expect(figures({ from, to, ...asked }, { rate: rate(at) })).toBe(expected);
  });

  test.each<[FeePaidBy, Asked, string]>([
    ['PAYER', { source: 10000 }, '10000 10251 251 → 5000'],
    ['BENEFICIARY', { source: 10000 }, '10000 10000 251 → 4874'],
    ['SHARED', { source: 10000 }, '10000 10126 251 → 4938'],
    ['BENEFICIARY', { payment: 4874 }, '9998 9998 251 → 4874'],
    ['SHARED', { payment: 4938 }, '10000 10126 251 → 4938'],
  ])('the fee is in the source currency: %s, %j: %s', (paidBy, asked, expected) => {
    expect(figures({ to: 'EUR', paidBy, ...asked }, { fee: 251, rate: rate('0.5') })).toBe(expected);
  });

  test('a rate given for one and the same currency does not count', () => {
    expect(figures({ source: 100 }, { rate: rate('2') })).toBe('100 100 0 → 100');
  });
});

describe('refusals, in the order of codes', () => {
  const agreeing: Asked = { to: 'EUR', source: 10000, payment: 5000 };

  test.each<[string, Asked, Partial<PayoutTerms>, string]>([
    ['the whole balance', { source: 1_000_000 }, {}, '1000000 1000000 0 → 1000000'],
    ['one more', { source: 1_000_001 }, {}, 'V0011'],
    ['the fee counts', { source: 1_000_000 }, { fee: 1 }, 'V0011'],
    [
      'unless it is taken from the amount',
      { source: 1_000_000, paidBy: 'BENEFICIARY' },
      { fee: 1 },
      '1000000 1000000 1 → 999999',
    ],
    ['an empty balance', { source: 1 }, { balance: 0n }, 'V0011'],
    ['one below zero', { source: 1 }, { balance: -5n }, 'V0011'],
    ['by payment amount', { to: 'EUR', payment: 500_001 }, { rate: rate('0.5') }, 'V0011'],
    ['no rate', { to: 'EUR', source: 1 }, {}, 'V0012'],
    ['no rate, by payment amount', { to: 'EUR', payment: 1 }, {}, 'V0012'],
    ['balance before rate', { to: 'EUR', source: 1 }, { balance: 0n }, 'V0011'],
    ['rate before bank details', { to: 'EUR', source: 1 }, { bankFault: 'IBAN' }, 'V0012'],
    ['bank details', { source: 1 }, { bankFault: 'IBAN' }, 'V0013'],
    ['balance before bank details', { source: 1 }, { balance: 0n, bankFault: 'IBAN' }, 'V0011'],
    ['both amounts, agreeing', agreeing, { rate: rate('0.5') }, '10000 10000 0 → 5000'],
    ['both amounts, disagreeing', { ...agreeing, payment: 5001 }, { rate: rate('0.5') }, 'V0014'],
    [
      'bank details before amounts',
      { ...agreeing, payment: 5001 },
      { rate: rate('0.5'), bankFault: 'BIC' },
      'V0013',
    ],
    ['both, in one currency', { source: 100, payment: 100 }, {}, '100 100 0 → 100'],
    ['both, in one currency, disagreeing', { source: 100, payment: 99 }, {}, 'V0014'],
    [
      'both, with a fee on the beneficiary',
      { source: 100, payment: 90, paidBy: 'BENEFICIARY' },
      { fee: 10 },
      '100 100 10 → 90',
    ],
    ['both, where none hits it', { to: 'EUR', source: 2, payment: 4 }, { rate: rate('3') }, '2 2 0 → 4'],
    ['nothing left after the fee', { source: 10, paidBy: 'BENEFICIARY' }, { fee: 10 }, 'V0014'],
    ['less than nothing left', { source: 10, paidBy: 'BENEFICIARY' }, { fee: 11 }, 'V0014'],
    [
      'too large at the rate',
      { to: 'EUR', source: 2_000_000 },
      { balance: 10n ** 7n, rate: rate('999999999999') },
      'I0021',
    ],
  ])('%s', (_, asked, given, expected) => {
    expect(figures(asked, given)).toBe(expected);
  });

  test('a source amount beyond all bounds is more than any balance', () => {
    const asked: Asked = { to: 'EUR', payment: 999_999_999_999_999 };
    expect(figures(asked, { rate: rate('0.000000000001'), balance: 10n ** 20n })).toBe('V0011');
    expect(figures(asked, { rate: rate('0.1'), balance: 10n ** 20n })).toBe('I0021');
  });

  test('the sentence has the figures', () => {
    const decided = decidePayout(payout({ source: 1050 }), terms({ balance: 999n, fee: 25 }));
    expect(decided).toMatchObject({
      message: 'The balance is too small for the payout: 10.75 USD is needed, 9.99 USD is there.',
    });
  });
});

describe('rates', () => {
  test.each<[string, bigint, bigint]>([
    ['1', 1n, 1n],
    ['0.9213', 9213n, 10000n],
    ['150.50', 15050n, 100n],
    ['0.000000000001', 1n, 10n ** 12n],
  ])('%s is %i / %i', (text, numerator, denominator) => {
    expect(parseRate(text)).toEqual({ numerator, denominator });
  });

  test.each([
    '0',
    '0.000',
    '',
    '-1',
    '+1',
    '1e2',
    '1,5',
    '.5',
    '5.',
    ' 1',
    'NaN',
    '1'.repeat(13),
    `0.${'1'.repeat(13)}`,
  ])('%j is none', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});

const smallRate = fc.record({
  numerator: fc.bigInt({ min: 1n, max: 40n }),
  denominator: fc.bigInt({ min: 1n, max: 40n }),
});

test('property: conversion is to the nearest, and a tie to the even one', () => {
  fc.assert(
    fc.property(fc.nat(5000), smallRate, (minor, { numerator, denominator }) => {
      const converted = BigInt(convert(minor, { numerator, denominator }));
      const twiceOff = 2n * (converted * denominator - BigInt(minor) * numerator);
      const off = twiceOff < 0n ? -twiceOff : twiceOff;
      expect(off <= denominator).toBe(true);
      if (off === denominator) expect(converted % 2n).toBe(0n);
    }),
  );
});

test('property: the source amount is the least one that reaches the payment amount (against brute force)', () => {
  const sharing = fc.constantFrom<FeePaidBy>('PAYER', 'BENEFICIARY', 'SHARED');
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      smallRate,
      sharing,
      fc.nat(9),
      (payment, at, paidBy, fee) => {
        const decided = decidePayout(
          payout({ to: 'EUR', payment, paidBy }),
          terms({ rate: at, fee, balance: 10n ** 15n }),
        );
        if ('code' in decided) throw new Error(decided.message);
        let least = 1;
        while (convert(least, at) < payment) least += 1;
        const payerAdds = { PAYER: fee, BENEFICIARY: 0, SHARED: Math.ceil(fee / 2) }[paidBy];
        expect(decided.sourceAmount).toBe(least + fee - payerAdds);
        expect(decided.payerPays - decided.fee).toBe(least);
        expect(decided.beneficiaryReceives).toBe(payment);
      },
    ),
  );
});

test('property: giving both amounts of an accepted payout is accepted, and changes nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), smallRate, fc.boolean(), (amount, at, bySource) => {
      const asked: Asked = bySource ? { to: 'EUR', source: amount } : { to: 'EUR', payment: amount };
      const first = decidePayout(payout(asked), terms({ rate: at }));
      if ('code' in first) return;
      const both = { to: 'EUR', source: first.sourceAmount, payment: first.beneficiaryReceives };
      expect(decidePayout(payout(both), terms({ rate: at }))).toEqual(first);
    }),
  );
});

describe('the rows of an accepted payout', () => {
  test.each<[string, Asked, Partial<PayoutTerms>, string[]]>([
    ['one currency', { source: 100 }, {}, ['payout 100 USD']],
    ['with a fee', { source: 100 }, { fee: 7 }, ['fee 7 USD', 'payout 100 USD']],
    [
      'with the fee taken from it',
      { source: 100, paidBy: 'BENEFICIARY' },
      { fee: 7 },
      ['fee 7 USD', 'payout 93 USD'],
    ],
    [
      'two currencies',
      { to: 'JPY', source: 100 },
      { rate: rate('150') },
      ['exchange_out 100 USD', 'exchange_in 150 JPY'],
    ],
    [
      'two currencies and a fee',
      { to: 'JPY', source: 100, paidBy: 'SHARED' },
      { rate: rate('150'), fee: 3 },
      ['fee 3 USD', 'exchange_out 99 USD', 'exchange_in 148 JPY'],
    ],
  ])('%s', (_, asked, given, expected) => {
    const decided = decidePayout(payout(asked), terms(given));
    if ('code' in decided) throw new Error(decided.message);
    const rows = payoutTransfers(payout(asked), decided);
    expect(rows.map(({ kind, amount, currency }) => `${kind} ${amount} ${currency}`)).toEqual(expected);
  });

  test('property: what leaves the merchant is what the payer pays', () => {
    const sharing = fc.constantFrom<FeePaidBy>('PAYER', 'BENEFICIARY', 'SHARED');
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.nat(500),
        sharing,
        fc.constantFrom('USD', 'JPY'),
        (source, fee, paidBy, to) => {
          const asked = { to, source, paidBy };
          const decided = decidePayout(payout(asked), terms({ fee, rate: rate('150.25') }));
          if ('code' in decided) return;
          const leaving = payoutTransfers(payout(asked), decided).filter(
            ({ currency }) => currency === 'USD',
          );
          expect(leaving.reduce((sum, { amount }) => sum + amount, 0)).toBe(decided.payerPays);
        },
      ),
    );
  });
});
