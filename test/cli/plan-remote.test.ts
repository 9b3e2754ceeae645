/** `batchgate plan` for a remote gateway: it asks, and nothing else; and looking works where nothing may be simulated. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlannedFile } from '../../src/report/document.ts';
import type { CliSandbox } from '../support/cli.ts';
import { configure, directoryWith, ServedLedger } from '../support/served-ledger.ts';

let bank: ServedLedger;
let local: CliSandbox;
let live: CliSandbox;
const directories: CliSandbox[] = [];

async function directory(environment: 'sandbox' | 'live', keyFile?: string): Promise<CliSandbox> {
  const made = await directoryWith(environment, keyFile);
  directories.push(made);
  return made;
}

beforeAll(async () => {
  bank = await ServedLedger.start();
  await bank.api.sandbox.given(
    { id: 'T1' },
    { id: 'T2', state: 'captured' },
    { id: 'T3', state: 'declined' },
  );
  local = await directory('sandbox', bank.keyFile);
  live = await directory('live', bank.keyFile);
  configure(local, { bank: { url: bank.url } });
  configure(live, { bank: { url: bank.url, environment: 'live' } });
});
afterAll(async () => {
  await bank.stop();
  for (const one of directories) one.remove();
});

const HEADER = 'transaction_id,order_no,currency,amount';

function file(name: string, ...rows: readonly string[]): string {
  const path = join(mkdtempSync(join(local.folder, 'given-')), name);
  writeFileSync(path, `${rows.join('\n')}\n`);
  return path;
}

const capture = () =>
  file('capture.csv', HEADER, 'T1,O-T1,USD,100.00', 'T2,O-T2,USD,1.00', 'T9,O-T9,USD,1.00');
const refund = () =>
  file('refund.csv', `${HEADER},refund_amount`, 'T1,O-T1,USD,100.00,20.00', 'T3,O-T3,USD,100.00,1.00');
const payouts = () =>
  file(
    'payout.csv',
    'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban',
    'P1,bank,USD,USD,1.00,company,Acme,DE89370400440532013000',
  );

interface Planned {
  readonly environment: string;
  readonly exit: number;
  readonly files: readonly PlannedFile[];
}

const plan = (of: CliSandbox, ...args: readonly string[]) => of.json<Planned>('plan', ...args);

/** What each file's lines would be. */
const foreseen = ({ files }: Planned) =>
  files.map(({ gateway, lines, foreseen: codes }) => [
    gateway,
    lines.succeeded,
    lines.refused,
    codes.map(({ code }) => code).join(' '),
  ]);

describe('a remote gateway', () => {
  test('by name or by address is asked for what it has, and later files see earlier ones', async () => {
    for (const named of ['bank', `${bank.url}/`]) {
      const planned = await plan(local, capture(), refund(), '--gateway', named);
      expect([planned.exit, foreseen(planned)]).toEqual([
        3,
        [
          ['bank', 1, 2, 'V0001 V0007'],
          ['bank', 1, 1, 'V0007'],
        ],
      ]);
    }
  });

  test('moves nothing there and writes nothing here', async () => {
    const database = () => readFileSync(join(local.data, 'batchgate.db'));
    const before = database();
    await plan(local, capture(), payouts(), '--gateway', 'bank');
    expect(database()).toEqual(before);
    expect(await local.json('batch', 'list')).toMatchObject({ batches: [] });
    expect(await bank.api.sandbox.transfers()).toEqual([]);
  });

  test('of payouts it says plainly that their outcome cannot be foreseen', async () => {
    const path = payouts();
    const planned = await plan(local, path, '--gateway', 'bank');
    expect(planned).toMatchObject({
      exit: 0,
      files: [{ unforeseen: 1, lines: { pending: 1, succeeded: 0 } }],
    });
    expect((await local.run('plan', path, '--gateway', 'bank')).out).toContain(
      '1 line would be sent, but the outcome cannot be foreseen: bank is a remote gateway',
    );
    const embedded = await plan(local, path);
    expect(embedded.files[0]).toMatchObject({
      gateway: 'engine',
      unforeseen: 0,
      foreseen: [{ code: 'V0011' }],
    });
  });

  test('what is foreseen is what a run then does', async () => {
    const path = file('cancel.csv', HEADER, 'T1,O-T1,USD,100.00', 'T2,O-T2,USD,100.00');
    const planned = await plan(local, path, '--gateway', 'bank');
    const ran = await local.json<{ batches: readonly { lines: object; totals: object }[] }>(
      ...['run', path, '--gateway', 'bank', '--quiet'],
    );
    expect(ran.batches[0]).toMatchObject({
      lines: planned.files[0]!.lines,
      totals: planned.files[0]!.totals!,
    });
    const again = await plan(local, path, '--gateway', 'bank');
    expect(again.files[0]!.executed_before).toMatch(/^B/);
  });
});

describe('a gateway that cannot be asked: the exit says why, in words and as a document', () => {
  test.for<[what: string, gateway: () => string, keyed: boolean, exit: number, code: string, words: string]>([
    ['nobody listens', () => 'http://127.0.0.1:9', true, 5, 'E0002', 'did not answer'],
    ['another key', () => bank.url, false, 4, 'I0013', 'refused to answer'],
  ])('%s', async ([, gateway, keyed, exit, code, words]) => {
    const here = await directory('sandbox', keyed ? bank.keyFile : undefined);
    configure(here, { bank: { url: gateway(), attempts: 1 } });
    const paths = [capture(), refund()];
    const planned = await plan(here, ...paths, '--gateway', 'bank');
    expect(planned).toMatchObject({ exit, files: [{ exit, errors: [{ code }], lines: { not_sent: 3 } }] });
    expect(planned.files).toHaveLength(1);
    const told = await here.run('plan', ...paths, '--gateway', 'bank');
    expect([told.exit, told.out]).toEqual([
      exit,
      expect.stringContaining(`cannot be foreseen: bank ${words}`),
    ]);
  });
});

describe('in a live data directory', () => {
  test('plan asks the live gateway', async () => {
    const planned = await plan(live, refund(), '--gateway', 'bank');
    expect(planned).toMatchObject({ environment: 'live', exit: 3, files: [{ gateway: 'bank' }] });
  });

  test.for<[what: string, gateway: () => string]>([
    ['the embedded engine', () => 'engine'],
    ['a gateway that is not marked as live', () => 'http://127.0.0.1:9'],
  ])('B0023 %s foresees nothing', async ([, gateway]) => {
    const { exit, out, err } = await live.run('plan', refund(), '--gateway', gateway());
    expect([exit, out, err]).toEqual([2, '', expect.stringContaining('B0023')]);
  });

  test('validate needs no gateway', async () => {
    expect(await live.json('validate', refund())).toMatchObject({ environment: 'live', exit: 0 });
  });
});
