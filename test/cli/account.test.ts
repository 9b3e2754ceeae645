/** `batchgate account …`: ids, currencies, keys that are never shown, addresses, and the audit of it all. */
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actsAfter } from '../../src/ledger/audit.ts';
import { Database } from '../../src/ledger/database.ts';
import { CliSandbox } from '../support/cli.ts';

let sandbox: CliSandbox;
beforeEach(async () => {
  sandbox = new CliSandbox();
  await sandbox.run('init');
});
afterEach(() => sandbox.remove());

const add = (...more: readonly string[]) =>
  sandbox.run('account', 'add', '--merchant', 'M1', '--account', 'A1', '--currency', 'USD', ...more);
const keys = () =>
  readdirSync(join(sandbox.data, 'keys')).filter((name) => name.endsWith('.key') && name !== 'hash.key');
const keyText = (name: string) => readFileSync(join(sandbox.data, 'keys', name), 'utf8');

async function acts(): Promise<readonly string[]> {
  const database = await Database.open(join(sandbox.data, 'batchgate.db'));
  try {
    return (await actsAfter(database.reads, 0, 100)).map(({ act, subject }) => `${act} ${subject}`);
  } finally {
    await database.close();
  }
}

describe('add', () => {
  test('makes a private key file, prints where it is and its fingerprint, and never the key', async () => {
    const { exit, out, err } = await add();
    expect(exit).toBe(0);
    expect(keys()).toEqual(['M1.A1.1.key']);
    const key = keyText('M1.A1.1.key');
    expect(key).toMatch(/^[\w-]{43}\n$/);
    expect(statSync(join(sandbox.data, 'keys', 'M1.A1.1.key')).mode & 0o777).toBe(0o600);
    expect(out).toContain(join(sandbox.data, 'keys', 'M1.A1.1.key'));
    expect(out).toMatch(/fingerprint {2}[0-9a-f]{16}/);
    expect(out + err).not.toContain(key.trim());
    expect(err).toContain('next: batchgate import');
    expect(await acts()).toEqual(['init sandbox', 'account.add M1/A1']);
  });

  test('copies a given key file', async () => {
    const given = join(mkdtempSync(join(tmpdir(), 'batchgate-key-')), 'a.key');
    writeFileSync(given, `${'k'.repeat(32)}\r\n`, { mode: 0o600 });
    expect((await add('--key-file', given)).exit).toBe(0);
    expect(keyText('M1.A1.1.key')).toBe(`${'k'.repeat(32)}\r\n`);
    expect(statSync(join(sandbox.data, 'keys', 'M1.A1.1.key')).mode & 0o777).toBe(0o600);
  });

  test('takes the settings it is given', async () => {
    await add(
      '--currency',
      'EUR,JPY',
      '--capture',
      'automatic',
      '--lifetime',
      '36h',
      '--time-zone',
      'Europe/Berlin',
    );
    expect(await sandbox.json('account', 'show')).toMatchObject({
      currencies: ['USD', 'EUR', 'JPY'],
      capture: 'automatic',
      lifetime: '36h',
      time_zone: 'Europe/Berlin',
    });
  });

  test('ids that would be unsafe as file names get safe ones, each its own', async () => {
    for (const merchant of ['../x', '..?x']) {
      await sandbox.run('account', 'add', '--merchant', merchant, '--account', 'ä b', '--currency', 'USD');
    }
    expect(keys()).toEqual(['___x.__b.1.key', '___x.__b.2.key']);
  });

  test.each<[string, readonly string[], string]>([
    ['an account that is there already', [], 'account M1/A1 is there already'],
    ['an unknown currency', ['--currency', 'XXX'], '--currency XXX is no active ISO 4217 code'],
    ['a currency in small letters', ['--currency', 'eur'], 'Did you mean EUR?'],
    ['a lifetime that is none', ['--lifetime', 'long'], '--lifetime long is not a duration'],
    ['a time zone that is none', ['--time-zone', 'Mars/Olympus'], '--time-zone Mars/Olympus is not known'],
    ['a key file that is not there', ['--key-file', '/nowhere/a.key'], 'there is no key file /nowhere/a.key'],
  ])('refuses %s', async (_, options, said) => {
    await add();
    const before = keys();
    const { exit, err } = await add(...options);
    expect(err).toContain(said);
    expect(exit).toBe(2);
    expect(keys()).toEqual(before);
  });

  test('refuses a short key, and ids with control characters or of 65', async () => {
    const given = join(sandbox.folder, 'short.key');
    writeFileSync(given, 'short\n', { mode: 0o600 });
    const short = await add('--key-file', given);
    expect(short.err).toContain('it needs at least 32');
    expect(short.err).not.toContain('short\n');
    for (const id of ['A\u0007', 'A'.repeat(65)]) {
      const { exit, err } = await sandbox.run(
        'account',
        'add',
        '--merchant',
        id,
        '--account',
        'A1',
        '--currency',
        'USD',
      );
      expect([exit, err]).toEqual([
        2,
        expect.stringContaining('--merchant must be 1 to 64 printable characters'),
      ]);
    }
    expect(keys()).toEqual([]);
  });
});

describe('keys', () => {
  test('a new key leaves the old one valid until that is revoked', async () => {
    await add();
    const { out, err } = await sandbox.run('account', 'rotate-key');
    expect(keys()).toEqual(['M1.A1.1.key', 'M1.A1.2.key']);
    expect(out).toContain('M1.A1.2.key');
    const old = /revoke-key ([0-9a-f]{16})/.exec(err)![1]!;
    type Shown = { keys: { fingerprint: string; revoked: boolean }[] };
    const before = await sandbox.json<Shown>('account', 'show');
    expect(before.keys.map(({ revoked }) => revoked)).toEqual([false, false]);
    expect((await sandbox.run('account', 'revoke-key', old.toUpperCase())).exit).toBe(0);
    const after = await sandbox.json<Shown>('account', 'show');
    expect(after.keys).toMatchObject([{ fingerprint: old, revoked: true }, { revoked: false }]);
    expect((await sandbox.run('account', 'revoke-key', old)).err).toContain('is revoked already');
    expect((await sandbox.run('account', 'revoke-key', '0'.repeat(16))).err).toContain(
      'no account has a key',
    );
    expect(await acts()).toEqual([
      'init sandbox',
      'account.add M1/A1',
      'account.rotate-key M1/A1',
      'account.revoke-key M1/A1',
    ]);
  });

  test('the same key again is refused, and leaves no file', async () => {
    await add();
    const { exit, err } = await sandbox.run(
      'account',
      'rotate-key',
      '--key-file',
      join(sandbox.data, 'keys', 'M1.A1.1.key'),
    );
    expect([exit, err]).toEqual([2, expect.stringContaining('has or had the key')]);
    expect(keys()).toEqual(['M1.A1.1.key']);
  });

  test('revoking the last one warns', async () => {
    const { out } = await add();
    const { err } = await sandbox.run('account', 'revoke-key', /[0-9a-f]{16}/.exec(out)![0]!);
    expect(err).toContain('no valid key now');
    expect(err).toContain('next: batchgate account rotate-key');
  });
});

describe('allow-ip', () => {
  test.each(['203.0.113.7', '198.51.100.0/24', '2001:db8::/48', '2001:DB8::1'])('%s', async (address) => {
    await add();
    expect((await sandbox.run('account', 'allow-ip', address)).exit).toBe(0);
    expect(await sandbox.json('account', 'show')).toMatchObject({ allow_ip: [address.toLowerCase()] });
    expect((await sandbox.run('account', 'allow-ip', address)).err).toContain('allowed already');
    expect((await sandbox.run('account', 'allow-ip', address, '--remove')).exit).toBe(0);
    expect(await sandbox.json('account', 'show')).toMatchObject({ allow_ip: [] });
  });

  test.each([
    '203.0.113',
    '203.0.113.7/33',
    '203.0.113.7/',
    '2001:db8::/129',
    'example.com',
    '0x7f000001',
    '1.2.3.4/8/8',
  ])('not %s', async (address) => {
    await add();
    const { exit, err } = await sandbox.run('account', 'allow-ip', address);
    expect([exit, err]).toEqual([2, expect.stringContaining('is no IP address and no network')]);
  });
});

describe('allow-storefront', () => {
  test.each([
    ['https://shop.example', 'https://shop.example'],
    ['HTTPS://Shop.Example:443/', 'https://shop.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ])('%s is %s', async (given, origin) => {
    await add();
    expect((await sandbox.run('account', 'allow-storefront', given)).exit).toBe(0);
    expect(await sandbox.json('account', 'show')).toMatchObject({ storefronts: [origin] });
    expect((await sandbox.run('account', 'allow-storefront', given)).err).toContain('registered already');
    expect((await sandbox.run('account', 'allow-storefront', given, '--remove')).exit).toBe(0);
    expect(await sandbox.json('account', 'show')).toMatchObject({ storefronts: [] });
  });

  test.each([
    'shop.example',
    'https://shop.example/pay',
    'https://user@shop.example',
    'javascript:alert(1)',
    "https://shop.example; script-src 'unsafe-inline'",
  ])('not %s', async (given) => {
    await add();
    const { exit, err } = await sandbox.run('account', 'allow-storefront', given);
    expect([exit, err]).toEqual([2, expect.stringContaining('is no origin')]);
  });
});

describe('risk', () => {
  const risk = async () => ((await sandbox.json('account', 'show')) as { risk: object }).risk;

  test('scores and limits are set and taken away', async () => {
    await add();
    expect(await risk()).toEqual({ review: 50, reject: 90, amount: {} });
    expect((await sandbox.run('account', 'risk', '--review', '40', '--amount', 'USD=500.00')).exit).toBe(0);
    expect(await risk()).toEqual({ review: 40, reject: 90, amount: { USD: '500.00' } });
    expect((await sandbox.run('account', 'risk', '--amount', 'USD=none')).exit).toBe(0);
    expect(await risk()).toEqual({ review: 40, reject: 90, amount: {} });
  });

  test.each([
    [['--review', '0'], 'must be a whole number from 1 to 100'],
    [['--review', '95'], 'held only from 95 on'],
    [['--amount', 'USD'], 'is not CUR=AMOUNT'],
    [['--amount', 'USD=1,50'], 'is not CUR=AMOUNT'],
    [['--amount', 'XXX=1'], 'is not CUR=AMOUNT'],
  ])('not %j', async (options, words) => {
    await add();
    const { exit, err } = await sandbox.run('account', 'risk', ...options);
    expect([exit, err]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('which account', () => {
  test('needs no saying where there is one, and must be said where there are two', async () => {
    expect((await sandbox.run('account', 'show')).err).toContain('there is no account yet');
    await add();
    expect((await sandbox.run('account', 'show')).out).toContain('account M1/A1');
    await sandbox.run('account', 'add', '--merchant', 'M1', '--account', 'A2', '--currency', 'JPY');
    expect((await sandbox.run('account', 'show')).err).toContain('2 accounts fit: M1/A1, M1/A2');
    expect((await sandbox.run('account', 'show', '--account', 'A2')).out).toContain('account M1/A2');
    expect(await sandbox.json('account', 'list')).toMatchObject({
      accounts: [{ account: 'A1' }, { account: 'A2' }],
    });
  });

  test('show has balances by currency and book, and the fees that apply', async () => {
    await add();
    writeFileSync(
      join(sandbox.data, 'batchgate.yaml'),
      'payout_fees:\n  - { method: SWIFT, currency: USD, amount: "15" }\n  - { currency: EUR, amount: "1" }\n',
    );
    const shown = await sandbox.json<{ balances: unknown; payout_fees: unknown }>('account', 'show');
    expect(shown.balances).toMatchObject({ USD: { merchant: '0.00', fees: '0.00' } });
    expect(shown.payout_fees).toEqual([
      { method: 'SWIFT', swift_charge_option: 'any', fee_paid_by: 'any', fee: '15 USD' },
    ]);
    expect((await sandbox.run('account', 'show')).out).toContain('15 USD where method is SWIFT');
  });
});
