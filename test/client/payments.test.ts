/** Payments, payouts and queries at a gateway that lies, errs or says something else than it was asked. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayClient } from '../../src/client/gateway-client.ts';
import type { GatewayClientOptions } from '../../src/client/options.ts';
import type { Selection } from '../../src/core/query.ts';
import { redirectPage } from '../../src/http/hosted/redirect-page.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { readPayout } from '../../src/wire/messages/payout.ts';
import { writeXml } from '../../src/wire/xml.ts';
import { byApm, byCard, CARDS, checkout } from '../engine/payments/shop.ts';
import {
  bareRefusal,
  clientOf,
  envelope,
  FakeGateway,
  keyOf,
  M1,
  refusal,
  type Script,
  sendJson,
  signed,
} from './fake-gateway.ts';

let gateway: FakeGateway;
let client: GatewayClient;
beforeAll(async () => {
  gateway = await FakeGateway.start(() => undefined);
});
afterAll(() => gateway.stop());
afterEach(() => client.close());

function clientFor(script: Script, options: Partial<GatewayClientOptions> = {}): GatewayClient {
  gateway.script = script;
  client = clientOf(gateway.url, { attempts: 1, ...options });
  return client;
}

const OTHER_KEY = keyOf('the key of somebody else entirely!!');
const IP = '192.0.2.1';

/** In few words: what the answer has, and where it is a reason its code; `!` is an alarm. */
function inWords(answer: object): string {
  const [[what, value]] = Object.entries(answer) as [[string, { code?: string; alarm?: boolean }]];
  return `${what}${value.code === undefined ? '' : ` ${value.code}`}${value.alarm === true ? '!' : ''}`;
}

const xml =
  (fields: JsonFields): Script =>
  (response) => {
    const written = writeXml('respon', fields);
    if ('fault' in written) throw new Error(written.fault);
    response.writeHead(200, { 'Content-Type': 'application/xml' }).end(written.xml);
  };
const json =
  (fields: JsonFields, status?: number): Script =>
  (response) =>
    sendJson(response, fields, status);

const PAID = {
  merchant_id: 'M1',
  account_id: 'A1',
  order_no: 'O1',
  amount: '100.00',
  currency: 'USD',
  transaction_id: 'T1',
  card: '411111******1111',
  order_status: '1',
  result_info: '0000:Success',
  connector: 'bank',
  threeds_result: '-',
  risk_action: 'accept',
  risk_score: '0',
};

describe('authorise', () => {
  const ISSUER = {
    merchant_id: 'M1',
    account_id: 'A1',
    order_no: 'O1',
    amount: '100.00',
    currency: 'USD',
    issuer_url: 'https://pay.example/x/S1',
  };

  test.each<[string, Script, string]>([
    ['a signed approval', xml(signed(PAID)), 'payment'],
    ['F62 an approval without a signature', xml(PAID), 'failure E0001!'],
    ['F62 an approval signed by somebody else', xml(signed(PAID, OTHER_KEY)), 'failure E0001!'],
    ['F67 another amount', xml(signed({ ...PAID, amount: '10.00' })), 'failure E0001!'],
    ['F67 another currency', xml(signed({ ...PAID, currency: 'EUR' })), 'failure E0001!'],
    ['F67 another order', xml(signed({ ...PAID, order_no: 'O2' })), 'failure E0001!'],
    [
      'an approval with a reason against it',
      xml(signed({ ...PAID, result_info: 'D0005:no' })),
      'failure E0001',
    ],
    ['a decline without a reason', xml(signed({ ...PAID, order_status: '0' })), 'failure E0001'],
    ['a field that nobody agreed on', xml(signed({ ...PAID, bonus: '1' })), 'failure E0001'],
    ['half a subscription', xml(signed({ ...PAID, contract_name: 'Coffee' })), 'failure E0001'],
    ['a way to the shopper that nobody asked for', xml(signed(ISSUER)), 'failure E0001!'],
    ['a JSON success', json(signed(PAID)), 'failure E0001'],
    ['F69 HTML with 200', (response) => html(response, '<p>Hello</p>'), 'failure E0001'],
    ['401', json(bareRefusal('I0013'), 401), 'failure I0013'],
    ['404', json(bareRefusal('I0002'), 404), 'notFound I0002'],
    ['an order in progress', json(refusal('I0062'), 409), 'failure I0062'],
    ['an order number in use', json(refusal('I0061'), 409), 'failure I0061'],
    ['F58 no answer', (response) => response.socket!.destroy(), 'failure E0001'],
  ])('%s', async (_, script, expected) => {
    const answer = await clientFor(script).authorise({ ...byCard(CARDS.approved), ip: IP });
    expect(inWords(answer)).toBe(expected);
    expect(JSON.stringify(answer)).not.toContain(CARDS.approved);
  });

  test.each<[string, JsonFields, Partial<GatewayClientOptions>, string]>([
    ['signed', signed(ISSUER), {}, 'session'],
    ['F62 not signed', ISSUER, {}, 'failure E0001!'],
    ['not signed, which the specification allows', ISSUER, { signs: 'specification' }, 'session'],
    ['F62 wrongly signed', signed(ISSUER, OTHER_KEY), { signs: 'specification' }, 'failure E0001!'],
    ['to another account', { ...ISSUER, account_id: 'A2' }, { signs: 'specification' }, 'failure E0001!'],
    ['to a script', signed({ ...ISSUER, issuer_url: 'javascript:alert(1)' }), {}, 'failure E0001'],
    ['that is a payment', signed(PAID), {}, 'failure E0001!'],
  ])('the way to an alternative method, %s', async (_, fields, options, expected) => {
    const request = { ...byApm('wallet', { orderNo: 'O1' }), ip: IP };
    expect(inWords(await clientFor(xml(fields), options).authorise(request))).toBe(expected);
  });
});

function html(response: ServerResponse, page: string): void {
  response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
}

describe('checkout', () => {
  const INPUTS = { order_no: 'O1', currency: 'USD', amount: '100.00', gbc_id: 'T1' };
  /** The page, by default as it should be. */
  const page =
    (inputs: Readonly<Record<string, string>> = {}, action = 'https://pay.example/hosted/S1'): Script =>
    async (response, { message }) => {
      const all = { ...INPUTS, signInfo: String(message.encryption_data), ...inputs };
      html(response, String(await redirectPage({ action, inputs: Object.entries(all), nonce: 'n' })));
    };

  test.each<[string, Script, string]>([
    ['a page', page(), 'session'],
    ['F62 with the signature of another request', page({ signInfo: 'f'.repeat(64) }), 'failure E0001!'],
    ['F67 with another amount', page({ amount: '1.00' }), 'failure E0001!'],
    ['F67 with another order', page({ order_no: 'O2' }), 'failure E0001!'],
    ['that leads to a script', page({}, 'javascript:alert(1)'), 'failure E0001'],
    ['without a form', (response) => html(response, '<html><body>Hello</body></html>'), 'failure E0001'],
    ['with two forms', (response) => html(response, '<form></form><form></form>'), 'failure E0001'],
    [
      'F62 without a signature',
      (response) => html(response, '<form method="post" action="https://pay.example/"></form>'),
      'failure E0001!',
    ],
    [
      'F70 that unfolds itself',
      (response) => html(response, '<!DOCTYPE a [<!ENTITY b "c">]><form></form>'),
      'failure E0001',
    ],
    ['that is a message', json(signed(envelope({}))), 'failure E0001'],
    ['404', json(bareRefusal('I0002'), 404), 'notFound I0002'],
  ])('%s', async (_, script, expected) => {
    expect(inWords(await clientFor(script).checkout(checkout()))).toBe(expected);
  });
});

describe('payout', () => {
  const payout = readPayout({
    request_id: 'P-1',
    payment_method: 'SWIFT',
    source_currency: 'USD',
    payment_currency: 'USD',
    payment_amount: '12.50',
    beneficiary: {
      entity_type: 'COMPANY',
      company_name: 'Acme',
      bank_details: { iban: 'DE89370400440532013000' },
    },
  });
  if ('reasons' in payout) throw new Error('the payout of the test is malformed');

  const DONE = {
    merchant_id: 'M1',
    account_id: 'A1',
    ...(JSON.parse(JSON.stringify(payout.message)) as JsonFields),
    beneficiary: {
      ...payout.message.beneficiary,
      bank_details: { iban: 'DE89370400440532013000', local_clearing_system: 'SEPA' },
    } as JsonFields,
    payer_id: '',
    status: 'COMPLETED',
    failure_type: '',
    failure_reason: '',
    transaction_id: 'X-1',
    short_reference_id: 'X-1',
    amount_beneficiary_receives: 1250,
    amount_payer_pays: 1300,
    fee_amount: 50,
    fee_currency: 'USD',
    created_at: '2026-11-20T12:00:00+0000',
    last_updated_at: '2026-11-20T12:00:00+0000',
  };
  const NOTHING = { transaction_id: '', amount_beneficiary_receives: 0, amount_payer_pays: 0, fee_amount: 0 };

  test.each<[string, JsonFields, object]>([
    [
      'is completed',
      signed(DONE),
      {
        status: 'done',
        reference: 'X-1',
        moved: [{ currency: 'USD', movedIn: 0, movedOut: 1250, fees: 50 }],
      },
    ],
    ['is in progress', signed({ ...DONE, status: 'PROCESSING' }), { status: 'pending' }],
    [
      'is refused',
      signed({ ...DONE, ...NOTHING, status: 'FAILED', failure_type: 'V0011', failure_reason: 'no' }),
      { status: 'refused', reason: { code: 'V0011' } },
    ],
    [
      'has an outcome that the gateway does not know',
      signed({
        ...DONE,
        ...NOTHING,
        status: 'PROCESSING',
        failure_type: 'E0001',
        failure_reason: 'who knows',
      }),
      { status: 'unknown', reason: { code: 'E0001' } },
    ],
    ['F62 is not signed', DONE, { status: 'unknown', reason: { alarm: true } }],
    [
      'F62 is signed by somebody else',
      signed(DONE, OTHER_KEY),
      { status: 'unknown', reason: { alarm: true } },
    ],
    [
      'F67 has another amount',
      signed({ ...DONE, payment_amount: '12.51' }),
      { status: 'unknown', reason: { alarm: true } },
    ],
    [
      'F67 has another currency',
      signed({ ...DONE, payment_currency: 'EUR' }),
      { status: 'unknown', reason: { alarm: true } },
    ],
    [
      'F67 is another one',
      signed({ ...DONE, request_id: 'P-2' }),
      { status: 'unknown', reason: { alarm: true } },
    ],
    ['is completed and failed', signed({ ...DONE, failure_type: 'V0011' }), { status: 'unknown' }],
    ['failed without a reason', signed({ ...DONE, ...NOTHING, status: 'FAILED' }), { status: 'unknown' }],
    ['is completed without money', signed({ ...DONE, ...NOTHING }), { status: 'unknown' }],
    ['costs less than nothing', signed({ ...DONE, fee_amount: -50 }), { status: 'unknown' }],
  ])('%s', async (_, fields, result) => {
    const answer = await clientFor(json(fields)).payout({ ...M1, payout });
    expect(answer).toMatchObject({ results: [result] });
  });
});

describe('query', () => {
  const FOUND = {
    amount: '10.00',
    currency: 'USD',
    order_no: 'O-T1',
    reference_no: '',
    transaction_id: 'T1',
    'the service': '',
    shopper_email: '',
    shopper_phone: '',
    delivery_information: {
      delivery_address: '',
      delivery_city: '',
      delivery_country: '',
      delivery_firstname: '',
      delivery_lastname: '',
      delivery_postal_code: '',
      delivery_state: '',
    },
    antifraud_provider: '',
    fraud_check_result: [],
    is3ds: '0',
    payment_status: '3000',
    query_result: '1',
    transaction_date: '20261120080203',
  };
  const list = (...orders: readonly JsonFields[]) => envelope({ orders_list: orders });
  const selection: Selection = { by: 'name', orderNos: [], transactionIds: ['T1'] };

  test.each<[string, JsonFields, Partial<GatewayClientOptions>, string]>([
    ['a signed answer', signed(list(FOUND)), {}, 'records'],
    ['F62 one without a signature', list(FOUND), {}, 'failure E0002!'],
    [
      'one without a signature, which the specification allows',
      list(FOUND),
      { signs: 'specification' },
      'records',
    ],
    [
      'F62 one with a wrong signature',
      signed(list(FOUND), OTHER_KEY),
      { signs: 'specification' },
      'failure E0002!',
    ],
    [
      'F64 a transaction that nobody asked for',
      signed(list({ ...FOUND, transaction_id: 'T2' })),
      {},
      'failure E0002!',
    ],
    ['a state that does not exist', signed(list({ ...FOUND, payment_status: '3001' })), {}, 'failure E0002'],
    [
      'a day that does not exist',
      signed(list({ ...FOUND, transaction_date: '20261320080203' })),
      {},
      'failure E0002',
    ],
    ['money that does not exist', signed(list({ ...FOUND, currency: 'XYZ' })), {}, 'failure E0002'],
    ['a missing one', signed(list({ transaction_id: 'T1', query_result: '0' })), {}, 'records'],
  ])('%s', async (_, fields, options, expected) => {
    expect(inWords(await clientFor(json(fields), options).query({ ...M1, selection }))).toBe(expected);
  });

  test('is asked again without further ado', async () => {
    const script: Script = (response, { number }) =>
      number % 2 === 1 ? response.socket!.destroy() : sendJson(response, signed(list(FOUND)));
    gateway.asked.length = 0;
    const answer = await clientFor(script, { attempts: 4 }).query({ ...M1, selection });
    expect(answer).toMatchObject({
      records: [{ found: { transactionId: 'T1', state: 'captured', amount: 1000 } }],
    });
  });

  test('from an address that is not registered', async () => {
    const answer = await clientFor(json(refusal('I0013'), 403)).query({ ...M1, selection });
    expect(inWords(answer)).toBe('failure I0013');
  });
});
