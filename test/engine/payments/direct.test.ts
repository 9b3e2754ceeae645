/** Direct payments: every test card, and what is known of the payment afterwards. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, NOON, Sandbox } from '../../support/ledger.ts';
import { byCard, byToken, CARDS, paymentOf, statusOf, words } from './shop.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make([{}, { capture: 'automatic' }]);
});

afterEach(() => sandbox.remove());

/** What a transfer did, without the id that the engine made. */
async function kinds(): Promise<readonly string[]> {
  return (await sandbox.transfers()).map((text) => text.replace(/^\S+ /, ''));
}

describe('a card', () => {
  test.each([
    [CARDS.approved, '1 success', 2000, ['authorise 10000']],
    [CARDS.alsoApproved, '1 success', 2000, ['authorise 10000']],
    [CARDS.mastercard, '1 success', 2000, ['authorise 10000']],
    [CARDS.declined, '0 D0005', 6000, ['decline 0']],
    [CARDS.poor, '0 D0051', 6000, ['decline 0']],
    [CARDS.expired, '0 D0054', 6000, ['decline 0']],
    [CARDS.wrongCode, '0 D0082', 6000, ['decline 0']],
    [CARDS.challenged, '0 D0065', 6000, ['decline 0']],
    [CARDS.held, '2 R0002', 1200, ['hold_for_review 10000']],
    [CARDS.slow, '2 E0001', 1050, []],
    [CARDS.unknown, '0 D0014', 6000, ['decline 0']],
  ])('%s ends as %s, payment_status %i', async (number, ending, status, transfers) => {
    const engine = sandbox.engine();
    expect(words(await engine.authorise(byCard(number)))).toBe(ending);
    expect(await statusOf(engine, 'O1')).toEqual([status]);
    expect(await kinds()).toEqual(transfers);
  });

  test.each([
    [{ year: 2026, month: 11 }, '1 success'],
    [{ year: 2026, month: 10 }, '0 D0054'],
    [{ year: 2025, month: 12 }, '0 D0054'],
  ])('that expires %o, in November 2026', async (expiry, ending) => {
    expect(words(await sandbox.engine().authorise(byCard(CARDS.approved, {}, expiry)))).toBe(ending);
  });

  test('is told in six and four digits, and an unknown one not at all', async () => {
    const engine = sandbox.engine();
    const known = paymentOf(await engine.authorise(byCard(CARDS.poor)));
    expect(known).toMatchObject({ maskedCard: '400000******9995', connector: 'simulator', threeDs: '-' });
    const unknown = paymentOf(await engine.authorise(byCard(CARDS.unknown, { orderNo: 'O2' })));
    expect(unknown.maskedCard).toBeUndefined();
    expect(unknown.risk.reasons.map(({ name }) => name)).toContain('test_card');
  });
});

describe('money', () => {
  test('is held by an authorisation, and captured at once where the account says so', async () => {
    await sandbox.engine().authorise(byCard(CARDS.approved));
    expect(await sandbox.books()).toEqual({ holds: '-100.00', issuer: '100.00' });
    await sandbox.engine().authorise(byCard(CARDS.approved, { accountId: 'A2' }));
    expect(await sandbox.books('USD', 2)).toEqual({ merchant: '100.00', acquirer: '-100.00' });
    expect(await kinds()).toEqual(['authorise 10000', 'authorise 10000', 'capture 10000']);
    expect(await statusOf(sandbox.engine(), 'O1', 'A2')).toEqual([3000]);
  });

  test('of a payment under review waits for the review, whose acceptance captures where the account says so', async () => {
    const engine = sandbox.engine();
    const { transactionId } = paymentOf(await engine.authorise(byCard(CARDS.held, { accountId: 'A2' })));
    expect(await sandbox.books('USD', 2)).toEqual({ in_review: '-100.00', issuer: '100.00' });
    const entry = {
      transactionId,
      orderNo: 'O1',
      currency: 'USD',
      amount: 10_000,
      refundAmount: undefined,
      reviewFlag: 1,
      refundReason: undefined,
      reference: undefined,
      line: 0,
      repeatOf: undefined,
    } as const;
    await engine.review({ merchantId: 'M1', accountId: 'A2', entries: [entry] });
    expect(await statusOf(engine, 'O1', 'A2')).toEqual([3000]);
    expect(await sandbox.books('USD', 2)).toEqual({ merchant: '100.00', acquirer: '-100.00' });
  });
});

describe('a request is refused', () => {
  test.each([
    ['for an account that is not there', { accountId: 'A9' }, 'failure I0013'],
    ['in a currency that the account does not have', { currency: 'BRL' }, 'failure V0003'],
  ])('%s', async (_, asked, ending) => {
    expect(words(await sandbox.engine().authorise(byCard(CARDS.approved, asked)))).toBe(ending);
    expect(await statusOf(sandbox.engine(), 'O1')).toEqual([]);
  });

  test('whose order number is the number of the card', async () => {
    const answer = await sandbox
      .engine()
      .authorise(byCard(CARDS.approved, { orderNo: `X${CARDS.approved}` }));
    expect(answer).toMatchObject({ failure: { code: 'I0002', column: 'order_no' } });
    expect(JSON.stringify(answer)).not.toContain(CARDS.approved);
  });
});

describe('an order number', () => {
  test.each([
    [CARDS.approved, 'failure I0061'],
    [CARDS.held, 'failure I0061'],
    [CARDS.slow, 'failure I0062'],
    [CARDS.declined, '1 success'],
    [CARDS.unknown, '1 success'],
  ])('after a payment by %s: the next one ends as %s', async (number, ending) => {
    await sandbox.engine().authorise(byCard(number));
    expect(words(await sandbox.engine().authorise(byCard(CARDS.approved)))).toBe(ending);
  });

  test.each([
    ['authorised', 'failure I0061'],
    ['captured', 'failure I0061'],
    ['in_doubt', 'failure I0062'],
    ['cancelled', '1 success'],
    ['declined', '1 success'],
    ['expired', '1 success'],
    ['rejected', '1 success'],
  ] as const)('of an imported transaction that is %s: %s', async (state, ending) => {
    await sandbox.given({ id: 'T1', state });
    expect(words(await sandbox.engine().authorise(byCard(CARDS.approved, { orderNo: 'O-T1' })))).toBe(ending);
  });

  test('is free again once the authorisation has run out, also in the other account at any time', async () => {
    await sandbox.engine().authorise(byCard(CARDS.approved));
    expect(words(await sandbox.engine().authorise(byCard(CARDS.approved, { accountId: 'A2' })))).toBe(
      '1 success',
    );
    sandbox.now = NOON + 7 * DAY;
    expect(words(await sandbox.engine().authorise(byCard(CARDS.approved)))).toBe('1 success');
  });

  test('of a hundred requests at once is charged once', async () => {
    const engine = sandbox.engine();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => engine.authorise(byCard(CARDS.approved))),
    );
    const endings = answers.map(words).sort();
    expect(endings).toEqual(['1 success', ...Array.from({ length: 99 }, () => 'failure I0062')]);
    expect(await kinds()).toEqual(['authorise 10000']);
  });
});

describe('3-D Secure', () => {
  const brought = (mpi_info: object) => ({ message: { additional_information: [{ mpi_info }] } });
  test.each([
    ['not asked for', CARDS.approved, {}, '1 success', '-'],
    ['asked for', CARDS.approved, { message: { open3d: 'do3DS' } }, '1 success', 'Y'],
    ['asked for, and a challenge wanted', CARDS.challenged, { message: { open3d: 'do3DS' } }, '0 D0065', 'U'],
    ['brought: authenticated', CARDS.challenged, brought({ eci: '05', cavv: 'x' }), '1 success', 'Y'],
    [
      'brought: authenticated, Mastercard',
      CARDS.challenged,
      brought({ eci: '02', cavv: 'x' }),
      '1 success',
      'Y',
    ],
    ['brought: attempted', CARDS.challenged, brought({ eci: '06' }), '1 success', 'A'],
    ['brought: attempted, Mastercard', CARDS.challenged, brought({ eci: '01' }), '1 success', 'A'],
    ['brought without its proof', CARDS.challenged, brought({ eci: '05' }), '0 D0065', 'U'],
    ['brought: nobody could be asked', CARDS.approved, brought({ eci: '07' }), '1 success', 'U'],
    ['brought: failed', CARDS.approved, brought({ eci: '07', dsTransID: 'd' }), '0 D0065', 'N'],
    ['brought: failed, Mastercard', CARDS.approved, brought({ eci: '00', xid: 'x' }), '0 D0065', 'N'],
  ])('%s, card %s', async (_, number, asked, ending, result) => {
    const answer = await sandbox.engine().authorise(byCard(number, asked));
    expect(words(answer)).toBe(ending);
    expect(paymentOf(answer).threeDs).toBe(result);
  });
});

describe('risk', () => {
  test.each([
    [10_000, '1 success', 2000],
    [10_001, '2 R0002', 1200],
    [20_000, '2 R0002', 1200],
    [20_001, '0 R0001', 6000],
  ])('of an account that holds payments above 100.00 USD: %i ends as %s', async (amount, ending, status) => {
    const { risk } = (await sandbox.accounts())[0]!.settings;
    await sandbox.account({ risk: { ...risk, amount: { USD: 10_000 } } });
    const asked = { amount, accountId: 'A3' };
    expect(words(await sandbox.engine().authorise(byCard(CARDS.approved, asked)))).toBe(ending);
    expect(await statusOf(sandbox.engine(), 'O1', 'A3')).toEqual([status]);
  });

  test('counts payments of one card within an hour, declined ones too', async () => {
    const { risk } = (await sandbox.accounts())[0]!.settings;
    await sandbox.account({ risk: { ...risk, review: 20, per_hour: { ...risk.per_hour, card: 2 } } });
    const pay = async (orderNo: string, number: string) =>
      words(await sandbox.engine().authorise(byCard(number, { orderNo, accountId: 'A3' })));
    expect(await pay('O1', CARDS.approved)).toBe('1 success');
    expect(await pay('O2', CARDS.approved)).toBe('1 success');
    expect(await pay('O3', CARDS.approved)).toBe('2 R0002');
    expect(await pay('O4', CARDS.mastercard)).toBe('1 success');
    sandbox.now += 60 * 60 * 1000;
    expect(await pay('O5', CARDS.approved)).toBe('1 success');
  });
});

describe('a stored card', () => {
  const STORE = { message: { token_flag: 'YES' } } as const;

  test('is charged by its token, under the masked number it was stored with', async () => {
    const engine = sandbox.engine();
    const { tokenId } = paymentOf(await engine.authorise(byCard(CARDS.approved, STORE)));
    expect(tokenId).toMatch(/^K[0-9A-Z]{25}$/);
    const paid = paymentOf(await sandbox.engine().authorise(byToken(tokenId!, { orderNo: 'O2' })));
    expect(paid).toMatchObject({ orderStatus: 1, tokenId, maskedCard: '411111******1111' });
  });

  test('keeps its token when it is stored again, not when it has another expiry', async () => {
    const engine = sandbox.engine();
    const store = async (orderNo: string, year: number) =>
      paymentOf(await engine.authorise(byCard(CARDS.approved, { ...STORE, orderNo }, { year }))).tokenId;
    const first = await store('O1', 2030);
    expect(await store('O2', 2030)).toBe(first);
    expect(await store('O3', 2031)).not.toBe(first);
  });

  test('is the account’s own', async () => {
    const { tokenId } = paymentOf(await sandbox.engine().authorise(byCard(CARDS.approved, STORE)));
    const other = byToken(tokenId!, { orderNo: 'O2', accountId: 'A2' });
    expect(words(await sandbox.engine().authorise(other))).toBe('not found token_id');
    expect(words(await sandbox.engine().authorise(byToken('K0', { orderNo: 'O2' })))).toBe(
      'not found token_id',
    );
  });

  test.each([CARDS.declined, CARDS.unknown])('is not stored when %s is declined', async (number) => {
    expect(paymentOf(await sandbox.engine().authorise(byCard(number, STORE))).tokenId).toBeUndefined();
    expect(await sandbox.database.reads.all('SELECT * FROM token')).toEqual([]);
  });

  test('is decided by what the acquirer says of it now', async () => {
    const { tokenId } = paymentOf(
      await sandbox.engine().authorise(byCard(CARDS.approved, STORE, { year: 2026, month: 11 })),
    );
    sandbox.now = Date.UTC(2026, 11, 1);
    expect(words(await sandbox.engine().authorise(byToken(tokenId!, { orderNo: 'O2' })))).toBe('0 D0054');
  });

  test('of a payment in doubt can be used once that payment is approved', async () => {
    const engine = sandbox.engine();
    expect(paymentOf(await engine.authorise(byCard(CARDS.slow, STORE))).tokenId).toBeUndefined();
    const [stored] = await sandbox.database.reads.all<{ id: string }>('SELECT token_id AS id FROM token');
    const byStored = byToken(stored!.id, { orderNo: 'O2' });
    expect(words(await engine.authorise(byStored))).toBe('not found token_id');
    sandbox.now += 60_000;
    expect(await engine.resolveDoubts()).toBe(1);
    const { maskedCard } = paymentOf(await engine.authorise(byStored));
    expect(maskedCard).toBe('400000******0119');
  });
});

test('the merchant is told of every ending, and why it is no success', async () => {
  const notify_url = 'https://shop.test/notify';
  const engine = sandbox.engine();
  for (const [orderNo, number] of Object.entries({
    O1: CARDS.approved,
    O2: CARDS.poor,
    O3: CARDS.slow,
    O4: CARDS.held,
  })) {
    await engine.authorise(byCard(number, { orderNo, message: { notify_url } }));
  }
  const told = async () =>
    (
      await sandbox.database.reads.all<{ url: string; body: string }>(
        'SELECT url, body FROM event ORDER BY number',
      )
    ).map(({ body }) => {
      const { event, order_no, order_status, result_info } = JSON.parse(body);
      return `${event} ${order_no} ${order_status} ${result_info.slice(0, 5)}`;
    });
  const atOnce = ['payment.result O1 1 0000:', 'payment.result O2 0 D0051', 'payment.result O4 2 R0002'];
  expect(await told()).toEqual(atOnce);
  sandbox.now += 60_000;
  await engine.resolveDoubts();
  expect(await told()).toEqual([...atOnce, 'payment.result O3 1 0000:']);
});

test('ids start with a letter, are ordered by time and have digits and capitals only', async () => {
  const engine = sandbox.engine();
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    sandbox.now += count;
    ids.push(
      paymentOf(await engine.authorise(byCard(CARDS.approved, { orderNo: `O${count}` }))).transactionId,
    );
  }
  expect(ids.slice(1)).toEqual(ids.slice(1).sort());
  expect(new Set(ids).size).toBe(20);
  for (const id of ids) expect(id).toMatch(/^T[0-9A-Z]{1,31}$/);
});
