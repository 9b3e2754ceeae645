/** The samples for whoever runs batchgate: the configuration, the systemd unit and the cron line. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { EXIT } from '../../src/batch/exit.ts';
import { CONFIG_FILE, fileSchema, loadConfig } from '../../src/config.ts';
import { CliSandbox, command } from '../support/cli.ts';

const samplePath = (name: string) => fileURLToPath(new URL(`../../samples/${name}`, import.meta.url));
const sample = (name: string) => readFileSync(samplePath(name), 'utf8');

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = new CliSandbox();
  await sandbox.run('init');
});
afterAll(() => sandbox.remove());

describe('samples/batchgate.yaml', () => {
  const content = () => parse(sample('batchgate.yaml'));

  test('can be used as it is', () => {
    const copy = sandbox.copy();
    copyFileSync(samplePath('batchgate.yaml'), join(copy.data, CONFIG_FILE));
    expect(loadConfig({ data: copy.data })).toMatchObject({
      drop: '/srv/sftp/batchgate',
      watch: { settle: 5, inboxes: { 'M1/A1': { decimal: 'comma' } } },
      payoutFees: [{ fee: 1500 }, { fee: 25 }],
    });
    copy.remove();
  });

  test('names every setting that there is, and none that there is not', () => {
    const { watch, serve, notify } = fileSchema.shape;
    const { inboxes } = watch.unwrap().shape;
    const said = content();
    const keys = (value: object) => Object.keys(value).sort();
    expect(keys(said)).toEqual(keys(fileSchema.shape));
    expect(keys(said.watch)).toEqual(keys(watch.unwrap().shape));
    expect(keys(said.watch.inboxes['M1/A1'])).toEqual(keys(inboxes.unwrap().valueType.shape));
    expect(keys(said.serve)).toEqual(keys(serve.unwrap().shape));
    expect(keys(said.notify)).toEqual(keys(notify.unwrap().shape));
  });

  test('shows the values that hold when nothing is said', () => {
    const { concurrency, watch, serve } = loadConfig({ data: join(sandbox.folder, 'nowhere') });
    const said = content();
    expect(said.concurrency).toBe(concurrency);
    expect({ ...said.watch, inboxes: {} }).toEqual(watch);
    expect(said.serve).toEqual({
      host: serve.host,
      port: serve.port,
      request_timeout: serve.limits.requestTimeoutMs / 1000,
      headers_timeout: serve.limits.headersTimeoutMs / 1000,
    });
  });
});

/** The words after the program's path, on this test's data. */
function argumentsIn(line: string): readonly string[] {
  const words = line.split(/\s+/);
  return words.slice(words.indexOf('/usr/bin/batchgate') + 1);
}

const onThisData = (words: readonly string[]) =>
  words.map((word) => (word === '/var/lib/batchgate' ? sandbox.data : word));

test('samples/batchgate.cron: the command of its line runs, and finds nothing to do', async () => {
  const lines = sample('batchgate.cron')
    .split('\n')
    .filter((line) => /^[^#A-Z]/.test(line));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^(\S+ ){5}batchgate \/usr\/bin\/batchgate /);
  const [words] = lines[0]!.split(' >>');
  const { exit, out, err } = await command(...onThisData(argumentsIn(words!)));
  expect([exit, out, err]).toEqual([EXIT.done, '', '']);
});

test('samples/batchgate.service: the command is one, and ends as the unit expects', async () => {
  const unit = new Map(
    sample('batchgate.service')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  expect(unit.get('SuccessExitStatus')).toBe(String(EXIT.terminated));
  expect(unit.get('RestartPreventExitStatus')).toBe(String(EXIT.usage));
  expect(Number(unit.get('TimeoutStopSec'))).toBeGreaterThan(5);
  const words = onThisData(argumentsIn(unit.get('ExecStart')!));
  // The same once: a watcher would never end.
  const { exit, err } = await command(...words, '--once');
  expect([exit, err]).toEqual([EXIT.done, '']);
  expect(unit.get('ReadWritePaths')).toBe(unit.get('ExecStart')!.match(/--data (\S+)/)![1]);
});
