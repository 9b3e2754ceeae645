import { describe, expect, test } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { html, raw } from '../../src/report/html/template.ts';
import { reportHtml } from '../../src/report/html.ts';
import {
  allSucceeded,
  amounts,
  HOSTILE,
  hostile,
  lines,
  mixedUnknown,
  rejected,
  withExceptions,
} from './documents.ts';
import { expectGolden } from './golden.ts';

const documents = { withExceptions, allSucceeded, mixedUnknown, rejected, hostile };

describe('the page', () => {
  test.each([
    ['with-exceptions', withExceptions],
    ['all-succeeded', allSucceeded],
    ['mixed-unknown', mixedUnknown],
    ['rejected', rejected],
  ])('report.html of %s', async (name, document) => {
    expectGolden(`${name}/report.html`, await reportHtml(document));
  });

  test('the same document gives the same bytes, whatever was drawn before', async () => {
    const first = await reportHtml(withExceptions);
    await reportHtml(mixedUnknown);
    expect(await reportHtml(withExceptions)).toBe(first);
  });

  test('open maps are shown in one order, however they were made', async () => {
    const turned = Object.fromEntries(Object.entries(allSucceeded.totals!).reverse());
    expect(await reportHtml({ ...allSucceeded, totals: turned })).toBe(await reportHtml(allSucceeded));
  });

  test.each(Object.entries(documents))(
    '%s needs nothing from outside and runs nothing',
    async (_, document) => {
      const page = await reportHtml(document);
      expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
      // The only links are ours, inside the page.
      expect(withoutTexts(page)).not.toMatch(
        /<(?:script|link|img|iframe|object|embed|base|form|a)\b|\bon\w+=|url\((?!#)|@import|https?:|javascript:/i,
      );
      expect(ids(page)).toHaveLength(new Set(ids(page)).size);
    },
  );

  test('the sandbox says so, live does not', async () => {
    expect(await reportHtml(withExceptions)).toContain(
      '<strong>SANDBOX: no money moved outside this ledger</strong>',
    );
    expect(await reportHtml(allSucceeded)).not.toContain('SANDBOX');
  });

  test('tables have captions, headings have scopes, drawings have words', async () => {
    const page = await reportHtml(mixedUnknown);
    expect(page.match(/<table/g)).toHaveLength(page.match(/<caption>/g)!.length);
    expect(page.match(/<th /g)).toHaveLength(page.match(/<th [^>]*scope="(?:col|row)"/g)!.length);
    expect(page.match(/<figure/g)).toHaveLength(2);
    expect(page).toContain('aria-label="capture · USD: succeeded 64.5 %, refused 16.1 %, unknown 19.3 %.');
  });

  test('a successful batch has two drawings too', async () => {
    expect((await reportHtml(allSucceeded)).match(/<figure/g)).toHaveLength(2);
  });

  test('paths of the machine are not shown', async () => {
    expect(await reportHtml(withExceptions)).not.toContain('/data/outbox');
  });
});

describe('the verdict', () => {
  const cases: readonly (readonly [string, Partial<ReportDocument>, string])[] = [
    ['all succeeded', { exit: 0, lines: lines({ succeeded: 3 }) }, 'was executed: all 3 lines succeeded'],
    ['one line', { exit: 0, lines: lines({ succeeded: 1 }) }, 'was executed: its only line succeeded'],
    ['no line', { exit: 0, lines: lines({}) }, 'has no lines: there was nothing to do'],
    [
      'some refused',
      { exit: 3, lines: lines({ succeeded: 2, refused: 1 }) },
      'was executed: 2 of 3 lines succeeded',
    ],
    [
      'pending',
      { exit: 9, lines: lines({ succeeded: 2, pending: 1 }) },
      'was executed: 2 of 3 lines succeeded',
    ],
    [
      'unknown',
      { exit: 7, status: 'unknown', lines: lines({ succeeded: 2, unknown: 1 }) },
      'was executed: 2 of 3 lines succeeded, 1 is unknown',
    ],
    [
      'stopped',
      { exit: 3, status: 'stopped', lines: lines({ succeeded: 2, not_sent: 1 }) },
      'was stopped: 2 of 3 lines succeeded',
    ],
    [
      'interrupted',
      { exit: 130, status: 'interrupted', lines: lines({ succeeded: 2, not_sent: 1 }) },
      'was interrupted: 2 of 3 lines succeeded so far',
    ],
    ['rejected', { exit: 6, status: 'rejected' }, 'was rejected: nothing in it was executed'],
    [
      'approval',
      { exit: 8, status: 'awaiting_approval', lines: lines({ not_sent: 3 }) },
      'waits for approval: none of its 3 lines was executed yet',
    ],
  ];
  test.each(cases)('%s', async (_, change, sentence) => {
    const page = await reportHtml({ ...withExceptions, ...change });
    expect(page).toContain(`</bdi> ${sentence}`);
    expect(page).toContain(`Exit code <strong>${change.exit}</strong>`);
  });

  test('says what to do: correct, retry, release, resolve', async () => {
    const page = await reportHtml(mixedUnknown);
    for (const words of [
      'fixme.csv</bdi>',
      'batch resolve B2',
      'batch retry B2',
      'batch release B2',
      'repeat_of',
      'Do not send the unknown lines again',
    ]) {
      expect(page).toContain(words);
    }
    expect(await reportHtml(allSucceeded)).toContain('<li>Nothing. Keep this report with the file.</li>');
  });
});

describe('the totals equation (invariant 6)', () => {
  test('is found to hold', async () => {
    const page = await reportHtml(mixedUnknown);
    expect(page).not.toContain('✗');
    expect(page).toContain('80 lines in the file = 40 succeeded + 5 pending');
  });

  test('is found not to hold, with the difference', async () => {
    const [row] = withExceptions.breakdown;
    const wrong = {
      ...row!,
      amounts: amounts('12345.67', { succeeded: '12345.66' }),
      lines: { ...row!.lines, refused: 7 },
    };
    const page = await reportHtml({ ...withExceptions, breakdown: [wrong] });
    expect(page).toContain('✗</span> differs by −0.01');
    expect(page).toContain('✗</span> differs by 1<');
  });

  test('is exact beyond 2^53', async () => {
    const [row] = withExceptions.breakdown;
    const huge = {
      ...row!,
      amounts: amounts('90071992547409930.01', { succeeded: '90071992547409930.00', refused: '0.02' }),
    };
    expect(await reportHtml({ ...withExceptions, breakdown: [huge] })).toContain('differs by 0.01');
  });

  test('control totals are compared with the file', async () => {
    const { evidence } = withExceptions;
    const stated = { rows: 999, totals: { USD: '12345.68' } };
    const page = await reportHtml({
      ...withExceptions,
      evidence: { ...evidence, control_totals: { ...evidence.control_totals, stated } },
    });
    expect(page).toContain('differs by 1<');
    expect(page).toContain('differs by −0.01');
  });
});

test('lines without a currency are counted, and money in the currency of no line is shown as moved only', async () => {
  const [row] = withExceptions.breakdown;
  const none = amounts('0', {}, '0');
  const nowhere = {
    ...row!,
    currency: '',
    operation: '',
    account: '',
    lines: lines({ invalid: 2 }),
    amounts: none,
  };
  const other = {
    ...row!,
    currency: 'JPY',
    lines: lines({}),
    amounts: none,
    moved_out: '777',
    moved_in: '0',
    fees: '0',
  };
  const page = await reportHtml({
    ...withExceptions,
    lines: lines({ succeeded: 990, refused: 6, invalid: 5, duplicate: 1 }),
    breakdown: [nowhere, row!, other],
  });
  expect(page).toContain('<caption>no operation · no currency</caption>');
  expect(page).not.toContain('refund · JPY');
  expect(page).toContain('777');
  expect(page).not.toContain('✗');
  expect(page).not.toMatch(/no currency.{1,3}0 of/);
});

describe('texts from a file', () => {
  test('F99 no HTML comes through', async () => {
    const page = await reportHtml(hostile);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('&amp;lt;b&amp;gt; &amp; &quot;quotes&quot;');
  });

  test('F34, F99 what cannot be seen is written out', async () => {
    const page = await reportHtml(hostile);
    expect(page).toContain('invoice⟨U+202E⟩fdp.exe');
    expect(page).toContain('a⟨U+0000⟩b⟨U+000A⟩c⟨U+001B⟩[31m');
    expect(page).not.toMatch(UNSEEN);
  });

  test('texts are escaped and HTML is not', () => {
    expect(
      html`<p title="${HOSTILE.tag}">${'a\uD800'}${raw('<b>')}${[1, undefined, html`<i>`]}</p>`.text,
    ).toBe('<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">a⟨U+D800⟩<b>1<i></p>');
  });
});

describe('sections', () => {
  test('changes against the previous revision', async () => {
    expect(await reportHtml(mixedUnknown)).toContain('Changes since revision 1');
    expect(await reportHtml({ ...mixedUnknown, changes: [] })).toContain('<p>None.</p>');
    expect(await reportHtml(withExceptions)).not.toContain('Changes since');
  });

  test('says how many lines are not listed and where they are', async () => {
    const page = await reportHtml(withExceptions);
    expect(page).toContain('991 more lines are not listed here');
    expect(page).toContain('.result.csv</bdi>');
  });

  test('a rejected file says why, and has no totals', async () => {
    const page = await reportHtml(rejected);
    expect(page).toContain('Why it was rejected');
    expect(page).not.toContain('id="totals"');
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** The page without what stands between tags, where any text may be. */
function withoutTexts(page: string): string {
  return page.replace(/>[^<]*</g, '><').replace(/aria-label="[^"]*"/g, '');
}

function ids(page: string): readonly string[] {
  return [...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!);
}
