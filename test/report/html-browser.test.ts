/** The page in a real browser: nothing is loaded, nothing hangs over, it prints. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportHtml } from '../../src/report/html.ts';
import { HAS_BROWSER, launchBrowser, overhang } from '../support/browser.ts';
import { allSucceeded, hostile, mixedUnknown, rejected, withExceptions } from './documents.ts';

const documents = { withExceptions, allSucceeded, mixedUnknown, rejected, hostile };

describe.skipIf(!HAS_BROWSER)('report.html in a browser', () => {
  let browser: Browser;
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'batchgate-report-'));
    for (const [name, document] of Object.entries(documents)) {
      const path = join(folder, `${name}.html`);
      writeFileSync(path, await reportHtml(document));
      addresses.set(name, pathToFileURL(path).href);
    }
    browser = await launchBrowser();
  });

  afterAll(() => browser?.close());

  async function open(name: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.setDefaultTimeout(20_000);
    await page.goto(addresses.get(name)!);
    return page;
  }

  test.each(Object.keys(documents))(
    '%s: no request but the file itself, no error, no dialog (F99)',
    async (name) => {
      const page = await browser.newPage();
      const seen: string[] = [];
      page.on('request', (request) => seen.push(request.url()));
      page.on('console', (message) => seen.push(`console: ${message.text()}`));
      page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => {
        seen.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(addresses.get(name)!, { waitUntil: 'load' });
      expect(seen).toEqual([addresses.get(name)]);
      await page.close();
    },
  );

  describe.each(Object.keys(documents))('%s', (name) => {
    test.each([320, 360, 600, 800, 1280])('nothing hangs over the page at %i pixels', async (width) => {
      const page = await open(name, width);
      expect(await overhang(page)).toBe(0);
      await page.close();
    });
  });

  test('the verdict is the first thing seen', async () => {
    const page = await open('withExceptions', 1280);
    const heading = page.getByRole('heading', { level: 2 }).first();
    expect(await heading.textContent()).toBe('refund.csv was executed: 990 of 1,000 lines succeeded.');
    expect(await heading.isVisible()).toBe(true);
    expect((await heading.boundingBox())!.y).toBeLessThan(400);
    await page.close();
  });

  test('tables stay tables on a telephone, where their cells are stacked', async () => {
    const page = await open('withExceptions', 360);
    const table = page.getByRole('table', { name: 'Exceptions by code' });
    expect(await table.getByRole('row').count()).toBe(6);
    expect(await table.getByRole('rowheader').first().textContent()).toBe('V0006');
    await page.close();
  });

  test('dark screens get a dark page, paper never does', async () => {
    const page = await open('withExceptions', 1280, 'dark');
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(18, 23, 29)');
    await page.emulateMedia({ media: 'print' });
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.close();
  });

  test('it prints on A4, nothing wider than the paper', async () => {
    const page = await open('mixedUnknown', 1280);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.toString('latin1').match(/\/MediaBox \[0 0 (594|595|596)\S* (841|842)/)).not.toBeNull();
    // The width of A4 without its margins, in CSS pixels.
    await page.setViewportSize({ width: 688, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    expect(await overhang(page)).toBe(0);
    await page.close();
  });
});
