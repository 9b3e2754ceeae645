/**
 * What becomes of a line: one row per state of its transaction, one column per amount that the line names. Every row goes
 * through a CSV file and through each shape of JSON, and must end the same. Engine decisions, "Transaction states".
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reason } from '../../src/core/code.ts';
import type { InstructionGateway } from '../../src/core/gateway.ts';
import type { EntryOperation } from '../../src/core/operation.ts';
import { OPERATIONS } from '../../src/core/operation.ts';
import type { State } from '../../src/core/state.ts';
import { csv, DAY, type Given, NOON, outcomes, Sandbox, watched } from '../support/ledger.ts';

/** What stands in the ledger, in minor units: 100.00 each, of which some states have captured and refunded a part. */
const GIVEN: Readonly<Record<string, Omit<Given, 'id'>>> = {
  created: { state: 'created' },
  in_doubt: { state: 'in_doubt' },
  challenge: { state: 'challenge' },
  in_review: { state: 'in_review' },
  authorised: { state: 'authorised' },
  partially_captured: { state: 'partially_captured', captured: 4_000 },
  captured: { state: 'captured' },
  partially_refunded: { state: 'partially_refunded', refunded: 3_000 },
  refunded: { state: 'refunded' },
  cancelled: { state: 'cancelled' },
  declined: { state: 'declined' },
  expired: { state: 'expired' },
  rejected: { state: 'rejected' },
  'ran out': { state: 'authorised', at: NOON - 7 * DAY },
  'ran out, partly captured': { state: 'partially_captured', captured: 4_000, at: NOON - 7 * DAY },
};

/** What the line says, beside the transaction it names. */
interface Line {
  readonly amount: string;
  readonly refund?: string;
  readonly flag?: string;
  readonly order?: string;
  readonly currency?: string;
}

interface Table {
  readonly operation: EntryOperation;
  readonly cases: Readonly<Record<string, (state: string) => Line>>;
  /** State, then a code for each case in order; `–` is success. */
  readonly rows: string;
}

const OTHERS = {
  'other order': () => ({ amount: '100.00', refund: '1.00', flag: '1', order: 'O-other' }),
  'other currency': () => ({ amount: '100.00', refund: '1.00', flag: '1', currency: 'EUR' }),
};

const uncaptured = (state: string) => (state.includes('partly') || state === 'partially_captured' ? 60 : 100);
const refundable = (state: string) =>
  state.includes('partly') || state === 'partially_captured' ? 40 : state === 'partially_refunded' ? 70 : 100;

const TABLES: readonly Table[] = [
  {
    operation: 'capture',
    cases: {
      less: () => ({ amount: '0.01' }),
      exact: (state) => ({ amount: `${uncaptured(state)}.00` }),
      more: (state) => ({ amount: `${uncaptured(state)}.01` }),
      ...OTHERS,
    },
    rows: `
      |                          | less  | exact | more  | other order | other currency |
      | created                  | V0007 | V0007 | V0007 | V0002       | V0003          |
      | in_doubt                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | challenge                | V0007 | V0007 | V0007 | V0002       | V0003          |
      | in_review                | V0007 | V0007 | V0007 | V0002       | V0003          |
      | authorised               | –     | –     | V0005 | V0002       | V0003          |
      | partially_captured       | –     | –     | V0005 | V0002       | V0003          |
      | captured                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | partially_refunded       | V0007 | V0007 | V0007 | V0002       | V0003          |
      | refunded                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | cancelled                | V0007 | V0007 | V0007 | V0002       | V0003          |
      | declined                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | expired                  | V0008 | V0008 | V0008 | V0002       | V0003          |
      | rejected                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | ran out                  | V0008 | V0008 | V0008 | V0002       | V0003          |
      | ran out, partly captured | V0008 | V0008 | V0008 | V0002       | V0003          |
    `,
  },
  {
    operation: 'cancel',
    cases: {
      less: (state) => ({ amount: `${uncaptured(state) - 1}.99` }),
      exact: (state) => ({ amount: `${uncaptured(state)}.00` }),
      more: (state) => ({ amount: `${uncaptured(state)}.01` }),
      ...OTHERS,
    },
    rows: `
      |                          | less  | exact | more  | other order | other currency |
      | created                  | V0007 | V0007 | V0007 | V0002       | V0003          |
      | in_doubt                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | challenge                | V0007 | V0007 | V0007 | V0002       | V0003          |
      | in_review                | V0007 | V0007 | V0007 | V0002       | V0003          |
      | authorised               | V0004 | –     | V0004 | V0002       | V0003          |
      | partially_captured       | V0004 | –     | V0004 | V0002       | V0003          |
      | captured                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | partially_refunded       | V0007 | V0007 | V0007 | V0002       | V0003          |
      | refunded                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | cancelled                | V0007 | V0007 | V0007 | V0002       | V0003          |
      | declined                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | expired                  | V0008 | V0008 | V0008 | V0002       | V0003          |
      | rejected                 | V0007 | V0007 | V0007 | V0002       | V0003          |
      | ran out                  | V0008 | V0008 | V0008 | V0002       | V0003          |
      | ran out, partly captured | V0008 | V0008 | V0008 | V0002       | V0003          |
    `,
  },
  {
    operation: 'review',
    cases: {
      less: () => ({ amount: '99.99', flag: '1' }),
      accept: () => ({ amount: '100.00', flag: '1' }),
      reject: () => ({ amount: '100.00', flag: '0' }),
      more: () => ({ amount: '100.01', flag: '0' }),
      ...OTHERS,
    },
    rows: `
      |                          | less  | accept | reject | more  | other order | other currency |
      | created                  | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | in_doubt                 | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | challenge                | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | in_review                | V0004 | –      | –      | V0004 | V0002       | V0003          |
      | authorised               | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | partially_captured       | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | captured                 | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | partially_refunded       | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | refunded                 | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | cancelled                | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | declined                 | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | expired                  | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | rejected                 | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | ran out                  | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
      | ran out, partly captured | V0009 | V0009  | V0009  | V0009 | V0002       | V0003          |
    `,
  },
  {
    operation: 'refund',
    cases: {
      less: () => ({ amount: '100.00', refund: '0.01' }),
      exact: (state) => ({ amount: '100.00', refund: `${refundable(state)}.00` }),
      more: (state) => ({ amount: '100.00', refund: `${refundable(state)}.01` }),
      'not its amount': () => ({ amount: '99.99', refund: '0.01' }),
      ...OTHERS,
    },
    rows: `
      |                          | less  | exact | more  | not its amount | other order | other currency |
      | created                  | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | in_doubt                 | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | challenge                | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | in_review                | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | authorised               | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | partially_captured       | –     | –     | V0006 | V0004          | V0002       | V0003          |
      | captured                 | –     | –     | V0006 | V0004          | V0002       | V0003          |
      | partially_refunded       | –     | –     | V0006 | V0004          | V0002       | V0003          |
      | refunded                 | V0006 | V0006 | V0006 | V0004          | V0002       | V0003          |
      | cancelled                | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | declined                 | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | expired                  | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | rejected                 | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | ran out                  | V0007 | V0007 | V0007 | V0007          | V0002       | V0003          |
      | ran out, partly captured | –     | –     | V0006 | V0004          | V0002       | V0003          |
    `,
  },
];

/** One cell of a table: a transaction of its own, the line about it, and the code that the table promises. */
interface Cell {
  readonly state: string;
  readonly what: string;
  readonly given: Given;
  readonly fields: Readonly<Record<string, string>>;
  readonly code: string;
}

function cellsOf({ operation, cases, rows }: Table): readonly Cell[] {
  const [, ...lines] = rows
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return lines.flatMap(([state, ...codes]) =>
    Object.entries(cases).map(([what, line], column) => {
      const id = `${state} ${what}`.replaceAll(/\W+/g, '-');
      const { amount, refund, flag, order = `O-${id}`, currency = 'USD' } = line(state!);
      const own =
        operation === 'refund'
          ? { refund_amount: refund! }
          : operation === 'review'
            ? { review_flag: flag! }
            : {};
      return {
        state: state!,
        what,
        given: { id, ...GIVEN[state!] },
        fields: { transaction_id: id, order_no: order, currency, amount, ...own },
        code: codes[column]!,
      };
    }),
  );
}

type Write = (operation: EntryOperation, entries: readonly Readonly<Record<string, string>>[]) => string;

const FORMATS: Readonly<Record<string, { readonly extension: string; readonly write: Write }>> = {
  CSV: {
    extension: 'csv',
    write: (_, entries) =>
      csv(Object.keys(entries[0]!).join(','), ...entries.map((entry) => Object.values(entry).join(','))),
  },
  'a JSON envelope': {
    extension: 'json',
    write: (operation, entries) =>
      JSON.stringify({ merchant_id: 'M1', account_id: 'A1', [OPERATIONS[operation].list]: entries }),
  },
  'a JSON array': { extension: 'json', write: (_, entries) => JSON.stringify(entries) },
  NDJSON: {
    extension: 'ndjson',
    write: (_, entries) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
  },
};

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
});
afterEach(() => sandbox.remove());

test('the tables have every state there is, and two that only time makes', () => {
  const states: State[] = [
    'created',
    'in_doubt',
    'challenge',
    'in_review',
    'authorised',
    'partially_captured',
    'captured',
  ];
  states.push('partially_refunded', 'refunded', 'cancelled', 'declined', 'expired', 'rejected');
  for (const table of TABLES) {
    const named = new Set(cellsOf(table).map(({ state }) => state));
    expect([...named]).toEqual(Object.keys(GIVEN));
    expect([...named]).toEqual([...states, 'ran out', 'ran out, partly captured']);
  }
});

describe.each(TABLES)('$operation: (state, amount case) → code', (table) => {
  const { operation } = table;
  const cells = cellsOf(table);

  test.each(Object.entries(FORMATS))('in %s', async (_, { extension, write }) => {
    await sandbox.given(...cells.map(({ given }) => given));
    const document = await sandbox.run(
      `${operation}.${extension}`,
      write(
        operation,
        cells.map(({ fields }) => fields),
      ),
    );
    const found = outcomes(document).map((outcome, index) => {
      const { state, what } = cells[index]!;
      return `${state} / ${what}: ${outcome}`;
    });
    const promised = cells.map(
      ({ state, what, code }) => `${state} / ${what}: ${code === '–' ? 'succeeded' : `refused ${code}`}`,
    );
    expect(found).toEqual(promised);
    const succeeded = cells.filter(({ code }) => code === '–').length;
    expect(document.lines).toMatchObject({
      total: cells.length,
      succeeded,
      refused: cells.length - succeeded,
    });
    expect(document).toMatchObject({
      status: 'completed',
      exit: 3,
      operation,
      chunks: { done: document.chunks.planned },
    });
  });

  test('a transaction that is not there, or belongs to another account, is V0001', async () => {
    await sandbox.account();
    await sandbox.given({
      id: 'T2',
      account: 2,
      state: operation === 'refund' ? 'captured' : operation === 'review' ? 'in_review' : 'authorised',
    });
    const more = operation === 'refund' ? ',1.00' : operation === 'review' ? ',1' : '';
    const column = operation === 'refund' ? ',refund_amount' : operation === 'review' ? ',review_flag' : '';
    const document = await sandbox.run(
      `${operation}.csv`,
      csv(
        `transaction_id,order_no,currency,amount${column}`,
        `T0,O-T0,USD,100.00${more}`,
        `T2,O-T2,USD,100.00${more}`,
      ),
      { merchantId: 'M1', accountId: 'A1' },
    );
    expect(outcomes(document)).toEqual(['refused V0001', 'refused V0001']);
    expect(await sandbox.transfers()).toEqual([]);
  });
});

describe('what the ledger has afterwards', () => {
  const GIVEN_HERE: readonly Given[] = [
    { id: 'T1' },
    { id: 'T2' },
    { id: 'T3', state: 'in_review' },
    { id: 'T4', state: 'in_review' },
    { id: 'T5', state: 'captured' },
  ];
  const HEADER = 'operation,transaction_id,order_no,currency,amount,review_flag,refund_amount,refund_reason';
  const ROWS = [
    'capture,T1,O-T1,USD,30.00,,,',
    'cancel,T1,O-T1,USD,70.00,,,',
    'cancel,T2,O-T2,USD,100.00,,,',
    'review,T3,O-T3,USD,100.00,1,,',
    'review,T4,O-T4,USD,100.00,0,,',
    'refund,T5,O-T5,USD,100.00,,25.00,damaged',
    'refund,T5,O-T5,USD,100.00,,75.00,the rest',
    'refund,T5,O-T5,USD,100.00,,0.01,too much',
  ];

  test('one transfer per succeeded line, in the order of the file, and books that follow from them', async () => {
    await sandbox.given(...GIVEN_HERE);
    expect(await sandbox.books()).toEqual({
      issuer: '400.00',
      holds: '-200.00',
      in_review: '-200.00',
      acquirer: '-100.00',
      merchant: '100.00',
    });
    const document = await sandbox.run('all.csv', csv(HEADER, ...ROWS));
    expect(outcomes(document)).toEqual([...Array(7).fill('succeeded'), 'refused V0006']);
    const [t1, others] = [await sandbox.transfers(), new Set(await sandbox.transfers())];
    expect(t1.filter((row) => row.startsWith('T1'))).toEqual(['T1 capture 3000', 'T1 cancel 7000']);
    expect(t1.filter((row) => row.startsWith('T5'))).toEqual(['T5 refund 2500', 'T5 refund 7500']);
    expect(others).toEqual(
      new Set([
        ...[
          'T1 capture 3000',
          'T1 cancel 7000',
          'T2 cancel 10000',
          'T3 review_accepted 10000',
          'T4 review_rejected 10000',
        ],
        ...['T5 refund 2500', 'T5 refund 7500'],
      ]),
    );
    // T3 is held for the issuer, 30.00 of T1 is with the merchant, and T5 has gone back.
    expect(await sandbox.books()).toEqual({
      issuer: '100.00',
      holds: '-100.00',
      acquirer: '-30.00',
      merchant: '30.00',
    });
    expect(
      document.breakdown.map(({ operation, moved_in, moved_out }) => [operation, moved_in, moved_out]),
    ).toEqual([
      ['cancel', '0.00', '0.00'],
      ['capture', '30.00', '0.00'],
      ['refund', '0.00', '100.00'],
      ['review', '0.00', '0.00'],
    ]);
  });

  test('a refund is allowed while a remainder is still open, and the merchant may fall below zero', async () => {
    await sandbox.given({ id: 'T1', state: 'partially_captured', captured: 4_000, amount: 10_000 });
    await sandbox.run('payout.csv', csv(PAYOUT, 'P1,bank,USD,USD,40.00,company,Acme,DE89370400440532013000'));
    const document = await sandbox.run(
      'refund.csv',
      csv(`transaction_id,order_no,currency,amount,refund_amount`, 'T1,O-T1,USD,100.00,15.00'),
    );
    expect(outcomes(document)).toEqual(['succeeded']);
    expect(await sandbox.books()).toMatchObject({ merchant: '-15.00', payouts: '40.00' });
  });

  test('an account that captures at once captures what a review accepts, in two transfers of one line', async () => {
    await sandbox.account({ capture: 'automatic' });
    await sandbox.given(
      { id: 'T3', state: 'in_review', account: 2 },
      { id: 'T4', state: 'in_review', account: 2 },
    );
    const document = await sandbox.run(
      'review.csv',
      csv(
        'transaction_id,order_no,currency,amount,review_flag',
        'T3,O-T3,USD,100.00,1',
        'T4,O-T4,USD,100.00,0',
      ),
      { merchantId: 'M1', accountId: 'A2' },
    );
    expect(outcomes(document)).toEqual(['succeeded', 'succeeded']);
    expect(await sandbox.transfers()).toEqual([
      'T3 review_accepted 10000',
      'T3 capture 10000',
      'T4 review_rejected 10000',
    ]);
    expect(document.breakdown).toMatchObject([{ moved_in: '100.00', moved_out: '0.00' }]);
    expect(await sandbox.books('USD', 2)).toEqual({ acquirer: '-100.00', merchant: '100.00' });
    const capture = await sandbox.run(
      'capture.csv',
      csv('transaction_id,order_no,currency,amount', 'T3,O-T3,USD,100.00'),
      {
        merchantId: 'M1',
        accountId: 'A2',
      },
    );
    expect(outcomes(capture)).toEqual(['refused V0007']);
  });
});

const PAYOUT =
  'request_id,payment_method,source_currency,payment_currency,payment_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';

describe('expiry', () => {
  const capture = (amount: string) => csv('transaction_id,order_no,currency,amount', `T1,O-T1,USD,${amount}`);

  test.each([
    ['a millisecond before', 7 * DAY - 1, 'succeeded'],
    ['to the millisecond', 7 * DAY, 'refused V0008'],
    ['a day after', 8 * DAY, 'refused V0008'],
  ])('a capture %s the end of the authorisation', async (_, age, outcome) => {
    await sandbox.given({ id: 'T1', at: NOON - age });
    expect(outcomes(await sandbox.run('capture.csv', capture('100.00')))).toEqual([outcome]);
  });

  test('an account may give authorisations another lifetime', async () => {
    await sandbox.account({ lifetime: 2 * DAY });
    await sandbox.given({ id: 'T1', account: 2, at: NOON - 3 * DAY });
    const document = await sandbox.run('capture.csv', capture('100.00'), {
      merchantId: 'M1',
      accountId: 'A2',
    });
    expect(outcomes(document)).toEqual(['refused V0008']);
  });

  test('whoever meets it first writes it down, once: the remainder goes back to the issuer', async () => {
    await sandbox.given({ id: 'T1', state: 'partially_captured', captured: 4_000, at: NOON - 7 * DAY });
    await sandbox.run('capture.csv', capture('60.00'));
    expect(await sandbox.transfers()).toEqual(['T1 expire 6000']);
    expect(await sandbox.books()).toEqual({ acquirer: '-40.00', merchant: '40.00' });
    await sandbox.run('capture.csv', capture('59.00'));
    expect(await sandbox.transfers()).toEqual(['T1 expire 6000']);
  });

  test('a remainder that has run out closes: what was captured can be refunded to the end', async () => {
    await sandbox.given({ id: 'T1', state: 'partially_captured', captured: 4_000, at: NOON - 7 * DAY });
    const refund = (amount: string) =>
      csv('transaction_id,order_no,currency,amount,refund_amount', `T1,O-T1,USD,100.00,${amount}`);
    expect(outcomes(await sandbox.run('refund.csv', refund('40.00')))).toEqual(['succeeded']);
    expect(outcomes(await sandbox.run('refund.csv', refund('0.01')))).toEqual(['refused V0006']);
    expect(await sandbox.transfers()).toEqual(['T1 expire 6000', 'T1 refund 4000']);
  });

  test('a review counts as the beginning of the authorisation', async () => {
    await sandbox.given({ id: 'T1', state: 'in_review', at: NOON - 30 * DAY });
    const review = csv('transaction_id,order_no,currency,amount,review_flag', 'T1,O-T1,USD,100.00,1');
    expect(outcomes(await sandbox.run('review.csv', review))).toEqual(['succeeded']);
    sandbox.now = NOON + 6 * DAY;
    expect(outcomes(await sandbox.run('capture.csv', capture('50.00')))).toEqual(['succeeded']);
    sandbox.now = NOON + 7 * DAY;
    expect(outcomes(await sandbox.run('capture.csv', capture('49.00')))).toEqual(['refused V0008']);
  });
});

describe('exit codes', () => {
  const refund = (...rows: string[]) => csv('transaction_id,order_no,currency,amount,refund_amount', ...rows);

  test.each([
    ['0: every line succeeded', refund('T1,O-T1,USD,100.00,1.00'), 0],
    ['0: nothing to do', refund(), 0],
    ['3: a line was refused', refund('T1,O-T1,USD,100.00,1.00', 'T1,O-T1,USD,100.00,100.00'), 3],
    ['3: a line was invalid', refund('T1,O-T1,USD,100.00,1.00', 'T1,O-T1,USD,100.00,-1'), 3],
    ['3: a line was a duplicate', refund('T1,O-T1,USD,100.00,1.00', 'T1,O-T1,USD,100.00,1.00'), 3],
    ['6: the file was rejected', 'transaction_id,order_no\nT1,O-T1\n', 6],
  ])('%s', async (_, content, exit) => {
    await sandbox.given({ id: 'T1', state: 'captured' });
    expect((await sandbox.run('refund.csv', content)).exit).toBe(exit);
  });
});

test('a gateway that does not know what became of a line: exit 7, and the line is neither to be corrected nor to be released', async () => {
  await sandbox.given({ id: 'T1' }, { id: 'T2' });
  const engine = sandbox.engine();
  const gateway: InstructionGateway = {
    ...watched(engine, {}),
    async capture(request, options) {
      const answer = await engine.capture(request, options);
      if ('failure' in answer) return answer;
      return {
        ...answer,
        results: [
          answer.results[0]!,
          { status: 'unknown', reason: reason('E0001', 'the connection was lost') },
        ],
      };
    },
  };
  const content = csv('transaction_id,order_no,currency,amount', 'T1,O-T1,USD,1.00', 'T2,O-T2,USD,2.00');
  const document = await sandbox.run('capture.csv', content, {}, { gateway });
  expect(outcomes(document)).toEqual(['succeeded', 'unknown E0001']);
  expect(document).toMatchObject({
    status: 'unknown',
    exit: 7,
    totals: { USD: { succeeded: '1.00', unknown: '2.00' } },
  });
  expect(document.reports).toMatchObject({ fixme: null, held: null });
  expect(await sandbox.run('capture.csv', content)).toEqual({ ...document, repeat: true });
  expect(await sandbox.retry(document)).toEqual({
    refusal: 'no line was refused for a reason that may have passed',
  });
});
