/**
 * The specification, field by field, against the running interface: every field it lists is taken, kept or echoed with
 * its value, and every field it lists in an answer is there. docs/conformance.md says which test asserts what, and is
 * held to it here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { formatAmount } from '../src/core/money.ts';
import type { JsonFields } from '../src/wire/canonical.ts';
import {
  BATCH_ANSWERS,
  issuerAnswer,
  paymentAnswer,
  payoutAnswer,
  queryAnswer,
} from '../src/wire/responses.ts';
import { readXml } from '../src/wire/xml.ts';
import { fullMessage } from './conformance/messages.ts';
import { ANSWERS, type Message, namesIn, REQUESTS } from './conformance/specification.ts';
import { Api, type Got } from './http/api.ts';

const IP = '127.0.0.1';
const ENTRY = { currency: 'USD', amount: '100.00' };

let api: Api;
const got = {} as Record<Message, Got>;
const sent = {} as Record<Message, JsonFields>;

async function ask(message: Message, path: string, fields: JsonFields): Promise<Got> {
  sent[message] = fields;
  got[message] = await api.send(path, fields, { ip: IP });
  return got[message];
}

beforeAll(async () => {
  api = await Api.make({}, [{ allow_ip: [IP] }]);
  await api.sandbox.given(
    { id: 'C1' },
    { id: 'N1' },
    { id: 'V1', state: 'in_review' },
    { id: 'R1', state: 'captured' },
    { id: 'B1', state: 'captured' },
  );
  const direct = await ask(
    'direct payment',
    '/v1/authorise',
    fullMessage('direct payment', { order_no: 'direct', token_flag: 'YES' }),
  );
  const { token_id, transaction_id } = fieldsOf(direct);
  const order = {
    order_no: 'direct',
    transaction_id: String(transaction_id),
    currency: 'USD',
    amount: '120.00',
  };
  await api.capture([order]);
  await ask(
    'token payment',
    '/v1/authorise',
    fullMessage('token payment', { order_no: 'token', token_id: token_id! }),
  );
  await ask('APM payment', '/v1/authorise', fullMessage('APM payment', { order_no: 'apm' }));
  await ask('redirect payment', '/v1/checkout', fullMessage('redirect payment', { order_no: 'redirect' }));
  await ask('query', '/v1/retrievalTrans', { order_no: 'direct' });
  const entry = (id: string) => ({ ...ENTRY, transaction_id: id, order_no: `O-${id}` });
  await ask('capture', '/v1/capture', { capture_orders: [entry('C1')] });
  await ask('cancel', '/v1/cancel', { cancel_orders: [entry('N1')] });
  await ask('review', '/v1/review', { review_orders: [{ ...entry('V1'), review_flag: '1' }] });
  const refund = { ...entry('R1'), refund_amount: '20.00', refund_reason: 'broken', reference: 'RMA-1' };
  await ask('refund', '/v1/refund', { refund_orders: [refund] });
  await ask('payout', '/v1/payout', fullMessage('payout'));
});
afterAll(() => api.remove());

/** The fields of an answer: of JSON, of XML, or the hidden inputs of a page. */
function fieldsOf({ headers, json, text }: Got): JsonFields {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return json;
  if (type.startsWith('text/html')) return inputsIn(text);
  const read = readXml(text, 'respon');
  if ('fault' in read) throw new Error(`${read.fault}: ${text}`);
  return read.fields;
}

function inputsIn(page: string): JsonFields {
  const inputs = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name!, unescapedText(value!)]));
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

function unescapedText(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => ENTITIES[name]!);
}

const MESSAGES = Object.keys(REQUESTS) as Message[];

const SCHEMAS: Readonly<Partial<Record<Message, ZodType>>> = {
  'direct payment': paymentAnswer,
  'token payment': paymentAnswer,
  'APM payment': issuerAnswer,
  query: queryAnswer,
  ...BATCH_ANSWERS,
  payout: payoutAnswer,
};

describe('every field of the specification', () => {
  test.each(MESSAGES)('that a %s may carry is taken', (message) => {
    expect([got[message].status, got[message].text.slice(0, 500)]).toEqual([200, expect.anything()]);
    const carried = namesIn(api.signed(sent[message]));
    expect(carried).toEqual(expect.arrayContaining([...REQUESTS[message]]));
  });

  test.each(Object.entries(ANSWERS))('that the answer to a %s carries is there', (message, names) => {
    const answered = namesIn(fieldsOf(got[message as Message]));
    expect(names.filter((name) => !answered.includes(name))).toEqual([]);
  });

  test.each(Object.entries(SCHEMAS))(
    'that the answer to a %s carries is in its schema',
    (message, schema) => {
      expect(schema.safeParse(fieldsOf(got[message as Message])).error).toBeUndefined();
    },
  );
});

describe('the value of every field', () => {
  test.each(['direct payment', 'token payment', 'APM payment', 'redirect payment'] as const)(
    'of a %s is kept as it was sent, but for card data',
    async (message) => {
      const {
        card: _,
        expiration_month: __,
        expiration_year: ___,
        security_code: ____,
        ...kept
      } = sent[message];
      const [row] = await api.sandbox.database.reads.all<{ message: string }>(
        'SELECT p.message FROM payment AS p JOIN txn AS t ON t.number = p.txn WHERE t.order_no = ?',
        [String(kept.order_no)],
      );
      expect(JSON.parse(row!.message)).toEqual(kept);
    },
  );

  test('of a redirect payment is echoed in the page under its own name, nested ones as JSON', () => {
    const inputs = fieldsOf(got['redirect payment']);
    for (const [name, value] of Object.entries(sent['redirect payment']))
      expect([name, inputs[name]]).toEqual([name, typeof value === 'string' ? value : JSON.stringify(value)]);
    expect(inputs).toMatchObject({ merchant_id: 'M1', account_id: 'A1', signInfo: inputs.encryption_data });
  });

  test('of a payout is echoed, but for bank_code', () => {
    const { bank_code: _, ...bank } = (sent.payout.beneficiary as { bank_details: JsonFields }).bank_details;
    const echoed = fieldsOf(got.payout);
    expect(echoed).toMatchObject({
      ...sent.payout,
      beneficiary: {
        ...(sent.payout.beneficiary as JsonFields),
        bank_details: { ...bank, local_clearing_system: 'SEPA' },
      },
    });
    expect(echoed.beneficiary).not.toHaveProperty('bank_details.bank_code');
  });

  test.each<[Message, object]>([
    [
      'direct payment',
      {
        merchant_id: 'M1',
        account_id: 'A1',
        order_no: 'direct',
        amount: '120.00',
        currency: 'USD',
        card: '411111******1111',
        order_status: '1',
        result_info: '0000:Success',
        contract_name: 'the contract_name',
        recurring_deduction_period: '30 day',
        note: 'the note',
        connector: 'simulator',
        threeds_result: 'Y',
        risk_action: 'accept',
      },
    ],
    [
      'APM payment',
      { merchant_id: 'M1', account_id: 'A1', order_no: 'apm', amount: '120.00', currency: 'USD' },
    ],
    [
      'query',
      {
        return_status: '1',
        return_message: 'OK',
        orders_list: [
          {
            amount: '120.00',
            currency: 'USD',
            order_no: 'direct',
            'the service': 'the the service',
            shopper_email: 'ana@example.com',
            shopper_phone: 'the shopper_phone',
            delivery_information: {
              delivery_city: 'the delivery_city',
              delivery_state: 'the delivery_state',
            },
            antifraud_provider: 'rules',
            is3ds: '1',
            payment_status: '3000',
            query_result: '1',
            subscription_result: { contract_name: 'the contract_name', recurring_status: '1' },
            transaction_date: '20261120120000',
          },
        ],
      },
    ],
    [
      'capture',
      {
        return_status: '1',
        return_message: 'OK',
        capture_orders: [{ capture_status: '1', error_message: '' }],
      },
    ],
    [
      'cancel',
      {
        return_status: '1',
        return_message: 'OK',
        cancel_orders: [{ cancel_status: '1', error_message: '' }],
      },
    ],
    [
      'review',
      {
        return_status: '1',
        return_message: 'OK',
        review_orders: [{ review_flag: '1', review_status: '1', error_message: '' }],
      },
    ],
    [
      'refund',
      {
        return_status: '1',
        return_message: 'OK',
        refund_orders: [
          {
            ...ENTRY,
            transaction_id: 'R1',
            order_no: 'O-R1',
            refund_amount: '20.00',
            refund_message: 'V0000:OK',
            refund_reason: 'broken',
            refund_reference: 'R1-1',
            refund_reference_id: 'RMA-1',
            refund_status: '1',
          },
        ],
      },
    ],
    [
      'payout',
      {
        status: 'COMPLETED',
        amount_beneficiary_receives: 5000,
        amount_payer_pays: 5000,
        fee_amount: 0,
        fee_currency: 'USD',
        created_at: '2026-11-20T12:00:00+0000',
        last_updated_at: '2026-11-20T12:00:00+0000',
        failure_reason: '',
        failure_type: '',
      },
    ],
  ])('in the answer to a %s is what it must be', (message, expected) => {
    expect(fieldsOf(got[message])).toMatchObject(expected);
  });

  test('in an answer that is signed covers every other', () => {
    for (const message of ['capture', 'cancel', 'review', 'refund', 'payout', 'query'] as const)
      expect([message, api.isSigned(got[message])]).toEqual([message, true]);
    for (const message of ['direct payment', 'APM payment'] as const)
      expect([message, api.isSigned({ json: fieldsOf(got[message]) })]).toEqual([message, true]);
  });

  test('of money is a decimal with the digits of its currency', () => {
    expect(formatAmount(12_000, 2)).toBe(fieldsOf(got['direct payment']).amount);
  });
});

const ROOT = new URL('../', import.meta.url);
const PAGE = readFileSync(new URL('docs/conformance.md', ROOT), 'utf8');

/** The tests that the page names: file and title. */
const NAMED = [...PAGE.matchAll(/`(test\/[\w./-]+\.ts)` › ([^|<\n]+?)(?= *(?:\||<br>|$))/gm)].map(
  ([, file, title]) => [file!, title!] as const,
);

describe('docs/conformance.md', () => {
  test('names every field of the specification', () => {
    const names = new Set([...Object.values(REQUESTS), ...Object.values(ANSWERS)].flat());
    const own = [...names].map((name) => name.split('.').at(-1)!);
    expect(own.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  });

  test('names a test for each of its rows', () => {
    const rows = PAGE.split('\n').filter(
      (line) => /^\| (?!---)/.test(line) && !/\| asserted by \|$/.test(line),
    );
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => !row.includes(' › '))).toEqual([]);
    expect(NAMED.length).toBeGreaterThanOrEqual(rows.length);
  });

  test.each([...new Set(NAMED.map(([file]) => file))])('names tests that are in %s', (file) => {
    expect(existsSync(new URL(file, ROOT))).toBe(true);
    const content = readFileSync(new URL(file, ROOT), 'utf8').replaceAll("\\'", "'");
    const titles = NAMED.filter(([one]) => one === file).map(([, title]) => title);
    expect(titles.filter((title) => !content.includes(title))).toEqual([]);
  });
});
