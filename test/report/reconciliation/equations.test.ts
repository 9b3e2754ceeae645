/** Every sum of the page is calculated again, and one that does not hold is seen. */
import { describe, expect, test } from 'vitest';
import type { ReconciliationDocument } from '../../../src/report/reconciliation/document.ts';
import { reconciliationHtml } from '../../../src/report/reconciliation/html.ts';
import { withBreaks } from './documents.ts';
import { payout } from './parts.ts';
import { read, words } from './reading.ts';

describe('the equations', () => {
  test('are found to hold', async () => {
    const page = await reconciliationHtml(withBreaks);
    expect(page).not.toContain('✗');
    expect(words(page)).toContain('11 breaks = 8 open + 2 expected + 1 resolved ✓ equal');
    expect(words(page)).toContain(
      'EUR 184,330.35 in the ledger, 182,573.80 in statements, 181,020.10 matched on both sides, and open breaks of 2,602.95 without signs, as in the tables ✓ equal',
    );
    expect(words(page)).toContain('Sum 184,330.35 182,573.80 −1,756.55');
  });

  const [first, ...others] = withBreaks.comparisons;
  const wrong: readonly (readonly [string, Partial<ReconciliationDocument>, string])[] = [
    [
      'a side of a comparison',
      {
        comparisons: [{ ...first!, ledger: { ...first!.ledger, matched: '181020.09' } }, ...others],
      },
      '✗ differs by −0.01',
    ],
    [
      'the total of a comparison, beyond what a float can tell',
      {
        comparisons: [
          {
            ...first!,
            statement: {
              ...first!.statement,
              total: '90071992547409930.01',
              matched: '90071992547408376.32',
            },
          },
          ...others,
        ],
      },
      '✗ differs by 0.01',
    ],
    [
      'what is matched on one side only',
      {
        comparisons: [
          { ...first!, statement: { ...first!.statement, matched: '181020.00', open: '1508.80' } },
          ...others,
        ],
      },
      '✗ what statements have matched differs by −0.10',
    ],
    [
      'the totals of a currency',
      { totals: { EUR: { ...withBreaks.totals.EUR!, matched: '181020.11' } } },
      '✗ what the ledger has matched differs by −0.01',
    ],
    [
      'a currency that no comparison has',
      { totals: { USD: { ledger: '1.00', statement: '0', matched: '0', open: '0' } } },
      '✗ sum of the ledger differs by −1.00',
    ],
    ['the number of breaks', { unlisted: 1 }, '12 breaks = 8 open + 2 expected + 1 resolved ✗ differs by 1'],
    [
      'a sum of a waterfall',
      {
        waterfall: [
          {
            currency: 'EUR',
            steps: [
              { name: 'Payments', amount: '10.00', lines: 1, is: 'part' },
              { name: 'Net', amount: '10.01', lines: 0, is: 'sum' },
            ],
          },
        ],
      },
      'Net – = 10.01 ✗ 10.00',
    ],
    ['the parts of a payout', { payouts: [payout({ calculated: '20175.21', stated: null })] }, '✗ differ'],
    ['the residual of a payout', { payouts: [payout({ residual: '0.01' })] }, '✗ differ'],
  ];
  test.each(wrong)('%s: found not to hold, and the verdict says so', async (_, change, words) => {
    const page = await read(change);
    expect(page).toContain(words);
    expect(page).toContain('Contradicts itself');
    expect(page).toContain('A sum on this page does not hold and is marked ✗. Do not rely on the page');
  });

  test('a residual is no contradiction, but seen', async () => {
    const page = await reconciliationHtml(withBreaks);
    expect(page).toContain('<strong class="fails"><span class="currency">EUR</span>\u00a0−12.50</strong>');
    expect(words(page)).toContain('1 payout differs from the lines in it.');
    expect(await read({ payouts: [payout({})] })).toContain('No payout differs from its lines.');
  });
});
