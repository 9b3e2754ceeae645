import { expect, test } from 'vitest';
import { read } from './csv-support.ts';

const LINES = 'day,currency,gross\n2026-11-20,EUR,1\n2026-11-20,USD,2\n';

test('what the footer lines say is taken, by currency', async () => {
  const { lines, end } = await read(
    `${LINES}SF,EUR,10.00,-4.00,0.50,5.50,7.00\nSF,EUR,1.00,-1.00,0,0,8.00\nSF,JPY,500,-0,0,1,9\nRC,2\nRC,5\n`,
    {
      totals: [
        {
          first_cell: ['sf'],
          currency: { cell: 2 },
          credits: { cell: 3 },
          debits: { cell: 4 },
          net: [{ cell: 3 }, { cell: 4 }, { cell: 5, minus: true }],
          closing: { cell: 7 },
        },
        { first_cell: ['RC'], count: { cell: 2 } },
      ],
    },
  );
  expect(lines).toHaveLength(2);
  expect(end).toEqual({
    // There are several, and none is of the whole.
    closing: undefined,
    count: 7,
    totals: [
      { currency: 'EUR', amount: 550 },
      { currency: 'JPY', amount: 500 },
    ],
    credits: [
      { currency: 'EUR', amount: 1100 },
      { currency: 'JPY', amount: 500 },
    ],
    debits: [
      { currency: 'EUR', amount: 500 },
      { currency: 'JPY', amount: 0 },
    ],
  });
});

test('footer lines that say nothing are left out', async () => {
  const { lines, end } = await read(`${LINES}Total of this,,\n`, { footer: { first_cell: ['total*'] } });
  expect(lines).toHaveLength(2);
  expect(end).toEqual({ closing: undefined, count: undefined, totals: [], credits: [], debits: [] });
});
