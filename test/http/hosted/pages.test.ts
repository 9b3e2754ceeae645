import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { reason } from '../../../src/core/code.ts';
import type { HostedOrder, HostedStep } from '../../../src/core/hosted.ts';
import { verifySignature } from '../../../src/wire/signature.ts';
import { APPROVED, FakePayments, KEY, ORDER, pagesOn, SESSION } from './fake-payments.ts';
import { tagsOf } from './tags.ts';

let payments: FakePayments;
let pages: ReturnType<typeof pagesOn>;
let errors: unknown[];

beforeEach(() => {
  payments = new FakePayments();
  errors = [];
  pages = pagesOn(payments, { log: { error: (_, error) => errors.push(error) } });
});

const HERE = `/hosted/${SESSION}`;
const OWN = { Origin: 'https://pay.example' };
const CARD = 'card=4111111111111111&expiration_month=12&expiration_year=33&security_code=987';

function get(path = '', session = SESSION): Promise<Response> {
  return Promise.resolve(pages.request(`/${session}${path}`));
}

function post(path: string, body = '', headers: Readonly<Record<string, string>> = OWN): Promise<Response> {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return Promise.resolve(
    pages.request(`/${SESSION}${path}`, { method: 'POST', body, headers: { ...type, ...headers } }),
  );
}

/** Text of a page as a person sees it, without its style. */
async function seen(response: Response | Promise<Response>): Promise<string> {
  const page = (await (await response).text()).replace(/<style[\s\S]*?<\/style>/, '');
  return page
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Status, and where the browser is sent. */
async function led(response: Promise<Response>): Promise<string> {
  const { status, headers } = await response;
  return [status, headers.get('location') ?? headers.get('refresh')]
    .filter((part) => part !== null)
    .join(' ');
}

describe('opening', () => {
  test('shows what the stored order says', async () => {
    const text = await seen(get());
    expect(text).toContain('Pay 129.90 EUR to M1');
    expect(text).toContain('ORDER-1');
    expect(text).toContain('Blue shirt SKU-1 · 59.95 · 2');
    expect(text).toContain('SANDBOX: no money moved outside this ledger');
  });

  test('the form that the merchant shows leads to the page; its fields are never believed', async () => {
    const posted = 'order_no=EVIL&amount=0.01&currency=USD&merchant_id=EVIL&account_id=A9';
    expect(await led(post('', posted, { Origin: 'https://shop.example' }))).toBe(`303 ${HERE}`);
    expect(await seen(get())).not.toMatch(/EVIL|0\.01/);
    expect(payments.asked).toEqual([]);
  });

  test.each([
    ['an unknown session', 'x'.repeat(43)],
    ['no session at all', '%20'],
    ['a very long one', 'x'.repeat(5000)],
    ['a path', '..%2f..%2fetc'],
  ])('%s: a page in plain words', async (_, session) => {
    const response = await get('', session);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await seen(response)).toContain('This payment page is not there');
  });

  test('outside the sandbox nothing speaks of it', async () => {
    pages = pagesOn(payments, { environment: 'live' });
    expect(await seen(get())).not.toContain('SANDBOX');
  });

  test.each([
    ['JPY', 1234567, 'en', '1,234,567 JPY'],
    ['KWD', 1, 'en', '0.001 KWD'],
    ['BRL', 123450, 'pt-BR', '1.234,50 BRL'],
    ['MXN', 123450, 'es', '1234,50 MXN'],
    ['UYW', 999_999_999_999_999, 'de', '99,999,999,999.9999 UYW'],
    ['EUR', 5, '"><script>', '0.05 EUR'],
  ])('%s %i in %s is %s', async (currency, amount, language, text) => {
    payments.order = { ...ORDER, currency, amount, language };
    expect(await seen(get())).toContain(text);
  });

  test.each([
    ['pt-BR', 'pt', 'Pagar com cartão'],
    ['es-MX', 'es', 'Pagar con tarjeta'],
    ['ES', 'es', 'Pagar con tarjeta'],
    ['de-DE', 'en', 'Pay by card'],
    ['constructor', 'en', 'Pay by card'],
    ['', 'en', 'Pay by card'],
  ])('a browser that says %j reads %s', async (language, lang, text) => {
    payments.order = { ...ORDER, language };
    const page = await (await get()).text();
    expect(page).toContain(`<html lang="${lang}">`);
    expect(page).toContain(text);
  });
});

describe('what browsers are told', () => {
  const routes: readonly (readonly [string, () => Promise<Response>])[] = [
    ['the form', () => get()],
    ['no such session', () => get('', 'none')],
    ['the opening', () => post('')],
    ['a form with faults', () => post('/card')],
    ['an act', () => post('/card', CARD)],
    ['a foreign act', () => post('/card', CARD, { Origin: 'https://evil.example' })],
    ['the issuer', () => get('/challenge')],
    ['no such act', () => post('/none')],
  ];

  test.each(routes)('%s: locked down, never stored, no session in a referrer', async (_, ask) => {
    const { headers } = await ask();
    const policy = headers.get('content-security-policy')!;
    for (const part of ["default-src 'none'", "form-action 'self'", "base-uri 'none'", 'frame-ancestors']) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('strict-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('the style sheet carries the nonce of its answer, and no other answer has it', async () => {
    const nonces = await Promise.all(
      [get(), get(), get('', 'none'), post('/card')].map(async (asked) => {
        const response = await asked;
        const [, nonce] = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy')!)!;
        expect(await response.text()).toContain(`<style nonce="${nonce}">`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(4);
  });

  test.each([
    [[], "'self'"],
    [['https://shop.example'], "'self' https://shop.example"],
    [['https://a.example', 'https://b.example:8443'], "'self' https://a.example https://b.example:8443"],
    [['https://shop.example/path?x'], "'self' https://shop.example"],
    [['https://shop.example; script-src *'], "'self'"],
    [['javascript:alert(1)', 'data:x', '*', "'unsafe-inline'", 'not an origin'], "'self'"],
  ])(
    'F85 shops %j may frame the page, and nothing else gets into the policy',
    async (storefronts, ancestors) => {
      payments.order = { ...ORDER, storefronts };
      const policy = (await get()).headers.get('content-security-policy')!;
      expect(policy.split('; ').filter((part) => part.startsWith('frame-ancestors'))).toEqual([
        `frame-ancestors ${ancestors}`,
      ]);
      expect(policy).not.toContain('script-src');
    },
  );
});

describe('the card form', () => {
  test('a card is handed on with the address of the shopper, and leads back to the shop', async () => {
    const response = await post('/card', CARD);
    expect(payments.asked).toEqual([
      ['card', { number: '4111111111111111', month: 12, year: 2033, securityCode: '987' }, '203.0.113.7'],
    ]);
    expect([response.status, response.headers.get('refresh')]).toEqual([200, `0; url=${HERE}`]);
    expect(await seen(response)).toContain('Payment approved');
    const { status, headers } = await get();
    expect(status).toBe(303);
    const fields = Object.fromEntries(new URL(headers.get('location')!).searchParams);
    expect(fields).toMatchObject({ order_no: 'ORDER-1', order_status: '1', result_info: '0000:Success' });
    expect(verifySignature(fields, fields.encryption_data, KEY)).toBe(true);
  });

  test('what is wrong is said above the form and at the field; number and code never come back', async () => {
    const response = await post('/card', CARD.replace('4111111111111111', '4111111111111112'));
    expect(response.status).toBe(422);
    const page = await response.text();
    expect(page).toContain('<a href="#card">Check the card number');
    expect(page).toMatch(/<input id="card"[^>]*aria-describedby="card-hint card-fault" aria-invalid="true"/);
    expect(page).toMatch(/<input id="expiration_month"[^>]*value="12"/);
    expect(page).not.toMatch(/4111|987/);
    expect(payments.asked).toEqual([]);
  });

  test('every field has a label, and browsers can fill it in', async () => {
    const page = await (await get()).text();
    for (const [field, filled] of [
      ['card', 'cc-number'],
      ['expiration_month', 'cc-exp-month'],
      ['expiration_year', 'cc-exp-year'],
      ['security_code', 'cc-csc'],
    ]) {
      expect(page).toContain(`for="${field}"`);
      expect(page).toMatch(
        new RegExp(`<input id="${field}" name="${field}" [^>]*inputmode="numeric" autocomplete="${filled}"`),
      );
    }
  });

  test('a form that is too large is not read', async () => {
    const response = await post('/card', `${CARD}&x=${'y'.repeat(20_000)}`);
    expect([response.status, payments.asked]).toEqual([413, []]);
    expect(await seen(response)).toContain('nothing was done');
  });

  test('a session that has ended meanwhile', async () => {
    payments.next = undefined;
    expect((await post('/card', CARD)).status).toBe(404);
  });
});

describe('a stored card', () => {
  beforeEach(() => {
    payments.order = { ...ORDER, storedCard: '4444' };
  });

  test('is offered by its last digits, beside the form for another card', async () => {
    const text = await seen(get());
    expect(text).toMatch(/Pay with the card ending in 4444 .* Use another card Card number/);
    payments.order = ORDER;
    expect(await seen(get())).not.toMatch(/ending in|another card/);
  });

  test('is paid with by its security code alone', async () => {
    expect(await led(post('/stored', 'security_code=987&card=4111111111111111'))).toBe(`200 0; url=${HERE}`);
    expect(payments.asked).toEqual([['stored', '987', '203.0.113.7']]);
  });

  test.each(['', '12', '12345', '12a', '１２３'])(
    'the code %j is not handed on and does not come back',
    async (code) => {
      const response = await post('/stored', `security_code=${encodeURIComponent(code)}`);
      const page = await response.text();
      expect([response.status, payments.asked]).toEqual([422, []]);
      const input = /<input id="stored_code"[^>]*>/.exec(page)![0];
      expect(input).toMatch(/aria-describedby="stored-hint stored-fault" aria-invalid="true"/);
      expect(input).not.toContain('value');
    },
  );

  test('that the order does not name cannot be paid with', async () => {
    payments.order = ORDER;
    expect(await led(post('/stored', 'security_code=987'))).toBe(`303 ${HERE}`);
    expect(payments.asked).toEqual([]);
  });

  test('is paid with from the page alone', async () => {
    const foreign = await post('/stored', 'security_code=987', { Origin: 'https://evil.example' });
    expect([foreign.status, payments.asked]).toEqual([403, []]);
  });
});

describe('acts come from the pages themselves', () => {
  test.each([
    ['another site', { Origin: 'https://evil.example' }, 403],
    ['a page without an origin', { Origin: 'null' }, 403],
    ['nobody says', {}, 403],
    ['another site, as the browser says', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another host of the shop', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.pay.example' }, 403],
    ['the page, as the browser says', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['the page, by the public address', { Origin: 'https://pay.example' }, 200],
    ['the page, by the address that was asked', { Origin: 'http://localhost' }, 200],
  ])('%s', async (_, headers, status) => {
    expect((await post('/leave', '', headers)).status).toBe(status);
    expect(payments.asked).toEqual(status === 200 ? [['leave']] : []);
  });

  test('a foreign act is refused in plain words', async () => {
    const text = await seen(post('/leave', '', { Origin: 'https://evil.example' }));
    expect(text).toContain('Another site tried to act here, so nothing was done.');
  });

  test('looking never acts', async () => {
    for (const act of ['card', 'approve', 'decline', 'leave'])
      expect((await get(`/${act}`)).status).toBe(404);
    await get('/challenge');
    expect(payments.asked).toEqual([]);
  });
});

describe('each step has its acts; the others change nothing', () => {
  const OPEN: HostedStep = { is: 'open' };
  const CHALLENGE: HostedStep = { is: 'challenge', windowSize: '01' };
  const ASKED: HostedStep = { is: 'asked' };

  test.each<[string, HostedOrder['kind'], HostedStep, string, string, unknown]>([
    ['card page', 'card', OPEN, 'card', CARD, 'card'],
    ['card page', 'card', OPEN, 'leave', '', 'leave'],
    ['card page', 'card', OPEN, 'approve', '', undefined],
    ['card page', 'card', OPEN, 'challenge', 'result=pass', undefined],
    ['method page', 'apm', OPEN, 'approve', '', 'apm true'],
    ['method page', 'apm', OPEN, 'decline', '', 'apm false'],
    ['method page', 'apm', OPEN, 'leave', '', 'leave'],
    ['method page', 'apm', OPEN, 'card', CARD, undefined],
    ['challenge', 'card', CHALLENGE, 'challenge', 'result=pass', 'challenge true'],
    ['challenge', 'card', CHALLENGE, 'challenge', 'result=fail', 'challenge false'],
    ['challenge', 'card', CHALLENGE, 'challenge', 'result=', undefined],
    ['challenge', 'card', CHALLENGE, 'challenge', 'result=pass&result=fail', 'challenge false'],
    ['challenge', 'card', CHALLENGE, 'leave', '', 'leave'],
    ['challenge', 'card', CHALLENGE, 'card', CARD, undefined],
    ['waiting', 'card', ASKED, 'card', CARD, undefined],
    ['waiting', 'card', ASKED, 'leave', '', undefined],
    ['over', 'card', APPROVED, 'card', CARD, undefined],
    ['over', 'apm', APPROVED, 'decline', '', undefined],
    ['over', 'card', APPROVED, 'leave', '', undefined],
  ])('%s (%s) %j: %s %s', async (_, kind, step, act, body, asked) => {
    payments.order = { ...ORDER, kind };
    payments.step = step;
    await post(`/${act}`, body);
    const words = payments.asked.map((parts) =>
      (parts as unknown[]).filter((part) => typeof part !== 'object' && part !== '203.0.113.7').join(' '),
    );
    expect(words).toEqual(asked === undefined ? [] : [asked]);
  });

  test.each<[HostedStep, string]>([
    [OPEN, `303 ${HERE}`],
    [CHALLENGE, `303 ${HERE}`],
    [ASKED, `200 2; url=${HERE}?looks=1`],
    // Browsers hold a redirect after a form against form-action: the way out begins with a look of its own.
    [APPROVED, `200 0; url=${HERE}`],
  ])('after a form, %j leads on', async (step, where) => {
    payments.next = step;
    expect(await led(post('/card', CARD))).toBe(where);
  });
});

describe('the challenge', () => {
  beforeEach(() => {
    payments.step = { is: 'challenge', windowSize: '01' };
  });

  test.each([
    ['01', 'width:250px;height:400px'],
    ['02', 'width:390px;height:400px'],
    ['03', 'width:500px;height:600px'],
    ['04', 'width:600px;height:400px'],
  ])('window %s has %s', async (windowSize, size) => {
    payments.step = { is: 'challenge', windowSize };
    const page = await (await get()).text();
    expect(page).toContain(`challenge window-${windowSize}"`);
    expect(page).toContain(`.window-${windowSize} iframe{${size}}`);
    expect(page).toContain(`src="${HERE}/challenge"`);
  });

  test.each([['05'], ['"><script>'], ['']])('window %j fills the page', async (windowSize) => {
    payments.step = { is: 'challenge', windowSize };
    expect(await (await get()).text()).toContain('challenge window-05"');
  });

  test("the issuer's page asks, and its answer moves the page around it", async () => {
    const page = await (await get('/challenge')).text();
    expect(page).toContain('Do you want to pay 129.90 EUR to M1?');
    expect(page).toContain(`<form method="post" action="${HERE}/challenge" target="_parent">`);
  });

  test('once it is over, the window leads on', async () => {
    payments.step = APPROVED;
    const page = await (await get('/challenge')).text();
    expect(page).toContain(`href="${HERE}" target="_parent"`);
    expect(page).not.toContain('<form');
  });
});

describe('alternative methods', () => {
  const apm = (method: string): HostedOrder => ({ ...ORDER, kind: 'apm', method });

  test.each([
    ['pix', 'Pay with Pix'],
    ['boleto', 'Pay with Boleto bancário'],
    ['oxxo', 'Pay with OXXO'],
    ['spei', 'Pay with SPEI'],
    ['pse', 'Pay with PSE'],
    ['bank_transfer', 'Pay with Bank transfer'],
    ['wallet', 'Pay with Wallet'],
  ])('%s says what would happen', async (method, title) => {
    payments.order = apm(method);
    const response = await get();
    expect(await response.clone().text()).toContain(`<body class="pay method-${method}">`);
    const text = await seen(response);
    expect(text).toContain(title);
    expect(text).toContain('What would happen You would');
    expect(text).toContain('Approve 129.90 EUR Decline Cancel and return to the shop');
  });

  test.each([['giropay'], ['__proto__'], ['<b>x</b>']])('%s is shown by its own name', async (method) => {
    payments.order = apm(method);
    const response = await get();
    const page = await response.text();
    expect(page).toContain('<body class="pay">');
    expect(page).toContain(`Pay with ${method.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}`);
  });
});

describe('waiting for the connector', () => {
  beforeEach(() => {
    payments.step = { is: 'asked' };
  });

  test.each([
    ['', `2; url=${HERE}?looks=1`],
    ['?looks=9', `2; url=${HERE}?looks=10`],
    ['?looks=10', `5; url=${HERE}?looks=11`],
    ['?looks=39', `5; url=${HERE}?looks=40`],
    ['?looks=40', null],
    ['?looks=999', null],
    ['?looks=-1', `2; url=${HERE}?looks=1`],
    ['?looks=0%0d%0aX-Evil:1', `2; url=${HERE}?looks=1`],
  ])('the page %s looks again: %s', async (query, refresh) => {
    const response = await get(query);
    expect([response.status, response.headers.get('refresh')]).toEqual([200, refresh]);
    expect(await seen(response)).toContain(
      refresh === null ? 'Look again' : 'please do not pay a second time',
    );
  });
});

describe('over', () => {
  test.each<[0 | 1 | 2, Parameters<typeof reason>[0] | undefined, string]>([
    [1, undefined, '0000:Success'],
    [0, 'D0051', 'D0051:The card has insufficient funds.'],
    [2, 'R0002', 'R0002:Risk holds the payment for review.'],
  ])('order_status %i', async (orderStatus, code, info) => {
    const why = code === undefined ? undefined : reason(code);
    payments.step = { is: 'over', returnTo: 'https://shop.example/back?a=1', orderStatus, reason: why };
    const { status, headers } = await get();
    const address = new URL(headers.get('location')!);
    expect([status, address.origin, address.searchParams.get('a')]).toEqual([
      303,
      'https://shop.example',
      '1',
    ]);
    expect(address.searchParams.get('order_status')).toBe(String(orderStatus));
    expect(address.searchParams.get('result_info')).toBe(info);
  });

  test('F85 an address that is none of the web is never followed', async () => {
    payments.step = { ...APPROVED, returnTo: 'javascript:alert(1)' } as HostedStep;
    const response = await get();
    expect([response.status, response.headers.get('location')]).toEqual([200, null]);
    const page = await response.text();
    expect(page).not.toContain('javascript:');
    expect(page).toContain('You may close this page');
  });
});

test('an error is written down; the page says nothing of it', async () => {
  payments.submitCard = () => Promise.reject(new Error('the secret of card 4111111111111111'));
  const response = await post('/card', CARD);
  expect([response.status, errors.length]).toEqual([500, 1]);
  const page = await response.text();
  expect(page).not.toMatch(/secret|4111/);
  expect(page).toContain('Look at the payment page again before you pay a second time.');
});

test('behind a proxy with a path of its own the pages stay under it', async () => {
  pages = pagesOn(payments, { publicUrl: 'https://pay.example/gateway' });
  expect(await (await get()).text()).toContain(`action="/gateway${HERE}/card"`);
  expect(await led(post(''))).toBe(`303 /gateway${HERE}`);
});

test('F85 F99 whatever stands in an order, the page keeps its tags', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '"><script>alert(1)</script>',
      "' onload='x",
      '</style><img src=x>',
      '<!--',
      '&lt;b&gt;',
      '{{7*7}}',
    ),
  );
  const plain = fc.record({ order: hostile, merchant: hostile, item: hostile, method: hostile });
  const tags = async (order: HostedOrder, step: HostedStep) => {
    payments.order = order;
    payments.step = step;
    const asked = step.is === 'challenge' ? [get(), get('/challenge')] : [get()];
    return Promise.all(asked.map(async (one) => tagsOf(await (await one).text())));
  };
  const steps: readonly [HostedOrder['kind'], HostedStep][] = [
    ['card', { is: 'open' }],
    ['apm', { is: 'open' }],
    ['card', { is: 'asked' }],
    ['card', { is: 'challenge', windowSize: '05' }],
  ];
  for (const [kind, step] of steps) {
    const usual: HostedOrder = { ...ORDER, kind, method: 'other', items: [['a', 'b', '', '']] };
    const expected = await tags(usual, step);
    await fc.assert(
      fc.asyncProperty(plain, async ({ order, merchant, item, method }) => {
        const items = [[`a${item}`, `b${item}`, '', '']] as const;
        const given = { ...usual, orderNo: order, merchantId: merchant, items, method: `x${method}` };
        expect(await tags(given, step)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  }
});
