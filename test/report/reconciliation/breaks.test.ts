/** The breaks on the page: by kind, by age, and one by one. */
import { describe, expect, test } from 'vitest';
import { reconciliationHtml } from '../../../src/report/reconciliation/html.ts';
import { many, withBreaks } from './documents.ts';
import { listedBreak } from './parts.ts';
import { read, words } from './reading.ts';

describe('the breaks', () => {
  test('by kind, with what they differ by, each currency for itself', async () => {
    const breaks = [
      listedBreak({}),
      listedBreak({ difference: '20.50' }),
      listedBreak({ currency: 'JPY', difference: '-300' }),
      listedBreak({ state: 'expected' }),
      listedBreak({ kind: 'currency_differs', difference: null }),
      listedBreak({ kind: 'control_total', currency: null, difference: '1' }),
    ];
    const page = await read({ breaks });
    expect(page).toContain('3 1 0 EUR −219.50 JPY −300');
    expect(page).toContain('Both sides have it, in different currencies. 1 0 0 1 break between currencies');
    expect(page).toContain('1 0 0 1 line');
  });

  test.each([
    [0, '0–1 day'],
    [1, '0–1 day'],
    [2, '2–7 days'],
    [7, '2–7 days'],
    [8, '8–30 days'],
    [30, '8–30 days'],
    [31, 'over 30 days'],
    [4000, 'over 30 days'],
  ])('one of %i days is %s old', async (age_days, age) => {
    expect(await read({ breaks: [listedBreak({ age_days })] })).toContain(` ${age} 1 0 1 0 EUR −120.00`);
  });

  test('open ones stand before expected ones, and these before resolved ones', async () => {
    const breaks = [...withBreaks.breaks].reverse();
    const page = await reconciliationHtml({ ...withBreaks, breaks });
    const places = ['>Open breaks</h3>', '>Expected breaks</h3>', '>Resolved breaks</h3>'].map((title) =>
      page.indexOf(title),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  test('say where they stand, since when, until when, whose they are and what was decided', async () => {
    const page = await read({});
    for (const sentence of [
      'K9G2E4A7J0S5T8XCM ◆Medium Amount differs',
      'Captured 360.25; the statement says 306.25.',
      'Acquirer · settlement-2026-11-12.csv:77 · of 2026-11-11 · found 2026-11-18 · assigned to j.okafor',
      'tr_01JD3V9Z000377 EUR 360.25 EUR 306.25 EUR −54.00 9',
      'EUR 80.00 JPY 8,700 – 5',
      '118 lines 120 lines 2 lines 5',
      'Bank · of 2026-11-19 · found 2026-11-20 · due 2026-11-24 · severity low',
      'Resolution: Goodwill credit of the acquirer, letter of 2026-11-06.',
    ])
      expect(page).toContain(sentence);
  });

  test('a day or reference that nobody says is left out', async () => {
    const page = await read({ breaks: [listedBreak({ day: '', reference: '' })] });
    expect(page).toContain('Acquirer · found 2026-11-18 – EUR 120.00');
  });

  test('those of a long list are all there, the first seen at once, and it says where the rest is', async () => {
    const page = await reconciliationHtml(many);
    const [seen, folded] = page.split('<details class="others">');
    expect(seen).toContain('K0000000000000049');
    expect(seen).not.toContain('K0000000000000050');
    expect(folded).toContain('<summary>Show 950 more</summary>');
    expect(folded).toContain('K0000000000000999');
    expect(words(page)).toContain(
      '1,000 breaks listed, the weightiest first. 500 more breaks are not listed here. Every break is in reconciliation.csv.',
    );
    expect(words(page)).toContain('Counted are the first 1,000; 500 breaks are not.');
  });
});

test('a page holds a thousand breaks, whatever the document lists', async () => {
  const breaks = [...many.breaks, ...many.breaks.map((one) => ({ ...one, id: `${one.id}B` }))];
  const page = await reconciliationHtml({ ...many, breaks });
  expect(page.match(/K0000000000000\d{3}(?!\d|B)/g)!.length).toBeGreaterThanOrEqual(1000);
  expect(page).not.toContain('K0000000000000000B');
  expect(words(page)).toContain(
    '1,000 breaks listed, the weightiest first. 1,500 more breaks are not listed here.',
  );
  expect(words(page)).toContain('Counted are the first 2,000; 500 breaks are not.');
});
