/** Every sample request, sent to a real server as samples/http/README.md says: with curl, and with `batchgate call`. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import {
  BATCH_ANSWERS,
  issuerAnswer,
  paymentAnswer,
  payoutAnswer,
  queryAnswer,
} from '../../src/wire/responses.ts';
import { readXml } from '../../src/wire/xml.ts';
import { type CliSandbox, makeSandbox } from '../support/cli.ts';
import { Served } from '../support/served.ts';

const SAMPLES = fileURLToPath(new URL('../../samples/http/', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../bin/batchgate.js', import.meta.url));
const README = readFileSync(join(SAMPLES, 'README.md'), 'utf8');

let sandbox: CliSandbox;
let served: Served;
beforeAll(async () => {
  sandbox = await makeSandbox();
  await sandbox.run('account', 'allow-ip', '127.0.0.1');
  served = await Served.start(sandbox.data);
});
afterAll(async () => {
  await served?.stop();
  sandbox.remove();
});

/** Operation and file of each command line of README, and what it says about it. */
const COMMANDS = [...README.matchAll(/^\.\/send\.sh (\w+) (\S+\.json) +# (.+)$/gm)].map(
  ([, operation, file, story]) => ({ operation: operation!, file: file!, story: story! }),
);

async function send(operation: string, file: string, ...more: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    BATCHGATE: `${process.execPath} ${PROGRAM}`,
    BATCHGATE_DATA: sandbox.data,
    URL: served.url,
  };
  const { stdout } = await promisify(execFile)('sh', ['send.sh', operation, file, ...more], {
    cwd: SAMPLES,
    env,
  });
  return stdout;
}

/** What the answer to each sample must be, and what it must say. */
const ANSWERS: Readonly<Record<string, readonly [ZodType, object] | 'page'>> = {
  'authorise.json': [
    paymentAnswer,
    { order_status: '1', result_info: '0000:Success', card: '411111******1111' },
  ],
  'authorise-declined.json': [paymentAnswer, { order_status: '0' }],
  'authorise-subscription.json': [paymentAnswer, { order_status: '1', contract_name: 'Coffee every month' }],
  'authorise-apm.json': [issuerAnswer, { order_no: 'WEB-2004', amount: '75.00' }],
  'checkout.json': 'page',
  'query.json': [
    queryAnswer,
    { orders_list: [{ payment_status: '3000' }, { payment_status: '3500' }, { query_result: '0' }] },
  ],
  'capture.json': [
    BATCH_ANSWERS.capture,
    { capture_orders: [{ capture_status: '1', error_message: '' }, { capture_status: '0' }] },
  ],
  'cancel.json': [BATCH_ANSWERS.cancel, { cancel_orders: [{ cancel_status: '1' }] }],
  'review.json': [BATCH_ANSWERS.review, { review_orders: [{ review_status: '1', review_flag: '1' }] }],
  'refund.json': [
    BATCH_ANSWERS.refund,
    { refund_orders: [{ refund_status: '1', refund_message: 'V0000:OK', refund_reference_id: 'RMA-77' }] },
  ],
  'payout.json': [payoutAnswer, { status: 'COMPLETED', amount_payer_pays: 2000, failure_type: '' }],
};

function fieldsOf(text: string): unknown {
  if (text.startsWith('{')) return JSON.parse(text);
  const read = readXml(text, 'respon');
  if ('fault' in read) throw new Error(`${read.fault}\n${text}`);
  return read.fields;
}

test('README has a command for every sample', () => {
  const files = readdirSync(SAMPLES).filter((name) => name.endsWith('.json'));
  expect(COMMANDS.map(({ file }) => file).sort()).toEqual(files.sort());
  expect(Object.keys(ANSWERS).sort()).toEqual(files.sort());
});

test.each(COMMANDS)('send.sh $operation $file: $story', async ({ operation, file }) => {
  const answer = await send(operation, file);
  const expected = ANSWERS[file]!;
  if (expected === 'page') {
    expect(answer).toMatch(/^<!DOCTYPE html>/);
    expect(answer).toContain(`action="${served.url}/hosted/`);
    return;
  }
  const [schema, content] = expected;
  expect(schema.parse(fieldsOf(answer))).toMatchObject(content);
});

describe('batchgate call', () => {
  test.each<[string, string, number, string]>([
    ['query', 'query.json', 0, '"payment_status": "3000"'],
    ['refund', 'refund.json', 0, '"refund_reference": "T1304-1"'],
    ['payout', 'payout.json', 0, '"status": "COMPLETED"'],
    ['capture', 'capture.json', 3, 'V0005'],
    ['authorise', 'authorise.json', 3, 'I0061'],
  ])('%s %s, sent before, ends with %i', async (operation, file, expected, said) => {
    const { exit, out, err } = await sandbox.run('call', operation, join(SAMPLES, file), '--url', served.url);
    expect(out).toContain(said);
    expect(err).toContain('signature right');
    expect(exit).toBe(expected);
  });

  test('tells whether a page carries the signature of its request', async () => {
    const message = {
      ...JSON.parse(readFileSync(join(SAMPLES, 'checkout.json'), 'utf8')),
      order_no: 'WEB-9',
    };
    const file = join(sandbox.folder, 'checkout.json');
    writeFileSync(file, JSON.stringify(message));
    const { exit, err } = await sandbox.run('call', 'checkout', file, '--url', served.url);
    expect(err).toContain('200, signature right');
    expect(exit).toBe(0);
  });
});

test('the examples of the documentation are signed for this data directory and work as they stand', async () => {
  const got = await fetch(`${served.url}/openapi.json`);
  const { paths } = (await got.json()) as { readonly paths: Readonly<Record<string, unknown>> };
  const statuses = await Promise.all(
    Object.entries(paths).flatMap(([path, operation]) =>
      examplesIn(operation).map(async ({ value }) => {
        const sent = {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(value),
        };
        return `${path} ${(await fetch(`${served.url}${path}`, sent)).status}`;
      }),
    ),
  );
  expect(statuses).toHaveLength(COMMANDS.length);
  expect(statuses.filter((line) => !line.endsWith(' 200'))).toEqual([]);
});

function examplesIn(operation: unknown): readonly { readonly value: object }[] {
  const { post } = operation as {
    readonly post: {
      readonly requestBody: {
        readonly content: {
          readonly 'application/json': {
            readonly examples: Readonly<Record<string, { readonly value: object }>>;
          };
        };
      };
    };
  };
  return Object.values(post.requestBody.content['application/json'].examples);
}

test('the same request under one idempotency key is executed once', async () => {
  const header = ['--header', 'Idempotency-Key: 2026-11-20-1'];
  const capture = () => send('capture', 'capture.json', ...header);
  expect(await capture()).toBe(await capture());
});

test('afterwards everything adds up, and no card number is in the log', async () => {
  expect((await sandbox.run('verify')).exit).toBe(0);
  expect(served.log).not.toMatch(/4111111111111111|4000000000009995|5555555555554444/);
});
