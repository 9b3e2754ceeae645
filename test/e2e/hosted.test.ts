/** The hosted pages in a real browser, on the real engine, between a shop's page and the shopper's return to it. */
import type { Browser, BrowserContextOptions, Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { STATES, type State } from '../../src/core/state.ts';
import { HAS_BROWSER, launchBrowser, overhang, violations } from '../support/browser.ts';
import { Shop } from './shop.ts';

const ORDER = { currency: 'EUR', amount: '129.90', items: 'Blue shirt#,#SKU-1#,#59.95#,#2' };

describe.skipIf(!HAS_BROWSER)('hosted pages in a browser (needs /usr/bin/chromium)', () => {
  let browser: Browser;
  let shop: Shop;
  let page: Page;
  /** What the browser complains of, and every host that it asks. */
  let complaints: string[];
  let hosts: Set<string>;
  let orders = 0;

  beforeAll(async () => {
    [browser, shop] = await Promise.all([launchBrowser(), Shop.open()]);
  });

  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  beforeEach(async () => {
    shop.returned.length = 0;
    page = await visitor();
  });

  afterEach(async () => {
    await page.context().close();
    // Sessions are known to nobody but the gateway and the shopper.
    for (const referrer of shop.referrers) expect(referrer).not.toContain('hosted');
    expect(shop.errors).toEqual([]);
    const known = [shop.url, shop.gatewayUrl].map((url) => new URL(url).host);
    expect([...hosts].filter((host) => !known.includes(host) && !host.startsWith('shop.localhost'))).toEqual(
      [],
    );
  });

  /** A shopper with a browser window of their own. */
  async function visitor(options: BrowserContextOptions = {}): Promise<Page> {
    const one = await (await browser.newContext(options)).newPage();
    one.setDefaultTimeout(15_000);
    complaints = [];
    hosts = new Set();
    one.on('console', (message) => complaints.push(message.text()));
    one.on('pageerror', (error) => complaints.push(error.message));
    one.on('request', (request) => hosts.add(new URL(request.url()).host));
    return one;
  }

  function newOrder(): string {
    orders += 1;
    return `E2E-${orders}`;
  }

  /** From the shop's page to the card form. */
  async function toCardForm(fields: Readonly<Record<string, string>> = {}): Promise<string> {
    const order = newOrder();
    await page.goto(await shop.checkout({ ...ORDER, ...fields, order_no: order }));
    await page.getByRole('heading', { name: 'Pay by card' }).waitFor();
    return order;
  }

  async function enterCard(number: string, on: Page | FrameLocator = page): Promise<void> {
    await on.getByLabel('Card number').fill(number);
    await on.getByLabel('Month').fill('12');
    await on.getByLabel('Year').fill('33');
    await on.getByLabel('Security code').fill('123');
  }

  async function pay(number: string): Promise<void> {
    await enterCard(number);
    await page.getByRole('button', { name: 'Pay 129.90 EUR' }).click();
  }

  /** Where the shopper arrives and what the shop believes: `/back 1 0000:Success`. */
  async function arrival(at: Page | Frame = page): Promise<string> {
    await at.waitForURL(/\/(back|cancelled)\?/);
    const [one, ...more] = shop.returned;
    expect([one?.isSigned, more]).toEqual([true, []]);
    return `${one!.path} ${one!.fields.order_status} ${one!.fields.result_info}`;
  }

  async function stateOf(orderNo: string): Promise<State> {
    const selection = { by: 'name', orderNos: [orderNo], transactionIds: [] } as const;
    const answer = await shop.api.sandbox.engine().query({ merchantId: 'M1', accountId: 'A1', selection });
    const record = 'failure' in answer ? undefined : answer.records[0];
    if (record === undefined || !('found' in record)) throw new Error(`no ${orderNo}`);
    expect(Object.keys(STATES)).toContain(record.found.state);
    return record.found.state;
  }

  describe('by card', () => {
    test('a payment, and the way back with a signed result', async () => {
      const order = await toCardForm();
      expect(await page.getByRole('banner').textContent()).toBe(
        'SANDBOX: no money moved outside this ledger',
      );
      expect(await page.locator('main').innerText()).toContain('Blue shirt');
      await pay('4111 1111 1111 1111');
      expect(await arrival()).toBe('/back 1 0000:Success');
      expect(shop.returned[0]!.fields).toMatchObject({ order_no: order, cart: '7' });
      expect(await stateOf(order)).toBe('authorised');
      expect(complaints).toEqual([]);
    });

    test('a payment with the card that the shop has stored', async () => {
      const first = await shop.api.send('/v1/authorise', {
        order_no: newOrder(),
        currency: 'EUR',
        amount: '1.00',
        card: '5555555555554444',
        expiration_month: '12',
        expiration_year: '33',
        security_code: '123',
        token_flag: 'YES',
      });
      const token_id = /<token_id>(.*?)</.exec(first.text)![1]!;
      const order = newOrder();
      await page.goto(await shop.checkout({ ...ORDER, order_no: order, token_id }));
      const stored = page.locator('form.stored');
      await stored.getByRole('heading', { name: 'Pay with the card ending in 4444' }).waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await overhang(page)).toBe(0);
      await stored.getByLabel('Security code').fill('123');
      await stored.getByRole('button', { name: 'Pay 129.90 EUR' }).click();
      expect(await arrival()).toBe('/back 1 0000:Success');
      expect(await stateOf(order)).toBe('authorised');
      expect(complaints).toEqual([]);
    });

    test('a payment without any script', async () => {
      await page.context().close();
      page = await visitor({ javaScriptEnabled: false });
      const order = newOrder();
      await page.goto(await shop.checkout({ ...ORDER, order_no: order }));
      await page.getByRole('button', { name: 'Go on' }).click();
      await pay('5555555555554444');
      expect(await arrival()).toBe('/back 1 0000:Success');
      expect(await stateOf(order)).toBe('authorised');
    });

    test('a payment by keyboard alone', async () => {
      await toCardForm();
      for (const typed of ['4111111111111111', '12', '33', '123']) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(typed);
      }
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Pay 129.90 EUR');
      await page.keyboard.press('Enter');
      expect(await arrival()).toBe('/back 1 0000:Success');
    });

    test.each([
      ['4000000000000002', 'D0005:The issuer does not honour the card.'],
      ['4000000000009995', 'D0051:The card has insufficient funds.'],
    ])('%s is declined', async (number, info) => {
      const order = await toCardForm();
      await pay(number);
      expect(await arrival()).toBe(`/back 0 ${info}`);
      expect(await stateOf(order)).toBe('declined');
    });

    test('a wrong digit is pointed out, and mended', async () => {
      const order = await toCardForm();
      await pay('4111111111111112');
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
      expect(await page.getByLabel('Card number').inputValue()).toBe('');
      expect(await stateOf(order)).toBe('created');
      await alert.getByRole('link', { name: 'Check the card number' }).click();
      await page.keyboard.type('4242424242424242');
      await page.getByLabel('Security code').fill('123');
      await page.getByRole('button', { name: 'Pay' }).click();
      expect(await arrival()).toBe('/back 1 0000:Success');
    });

    test('the browser asks for a field that is missing before anything is sent', async () => {
      await toCardForm();
      await page.getByRole('button', { name: 'Pay' }).click();
      expect(await page.locator(':focus').getAttribute('id')).toBe('card');
      expect(await page.locator('#card:invalid').count()).toBe(1);
    });

    test('the shopper cancels', async () => {
      const order = await toCardForm();
      await page.getByRole('button', { name: 'Cancel and return to the shop' }).click();
      expect(await arrival()).toMatch(/^\/cancelled 0 /);
      expect(await stateOf(order)).toBe('cancelled');
    });

    test('a connector that does not answer: the page waits, and goes on by itself', async () => {
      const order = await toCardForm();
      await pay('4000000000000119');
      await page.getByRole('heading', { name: 'Your bank is being asked' }).waitFor();
      expect(await stateOf(order)).toBe('in_doubt');
      const { sandbox } = shop.api;
      sandbox.now += 2 * 60_000;
      expect(await sandbox.engine().resolveDoubts()).toBe(1);
      expect(await arrival()).toBe('/back 1 0000:Success');
    });

    test('a shop that has moved to another host: the shopper arrives all the same', async () => {
      await toCardForm({ return_url: `${shop.url}/elsewhere` });
      await pay('4111111111111111');
      expect(await arrival()).toBe('/back 1 0000:Success');
      expect(new URL(page.url()).hostname).toBe('shop.localhost');
    });

    test('to look at the page again after all is over leads back to the shop', async () => {
      await toCardForm();
      const address = page.url();
      await pay('4111111111111111');
      await arrival();
      shop.returned.length = 0;
      await page.goto(address);
      expect(await arrival()).toBe('/back 1 0000:Success');
    });
  });

  describe('3-D Secure', () => {
    const challenged = { open3d: 'do3DS', challenge_window_size: '02' };

    test.each([
      ['Yes, confirm', '/back 1 0000:Success', 'authorised'],
      ['No, refuse', '/back 0 D0065:The issuer requires authentication.', 'declined'],
    ])('the issuer asks in a window of its own: %s', async (answer, result, state) => {
      const order = await toCardForm(challenged);
      await pay('4000000000003220');
      const window = page.frameLocator('iframe[title="Your bank: confirm the payment"]');
      await window.getByText('Do you want to pay 129.90 EUR to M1?').waitFor();
      const box = await page.locator('iframe').boundingBox();
      expect([box!.width, box!.height]).toEqual([390, 400]);
      expect(await stateOf(order)).toBe('challenge');
      await window.getByRole('button', { name: answer }).click();
      expect(await arrival()).toBe(result);
      expect(await stateOf(order)).toBe(state);
      expect(complaints).toEqual([]);
    });
  });

  describe('in a frame of the shop', () => {
    test('of a registered one, with a challenge', async () => {
      const order = newOrder();
      await page.goto(await shop.framed({ ...ORDER, order_no: order, open3d: 'do3DS' }));
      const payment = page.frameLocator('iframe[title="Payment"]');
      await enterCard('4000000000003220', payment);
      await payment.getByRole('button', { name: 'Pay 129.90 EUR' }).click();
      await payment.frameLocator('iframe').getByRole('button', { name: 'Yes, confirm' }).click();
      await payment.getByText('Thank you').waitFor();
      const frame = page.frames().find((one) => one.url().includes('/back?'))!;
      expect(await arrival(frame)).toBe('/back 1 0000:Success');
      expect(complaints).toEqual([]);
    });

    test('of one that is not registered: the browser refuses to show it', async () => {
      await page.goto(await shop.framed({ ...ORDER, order_no: newOrder() }, 'A2'));
      await expect.poll(() => complaints.join()).toContain('frame-ancestors');
      expect(await page.frameLocator('iframe').getByText('Pay by card').count()).toBe(0);
    });
  });

  describe('alternative methods', () => {
    test.each([
      ['pix', 'BRL', 'Approve', /^\/back 1 0000:Success$/, 'authorised'],
      ['oxxo', 'MXN', 'Decline', /^\/back 0 /, 'declined'],
      ['wallet', 'EUR', 'Cancel and return to the shop', /^\/cancelled 0 /, 'cancelled'],
    ])('%s in %s: %s', async (method, currency, button, result, state) => {
      const order = newOrder();
      const fields = { ...ORDER, currency, payment_method: method, order_no: order };
      await page.goto(await shop.issuerUrl(fields));
      await page.getByRole('heading', { name: 'Pay with' }).waitFor();
      await page.getByRole('button', { name: button }).click();
      expect(await arrival()).toMatch(result);
      expect(await stateOf(order)).toBe(state);
      expect(complaints).toEqual([]);
    });
  });

  describe('for everybody', () => {
    /** Ways to each page that a shopper may stay on. */
    const pages: Readonly<Record<string, () => Promise<unknown>>> = {
      'the form': () => toCardForm(),
      'the form with faults': async () => {
        await toCardForm();
        await pay('4111111111111112');
        await page.getByRole('alert').waitFor();
      },
      'a long order': () =>
        toCardForm({
          items: Array(30)
            .fill(`${'W'.repeat(80)}#,#1#,##,#`)
            .join('#;#'),
        }),
      'a challenge': async () => {
        await toCardForm({ open3d: 'do3DS', challenge_window_size: '04' });
        await pay('4000000000003220');
        await page.frameLocator('iframe').getByRole('button').first().waitFor();
      },
      waiting: async () => {
        await toCardForm();
        await pay('4000000000000119');
        await page.getByRole('status').waitFor();
        // It stays, however long the checks take.
        await page.route('**/*looks=*', (route) => route.fulfill({ status: 204 }));
      },
      'a method': async () => {
        const fields = { ...ORDER, currency: 'BRL', payment_method: 'pix', order_no: newOrder() };
        await page.goto(await shop.issuerUrl({ ...fields, browser_lang: 'pt-BR' }));
      },
      'nothing there': () => page.goto(`${shop.gatewayUrl}/hosted/none`),
    };

    test.each(Object.keys(pages))(
      '%s: no barrier and nothing hangs over, light and wide, dark and narrow',
      async (name) => {
        await pages[name]!();
        for (const [colorScheme, width] of [
          ['light', 1280],
          ['dark', 320],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          expect(await overhang(page)).toBe(0);
          for (const frame of page.frames()) expect(await violations(frame)).toEqual([]);
        }
      },
    );
  });
});
