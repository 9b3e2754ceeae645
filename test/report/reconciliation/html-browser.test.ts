/** The page of a reconciliation in a real browser: nothing is loaded, nothing hangs over, everybody can use it, it prints. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconciliationHtml } from '../../../src/report/reconciliation/html.ts';
import { HAS_BROWSER, launchBrowser, overhang, violations } from '../../support/browser.ts';
import { agrees, empty, hostile, incomplete, many, waiting, withBreaks } from './documents.ts';

const folded = { ...many, breaks: many.breaks.slice(0, 60) };
const documents = { withBreaks, agrees, waiting, incomplete, empty, many, folded, hostile };
const NAMES = Object.keys(documents) as (keyof typeof documents)[];

describe.skipIf(!HAS_BROWSER)('reconciliation.html in a browser', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'batchgate-reconciliation-'));
  const addressOf = (name: string) => pathToFileURL(join(folder, `${name}.html`)).href;

  beforeAll(async () => {
    for (const name of NAMES)
      writeFileSync(join(folder, `${name}.html`), await reconciliationHtml(documents[name]));
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(name: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.setDefaultTimeout(20_000);
    await page.goto(addressOf(name));
    return page;
  }

  test.each(NAMES)('%s: no request but the file itself, no error, no dialog (F99)', async (name) => {
    const page = await browser.newPage();
    const seen: string[] = [];
    page.on('request', (request) => seen.push(request.url()));
    page.on('console', (message) => seen.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      seen.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(addressOf(name), { waitUntil: 'load' });
    expect(seen).toEqual([addressOf(name)]);
    await page.close();
  });

  describe.each(['withBreaks', 'hostile'])('%s', (name) => {
    test.each([320, 1280])('nothing hangs over the page at %i pixels', async (width) => {
      const page = await open(name, width);
      expect(await overhang(page)).toBe(0);
      await page.close();
    });
  });

  describe.each(['withBreaks'])('%s', (name) => {
    test.each([
      [1280, 'light'],
      [390, 'dark'],
    ] as const)('breaks no rule of accessibility at %i pixels, %s', async (width, scheme) => {
      const page = await open(name, width, scheme);
      expect(await violations(page)).toEqual([]);
      await page.close();
    });
  });

  test('what is folded breaks none either', async () => {
    const page = await open('folded', 1280);
    await page.getByText('Show 10 more').click();
    expect(await page.getByText('K0000000000000059').isVisible()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.close();
  });

  test('the verdict is the first thing seen', async () => {
    const page = await open('withBreaks', 1280);
    const heading = page.getByRole('heading', { level: 2 }).first();
    expect(await heading.textContent()).toBe('8 breaks are open (2 high, 3 medium, 3 low).');
    expect((await heading.boundingBox())!.y).toBeLessThan(400);
    await page.close();
  });

  test('tables stay tables on a telephone, where their cells are stacked', async () => {
    const page = await open('withBreaks', 390);
    const breaks = page.getByRole('table', { name: 'Open breaks', exact: true });
    expect(await breaks.getByRole('row').count()).toBe(9);
    expect(await breaks.getByRole('rowheader').first().textContent()).toContain('K4T7Q2M9X1B6D0WZ8');
    const equation = page.getByRole('table', { name: 'Acquirer · EUR' });
    expect(await equation.getByRole('row').count()).toBe(9);
    expect(await equation.getByRole('columnheader').count()).toBe(4);
    await page.close();
  });

  test('a long list is folded, and its head stays in sight while it is read', async () => {
    const page = await open('many', 1280);
    expect(await page.getByText('K0000000000000049').isVisible()).toBe(true);
    expect(await page.getByText('K0000000000000050').isVisible()).toBe(false);
    await page.getByText('K0000000000000049').scrollIntoViewIfNeeded();
    const head = page.locator('#breaks thead').first().getByText('What is wrong');
    expect((await head.boundingBox())!.y).toBeGreaterThanOrEqual(0);
    expect((await head.boundingBox())!.y).toBeLessThan(50);
    await page.close();
  });

  test('a step of the waterfall begins where the one before ends', async () => {
    const page = await open('withBreaks', 1280);
    const spans = await page.evaluate<number[][]>(`[...document.querySelectorAll('#waterfall .wide path')]
      .filter((path) => ['#2a7d53', '#d9822b', '#5f6b7a'].includes(path.getAttribute('fill')))
      .map((path) => path.getBBox()).sort((a, b) => a.y - b.y)
      .map((box) => [box.x, box.x + box.width].map(Math.round))`);
    const [payments, refunds, chargebacks, gross, fees] = spans;
    expect(spans).toHaveLength(12);
    expect(refunds![1]).toBe(payments![1]);
    expect(chargebacks![1]).toBe(refunds![0]);
    expect(gross).toEqual([payments![0], chargebacks![0]]);
    expect(fees![1]).toBe(gross![1]);
    await page.close();
  });

  test('dark screens get a dark page, paper never does', async () => {
    const page = await open('withBreaks', 1280, 'dark');
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(18, 23, 29)');
    await page.emulateMedia({ media: 'print' });
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.close();
  });

  test.each(['withBreaks', 'many'])('%s prints on A4, nothing wider than the paper', async (name) => {
    const page = await open(name, 1280);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf).toMatch(/\/MediaBox \[0 0 (594|595|596)\S* (841|842)/);
    // The width of A4 without its margins, in CSS pixels.
    await page.setViewportSize({ width: 688, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    expect(await overhang(page)).toBe(0);
    await page.close();
  });

  test('paper has what the screen folds', async () => {
    const page = await open('many', 688);
    await page.emulateMedia({ media: 'print' });
    const last = await page.getByText('K0000000000000999').boundingBox();
    expect(last!.height).toBeGreaterThan(0);
    expect(await page.getByText('Show 950 more').isVisible()).toBe(false);
    await page.close();
  });
});
