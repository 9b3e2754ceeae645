/** Authorise, checkout, query and payout over HTTP: how requests reach a gateway, and how its answers are written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Gateway } from '../../src/core/gateway.ts';
import type {
  AuthoriseAnswer,
  AuthoriseRequest,
  CheckoutAnswer,
  PaymentResult,
} from '../../src/core/payment.ts';
import type { QueryRequest } from '../../src/core/query.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { issuerAnswer, paymentAnswer, payoutAnswer, queryAnswer } from '../../src/wire/responses.ts';
import { verifySignature } from '../../src/wire/signature.ts';
import { readXml, writeXml } from '../../src/wire/xml.ts';
import { Api, type Got } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.make({}, [{ allow_ip: ['127.0.0.1'], time_zone: 'Europe/Berlin' }]);
});
afterAll(() => api.remove());

const ORDER = { order_no: 'O-1', currency: 'USD', amount: '12.30' };
const CARD = {
  card: '4111111111111111',
  expiration_month: '12',
  expiration_year: '2031',
  security_code: '987',
};

const RESULT: PaymentResult = {
  transactionId: 'T0001',
  orderStatus: 1,
  reason: undefined,
  maskedCard: '411111******1111',
  tokenId: undefined,
  connector: 'simulator',
  threeDs: '-',
  risk: {
    action: 'accept',
    score: 5,
    reasons: [
      { name: 'amount', status: 'pass' },
      { name: 'country', status: 'pass' },
    ],
  },
  contract: undefined,
};

/** The adapter before a gateway that answers every payment so. */
function answering(answer: AuthoriseAnswer | CheckoutAnswer, asked: AuthoriseRequest[] = []): Api {
  const ask = async (request: AuthoriseRequest) => {
    asked.push(request);
    return answer;
  };
  return api.with({ gateway: { authorise: ask, checkout: ask } as unknown as Gateway });
}

function respon({ text }: Got): JsonFields {
  const read = readXml(text, 'respon');
  if ('fault' in read) throw new Error(read.fault);
  return read.fields;
}

describe('authorise', () => {
  test('a direct payment is answered in XML, signed as the object of its elements', async () => {
    const asked: AuthoriseRequest[] = [];
    const got = await answering({ payment: RESULT }, asked).send(
      '/v1/authorise',
      { ...ORDER, ...CARD },
      { ip: '192.0.2.9' },
    );
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    const fields = respon(got);
    expect(paymentAnswer.parse(fields)).toEqual(fields);
    expect(fields).toMatchObject({
      merchant_id: 'M1',
      account_id: 'A1',
      order_no: 'O-1',
      amount: '12.30',
      order_status: '1',
      result_info: '0000:Success',
    });
    expect(verifySignature(fields, fields.encryption_data, api.key())).toBe(true);
    expect(asked).toMatchObject([
      {
        merchantId: 'M1',
        accountId: 'A1',
        ip: '192.0.2.9',
        order: { orderNo: 'O-1', amount: 1230 },
        means: { by: 'card', card: { number: CARD.card, month: 12, year: 2031, securityCode: '987' } },
      },
    ]);
  });

  test('an APM payment is answered with the address of its hosted page', async () => {
    const session = { transactionId: 'T2', session: 'abc_-123', kind: 'apm' } as const;
    const got = await answering({ session }).send('/v1/authorise', {
      ...ORDER,
      payment_method: 'wallet',
      return_url: 'https://shop.example/back',
    });
    const fields = respon(got);
    expect(issuerAnswer.parse(fields)).toMatchObject({
      issuer_url: 'https://pay.example/hosted/abc_-123',
      amount: '12.30',
    });
    expect(verifySignature(fields, fields.encryption_data, api.key())).toBe(true);
  });

  test.each([
    [{ failure: { code: 'I0061', message: 'used' } }, 409],
    [{ failure: { code: 'I0062', message: 'in progress' } }, 409],
    [{ failure: { code: 'V0003', message: 'currency' } }, 400],
    [{ failure: { code: 'I0013', message: 'gone' } }, 401],
    [{ failure: { code: 'E0001', message: 'unknown' } }, 500],
    [{ failure: { code: 'E0002', message: 'busy' } }, 503],
    [{ notFound: { code: 'I0002', message: 'no such token', column: 'token_id' } }, 404],
  ] as const)('%j is %i, in JSON and signed', async (answer, status) => {
    const got = await answering(answer).send('/v1/authorise', { ...ORDER, ...CARD });
    expect(got.status).toBe(status);
    const why = 'failure' in answer ? answer.failure : answer.notFound;
    expect(got.json).toMatchObject({
      return_status: '0',
      return_message: `${why.code}:${why.message}`,
      errors: [{ code: why.code }],
    });
    expect(api.isSigned(got)).toBe(true);
    expect(got.headers.has('retry-after')).toBe(why.code === 'I0062' || why.code === 'E0002');
  });

  test('both a card and a payment method are 400, and no gateway is asked', async () => {
    const asked: AuthoriseRequest[] = [];
    const got = await answering({ payment: RESULT }, asked).send('/v1/authorise', {
      ...ORDER,
      ...CARD,
      payment_method: 'wallet',
    });
    expect([got.status, asked]).toEqual([400, []]);
  });

  test('nothing of the card stands in an answer', async () => {
    for (const change of [
      { card: '41111111111111110000000' },
      { security_code: '98765' },
      { amount: CARD.card },
    ]) {
      const got = await answering({ payment: RESULT }).send('/v1/authorise', {
        ...ORDER,
        ...CARD,
        ...change,
      });
      expect(got.status).toBe(400);
      expect(got.text).not.toMatch(/4111111111|987/);
    }
  });
});

describe('checkout', () => {
  const FIELDS = { ...ORDER, return_url: 'https://shop.example/back', note: '"><script>alert(1)</script>' };
  const session = { transactionId: 'T3', session: 'abc_-123', kind: 'card' } as const;

  test('is answered with a page that submits itself to the hosted page, and nowhere else', async () => {
    const got = await answering({ session }).send('/v1/checkout', FIELDS, { ip: '192.0.2.9' });
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(got.text).toContain('action="https://pay.example/hosted/abc_-123"');
    expect(got.text).toContain('name="gbc_id" value="T3"');
    expect(got.text).toContain('name="source_request_ip" value="192.0.2.9"');
    expect(got.text).toContain('name="rrtimezone" value="Europe/Berlin"');
    expect(got.text).not.toContain('<script>alert');
    expect(got.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(got.headers.get('cache-control')).toBe('no-store');
    const signInfo = /name="signInfo" value="([0-9a-f]{64})"/.exec(got.text)?.[1];
    expect(signInfo).toBe(api.signed(FIELDS).encryption_data);
  });

  test('two pages never share the nonce of their script', async () => {
    const pages = [1, 2].map(() => answering({ session }).send('/v1/checkout', FIELDS));
    const nonces = (await Promise.all(pages)).map(({ text }) => /nonce="([^"]+)"/.exec(text)?.[1]);
    expect(new Set(nonces).size).toBe(2);
  });

  test('its request may be XML', async () => {
    const written = writeXml(
      'request',
      api.signed({ ...ORDER, return_url: FIELDS.return_url, 'the service': 'shop' }),
    );
    if ('fault' in written) throw new Error(written.fault);
    const got = await answering({ session }).post('/v1/checkout', written.xml, {
      headers: { 'Content-Type': 'application/xml' },
    });
    expect(got.status).toBe(200);
  });

  test.each([
    ['<request><note>a<b</note></request>'],
    ['<request><note>a]]></note>'],
    ['<request><note>\u0001</note></request>'],
    ['<request><note>&#1;</note></request>'],
    ['<!DOCTYPE request [<!ENTITY e "x">]><request><note>&e;</note></request>'],
    ['<respon></respon>'],
    ['{}'],
    [''],
  ])('F86 %j as XML is 400', async (body) => {
    const got = await answering({ session }).post('/v1/checkout', body, {
      headers: { 'Content-Type': 'application/xml' },
    });
    expect([got.status, got.json.return_status]).toEqual([400, '0']);
  });

  test.each(['a < b & c > d', ']]>', '"quoted" \'too\'', 'line\nbreak\tand tab'])(
    'F86 a note %j comes back in well-formed XML',
    async (note) => {
      const got = await answering({ payment: RESULT }).send('/v1/authorise', { ...ORDER, ...CARD, note });
      expect(respon(got).note).toBe(note);
    },
  );

  test.each(['\u0000', '\u0001', '\ufffe'])('F86 a note with %j is 400', async (character) => {
    const got = await answering({ payment: RESULT }).send('/v1/authorise', {
      ...ORDER,
      ...CARD,
      note: `a${character}b`,
    });
    expect([got.status, got.json.errors]).toEqual([400, [expect.objectContaining({ path: 'note' })]]);
  });
});

describe('query', () => {
  test('asks for what is selected, and answers what is there and what is not', async () => {
    const asked: QueryRequest[] = [];
    const gateway = {
      query: async (request: QueryRequest) => {
        asked.push(request);
        return { records: [{ missing: { orderNo: 'O-9', transactionId: undefined } }], cursor: undefined };
      },
    } as unknown as Gateway;
    const got = await api
      .with({ gateway })
      .send('/v1/retrievalTrans', { order_no: 'O-9' }, { ip: '127.0.0.1' });
    expect(got.status).toBe(200);
    expect(queryAnswer.parse(got.json)).toMatchObject({
      return_message: 'OK',
      orders_list: [{ order_no: 'O-9', query_result: '0' }],
    });
    expect(api.isSigned(got)).toBe(true);
    expect(asked).toEqual([
      { merchantId: 'M1', accountId: 'A1', selection: { by: 'name', orderNos: ['O-9'], transactionIds: [] } },
    ]);
  });

  test('changes nothing, so a key says nothing', async () => {
    const gateway = { query: async () => ({ records: [], cursor: undefined }) } as unknown as Gateway;
    for (const order_no of ['O-1', 'O-2']) {
      const got = await api
        .with({ gateway })
        .send('/v1/retrievalTrans', { order_no }, { ip: '127.0.0.1', headers: { 'Idempotency-Key': 'q' } });
      expect(got.status).toBe(200);
    }
  });
});

describe('payout', () => {
  const PAYOUT = {
    request_id: 'P-1',
    payment_method: 'SWIFT',
    source_currency: 'USD',
    payment_currency: 'USD',
    source_amount: '10.00',
    beneficiary: {
      entity_type: 'COMPANY',
      company_name: 'C',
      bank_details: { iban: 'DE89370400440532013000' },
    },
  };

  test('is answered with its record; the same request again with the same one', async () => {
    await api.sandbox.given({ id: 'T9' });
    await api.capture([{ transaction_id: 'T9', order_no: 'O-T9', currency: 'USD', amount: '100.00' }]);
    const [first, again] = [await api.send('/v1/payout', PAYOUT), await api.send('/v1/payout', PAYOUT)];
    expect(first.status).toBe(200);
    expect(payoutAnswer.parse(first.json)).toMatchObject({
      request_id: 'P-1',
      status: 'COMPLETED',
      amount_payer_pays: 1000,
      fee_amount: 0,
    });
    expect(api.isSigned(first)).toBe(true);
    expect(again.text).toBe(first.text);
    expect((await api.sandbox.transfers()).filter((one) => one.startsWith('P-1'))).toEqual([
      'P-1 payout 1000',
    ]);
  });

  test('that is refused is an answer with status FAILED, and may be tried again', async () => {
    const got = await api.send('/v1/payout', { ...PAYOUT, request_id: 'P-2', source_amount: '5000.00' });
    expect(got.status).toBe(200);
    expect(payoutAnswer.parse(got.json)).toMatchObject({ status: 'FAILED', failure_type: 'V0011' });
    expect((await api.send('/v1/payout', { ...PAYOUT, request_id: 'P-2' })).json.status).toBe('COMPLETED');
  });

  test('that is malformed is 400, and names what is missing', async () => {
    const { beneficiary: _, ...rest } = PAYOUT;
    const got = await api.send('/v1/payout', rest);
    expect([got.status, got.json.return_message]).toEqual([
      400,
      expect.stringMatching(/^I0001:.*beneficiary/),
    ]);
  });
});
