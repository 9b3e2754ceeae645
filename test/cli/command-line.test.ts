/** How the command line is read: help, what was probably meant, values that must survive, and exit codes. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordOf } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { batchgate, type CliSandbox, command, makeSandbox } from '../support/cli.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

const ALL = commands.flatMap((one) =>
  'commands' in one
    ? [[wordOf(one)], ...one.commands.map((inner) => [wordOf(one), wordOf(inner)])]
    : [[wordOf(one)]],
);

describe('help', () => {
  test.each(ALL.map((words) => [words.join(' '), words] as const))(
    'of %s begins with its use and examples',
    async (name, words) => {
      const { exit, out } = await command(...words, '-h');
      expect(exit).toBe(0);
      expect(out).toMatch(new RegExp(`^batchgate ${name}\\b`));
      expect(out.indexOf('\n  batchgate ')).toBeGreaterThan(0);
      expect(out.indexOf('Examples:')).toBeLessThan(out.indexOf('Options:'));
      expect(out).not.toContain('\u{e000}');
    },
  );

  test('lists every command', async () => {
    const { out } = await command('--help');
    for (const one of commands) expect(out).toContain(`batchgate ${wordOf(one)}`);
  });
});

describe('what cannot be read ends with 2 and says what was meant', () => {
  test.each<[string, string, string]>([
    ['rnu', 'there is no command rnu', 'Did you mean run?'],
    ['batch shwo B1', 'there is no command batch shwo', 'Did you mean batch show?'],
    ['run x.csv --expct-count 3', 'there is no option --expct-count', 'Did you mean --expect-count?'],
    ['frobnicate', 'there is no command frobnicate', 'See: batchgate --help'],
    ['', 'name a command', 'See: batchgate --help'],
    ['account', 'name what to do with account', 'See: batchgate account --help'],
    ['run', 'something is missing after run', 'See: batchgate run --help'],
    ['plan a.csv --operation foo', 'operation cannot be foo', 'capture, cancel, review, refund, payout'],
    ['template foo', 'operation cannot be foo', 'capture, cancel, review, refund, payout'],
    ['plan a.csv --data', '--data needs a value', 'See: batchgate plan --help'],
    ['plan a.csv --data=', '--data has an empty value', ''],
    ['plan a.csv --expect-total=', '--expect-total needs a value', ''],
    ['plan a.csv --data a --data b', '--data is given more than once', ''],
    ['plan a.csv --json=1', '--json takes no value', ''],
    ['account list extra', 'extra is one argument too many', 'See: batchgate account list --help'],
    [
      'account add',
      '--merchant and --account and --currency must be given',
      'See: batchgate account add --help',
    ],
    ['batch release B1 --line 2', '--reason must be given', 'See: batchgate batch release --help'],
    ['run --deadline soon x.csv', 'does not exist', ''],
  ])('%s', async (line, said, hint) => {
    const { exit, out, err } = await command(...line.split(' ').filter((word) => word !== ''));
    expect(err).toContain(said);
    expect(err).toContain(hint);
    expect(out).toBe('');
    expect(exit).toBe(2);
  });
});

describe('values', () => {
  test('F23 ids such as 1e5, 00123 and twenty digits stay as they are typed', async () => {
    for (const id of ['1e5', '00123', '12345678901234567890']) {
      const { err } = await sandbox.run('account', 'show', '--merchant', id);
      expect(err).toContain(`there is no account ${id}/`);
    }
    expect((await sandbox.run('explain', '00123')).out).toContain('transaction 00123  authorised now');
    expect((await sandbox.run('explain', '1e5')).out).toContain('transaction 1e5  authorised now');
  });

  test('a repeatable option takes one value each time, so files may follow it', async () => {
    const totals = [
      '--expect-total',
      'EUR=93.50',
      '--expect-total',
      'JPY=5400',
      '--expect-total',
      'USD=1900.99',
    ];
    expect(
      (await sandbox.run('validate', ...totals, '--expect-count', '18', sandbox.sample('capture.csv'))).exit,
    ).toBe(3);
    expect(
      (await sandbox.run('validate', '--expect-total', 'USD=1', sandbox.sample('capture.csv'))).exit,
    ).toBe(6);
  });
});

describe('as a process of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'batchgate-process-'));

  test('data goes to standard output, the rest to standard error, and the exit code says how it ended', async () => {
    const { exit, out, err } = await batchgate([
      'run',
      sandbox.sample('capture.csv'),
      '--json',
      '--data',
      sandbox.data,
    ]);
    expect(exit).toBe(3);
    expect(JSON.parse(out)).toMatchObject({
      environment: 'sandbox',
      exit: 3,
      batches: [{ lines: { total: 18, succeeded: 10 } }],
    });
    expect(err).toBe('');
  });

  test('standard input is a file, too', async () => {
    const input = 'transaction_id,order_no,currency,amount\nT1007,SHOP-1007,USD,999.99\n';
    const planned = await batchgate(['plan', '-', '--operation', 'capture', '--data', sandbox.data], {
      input,
    });
    expect(planned).toMatchObject({ exit: 0, err: '' });
    expect(planned.out).toContain('stdin  every line would succeed');
    expect(
      (await batchgate(['run', '-', '--operation', 'capture', '--data', sandbox.data], { input })).exit,
    ).toBe(0);
  });

  test('without a data directory it says how to make one', async () => {
    writeFileSync(join(folder, 'capture.csv'), 'transaction_id,order_no,currency,amount\n');
    const { exit, err } = await batchgate(['run', 'capture.csv'], { cwd: folder });
    expect(exit).toBe(2);
    expect(err).toContain('batchgate init');
  });

  test('--version, and a completion script', async () => {
    expect((await batchgate(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { exit, out } = await batchgate(['completion']);
    expect(exit).toBe(0);
    expect(out).toContain('begin-batchgate-completions');
  });
});
