/** `batchgate watch` as a process: signals, a large file beside small ones, files that may not be read. */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BatchOverview } from '../../src/batch/overview.ts';
import { call, copyOf, documentIn, type EndState, endState, type Prepared, prepare } from './program.ts';
import { CHUNKS, configure, done, drop, figure, lying, SETTLE, split, until, watch } from './watching.ts';

/** Lines of the large file; WATCH_LINES=300000 for a full one. */
const LINES = Number(process.env.WATCH_LINES ?? 20_000);

let prepared: Prepared;
let large: string;
let expected: EndState;

beforeAll(async () => {
  prepared = await prepare(LINES, 31);
  large = readFileSync(join(prepared.files, 'capture.csv'), 'utf8');
  configure(prepared.data);
  const reference = copyOf(prepared);
  drop(reference, 'capture.csv', large);
  expected = await finish(reference);
  rmSync(reference, { recursive: true });
}, 600_000);

afterAll(() => rmSync(join(prepared.data, '..'), { recursive: true, force: true }));

/** Empties the inbox in peace; the state afterwards. */
async function finish(data: string): Promise<EndState> {
  const ended = await watch(data, '--once', '--json', '--quiet').ended;
  return endState(data, documentIn(ended));
}

/** A watcher that executes the large file, and has done some chunks of it: slowly, so that there is time. */
async function atWork(data: string) {
  drop(data, 'capture.csv', large);
  const watcher = watch(data, '--concurrency', '1');
  await until('the first chunks', async () => watcher.isOver() || (await figure(data, CHUNKS)) >= 20);
  return watcher;
}

describe('F48 a signal while a file is executed', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)(
    '%s: exit %i within 5 s, the file stays claimed, the next watcher finishes it',
    {
      timeout: 120_000,
    },
    async (signal, exit) => {
      const data = copyOf(prepared);
      const watcher = await atWork(data);
      const before = performance.now();
      watcher.process.kill(signal);
      const ended = await watcher.ended;
      expect(performance.now() - before).toBeLessThan(5_000);
      expect([ended.code, ended.signal]).toEqual([exit, null]);
      expect(lying(data, 'processing')).toEqual([expect.stringMatching(/\/capture\.csv$/)]);
      expect(done(data)).toEqual([]);
      expect(await figure(data, CHUNKS)).toBeLessThan(LINES / 50);
      expect(await finish(data)).toEqual(expected);
      expect(lying(data, 'processing')).toEqual([]);
      expect(done(data)).toHaveLength(1);
      rmSync(data, { recursive: true });
    },
  );

  test('a second signal ends it at once', { timeout: 120_000 }, async () => {
    const data = copyOf(prepared);
    const watcher = await atWork(data);
    watcher.process.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 5));
    const before = performance.now();
    watcher.process.kill('SIGTERM');
    expect((await watcher.ended).code).toBe(143);
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(await finish(data)).toEqual(expected);
    rmSync(data, { recursive: true });
  });

  test('with --json the interrupted file stands in the document', { timeout: 120_000 }, async () => {
    const data = copyOf(prepared);
    drop(data, 'capture.csv', large);
    const watcher = watch(data, '--once', '--json', '--concurrency', '1');
    await until('the first chunks', async () => watcher.isOver() || (await figure(data, CHUNKS)) >= 20);
    watcher.process.kill('SIGTERM');
    const document = documentIn(await watcher.ended);
    expect(document).toMatchObject({ exit: 143, batches: [{ status: 'interrupted', exit: 143 }] });
    rmSync(data, { recursive: true });
  });
});

test('while a large file is executed, a small one is claimed within 2 s of settling, and acknowledged', {
  timeout: 300_000,
}, async () => {
  const data = copyOf(prepared);
  const watcher = await atWork(data);
  const listed = JSON.parse(await call('batch', 'list', '--json', '--data', data)) as {
    batches: BatchOverview[];
  };
  expect(listed.batches[0]).toMatchObject({
    status: 'running',
    running: { pid: watcher.process.pid, chunks: { planned: LINES / 50 } },
  });
  const [small] = split(join(prepared.files, 'cancel.csv'), 10);
  drop(data, 'cancel.csv', small!);
  const claimed = await until('the claim', () =>
    lying(data, 'processing').some((name) => /cancel/.test(name)),
  );
  const acknowledged = await until('the receipt', () =>
    lying(data, 'outbox').some((name) => /^cancel.*ack/.test(name)),
  );
  const chunks = await figure(data, CHUNKS);
  console.log(
    `claimed after ${Math.round(claimed)} ms, acknowledged ${Math.round(acknowledged)} ms later, at chunk ${chunks} of ${LINES / 50}`,
  );
  expect(chunks).toBeLessThan(LINES / 50);
  expect(claimed).toBeLessThan(SETTLE * 1000 + 2_000);
  expect(lying(data, 'outbox').filter((name) => /result/.test(name))).toEqual([]);
  watcher.process.kill('SIGTERM');
  expect((await watcher.ended).code).toBe(143);
  await finish(data);
  expect(done(data)).toHaveLength(2);
  rmSync(data, { recursive: true });
});

const PROGRAM = fileURLToPath(new URL('../../bin/batchgate.js', import.meta.url));

/** Number of a user that owns nothing. */
const NOBODY = 65_534;

test.skipIf(process.getuid?.() !== 0)(
  'F35 what a watcher may not read or move waits and is reported, the rest goes on',
  {
    timeout: 60_000,
  },
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'batchgate-nobody-'));
    const data = join(home, 'data');
    chownSync(home, NOBODY, NOBODY);
    const nobody = (...args: readonly string[]) => {
      const child = spawn(process.execPath, [PROGRAM, ...args, '--data', data], {
        uid: NOBODY,
        gid: NOBODY,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const exited = new Promise<number | null>((resolve) => {
        child.on('close', resolve);
      });
      return Promise.all([exited, text(child.stdout), text(child.stderr)]);
    };
    await nobody('init', '--demo');
    configure(data);
    const sample = (name: string) => readFileSync(join(data, 'samples', name), 'utf8');
    drop(data, 'capture.csv', sample('capture.csv'));
    chmodSync(join(data, 'inbox/capture.csv'), 0o600);
    // One folder that may not be looked into, and one from which nothing may be moved.
    drop(data, 'M1/A2/cancel.csv', sample('cancel.csv'));
    chmodSync(join(data, 'inbox/M1/A2'), 0o700);
    drop(data, 'M1/A1/cancel.csv', sample('cancel.csv'));
    chmodSync(join(data, 'inbox/M1/A1/cancel.csv'), 0o644);
    chmodSync(join(data, 'inbox/M1/A1'), 0o755);
    drop(data, 'review.json', sample('review.json'));
    chownSync(join(data, 'inbox/review.json'), NOBODY, NOBODY);
    const [exit, out, err] = await nobody('watch', '--once', '--no-color');
    expect(exit).toBe(5);
    expect(out).toMatch(/^review\.json {2}/);
    expect(err).toMatch(/inbox\/capture\.csv is left where it is: EACCES/);
    expect(err).toMatch(/inbox\/M1\/A2 is left where it is: EACCES/);
    expect(err).toMatch(/inbox\/M1\/A1\/cancel\.csv is left where it is: EACCES/);
    expect(lying(data, 'inbox')).toEqual(['M1/A1/cancel.csv', 'M1/A2/cancel.csv', 'capture.csv']);
    expect(
      readdirSync(join(data, 'processing'), { recursive: true }).filter((name) =>
        /watcher/.test(String(name)),
      ),
    ).toEqual([]);
    // Mended, it goes on by itself.
    for (const path of ['capture.csv', 'M1/A1', 'M1/A2', 'M1/A1/cancel.csv', 'M1/A2/cancel.csv'])
      chownSync(join(data, 'inbox', path), NOBODY, NOBODY);
    expect((await nobody('watch', '--once', '--quiet'))[0]).toBe(3);
    expect(lying(data, 'inbox')).toEqual([]);
    rmSync(home, { recursive: true });
  },
);
