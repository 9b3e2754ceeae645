/** What the page says first. */
import { describe, expect, test } from 'vitest';
import type { ReconciliationDocument } from '../../../src/report/reconciliation/document.ts';
import { reconciliationHtml } from '../../../src/report/reconciliation/html.ts';
import { agrees, incomplete, withBreaks } from './documents.ts';
import { listedBreak } from './parts.ts';
import { read, words } from './reading.ts';

describe('the verdict', () => {
  const counts = { open: 0, expected: 0, resolved: 0, closed: 0 };
  const one = listedBreak({ severity: 'high' });
  const later = listedBreak({ state: 'expected', due: '2026-11-25' });
  const soon = listedBreak({ state: 'expected', due: '2026-11-24' });
  const done = listedBreak({ state: 'resolved', resolution: 'a goodwill' });
  const cases: readonly (readonly [string, Partial<ReconciliationDocument>, string, string])[] = [
    ['nothing left', { breaks: [], counts, exit: 0 }, 'Everything agrees.', 'good'],
    [
      'one open',
      { breaks: [one], counts: { ...counts, open: 1 }, exit: 10 },
      '1 break is open (1 high).',
      'attention',
    ],
    [
      'several open',
      { breaks: [one, listedBreak({}), listedBreak({})], counts: { ...counts, open: 3 }, exit: 10 },
      '3 breaks are open (1 high, 2 medium).',
      'attention',
    ],
    [
      'not all listed',
      { breaks: [one], unlisted: 2, counts: { ...counts, open: 3 }, exit: 10 },
      '3 breaks are open (of the 1 listed: 1 high).',
      'attention',
    ],
    [
      'expected ones',
      { breaks: [later, soon], counts: { ...counts, expected: 2 }, exit: 0 },
      'Nothing is open; 2 breaks are expected until 2026-11-25.',
      'waiting',
    ],
    [
      'expected ones that are not all listed',
      { breaks: [soon], unlisted: 1, counts: { ...counts, expected: 2 }, exit: 0 },
      'Nothing is open; 2 breaks are expected.',
      'waiting',
    ],
    [
      'resolved ones',
      { breaks: [done], counts: { ...counts, resolved: 1 }, exit: 0 },
      'Nothing is open; 1 break was resolved by people.',
      'good',
    ],
    ['another end', { breaks: [], counts, exit: 7 }, 'Everything agrees.', 'bad'],
  ];
  test.each(cases)('%s', async (_, change, sentence, tone) => {
    const page = await reconciliationHtml({ ...withBreaks, ...change });
    expect(page).toContain(`<h2 id="verdict-title">${sentence}</h2>`);
    expect(page).toContain(`<section id="verdict" class="verdict ${tone}"`);
    expect(words(page)).toContain(`Exit code ${change.exit}: `);
  });

  test('says whose books, where, for which days', async () => {
    const about = 'Account eu-shop of merchant M1 at gateway engine, as of 2026-11-20';
    expect(await read({})).toContain(`${about}, for 2026-11-01 to 2026-11-19.`);
    expect(await read({ period: { from: null, to: null } })).toContain(`${about}. `);
    expect(await read({ period: { from: '2026-11-01', to: null } })).toContain(
      `${about}, from 2026-11-01 on.`,
    );
    expect(await read({ period: { from: null, to: '2026-11-19' } })).toContain(`${about}, up to 2026-11-19.`);
  });

  test('says what else there is, and what to do', async () => {
    const page = await read({});
    for (const sentence of [
      'Besides, 2 are expected, 1 was resolved by people and 4 were closed by this run.',
      'Ledger EUR 184,330.35, statements EUR 182,573.80: a difference of EUR −1,756.55.',
      'batchgate break list lists them, batchgate break show K4T7Q2M9X1B6D0WZ8 tells everything about the weightiest, and batchgate break resolve K4T7Q2M9X1B6D0WZ8 --reason TEXT settles it.',
      'They are also in reconciliation.csv.',
      'Load the next statement when it comes: batchgate reconcile --statement FILE.',
      'Exit code 10: reconciliation finished with open breaks.',
    ])
      expect(page).toContain(sentence);
    expect(words(await reconciliationHtml(agrees))).toContain(
      'Nothing. Keep this report with the statements.',
    );
  });
});

describe('a file that could not be used', () => {
  test('comes first, and nobody takes the rest for everything', async () => {
    const page = await reconciliationHtml(incomplete);
    expect(page).toContain(
      '<h2 id="verdict-title">1 file could not be used; otherwise everything agrees.</h2>',
    );
    expect(page).toContain('<section id="verdict" class="verdict bad"');
    expect(page.indexOf('id="errors"')).toBeLessThan(page.indexOf('id="totals"'));
    for (const sentence of [
      'Read “Files that could not be used” below first, then load them again: batchgate reconcile --statement FILE.',
      'Exit code 6: a file could not be used; nothing of it counts.',
      'settlement-2026-11-19.csv, line 17: the quote is not closed Ask for the file again; batchgate reconcile --statement FILE loads it. 17 –',
    ])
      expect(words(page)).toContain(sentence);
  });

  test('stands beside what is open', async () => {
    expect(await read({ errors: incomplete.errors, exit: 6 })).toContain(
      '1 file could not be used; otherwise 8 breaks are open (2 high, 3 medium, 3 low).',
    );
  });
});
