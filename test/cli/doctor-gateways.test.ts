/** `batchgate doctor` on remote gateways: reachable, known there, and every answer signed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Diagnosis } from '../../src/cli/doctor/diagnosis.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { PATHS } from '../../src/wire/paths.ts';
import {
  bareRefusal,
  envelope,
  FakeGateway,
  keyOf,
  refusal,
  sendJson,
  signed,
} from '../client/fake-gateway.ts';
import { CliSandbox } from '../support/cli.ts';
import { configure, directoryWith, ServedLedger } from '../support/served-ledger.ts';

let bank: ServedLedger;
let closed: ServedLedger;
let fake: FakeGateway;
let local: CliSandbox;
let live: CliSandbox;
beforeAll(async () => {
  bank = await ServedLedger.start();
  closed = await ServedLedger.start(['192.0.2.1']);
  fake = await FakeGateway.start((response) => sendJson(response, {}));
  local = await directoryWith('sandbox', bank.keyFile);
  live = await directoryWith('live', bank.keyFile);
});
afterAll(async () => {
  await fake.stop();
  await bank.stop();
  await closed.stop();
  local.remove();
  live.remove();
});

interface Found {
  readonly exit: number;
  /** What is said of gateways. */
  readonly told: readonly string[];
}

async function examine(one: CliSandbox): Promise<Found> {
  const { exit, checks } = await one.json<{ exit: number; checks: readonly Diagnosis[] }>('doctor');
  const gateways = checks.filter(({ name }) => name.startsWith('gateway'));
  for (const { level, mend } of gateways) expect(mend !== null).toBe(level !== 'ok');
  return { exit, told: gateways.map(({ name, level, message }) => `${level} ${name}: ${message}`) };
}

const STRANGE = keyOf('a key that this data directory does not have');
const nothing = envelope({ orders_list: [] });

test.for<
  [what: string, gateways: () => Record<string, object>, level: 'ok' | 'warning' | 'wrong', words: string]
>([
  [
    'it answers, signed',
    () => ({ bank: { url: bank.url } }),
    'ok',
    'answers account M1/A1; its answer is signed',
  ],
  ['nobody listens', () => ({ bank: { url: 'http://127.0.0.1:9' } }), 'wrong', 'E0002'],
  [
    'it does not know this machine',
    () => ({ bank: { url: closed.url } }),
    'wrong',
    'it refuses account M1/A1',
  ],
  ['no gateway at that address', () => ({ bank: { url: `${bank.url}/there` } }), 'wrong', 'I0002'],
  [
    'B0023 it is of the other environment',
    () => ({ bank: { url: bank.url, environment: 'live' } }),
    'warning',
    'B0023',
  ],
  [
    'plain http to another machine',
    () => ({ bank: { url: 'http://bank.example' } }),
    'wrong',
    'begins with http',
  ],
  ['its authority is not there', () => ({ bank: { url: bank.url, ca: 'bank.pem' } }), 'wrong', 'there is no'],
])('%s', async ([, gateways, level, words]) => {
  configure(local, gateways());
  const { exit, told } = await examine(local);
  expect(told).toEqual([expect.stringMatching(new RegExp(`^${level} gateway bank: .*${words}`))]);
  expect(exit).toBe(level === 'wrong' ? 11 : 0);
});

test.for<[what: string, answer: () => readonly [JsonFields, number], words: string]>([
  ['F62 an answer without a signature', () => [nothing, 200], 'has no signature'],
  [
    'F62 an answer signed by somebody else',
    () => [signed(nothing, STRANGE), 200],
    'the signature of its answer is wrong',
  ],
  ['a signature that it refuses', () => [bareRefusal('I0013'), 401], 'it refuses account M1/A1'],
  ['an error of its own', () => [refusal('E0003', STRANGE), 500], 'E0002'],
])('%s is wrong, and said to be so', async ([, answer, words]) => {
  fake.script = (response) => sendJson(response, ...answer());
  configure(local, { bank: { url: fake.url } });
  const before = fake.asked.length;
  const { exit, told } = await examine(local);
  expect([exit, told]).toEqual([11, [expect.stringContaining(words)]]);
  expect(told[0]).toMatch(/^wrong gateway bank: /);
  expect(fake.asked.slice(before).map(({ path }) => path)).toEqual([PATHS.query]);
});

test('F62 unsigned queries are well where the configuration says so', async () => {
  fake.script = (response) => sendJson(response, nothing);
  configure(local, { bank: { url: fake.url, signs: 'specification' } });
  const { exit, told } = await examine(local);
  expect([exit, told]).toEqual([0, [expect.stringContaining('not signed, as the configuration says')]]);
});

test('every gateway is asked, the preferred one by its address, too', async () => {
  configure(local, { bank: { url: bank.url }, other: { url: 'http://127.0.0.1:9' } }, closed.url);
  const { told } = await examine(local);
  expect(told.map((one) => one.split(': ')[0])).toEqual([
    'ok gateway bank',
    'wrong gateway other',
    `wrong gateway ${closed.url}`,
  ]);
});

test('a preferred gateway that is not there, or is of the other environment', async () => {
  configure(local, { bank: { url: bank.url } }, 'bunk');
  expect((await examine(local)).told).toEqual(['wrong gateway: there is no gateway bunk']);
  configure(local, { bank: { url: bank.url, environment: 'live' } }, 'bank');
  expect((await examine(local)).told).toEqual([expect.stringMatching(/^wrong gateway bank: B0023/)]);
});

test('without an account nobody is asked', async () => {
  const empty = new CliSandbox();
  await empty.run('init');
  configure(empty, { bank: { url: fake.url } });
  const before = fake.asked.length;
  const { exit, told } = await examine(empty);
  expect([exit, told]).toEqual([0, [expect.stringMatching(/^warning gateway bank: not asked/)]]);
  expect(fake.asked).toHaveLength(before);
  empty.remove();
});

test('without gateways there is nothing to say, but in a live directory nothing would be executed', async () => {
  configure(local, {});
  expect(await examine(local)).toEqual({ exit: 0, told: [] });
  configure(live, {});
  expect((await examine(live)).told).toEqual([expect.stringMatching(/^warning gateway: a live directory/)]);
  configure(live, { bank: { url: bank.url, environment: 'live' } }, 'bank');
  expect((await examine(live)).told).toEqual([expect.stringMatching(/^ok gateway bank: /)]);
});
