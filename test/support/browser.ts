/** A real browser for tests of pages, and what accessibility checkers say of a page. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Without a browser its tests are skipped. */
export const HAS_BROWSER = existsSync(CHROMIUM);

const QUIET = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** A browser with a fresh profile that asks nobody for anything by itself. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET });
}

/** How many pixels hang over the right edge of the page. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The accessibility rules that a page or a frame in it breaks, with the elements that break them. */
export async function violations(page: Page | Frame): Promise<readonly string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  return page.evaluate<string[]>(
    `axe.run(document, { iframes: false }).then(({ violations }) =>
       violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
}
