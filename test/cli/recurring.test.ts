/** `batchgate recurring …`: from the list to the charges, on a clock that the tests set. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inData, servedEngine } from '../../src/cli/compose.ts';
import { loadConfig } from '../../src/config.ts';
import type { SubscriptionMessage } from '../../src/core/payment-message.ts';
import { byCard, CARDS } from '../engine/payments/shop.ts';
import { CliSandbox } from '../support/cli.ts';

let sandbox: CliSandbox;
/** Ids of the contracts in the order in which they were made. */
let ids: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  today('2026-11-20T12:00');
  sandbox = new CliSandbox();
  ids = [];
  await sandbox.run('init');
  await sandbox.run('account', 'add', '--merchant', 'M1', '--account', 'A1', '--currency', 'USD');
});

afterEach(() => {
  vi.useRealTimers();
  sandbox.remove();
});

function today(time: string): void {
  vi.setSystemTime(Date.parse(`${time}Z`));
}

/** A first payment of 10.00 USD with the contract that it makes, its charges 9.00. */
async function subscribe(
  name: string,
  {
    number = CARDS.approved as string,
    year = 2030,
    ...terms
  }: Partial<SubscriptionMessage> & {
    readonly number?: string;
    readonly year?: number;
  } = {},
): Promise<void> {
  const subscription = { interval: 'month' as const, contract_name: name, ...terms };
  const asked = { orderNo: `O-${name}`, amount: 1000, contractAmount: 900, message: { subscription } };
  const config = loadConfig({ data: sandbox.data, color: false });
  await inData(config, async (opened) => {
    const answer = await servedEngine(config, opened).authorise(byCard(number, asked, { year }));
    if (!('payment' in answer)) throw new Error(JSON.stringify(answer));
    ids.push(`R${answer.payment.transactionId}`);
  });
}

interface Listed {
  readonly contracts: readonly {
    readonly name: string;
    readonly status: string;
    readonly next_at: string | null;
  }[];
}

interface Ran {
  readonly exit: number;
  readonly charges: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly code: string | null;
  }[];
}

async function listed(...more: readonly string[]): Promise<readonly string[]> {
  const { contracts } = await sandbox.json<Listed>('recurring', 'list', ...more);
  return contracts.map(({ name, status, next_at }) => `${name} ${status} ${next_at?.slice(0, 16) ?? '–'}`);
}

async function ran(...more: readonly string[]): Promise<readonly (string | number)[]> {
  const { exit, charges } = await sandbox.json<Ran>('recurring', 'run', ...more);
  return [exit, ...charges.map(({ name, outcome, code }) => `${name} ${outcome} ${code ?? ''}`.trim())];
}

describe('run', () => {
  test('charges what is due, once, and says so', async () => {
    await subscribe('Tea');
    await subscribe('Milk', { interval: 'day' });
    expect(await ran()).toEqual([0]);
    today('2026-12-20T12:00');
    const { exit, out } = await sandbox.run('recurring', 'run');
    expect(exit).toBe(0);
    expect(out).toContain(ids[0]);
    expect(out).toMatch(/Milk.*29 days.*approved/);
    expect((await sandbox.run('recurring', 'run')).err).toContain('nothing is due');
  });

  test('exits 3 when some were declined, and 9 when some are in doubt', async () => {
    await subscribe('Tea', { year: 2026, number: CARDS.mastercard });
    today('2027-01-01T12:00');
    expect(await ran()).toEqual([3, 'Tea declined D0054']);
    await subscribe('Slow', { interval: 'day', number: CARDS.slow });
    today('2027-01-01T12:02');
    expect(await ran()).toEqual([0]);
    today('2027-01-02T13:00');
    expect(await ran()).toEqual([3, 'Tea declined D0054', 'Slow pending E0001']);
    today('2027-01-02T13:06');
    expect(await ran()).toEqual([0]);
    expect(await listed()).toEqual(['Tea active 2027-01-04T00:00', 'Slow active 2027-01-03T12:02']);
  });

  test('passes over cycles that cost nothing, all that are due', async () => {
    await subscribe('Tea', { promotion_cycle: 3 });
    today('2027-03-01T12:00');
    expect(await ran()).toEqual([0, 'Tea free', 'Tea free', 'Tea approved']);
  });

  test('tries a past due one again when a person orders it', async () => {
    await subscribe('Tea', { year: 2026 });
    for (const day of ['2027-01-01', '2027-01-02', '2027-01-04', '2027-01-06']) {
      today(`${day}T12:00`);
      expect(await ran()).toEqual([3, 'Tea declined D0054']);
    }
    today('2027-02-01T12:00');
    expect(await ran()).toEqual([0]);
    expect(await listed('--status', 'past_due')).toEqual(['Tea past_due –']);
    const refused = await sandbox.run('recurring', 'run', ids[0]!);
    expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('--reason TEXT')]);
    const unnamed = await sandbox.run('recurring', 'run', '--reason', 'why');
    expect([unnamed.exit, unnamed.err]).toEqual([2, expect.stringContaining('recurring run ID')]);
    expect(await ran(ids[0]!, '--reason', 'the shopper has called')).toEqual([3, 'Tea declined D0054']);
    const { out } = await sandbox.run('recurring', 'show', ids[0]!);
    expect(out).toContain('the shopper has called');
    expect(out).toContain('past due');
  });
});

describe('end', () => {
  test('charges nothing more, and stands in the audit', async () => {
    await subscribe('Tea');
    const { exit, out, err } = await sandbox.run('recurring', 'end', ids[0]!, '--reason', 'asked for');
    expect([exit, out]).toEqual([0, `subscription ${ids[0]} is ended; nothing more is charged\n`]);
    expect(err).toContain(`next: batchgate recurring show ${ids[0]}`);
    today('2026-12-20T12:00');
    expect(await ran()).toEqual([0]);
    expect(await listed()).toEqual(['Tea ended –']);
    const again = await sandbox.run('recurring', 'end', ids[0]!, '--reason', 'asked for');
    expect([again.exit, again.err]).toEqual([2, expect.stringContaining('has ended already')]);
    expect(await sandbox.json('recurring', 'show', ids[0]!)).toMatchObject({
      ended: { reason: 'asked for' },
      acts: [{ act: 'recurring.end', detail: { reason: 'asked for' } }],
    });
  });

  test('needs a reason, and a subscription that there is', async () => {
    await subscribe('Tea');
    expect((await sandbox.run('recurring', 'end', ids[0]!)).exit).toBe(2);
    const unknown = await sandbox.run('recurring', 'end', 'R7', '--reason', 'why');
    expect([unknown.exit, unknown.err]).toEqual([2, expect.stringContaining('there is no subscription R7')]);
  });
});

describe('list and show', () => {
  test('say that there is none', async () => {
    expect((await sandbox.run('recurring', 'list')).err).toContain('no subscription yet');
    expect((await sandbox.run('recurring', 'list', '--status', 'past_due')).err).toContain(
      'no subscription is past due',
    );
    expect((await sandbox.run('recurring', 'show', 'R7')).exit).toBe(2);
  });

  test('show terms and charges', async () => {
    await subscribe('Tea', { billing_cycle: 12, contract_end: '2028-01-31' });
    today('2026-12-20T12:00');
    await ran();
    const shown = await sandbox.json('recurring', 'show', ids[0]!.toLowerCase());
    expect(shown).toMatchObject({
      environment: 'sandbox',
      recurring_id: ids[0],
      name: 'Tea',
      merchant: 'M1',
      account: 'A1',
      status: 'active',
      currency: 'USD',
      amount: '9.00',
      period: '1 month',
      next_at: '2027-01-20T12:00:00.000Z',
      cycles_done: 2,
      cycles: 12,
      first_transaction_id: ids[0]!.slice(1),
      ends_at: '2028-01-31T23:59:59.999Z',
      ended: null,
      charges: [
        {
          cycle: 2,
          attempt: 1,
          due_at: '2026-12-20T12:00:00.000Z',
          outcome: 'approved',
          transaction_ids: [expect.stringMatching(/^T/)],
        },
      ],
    });
    const { out } = await sandbox.run('recurring', 'show', ids[0]!);
    expect(out).toContain('9.00 USD every 1 month');
    expect(out).toMatch(/2 of 12/);
    expect((await sandbox.run('recurring', 'list')).out).toMatch(/Tea.*M1\/A1.*active.*9\.00 USD/);
  });
});
