/** F106 through the command line, with a gateway that is served: files that it has executed are never sent to it again. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunDocument } from '../../src/report/document.ts';
import type { CliSandbox, Ended } from '../support/cli.ts';
import { csv, ENTRY } from '../support/ledger.ts';
import { dropAndWatch, putOldDatabase } from '../support/restoring.ts';
import { directoryWith, ServedLedger } from '../support/served-ledger.ts';

let upstream: ServedLedger;
let here: CliSandbox;
let backup: string;

beforeEach(async () => {
  upstream = await ServedLedger.start();
  await upstream.api.sandbox.given({ id: 'T1' }, { id: 'T2' }, { id: 'T3' });
  here = await directoryWith('sandbox', upstream.keyFile);
  const config = { gateways: { bank: { url: upstream.url } }, watch: { settle: 0.02, rescan: 0.1 } };
  // JSON is YAML.
  writeFileSync(join(here.data, 'batchgate.yaml'), JSON.stringify({ ...config, gateway: 'bank' }));
  backup = join(here.folder, 'backup');
  ended(await here.run('backup', backup), 0);
}, 60_000);

afterEach(async () => {
  here.remove();
  await upstream.stop();
});

function ended({ exit, out, err }: Ended, expected: number): void {
  expect(exit, out + err).toBe(expected);
}

const CAPTURES = csv(ENTRY, 'T1,O-T1,USD,100.00', 'T2,O-T2,USD,100.01', 'T1,O-T1,USD,100.00');

async function runs(name: string, content: string): Promise<Ended> {
  const folder = join(here.folder, 'sent');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return here.run('run', join(folder, name), '--json', '--quiet');
}

const WAYS: readonly (readonly [string, (name: string, content: string) => Promise<Ended>])[] = [
  ['dropped', (name, content) => dropAndWatch(here, name, content)],
  ['run', runs],
];

describe.each(WAYS)('a file that was %s', (_, execute) => {
  test('is missed, taken back without being sent, held when it comes once more, and explained', {
    timeout: 60_000,
  }, async () => {
    ended(await execute('capture.csv', CAPTURES), 3);
    const done = await upstream.api.sandbox.transfers();
    expect(done).toEqual(['T1 capture 10000']);
    putOldDatabase(here, backup);
    const refused = await runs('capture-2.csv', CAPTURES);
    ended(refused, 2);
    expect(refused.err).toContain('the ledger is behind its own OK files');
    const restored = await here.run('restore');
    ended(restored, 0);
    expect(restored.out).toContain(
      'capture.csv: taken back from its result, and nothing was sent; every line ended as it did then',
    );
    ended(await here.run('verify', '--quiet'), 0);
    const again = await runs('capture-2.csv', CAPTURES.replace('100.01', '100.00'));
    ended(again, 3);
    const { lines, batch } = (JSON.parse(again.out) as RunDocument).batches[0]!;
    expect(lines).toMatchObject({ duplicate: 2, succeeded: 1 });
    expect(await upstream.api.sandbox.transfers()).toEqual([...done, 'T2 capture 10000']);
    const told = await here.run('explain', `${batch}:3`);
    expect(told.out).toMatch(/gateway +bank, sent at \d{4}-/);
    expect(told.out).toMatch(/outcome +succeeded\n/);
  });

  test('is not taken back without its result, until a person has given it up', {
    timeout: 60_000,
  }, async () => {
    ended(await execute('capture.csv', CAPTURES), 3);
    putOldDatabase(here, backup);
    const names = readdirSync(here.data, { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => one.includes('.result.'))) rmSync(join(here.data, name));
    const restored = await here.run('restore');
    ended(restored, 7);
    expect(restored.out).toContain('nothing else says what bank has executed');
    ended(await runs('capture-2.csv', CAPTURES), 2);
    ended(await here.run('restore', '--give-up', '--reason', 'looked up at the bank'), 0);
    expect((await runs('capture-3.csv', csv(ENTRY, 'T3,O-T3,USD,100.00'))).exit).toBe(0);
  });
});
