/** `batchgate watch`: exit codes, the document, and what the configuration says of folders. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunDocument } from '../../src/report/document.ts';
import { type CliSandbox, makeSandbox } from '../support/cli.ts';

/** A directory that is copied for each test. */
const made = makeSandbox();
let sandbox: CliSandbox;

beforeEach(async () => {
  sandbox = (await made).copy();
  configure('watch: { settle: 0.03, rescan: 0.2 }');
});

afterEach(() => sandbox.remove());

/** Adds lines to batchgate.yaml. */
function configure(...lines: readonly string[]): void {
  appendFileSync(join(sandbox.data, 'batchgate.yaml'), `${lines.join('\n')}\n`);
}

/** Says something else than `beforeEach` did. */
function configureAnew(...lines: readonly string[]): void {
  writeFileSync(join(sandbox.data, 'batchgate.yaml'), `${lines.join('\n')}\n`);
}

function drop(path: string, text: string, drops = sandbox.data): void {
  const full = join(drops, 'inbox', path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

function sample(name: string): string {
  return readFileSync(sandbox.sample(name), 'utf8');
}

/** A file with one capture of the samples, which succeeds. */
const captured = () => csvOf(firstCapture());

function firstCapture() {
  const [header, line] = sample('capture.csv')
    .split('\n')
    .map((one) => one.split(','));
  const cell = (name: string) => line![header!.indexOf(name)]!;
  return {
    transaction_id: cell('transaction_id'),
    order_no: cell('order_no'),
    currency: cell('currency'),
    amount: cell('amount'),
  };
}

function csvOf(row: Readonly<Record<string, string>>, delimiter = ','): string {
  return `${Object.keys(row).join(delimiter)}\n${Object.values(row).join(delimiter)}\n`;
}

const once = (...flags: readonly string[]) => sandbox.run('watch', '--once', ...flags);

describe('exit codes of watch --once', () => {
  test.each([
    ['nothing to do', (): void => undefined, 0],
    ['every line succeeded', () => drop('capture.csv', captured()), 0],
    ['some lines refused', () => drop('capture.csv', sample('capture.csv')), 3],
    ['a file is rejected', () => drop('cancel-rejected.csv', sample('cancel-rejected.csv')), 6],
  ] as const)('%s: %s', async (_, act, exit) => {
    act();
    expect((await once()).exit).toBe(exit);
    expect(existsSync(join(sandbox.data, 'processing'))).toBe(true);
    expect(readdirSync(join(sandbox.data, 'processing'))).toEqual([]);
  });

  test('of several files the highest rank counts', async () => {
    drop('capture.csv', sample('capture.csv'));
    drop('cancel-rejected.csv', sample('cancel-rejected.csv'));
    expect((await once()).exit).toBe(6);
  });

  test('5 while the account is paused; afterwards the same command goes on', async () => {
    drop('capture.csv', captured());
    await sandbox.run('pause', '--reason', 'the acquirer is down');
    const { exit, err } = await once();
    expect([exit, err]).toEqual([5, expect.stringMatching(/capture\.csv stays claimed: E0002: .*paused/)]);
    await sandbox.run('continue');
    expect((await once()).exit).toBe(0);
  });

  test('5 when a deadline comes before the inbox is empty', async () => {
    configureAnew('watch: { settle: 30 }');
    drop('capture.csv', captured());
    expect((await once('--deadline', '300ms')).exit).toBe(5);
    expect(readdirSync(join(sandbox.data, 'inbox'))).toEqual(['capture.csv']);
  });

  test('5 when the inbox cannot be read, and what it is stands in the message', async () => {
    rmSync(join(sandbox.data, 'inbox'), { recursive: true });
    writeFileSync(join(sandbox.data, 'inbox'), '');
    const { exit, err } = await once();
    expect([exit, err]).toEqual([5, expect.stringMatching(/inbox is left where it is: ENOTDIR/)]);
  });
});

describe('what watch says', () => {
  test('the document of all files with --once --json, on standard output alone', async () => {
    drop('capture.csv', captured());
    drop('cancel-rejected.csv', sample('cancel-rejected.csv'));
    const { out, exit } = await once('--json');
    const document = JSON.parse(out) as RunDocument;
    expect(document).toMatchObject({ environment: 'sandbox', exit: 6 });
    expect(exit).toBe(6);
    expect(document.batches.map(({ file, status }) => `${file} ${status}`).sort()).toEqual([
      'cancel-rejected.csv rejected',
      'capture.csv completed',
    ]);
    for (const path of Object.values(document.batches.find(({ exit }) => exit === 0)!.reports))
      if (path !== null) expect(existsSync(path), path).toBe(true);
  });

  test('the document is written when it cannot begin, too', async () => {
    configure('nonsense: 1');
    const { out, exit, err } = await once('--json');
    expect(JSON.parse(out)).toMatchObject({ exit: 2, batches: [] });
    expect([exit, err]).toEqual([2, expect.stringContaining('nonsense')]);
  });

  test('a line for each file that was claimed and one for each that is over', async () => {
    drop('M1/A1/capture.csv', captured());
    const { out, err } = await once('--no-color');
    expect(err).toMatch(/^watching .*inbox; results go to .*outbox\nclaimed M1\/A1\/capture\.csv\n$/);
    expect(out).toMatch(/^M1\/A1\/capture\.csv {2}every line succeeded {2}batch B[0-9A-Z]{16}, 1 line\n$/);
  });

  test('with --quiet nothing but results', async () => {
    drop('capture.csv', captured());
    const { out, err } = await once('--quiet', '--no-color');
    expect([err, out]).toEqual(['', expect.stringContaining('every line succeeded')]);
  });

  test('F34 names as they are safe for a terminal', async () => {
    drop('capture\u001b[31m\u202e.csv', captured());
    const { out, err } = await once('--no-color');
    for (const control of ['\u001b', '\u202e']) expect(out + err).not.toContain(control);
    expect(err).toContain('claimed capture\\u001b[31m\\u202e.csv');
  });

  test('figures for a node exporter', async () => {
    drop('capture.csv', captured());
    const file = join(sandbox.folder, 'batchgate.prom');
    await once('--metrics-file', file);
    expect(readFileSync(file, 'utf8')).toContain(
      'batchgate_run_lines{environment="sandbox",outcome="succeeded"} 1',
    );
  });
});

describe('what the configuration says of folders', () => {
  test('the reading of files, from the header to the money', async () => {
    configureAnew(
      'watch:',
      '  settle: 0.03',
      '  inboxes:',
      '    M1/A1: { operation: capture, encoding: windows-1252, delimiter: semicolon, decimal: comma, thousands: dot }',
    );
    const { amount, ...row } = firstCapture();
    const text = csvOf({ ...row, amount: amount.replace('.', ','), note: 'Müller' }, ';');
    mkdirSync(join(sandbox.data, 'inbox/M1/A1'), { recursive: true });
    writeFileSync(join(sandbox.data, 'inbox/M1/A1/liste.csv'), Buffer.from(text, 'latin1'));
    const { out, exit } = await once('--json');
    const [batch] = (JSON.parse(out) as RunDocument).batches;
    expect(batch).toMatchObject({
      operation: 'capture',
      read: { encoding: 'windows-1252', delimiter: ';', decimal: 'comma' },
      lines: { total: 1, succeeded: 1 },
      totals: { [row.currency]: { succeeded: amount } },
    });
    expect(exit).toBe(0);
    expect(readFileSync(batch!.reports.result!, 'utf8')).toContain('Müller');
  });

  test('markers: a file without one waits, is no failure, and the others go on', async () => {
    configureAnew('watch: { settle: 0.03, inboxes: { M1/A1: { complete: marker } } }');
    drop('M1/A1/capture.csv', captured());
    drop('refund.csv', sample('refunds-2026-11-20.csv'));
    expect((await once()).exit).toBe(3);
    expect(readdirSync(join(sandbox.data, 'inbox/M1/A1'))).toEqual(['capture.csv']);
    drop('M1/A1/capture.csv.done', '');
    expect((await once()).exit).toBe(0);
  });

  test('a control file that does not agree rejects its file', async () => {
    drop('capture.csv', captured());
    drop('capture.csv.control.json', '{"rows":1,"totals":{"USD":"1.00"}}');
    const { exit, out } = await once('--json');
    expect(exit).toBe(6);
    expect((JSON.parse(out) as RunDocument).batches[0]!.errors).toMatchObject([{ code: 'B0009' }]);
  });

  test('another place for what people look into, on another file system too', async () => {
    const drops = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'batchgate-drop-'));
    configure(`drop: ${drops}`);
    drop('M1/A1/capture.csv', captured(), drops);
    drop('cancel-rejected.csv', sample('cancel-rejected.csv'), drops);
    expect((await once()).exit).toBe(6);
    const lying = (folder: string) =>
      readdirSync(join(drops, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.|OK$/.test(name))
        .map((name) => name.replaceAll(/B[0-9A-Z]{16}/g, 'B').replaceAll(/\d{4}-\d\d-\d\d/g, 'DAY'))
        .sort();
    expect(lying('inbox')).toEqual([]);
    expect(lying('processing')).toEqual([]);
    expect(lying('done')).toEqual(['M1/A1/DAY/B/OK', 'M1/A1/DAY/B/capture.csv']);
    expect(lying('rejected')).toEqual(['DAY/B/cancel-rejected.csv', 'DAY/B/errors.csv', 'DAY/B/errors.json']);
    expect(lying('outbox')).toEqual([
      'M1/A1/capture.B.ack.json',
      'M1/A1/capture.B.report.html',
      'M1/A1/capture.B.report.json',
      'M1/A1/capture.B.result.csv',
      'cancel-rejected.B.ack.json',
    ]);
    rmSync(drops, { recursive: true });
  });

  test.each([
    [
      'watch: { inboxes: { nowhere: { complete: marker } } }',
      /watch\.inboxes\.nowhere: must be \. or MERCHANT\/ACCOUNT/,
    ],
    ['watch: { inboxes: { M1/A1/B: {} } }', /watch\.inboxes\.M1\/A1\/B: must be/],
    ['watch: { inboxes: { M1/A1: { complete: maybe } } }', /watch\.inboxes\.M1\/A1\.complete/],
    ['watch: { inboxes: { M1/A1: { colour: red } } }', /colour/],
    ['watch: { settle: soon }', /watch\.settle/],
    ['watch: { settle: 0 }', /watch\.settle/],
    ['watch: { setle: 5 }', /setle/],
    ['watch: { inboxes: { M1/A1: { encoding: klingon } } }', /watch\.inboxes\.M1\/A1: .*klingon/],
    [
      'watch: { inboxes: { M1/A1: { decimal: comma, thousands: comma } } }',
      /watch\.inboxes\.M1\/A1: .*comma/,
    ],
  ])('%s: exit 2, naming the setting', async (line, said) => {
    configureAnew(line);
    drop('capture.csv', captured());
    const { exit, err } = await once();
    expect([exit, err]).toEqual([2, expect.stringMatching(said)]);
    expect(readdirSync(join(sandbox.data, 'inbox'))).toEqual(['capture.csv']);
  });
});

test.each([
  ['an account', ['--merchant', 'M1', '--account', 'A1'], /inbox\/MERCHANT\/ACCOUNT/],
  ['a count, which is of one file', ['--expect-count', '3'], /control\.json/],
  ['a total, which is of one file', ['--expect-total', 'USD=1.00'], /control\.json/],
  ['a deadline that is none', ['--deadline', 'soon'], /--deadline soon/],
])('%s: exit 2', async (_, flags, said) => {
  const { exit, err } = await once(...flags);
  expect([exit, err]).toEqual([2, expect.stringMatching(said)]);
});
