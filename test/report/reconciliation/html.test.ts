/** The page of a reconciliation as text: what it says, what it proves, and that nothing gets out of a text. */
import { describe, expect, test } from 'vitest';
import { reconciliationHtml } from '../../../src/report/reconciliation/html.ts';
import { HOSTILE } from '../documents.ts';
import { expectGolden } from '../golden.ts';
import { agrees, empty, hostile, incomplete, many, waiting, withBreaks } from './documents.ts';
import { listedBreak } from './parts.ts';
import { read, words } from './reading.ts';

const documents = { withBreaks, agrees, waiting, incomplete, empty, many, hostile };

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;

describe('the page', () => {
  test.each([
    ['with-breaks', withBreaks],
    ['agrees', agrees],
  ])('reconciliation.html of %s', async (name, document) => {
    expectGolden(`reconciliation/${name}.html`, await reconciliationHtml(document));
  });

  test('the same document gives the same bytes, whatever was drawn before', async () => {
    const first = await reconciliationHtml(withBreaks);
    await reconciliationHtml(hostile);
    expect(await reconciliationHtml(withBreaks)).toBe(first);
  });

  test('open maps are shown in one order, however they were made', async () => {
    const totals = Object.fromEntries(Object.entries(withBreaks.totals).reverse());
    const payouts = withBreaks.payouts.map((one) => ({
      ...one,
      parts: Object.fromEntries(Object.entries(one.parts).reverse()),
    }));
    expect(await reconciliationHtml({ ...withBreaks, totals, payouts })).toBe(
      await reconciliationHtml(withBreaks),
    );
  });

  test.each(Object.entries(documents))(
    '%s needs nothing from outside and runs nothing',
    async (_, document) => {
      const page = await reconciliationHtml(document);
      expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
      expect(page.replace(/>[^<]*</g, '><').replace(/aria-label="[^"]*"/g, '')).not.toMatch(
        /<(?:script|link|img|iframe|object|embed|base|form|a)\b|\bon\w+=|url\((?!#)|@import|https?:|javascript:/i,
      );
      const ids = [...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
      expect(ids).toHaveLength(new Set(ids).size);
    },
  );

  test('tables have captions, headings have scopes, drawings have words', async () => {
    const page = await reconciliationHtml(withBreaks);
    expect(page.match(/<table/g)).toHaveLength(page.match(/<caption>/g)!.length);
    expect(page.match(/<th /g)).toHaveLength(page.match(/<th [^>]*scope="(?:col|row)"/g)!.length);
    expect(page.match(/<figure/g)).toHaveLength(3);
    expect(page).toContain('aria-label="EUR: Payments +191,840.10, Refunds −6,710.40,');
    expect(page).toContain('aria-label="Missing in the statement: 1 (1 high). Missing in the ledger: 2');
    expect(page).toContain('aria-label="0–1 day: 1 (1 low). 2–7 days: 4 (2 medium, 2 low). 8–30 days: 2');
  });

  test('the sandbox says so, of whose gateway it is, and live does not', async () => {
    expect(await read({})).toContain('SANDBOX: no money moved outside this ledger');
    expect(await read({ gateway: 'acquirer-eu' })).toContain(
      'SANDBOX: acquirer-eu is a sandbox; no real money moved',
    );
    expect(await read({ environment: 'live' })).not.toContain('SANDBOX');
  });

  test('paths of the machine are not shown', async () => {
    expect(await reconciliationHtml(withBreaks)).not.toContain('/data/reports');
  });
});

describe('sections', () => {
  const SECTIONS = ['totals', 'waterfall', 'kinds', 'breaks', 'payouts', 'rules', 'statements'];
  const sections = (page: string) =>
    [...page.matchAll(/<section id="(\w+)"/g)].map((match) => match[1]).filter((id) => id !== 'verdict');

  test('stand in their order', async () => {
    expect(sections(await reconciliationHtml(withBreaks))).toEqual(SECTIONS);
  });

  test('that would be empty are left out', async () => {
    expect(sections(await reconciliationHtml(empty))).toEqual([]);
    expect(sections(await reconciliationHtml(agrees))).toEqual(
      SECTIONS.filter((id) => id !== 'kinds' && id !== 'breaks'),
    );
    const waterfall = [{ currency: 'EUR', steps: [] }];
    expect(sections(await reconciliationHtml({ ...withBreaks, waterfall }))).not.toContain('waterfall');
  });

  test('nothing to compare is said, not shown', async () => {
    const page = words(await reconciliationHtml(empty));
    expect(page).toContain('Nothing was compared: no statement is loaded.');
    expect(page).toContain('Load a statement: batchgate reconcile --statement FILE.');
  });

  test('statements say what they are of, whether they are new, and what of them counts elsewhere', async () => {
    const page = await read({});
    for (const sentence of [
      'settlement-2026-11.csv SHA-256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      'Acquirer’s movements adyen-settlement-details 2026-11-01 to 2026-11-19 1,479 by this run',
      'Acquirer’s payouts adyen-settlement-details 2026-11-01 to 2026-11-19 9 by an earlier run',
      'camt053-2026-11-19.xml Statement 2026-11-19/001',
      'Bank’s movements camt.053 – 12 3 counted elsewhere by this run',
    ])
      expect(page).toContain(sentence);
  });

  test('rules say what they mean and how often they were met', async () => {
    expect(await read({})).toContain(
      'entries add up Acquirer Several entries of one transaction add up to one line. 6 14 6',
    );
  });
});

describe('texts from statements and people', () => {
  test('F99 no HTML comes through', async () => {
    const page = await reconciliationHtml(hostile);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('&amp;lt;b&amp;gt; &amp; &quot;quotes&quot;');
  });

  test('F34, F99 what cannot be seen is written out', async () => {
    const page = await reconciliationHtml(hostile);
    expect(page).toContain('invoice⟨U+202E⟩fdp.exe');
    expect(page).toContain('a⟨U+0000⟩b⟨U+000A⟩c⟨U+001B⟩[31m');
    expect(page).not.toMatch(UNSEEN);
  });

  test('F99 nothing gets out of the style sheet', async () => {
    const evil = '";}body{display:none}</style><script>alert(1)</script>';
    const page = await reconciliationHtml({ ...withBreaks, account: evil, day: evil, gateway: evil });
    const style = /<style>(.*?)<\/style>/s.exec(page)![1]!;
    expect(style).not.toContain('body{display');
    expect(page).not.toContain('<script>');
  });

  test('a long one is there to the last character', async () => {
    const breaks = [listedBreak({ reference: HOSTILE.long, why: HOSTILE.long, resolution: HOSTILE.long })];
    expect((await reconciliationHtml({ ...withBreaks, breaks })).match(/x{255}/g)).toHaveLength(3);
  });
});
