/**
 * Every operation of /v1, asked with messages made from its own document and damaged on the way: whatever comes, there is
 * an answer that the document knows, in time, and the books stay true. `FUZZ_RUNS` says how many requests, `FC_SEED`
 * repeats a run.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { verify } from '../../src/batch/verify.ts';
import { openApiDocument } from '../../src/http/documentation/document.ts';
import type { JsonFields, JsonValue } from '../../src/wire/canonical.ts';
import { readForm } from '../../src/wire/form.ts';
import { API_OPERATIONS, type ApiOperation, PATHS } from '../../src/wire/paths.ts';
import {
  BATCH_ANSWERS,
  errorAnswer,
  issuerAnswer,
  paymentAnswer,
  payoutAnswer,
  queryAnswer,
} from '../../src/wire/responses.ts';
import { signMessage, verifySignature } from '../../src/wire/signature.ts';
import { readXml, writeXml } from '../../src/wire/xml.ts';
import { Api, type Got } from '../http/api.ts';
import type { Given } from '../support/ledger.ts';
import {
  fromSchema,
  type Json,
  type Making,
  type Mutation,
  mutated,
  mutation,
  type Schema,
} from './from-schema.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 400);

/** No answer may take longer, whatever was sent. */
const PATIENCE_MS = 5000;

const DOCUMENT = openApiDocument({
  publicUrl: 'https://pay.example',
  version: 'test',
  environment: 'sandbox',
});

const GIVEN: readonly Given[] = [
  ...numbered('T', 20).map((id) => ({ id, amount: 1_000_000 })),
  ...numbered('C', 20).map((id) => ({ id, amount: 1_000_000, state: 'captured' as const })),
  ...numbered('V', 20).map((id) => ({ id, amount: 1_000_000, state: 'in_review' as const })),
];

function numbered(letter: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index}`);
}

const LIKELY: Making['likely'] = {
  merchant_id: ['M1'],
  account_id: ['A1'],
  transaction_id: GIVEN.map(({ id }) => id),
  currency: ['USD', 'USD', 'EUR', 'JPY'],
  source_currency: ['USD'],
  payment_currency: ['USD'],
  amount: ['10000.00', '1.00', '0.01'],
  refund_amount: ['1.00', '0.01'],
  source_amount: ['1.00'],
  payment_amount: ['1.00'],
  card: ['4111111111111111', '4000000000000002', '4000000000009235', '4000000000003220', '4000000000000119'],
  expiration_month: ['12'],
  expiration_year: ['2039'],
  security_code: ['123'],
  payment_method: ['bank_transfer', 'wallet', 'pix'],
  return_url: ['https://shop.example/thanks'],
  notify_url: ['https://shop.example/notify'],
  items: ['a#,#b#,#1#,#2.00'],
  contract_amount: ['5.00'],
  iban: ['DE89370400440532013000'],
  entity_type: ['COMPANY'],
  company_name: ['Muster GmbH'],
  request_id: ['P1', 'P2'],
};

const MAKING: Making = {
  likely: LIKELY,
  resolve: (reference) => {
    const name = reference.replace('#/components/schemas/', '');
    return DOCUMENT.components!.schemas![name] as Schema;
  },
};

interface Asked {
  readonly operation: ApiOperation;
  readonly message: Json;
  readonly mutations: readonly Mutation[];
  readonly form: 'json' | 'json as form' | 'form' | 'xml';
  /** What happens to the bytes, after the message was signed. */
  readonly damage: 'none' | 'cut' | 'key twice' | 'unsigned' | 'wrongly signed' | 'not UTF-8' | 'nonsense';
  readonly type: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly ip: string;
}

const asked: fc.Arbitrary<Asked> = fc.constantFrom(...API_OPERATIONS).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    message: fromSchema(requestSchema(operation), MAKING).map(plausible),
    mutations: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
    ),
    form: mostly('json' as const, 'json as form' as const, 'form' as const, 'xml' as const),
    damage: mostly(
      'none' as const,
      ...(['cut', 'key twice', 'unsigned', 'wrongly signed', 'not UTF-8', 'nonsense'] as const),
    ),
    type: mostly(undefined, 'text/plain', 'application/json; charset=utf-16', '', 'multipart/form-data'),
    idempotencyKey: mostly(undefined, 'k1', 'k2', 'with space', 'x'.repeat(300)),
    ip: mostly('127.0.0.1', '203.0.113.9', '::ffff:127.0.0.1'),
  }),
);

/** The usual value eight times in ten. */
function mostly<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

function requestSchema(operation: ApiOperation): Schema {
  const body = DOCUMENT.paths![PATHS[operation]]!.post!.requestBody as unknown as {
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
  return body.content['application/json'].schema;
}

/** What belongs together is sent together, or no request would ever get as far as the ledger. */
function plausible(node: Json): Json {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(plausible);
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, plausible(value)]));
  const { transaction_id, amount, request_id, beneficiary } = inner;
  if (typeof transaction_id === 'string' && amount !== undefined)
    return { ...inner, order_no: `O-${transaction_id}`, currency: 'USD' };
  if (request_id === undefined || typeof beneficiary !== 'object') return inner;
  return { ...inner, source_amount: '1.00', beneficiary: { ...beneficiary, ...COMPANY } };
}

const COMPANY = { company_name: 'Muster GmbH', bank_details: { iban: 'DE89370400440532013000' } };

const TYPES = {
  json: 'application/json',
  'json as form': 'application/x-www-form-urlencoded',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
} as const;

let api: Api;
beforeAll(async () => {
  api = await Api.make({}, [{ allow_ip: ['127.0.0.1'] }]);
  await api.sandbox.given(...GIVEN);
});
afterAll(() => api.remove());

/** The signature of whatever the gateway will read; zeros for what cannot be signed. */
function signatureOf(fields: JsonFields): string {
  try {
    return signMessage(fields, api.key());
  } catch {
    return '0'.repeat(64);
  }
}

/** The message as text in its form, signed as it will be read. */
function written(message: Json, form: Asked['form']): string {
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return JSON.stringify(message);
  const { encryption_data: _, ...fields } = message;
  if (form === 'form') {
    const text = Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const body = String(new URLSearchParams(text));
    const read = readForm(body);
    return `${body}&encryption_data=${'fields' in read ? signatureOf(read.fields) : ''}`;
  }
  if (form === 'xml') {
    const document = writeXml('request', fields as JsonFields);
    const read = 'xml' in document ? readXml(document.xml, 'request') : document;
    if ('xml' in document && 'fields' in read) {
      const element = `<encryption_data>${signatureOf(read.fields)}</encryption_data></request>`;
      return document.xml.replace(/<\/request>$/, element);
    }
  }
  return JSON.stringify({ ...fields, encryption_data: signatureOf(fields as JsonFields) });
}

function damaged(text: string, damage: Asked['damage']): string | Uint8Array<ArrayBuffer> {
  switch (damage) {
    case 'none':
      return text;
    case 'cut':
      return text.slice(0, Math.floor(text.length / 2));
    case 'key twice':
      return text.replace('{', '{"merchant_id":"M2",');
    case 'unsigned':
      return text.replace('encryption_data', 'encryption');
    case 'wrongly signed':
      return text.replace(/[0-9a-f]{64}/, 'f'.repeat(64));
    case 'not UTF-8':
      return new Uint8Array([...Buffer.from(text), 0xff]);
    case 'nonsense':
      return '\u0000<!DOCTYPE x [<!ENTITY a "b">]>{&a;';
  }
}

async function ask({
  operation,
  message,
  mutations,
  form,
  damage,
  type,
  idempotencyKey,
  ip,
}: Asked): Promise<Got> {
  const sent = mutations.reduce(mutated, message);
  const headers = {
    'Content-Type': type ?? TYPES[form],
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
  };
  return api.post(PATHS[operation], damaged(written(sent, form), damage), { headers, ip });
}

const ANSWERS: Readonly<Record<ApiOperation, readonly ZodType[]>> = {
  authorise: [paymentAnswer, issuerAnswer],
  checkout: [],
  query: [queryAnswer],
  capture: [BATCH_ANSWERS.capture],
  cancel: [BATCH_ANSWERS.cancel],
  review: [BATCH_ANSWERS.review],
  refund: [BATCH_ANSWERS.refund],
  payout: [payoutAnswer],
};

/** The answer is one that the document knows, has its strict shape and its signature, and gives nothing away. */
function judge(operation: ApiOperation, { status, headers, text, json }: Got): void {
  const documented = Object.keys(DOCUMENT.paths![PATHS[operation]]!.post!.responses ?? {});
  expect(documented).toContain(String(status));
  expect(status).not.toBe(500);
  expect(headers.get('x-request-id')).toMatch(/./);
  if (status !== 200) {
    expect(errorAnswer.safeParse(json).error).toBeUndefined();
    expect(text.length).toBeLessThan(50_000);
    if (status !== 401 && json.merchant_id === 'M1' && json.encryption_data !== undefined)
      expect(api.isSigned({ json })).toBe(true);
    return;
  }
  if (operation === 'checkout') {
    expect(text).toMatch(/^<!DOCTYPE html>/);
    return;
  }
  const fields = operation === 'authorise' ? respon(text) : json;
  const schemas = ANSWERS[operation];
  const problems = schemas.map((schema) => schema.safeParse(fields).error);
  if (problems.every((problem) => problem !== undefined)) throw problems[0];
  expect(verifySignature(fields as JsonFields, (fields as JsonFields).encryption_data, api.key())).toBe(true);
}

function respon(text: string): Readonly<Record<string, JsonValue>> {
  const read = readXml(text, 'respon');
  if ('fault' in read) throw new Error(`${read.fault}: ${text}`);
  return read.fields;
}

describe(`${RUNS} requests made from the document`, () => {
  const statuses = new Map<string, number>();

  test('F73, F86, F88 are answered in time, as documented, and never with an internal error', {
    timeout: 1_800_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const began = performance.now();
        const got = await ask(one);
        expect(performance.now() - began).toBeLessThan(PATIENCE_MS);
        const key = `${one.operation} ${got.status}`;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
        expect(api.errors).toEqual([]);
        judge(one.operation, got);
      }),
      { numRuns: RUNS, endOnFailure: process.env.SHRINK === undefined },
    );
  });

  test('reach the gateway: every operation is answered 200 and 400, and money moves', async () => {
    for (const operation of API_OPERATIONS)
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([`${operation} 200`, `${operation} 400`]));
    const kinds = new Set((await api.sandbox.transfers()).map((line) => line.split(' ')[1]));
    expect([...kinds]).toEqual(expect.arrayContaining(['capture', 'refund']));
  });

  test('leave books that are true', async () => {
    const findings = await verify(api.sandbox);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  });
});
