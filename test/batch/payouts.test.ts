/** Payouts through files: what is accepted, what it costs, what comes later, and that a request_id is used once for ever. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseRate } from '../../src/core/payout.ts';
import { PayoutSchedule } from '../../src/engine/terms.ts';
import { csv, DAY, documentOf, NOON, outcomes, readCsv, results, Sandbox } from '../support/ledger.ts';

const IBAN = 'DE89370400440532013000';
const COLUMNS = [
  ...[
    'request_id',
    'payment_method',
    'source_currency',
    'payment_currency',
    'source_amount',
    'payment_amount',
  ],
  ...['fee_paid_by', 'payment_date', 'reference'],
  ...[
    'beneficiary.entity_type',
    'beneficiary.company_name',
    'beneficiary.bank_details.iban',
    'beneficiary.bank_details.swift_code',
  ],
] as const;

interface Row {
  readonly id?: string;
  readonly from?: string;
  readonly to?: string;
  /** What leaves, or what arrives. */
  readonly source?: string;
  readonly payment?: string;
  readonly paidBy?: string;
  readonly date?: string;
  readonly text?: string;
  readonly iban?: string;
  readonly bic?: string;
}

function payouts(...rows: readonly Row[]): string {
  return csv(
    COLUMNS.join(','),
    ...rows.map(
      ({
        id = 'P1',
        from = 'USD',
        to = from,
        source = '',
        payment = '',
        paidBy = '',
        date = '',
        text = '',
        iban = IBAN,
        bic = '',
      }) =>
        [id, 'bank', from, to, source, payment, paidBy, date, text, 'company', 'Acme', iban, bic].join(','),
    ),
  );
}

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
  // The merchant has 1,000.00 USD.
  await sandbox.given({ id: 'T1', state: 'captured', amount: 100_000 });
});
afterEach(() => sandbox.remove());

const rate = (text: string) => parseRate(text)!;
const RATES = [
  { date: '2026-11-01', source: 'USD', payment: 'EUR', rate: rate('0.5') },
  { date: '2026-11-19', source: 'USD', payment: 'EUR', rate: rate('0.9') },
  { date: '2026-11-25', source: 'USD', payment: 'EUR', rate: rate('0.8') },
  { date: '2026-11-19', source: 'USD', payment: 'JPY', rate: rate('150.5') },
];

describe('what is decided', () => {
  test.each<[string, Row, string, string]>([
    ['the whole balance', { source: '1000.00' }, 'succeeded', 'P1 payout 100000'],
    ['by the amount that arrives', { payment: '10.5' }, 'succeeded', 'P1 payout 1050'],
    ['both amounts, which agree', { source: '10.00', payment: '10.00' }, 'succeeded', 'P1 payout 1000'],
    ['a cent more than the balance', { source: '1000.01' }, 'refused V0011', ''],
    ['a currency pair without a rate', { to: 'KWD', source: '1.00' }, 'refused V0012', ''],
    [
      'an IBAN whose check digits are wrong',
      { source: '1.00', iban: 'DE88370400440532013000' },
      'refused V0013',
      '',
    ],
    ['a BIC that can be none', { source: '1.00', bic: 'NOBIC' }, 'refused V0013', ''],
    ['a BIC that can be one', { source: '1.00', bic: 'DEUTDEFF' }, 'succeeded', 'P1 payout 100'],
    ['amounts that disagree', { source: '10.00', payment: '10.01' }, 'refused V0014', ''],
    [
      'amounts that disagree at the rate',
      { to: 'EUR', source: '10.00', payment: '9.01' },
      'refused V0014',
      '',
    ],
    [
      'too much, without a rate, to no IBAN: the balance comes first',
      { to: 'KWD', source: '2000', iban: 'XX' },
      'refused V0011',
      '',
    ],
    ['no amount at all', {}, 'invalid I0001', ''],
    ['a date that is none', { source: '1.00', date: '2026-02-30' }, 'invalid I0002', ''],
    ['one who pays the fee that nobody knows', { source: '1.00', paidBy: 'ME' }, 'invalid I0002', ''],
    ['a currency that was withdrawn', { to: 'DEM', source: '1.00' }, 'invalid I0022', ''],
    [
      'a source currency that the account does not have',
      { from: 'GBP', source: '1.00' },
      'refused V0003',
      '',
    ],
  ])('%s', async (_, row, outcome, transfers) => {
    sandbox.schedule = new PayoutSchedule([], RATES);
    const document = await sandbox.run('payout.csv', payouts(row));
    expect(outcomes(document)).toEqual([outcome]);
    expect((await sandbox.transfers()).join()).toBe(transfers);
  });

  test('each on the balance that the one before has left', async () => {
    const document = await sandbox.run(
      'payout.csv',
      payouts(
        { id: 'P1', source: '600.00' },
        { id: 'P2', source: '400.01' },
        { id: 'P3', source: '400.00' },
        { id: 'P4', source: '0.01' },
      ),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'refused V0011', 'succeeded', 'refused V0011']);
    expect(await sandbox.books()).toEqual({ acquirer: '-1000.00', payouts: '1000.00' });
  });

  test('in JSON as in the API: one request, a list of them, one per line', async () => {
    const request = (request_id: string, payment_amount: string) => ({
      request_id,
      payment_method: 'bank',
      source_currency: 'USD',
      payment_currency: 'USD',
      payment_amount,
      beneficiary: {
        entity_type: 'person',
        first_name: 'Ada',
        last_name: 'Lovelace',
        bank_details: { iban: IBAN },
        person_documents: [
          { file_type: 'passport', file_url: 'https://example.com/1', labels: ['front', 'back'] },
        ],
      },
    });
    const one = await sandbox.run('payout.json', JSON.stringify(request('P1', '1.00')));
    const list = await sandbox.run(
      'payouts.json',
      JSON.stringify([request('P2', '2.00'), request('P3', '2000.00')]),
    );
    const lines = await sandbox.run(
      'payout.ndjson',
      `${JSON.stringify(request('P4', '4.00'))}\n${JSON.stringify(request('P1', '1.00'))}\n`,
    );
    expect([outcomes(one), outcomes(list), outcomes(lines)]).toEqual([
      ['succeeded'],
      ['succeeded', 'refused V0011'],
      ['succeeded', 'duplicate B0001'],
    ]);
    expect(await sandbox.transfers()).toEqual(['P1 payout 100', 'P2 payout 200', 'P4 payout 400']);
  });

  test('a company or both names, an IBAN or a number with its country: either will do', async () => {
    const header =
      'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.first_name,' +
      'beneficiary.last_name,beneficiary.bank_details.account_number,beneficiary.bank_details.bank_country_code';
    const document = await sandbox.run(
      'payout.csv',
      csv(
        header,
        'P1,bank,USD,USD,1,person,Ada,Lovelace,00123,US',
        'P2,bank,USD,USD,1,person,Ada,,00123,US',
        'P3,bank,USD,USD,1,person,Ada,Lovelace,00123,',
      ),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'invalid I0001', 'invalid I0001']);
  });
});

describe('fees: 0.25 by the schedule, in the source currency', () => {
  beforeEach(() => {
    sandbox.schedule = new PayoutSchedule([{ method: 'bank', currency: 'USD', fee: 25 }], RATES);
  });

  test.each<[string, Row, readonly string[], readonly [string, string]]>([
    [
      'PAYER: paid on top',
      { source: '10.00', paidBy: 'PAYER' },
      ['P1 fee 25', 'P1 payout 1000'],
      ['10.00', '0.25'],
    ],
    ['nobody is named: the payer', { source: '10.00' }, ['P1 fee 25', 'P1 payout 1000'], ['10.00', '0.25']],
    [
      'BENEFICIARY: taken from it',
      { source: '10.00', paidBy: 'BENEFICIARY' },
      ['P1 fee 25', 'P1 payout 975'],
      ['9.75', '0.25'],
    ],
    [
      'SHARED: the odd cent is the payer’s',
      { source: '10.00', paidBy: 'SHARED' },
      ['P1 fee 25', 'P1 payout 988'],
      ['9.88', '0.25'],
    ],
    [
      'what must arrive does',
      { payment: '10.00', paidBy: 'BENEFICIARY' },
      ['P1 fee 25', 'P1 payout 1000'],
      ['10.00', '0.25'],
    ],
    [
      'and across currencies',
      { to: 'EUR', source: '10.00', paidBy: 'BENEFICIARY' },
      ['P1 fee 25', 'P1 exchange_out 975', 'P1 exchange_in 878'],
      ['9.75', '0.25'],
    ],
  ])('%s', async (_, row, transfers, [movedOut, fees]) => {
    const document = await sandbox.run('payout.csv', payouts(row));
    expect(outcomes(document)).toEqual(['succeeded']);
    expect(await sandbox.transfers()).toEqual(transfers);
    expect(document.breakdown.find(({ currency }) => currency === 'USD')).toMatchObject({
      moved_in: '0.00',
      moved_out: movedOut,
      fees,
    });
  });

  test('the fee counts against the balance', async () => {
    const document = await sandbox.run(
      'payout.csv',
      payouts({ source: '999.76' }, { id: 'P2', source: '999.75' }),
    );
    expect(outcomes(document)).toEqual(['refused V0011', 'succeeded']);
    expect(await sandbox.books()).toEqual({ acquirer: '-1000.00', fees: '0.25', payouts: '999.75' });
  });

  test('a fee that leaves nothing is refused', async () => {
    const document = await sandbox.run('payout.csv', payouts({ source: '0.25', paidBy: 'BENEFICIARY' }));
    expect(outcomes(document)).toEqual(['refused V0014']);
  });
});

describe('across currencies', () => {
  beforeEach(() => {
    sandbox.schedule = new PayoutSchedule([], RATES);
  });

  test('the newest rate that is not after the day counts, and both currencies are booked', async () => {
    const document = await sandbox.run('payout.csv', payouts({ to: 'EUR', source: '100.00' }));
    expect(outcomes(document)).toEqual(['succeeded']);
    expect(await sandbox.books('USD')).toMatchObject({ merchant: '900.00', fx: '100.00' });
    expect(await sandbox.books('EUR')).toEqual({ fx: '-90.00', payouts: '90.00' });
  });

  test('a later day may have a later rate', async () => {
    await sandbox.run('payout.csv', payouts({ to: 'EUR', source: '100.00', date: '2026-11-25' }));
    expect(await sandbox.books('EUR')).toEqual({ fx: '-80.00', payouts: '80.00' });
  });

  test('an earlier day has the rate of then', async () => {
    const document = await sandbox.run(
      'payout.csv',
      payouts({ to: 'EUR', source: '100.00', date: '2026-11-18' }),
    );
    expect(outcomes(document)).toEqual(['succeeded']);
    expect(await sandbox.books('EUR')).toEqual({ fx: '-50.00', payouts: '50.00' });
  });

  test('amounts are the one given, in its currency; what moves is in the merchant’s', async () => {
    const document = await sandbox.run(
      'payout.csv',
      payouts({ to: 'EUR', payment: '9.00' }, { id: 'P2', to: 'JPY', payment: '1505' }),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'succeeded']);
    expect(
      Object.entries(document.totals!).map(([currency, { instructed }]) => [currency, instructed]),
    ).toEqual([
      ['EUR', '9.00'],
      ['JPY', '1505'],
    ]);
    expect(
      document.breakdown.map(({ currency, amounts, moved_out }) => [currency, amounts.succeeded, moved_out]),
    ).toEqual([
      ['EUR', '9.00', '0.00'],
      ['JPY', '1505', '0'],
      ['USD', '0.00', '20.00'],
    ]);
    expect(await sandbox.books('USD')).toMatchObject({ merchant: '980.00' });
  });
});

describe('payouts of a later day', () => {
  const LATER = payouts(
    { source: '10.00', date: '2026-11-22' },
    { id: 'P2', source: '20.00', date: '2026-11-23' },
  );

  test('are pending (exit 9), and the money moves at acceptance', async () => {
    const document = await sandbox.run('payout.csv', LATER);
    expect(document).toMatchObject({
      exit: 9,
      status: 'completed',
      lines: { pending: 2 },
      totals: { USD: { pending: '30.00' } },
    });
    expect(outcomes(document)).toEqual(['pending', 'pending']);
    expect(document.reports).toMatchObject({ fixme: null, held: null });
    expect(await sandbox.books()).toMatchObject({ merchant: '970.00', payouts: '30.00' });
    expect(document.breakdown).toMatchObject([{ moved_out: '30.00' }]);
  });

  test('are settled by `batch resolve` as their days come, each in a revision of its own', async () => {
    const document = await sandbox.run('payout.csv', LATER);
    const transfers = await sandbox.transfers();
    expect(await sandbox.settle(document)).toEqual({ refusal: 'every pending payout is still scheduled' });
    sandbox.now = NOON + 2 * DAY;
    const second = documentOf(await sandbox.settle(document));
    expect(outcomes(second)).toEqual(['succeeded', 'pending']);
    expect(second).toMatchObject({
      revision: 2,
      exit: 9,
      totals: { USD: { succeeded: '10.00', pending: '20.00' } },
    });
    sandbox.now = NOON + 3 * DAY;
    const third = documentOf(await sandbox.settle(document));
    expect(outcomes(third)).toEqual(['succeeded', 'succeeded']);
    expect(third).toMatchObject({ revision: 3, exit: 0, lines: { succeeded: 2, pending: 0 } });
    expect(changesOf(third.reports.json)).toEqual([{ line: 3, from: 'pending', to: 'succeeded', code: '' }]);
    expect(await sandbox.settle(document)).toEqual({ refusal: 'no line is pending' });
    expect(await sandbox.transfers()).toEqual(transfers);
  });

  test('hold their identity while they are pending', async () => {
    const first = await sandbox.run('payout.csv', LATER);
    const document = await sandbox.run('payout-again.csv', payouts({ source: '10.00', date: '2026-11-22' }));
    expect(outcomes(document)).toEqual(['duplicate B0001']);
    expect(readCsv(document.reports.held)).toMatchObject([{ _first: `${first.batch}:2` }]);
  });
});

describe('request_id', () => {
  const FIRST = payouts({ source: '10.00', text: 'November' });

  test('with the same content is a duplicate, however it is written', async () => {
    const first = await sandbox.run('payout.csv', FIRST);
    const again = await sandbox.run(
      'payout.csv',
      payouts({ source: '10', text: 'November' }, { id: 'P2', source: '1.00' }),
    );
    expect(outcomes(again)).toEqual(['duplicate B0001', 'succeeded']);
    expect(results(again)[0]).toMatchObject({
      message: expect.stringContaining(`${first.batch}:2`),
      gateway_reference: '',
    });
  });

  test.each<[string, Row]>([
    ['another amount', { source: '10.01', text: 'November' }],
    ['another beneficiary', { source: '10.00', text: 'November', iban: 'GB82WEST12345698765432' }],
    ['another text', { source: '10.00', text: 'December' }],
  ])('with %s is invalid (B0014)', async (_, row) => {
    await sandbox.run('payout.csv', FIRST);
    const document = await sandbox.run('payout.csv', payouts(row));
    expect(outcomes(document)).toEqual(['invalid B0014']);
    expect(readCsv(document.reports.fixme)).toMatchObject([
      { request_id: 'P1', _problem: expect.stringContaining('B0014') },
    ]);
    expect(await sandbox.transfers()).toEqual(['P1 payout 1000']);
  });

  test('twice in one file: the second is judged like one in another file', async () => {
    const document = await sandbox.run(
      'payout.csv',
      payouts({ source: '10.00' }, { source: '10.00' }, { source: '11.00' }),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'duplicate B0001', 'invalid B0014']);
  });

  test('is unique for ever: neither --repeats allow nor a release executes it again', async () => {
    const document = await sandbox.run('payout.csv', payouts({ source: '10.00' }, { source: '10.00' }), {
      repeats: 'allow',
    });
    expect(outcomes(document)).toEqual(['succeeded', 'duplicate B0001']);
    expect(await sandbox.release(document, [3])).toEqual({
      refusal: 'line 3 is a payout, and its request_id was used for good; send it again under a new one',
    });
    expect(await sandbox.transfers()).toEqual(['P1 payout 1000']);
    expect((await sandbox.record(document.batch)).revision).toBe(1);
  });

  test('of another account is another one', async () => {
    await sandbox.account();
    await sandbox.given({ id: 'T2', state: 'captured', account: 2 });
    await sandbox.run('payout.csv', FIRST, { merchantId: 'M1', accountId: 'A1' });
    const document = await sandbox.run('payout.csv', FIRST, { merchantId: 'M1', accountId: 'A2' });
    expect(outcomes(document)).toEqual(['succeeded']);
  });

  test('of a refused payout is free: when the balance has grown, `batch retry` executes it', async () => {
    const document = await sandbox.run(
      'payout.csv',
      payouts({ source: '1000.00' }, { id: 'P2', source: '50.00' }),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'refused V0011']);
    await sandbox.given({ id: 'T2', state: 'captured' });
    const second = documentOf(await sandbox.retry(document));
    expect(outcomes(second)).toEqual(['succeeded', 'succeeded']);
    expect(results(second).map(({ attempt, gateway_reference }) => [attempt, gateway_reference])).toEqual([
      ['1', `${document.batch}-2`],
      ['2', `${document.batch}-3-2`],
    ]);
  });
});

function changesOf(path: string | null): unknown {
  return JSON.parse(readFileSync(path!, 'utf8')).changes;
}
