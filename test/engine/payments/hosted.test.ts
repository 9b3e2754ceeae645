/** Payments on hosted pages: by card, with a challenge, and by alternative methods. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, NOON, Sandbox } from '../../support/ledger.ts';
import { byApm, byCard, CARDS, card, checkout, place, sessionOf, statusOf, words } from './shop.ts';

const BACK = 'https://shop.test/back';
const CART = 'https://shop.test/cart';

let sandbox: Sandbox;

beforeEach(async () => {
  const currencies = ['USD', 'BRL', 'MXN', 'COP'];
  sandbox = await Sandbox.make([
    { currencies, storefronts: ['https://shop.test'] },
    { currencies, capture: 'automatic' },
  ]);
});

afterEach(() => sandbox.remove());

async function begin(asked: Parameters<typeof checkout>[0] = {}): Promise<string> {
  return sessionOf(await sandbox.engine().checkout(checkout(asked)));
}

function submit(session: string, number: string) {
  return sandbox.engine().submitCard(session, card(number), '198.51.100.7');
}

describe('a checkout', () => {
  test('answers a session of 256 bits, and shows the order as it is stored', async () => {
    const answer = await sandbox.engine().checkout(checkout({ message: { browser_lang: 'pt-BR' } }));
    expect(answer).toMatchObject({
      session: { kind: 'card', session: expect.stringMatching(/^[\w-]{43}$/) },
    });
    const view = await sandbox.engine().open(sessionOf(answer));
    expect(view).toEqual({
      order: {
        merchantId: 'M1',
        accountId: 'A1',
        transactionId: expect.stringMatching(/^T/),
        orderNo: 'O1',
        currency: 'USD',
        amount: 10_000,
        items: [],
        language: 'pt-BR',
        kind: 'card',
        method: undefined,
        storefronts: ['https://shop.test'],
      },
      step: { is: 'open' },
    });
    expect(await statusOf(sandbox.engine(), 'O1')).toEqual([1000]);
    expect(await sandbox.transfers()).toEqual([]);
  });

  test('takes its order number for as long as the shopper is waited for', async () => {
    await begin();
    expect(words(await sandbox.engine().checkout(checkout()))).toBe('failure I0061');
    sandbox.now = NOON + DAY;
    expect(words(await sandbox.engine().checkout(checkout()))).toBe('session card');
    expect(await statusOf(sandbox.engine(), 'O1')).toEqual([1000, 6100]);
  });

  test('that names a stored card which is not there is refused', async () => {
    const asked = checkout({ message: { token_id: 'K0' } });
    expect(words(await sandbox.engine().checkout(asked))).toBe('not found token_id');
  });

  test('offers the stored card that it names, and is paid with it or with another', async () => {
    const engine = sandbox.engine();
    const kept = byCard(CARDS.mastercard, { orderNo: 'kept', message: { token_flag: 'YES' } });
    const first = await engine.authorise(kept);
    const token_id = 'payment' in first ? first.payment.tokenId! : '';
    const pages = await Promise.all(
      ['O2', 'O3', 'O4'].map((orderNo) => begin({ orderNo, message: { token_id } })),
    );
    expect((await engine.open(pages[0]!))?.order.storedCard).toBe('4444');
    expect(place(await engine.submitStoredCard(pages[0]!, '123', '198.51.100.7'))).toBe(
      `over 1 success ${BACK}`,
    );
    expect(place(await submit(pages[1]!, CARDS.declined))).toBe(`over 0 D0005 ${BACK}`);
    expect(place(await engine.leave(pages[2]!))).toBe(`over 0 V0007 ${CART}`);
    // The card stays stored whatever becomes of the payments that use it.
    const again = await begin({ orderNo: 'O5', message: { token_id } });
    const both = await Promise.all([
      engine.submitStoredCard(again, '123', '198.51.100.7'),
      engine.submitStoredCard(again, '123', '198.51.100.7'),
    ]);
    expect(both.map((view) => view?.order.storedCard)).toEqual(['4444', '4444']);
    expect((await sandbox.transfers()).filter((one) => one.includes('authorise'))).toHaveLength(3);
  });

  test('without a stored card cannot be paid with one', async () => {
    const session = await begin();
    const view = await sandbox.engine().submitStoredCard(session, '123', '198.51.100.7');
    expect([view?.step.is, view?.order.storedCard]).toEqual(['open', undefined]);
  });

  test('has a session that nobody else has', async () => {
    expect(await sandbox.engine().open('nobody')).toBeUndefined();
    expect(await submit('nobody', CARDS.approved)).toBeUndefined();
    expect(await sandbox.engine().leave('nobody')).toBeUndefined();
  });
});

describe('a card on the page', () => {
  test.each([
    [CARDS.approved, `over 1 success ${BACK}`, 2000],
    [CARDS.declined, `over 0 D0005 ${BACK}`, 6000],
    [CARDS.poor, `over 0 D0051 ${BACK}`, 6000],
    [CARDS.unknown, `over 0 D0014 ${BACK}`, 6000],
    [CARDS.held, `over 2 R0002 ${BACK}`, 1200],
    [CARDS.slow, 'asked', 1050],
    [CARDS.challenged, 'challenge 05', 1100],
  ])('%s leads to %s', async (number, where, status) => {
    const session = await begin();
    expect(place(await submit(session, number))).toBe(where);
    expect(place(await sandbox.engine().open(session))).toBe(where);
    expect(await statusOf(sandbox.engine(), 'O1')).toEqual([status]);
  });

  test('pays once, however often it is submitted', async () => {
    const session = await begin({ accountId: 'A2' });
    const engine = sandbox.engine();
    const cards = [card(CARDS.approved), card(CARDS.alsoApproved), card(CARDS.declined)];
    await Promise.all(cards.map((one) => engine.submitCard(session, one, '198.51.100.7')));
    expect(place(await submit(session, CARDS.mastercard))).toBe(`over 1 success ${BACK}`);
    expect((await sandbox.transfers()).map((text) => text.split(' ')[1])).toEqual([
      'ask',
      'authorise',
      'capture',
    ]);
    expect(await sandbox.books('USD', 2)).toEqual({ merchant: '100.00', acquirer: '-100.00' });
  });

  test('that answered late is over once the acquirer is heard', async () => {
    const session = await begin();
    await submit(session, CARDS.slow);
    sandbox.now += 60_000;
    expect(await sandbox.engine().resolveDoubts()).toBe(1);
    expect(place(await sandbox.engine().open(session))).toBe(`over 1 success ${BACK}`);
  });

  test('comes too late after a day', async () => {
    const session = await begin();
    sandbox.now = NOON + DAY;
    expect(await submit(session, CARDS.approved)).toBeUndefined();
    expect(await sandbox.transfers()).toEqual([]);
  });
});

describe('a challenge', () => {
  test.each([
    [true, `over 1 success ${BACK}`, 2000, 'Y', ['ask', 'challenge', 'ask', 'authorise']],
    [false, `over 0 D0065 ${BACK}`, 6000, 'N', ['ask', 'challenge', 'ask', 'decline']],
  ])('that is passed: %s', async (passed, where, status, threeDs, kinds) => {
    const session = await begin({ message: { challenge_window_size: '02' } });
    expect(place(await submit(session, CARDS.challenged))).toBe('challenge 02');
    expect(place(await sandbox.engine().answerChallenge(session, passed))).toBe(where);
    expect(place(await sandbox.engine().answerChallenge(session, !passed))).toBe(where);
    expect(await statusOf(sandbox.engine(), 'O1')).toEqual([status]);
    const decisions = await sandbox.database.reads.all<{ threeds: string }>(
      'SELECT threeds FROM payment_decision ORDER BY number',
    );
    expect(decisions.at(-1)).toEqual({ threeds: threeDs });
    expect((await sandbox.transfers()).map((text) => text.split(' ')[1])).toEqual(kinds);
  });

  test('cannot be answered before there is one', async () => {
    const session = await begin();
    expect(place(await sandbox.engine().answerChallenge(session, true))).toBe('open');
    expect(await sandbox.transfers()).toEqual([]);
  });
});

describe('a shopper who leaves', () => {
  test.each([
    ['at once', undefined, `over 0 V0007 ${CART}`, 5000],
    ['during a challenge', CARDS.challenged, `over 0 V0007 ${CART}`, 5000],
    ['after the payment', CARDS.approved, `over 1 success ${BACK}`, 2000],
    ['while the acquirer is asked', CARDS.slow, 'asked', 1050],
  ])('%s', async (_, number, where, status) => {
    const session = await begin();
    if (number !== undefined) await submit(session, number);
    expect(place(await sandbox.engine().leave(session))).toBe(where);
    expect(place(await submit(session, CARDS.approved))).toBe(where);
    expect(await statusOf(sandbox.engine(), 'O1')).toEqual([status]);
  });

  test('goes to return_url where there is no cancel_url', async () => {
    const session = sessionOf(await sandbox.engine().authorise(byApm('wallet')));
    expect(place(await sandbox.engine().leave(session))).toBe(`over 0 V0007 ${BACK}`);
  });
});

describe('an alternative method', () => {
  const BRL = { currency: 'BRL' } as const;
  const person = { message: { person: { document_number: '1' } } };
  test.each([
    ['pix', BRL, 'session apm'],
    ['pix', {}, 'failure V0003'],
    ['boleto', { ...BRL, ...person }, 'session apm'],
    ['boleto', BRL, 'failure I0001'],
    ['oxxo', { currency: 'MXN' }, 'session apm'],
    ['spei', { currency: 'MXN' }, 'session apm'],
    ['spei', BRL, 'failure V0003'],
    ['pse', { currency: 'COP', message: { bank_code: '1007' } }, 'session apm'],
    ['pse', { currency: 'COP' }, 'failure I0001'],
    ['bank_transfer', {}, 'session apm'],
    ['wallet', BRL, 'session apm'],
    ['cheque', {}, 'failure I0002'],
    ['toString', {}, 'failure I0002'],
    ['wallet', { message: { subscription: { interval: 'month' } } }, 'failure I0002'],
  ] as const)('%s %o: %s', async (method, asked, ending) => {
    expect(words(await sandbox.engine().authorise(byApm(method, asked)))).toBe(ending);
  });

  test('is chosen by a checkout too', async () => {
    const answer = await sandbox
      .engine()
      .checkout(checkout({ currency: 'BRL', message: { payment_method: 'pix' } }));
    expect(words(answer)).toBe('session apm');
    expect(await sandbox.engine().open(sessionOf(answer))).toMatchObject({
      order: { kind: 'apm', method: 'pix' },
    });
  });

  test.each([
    ['A1', true, `over 1 success ${BACK}`, 2000, ['authorise']],
    ['A2', true, `over 1 success ${BACK}`, 3000, ['authorise', 'capture']],
    ['A1', false, `over 0 D0005 ${BACK}`, 6000, ['decline']],
  ])('of %s is approved by the shopper: %s', async (accountId, approved, where, status, kinds) => {
    const session = sessionOf(await sandbox.engine().authorise(byApm('wallet', { accountId })));
    expect(place(await sandbox.engine().decideApm(session, approved))).toBe(where);
    expect(place(await sandbox.engine().decideApm(session, !approved))).toBe(where);
    expect(await statusOf(sandbox.engine(), 'O1', accountId)).toEqual([status]);
    expect((await sandbox.transfers()).map((text) => text.split(' ')[1])).toEqual(kinds);
  });

  test('and a card keep to their own pages', async () => {
    const apm = sessionOf(await sandbox.engine().authorise(byApm('wallet')));
    const hosted = await begin({ orderNo: 'O2' });
    expect(place(await submit(apm, CARDS.approved))).toBe('open');
    expect(place(await sandbox.engine().decideApm(hosted, true))).toBe('open');
    expect(await sandbox.transfers()).toEqual([]);
  });

  test('counts for risk, and is held or refused by it', async () => {
    const { risk } = (await sandbox.accounts())[0]!.settings;
    await sandbox.account({ risk: { ...risk, amount: { USD: 100 } } });
    const pay = async (orderNo: string, amount: number) => {
      const asked = byApm('wallet', { orderNo, amount, accountId: 'A3' });
      return place(
        await sandbox.engine().decideApm(sessionOf(await sandbox.engine().authorise(asked)), true),
      );
    };
    expect(await pay('O1', 100)).toBe(`over 1 success ${BACK}`);
    expect(await pay('O2', 101)).toBe(`over 2 R0002 ${BACK}`);
    expect(await pay('O3', 201)).toBe(`over 0 R0001 ${BACK}`);
  });
});
