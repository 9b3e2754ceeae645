/** What looks like one thing and is two, and what looks like two and is one: nothing may hide a movement. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CAMT_053, CAMT_054 } from '../../src/reconcile/statements/camt.ts';
import { csvReader } from '../../src/reconcile/statements/csv.ts';
import { mappingSchema } from '../../src/reconcile/statements/mapping.ts';
import { NOON, Sandbox } from '../support/ledger.ts';
import { READERS, reconciling, type Said, saying, told } from '../support/reconciling.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.make();
});

afterEach(() => sandbox.remove());

interface Entry {
  readonly amount: string;
  readonly reference: string;
  readonly day?: string;
  readonly details?: readonly (readonly [reference: string, amount: string])[];
}

interface Frame {
  readonly id?: string;
  readonly balances?: readonly [opening: string, closing: string];
  readonly days?: readonly [from: string, to: string];
  readonly made?: string;
}

function camt(
  name: string,
  entries: readonly Entry[],
  frame: Frame = {},
  message: '053' | '054' = '053',
): Said {
  const { id = name, balances, days, made = '2026-11-21T06:00:00Z' } = frame;
  const [root, statement] =
    message === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'];
  const balance = (code: string, amount: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`;
  const detail = ([reference, amount]: readonly [string, string]) =>
    `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`;
  const entry = ({ amount, reference, day = '2026-11-20', details = [] }: Entry) =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${reference}</AcctSvcrRef>${details.length === 0 ? '' : `<NtryDtls>${details.map(detail).join('')}</NtryDtls>`}</Ntry>`;
  const period =
    days === undefined
      ? ''
      : `<FrToDt><FrDtTm>${days[0]}T00:00:00Z</FrDtTm><ToDtTm>${days[1]}T23:59:59Z</ToDtTm></FrToDt>`;
  const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.08"><${root}><GrpHdr><MsgId>${name}</MsgId><CreDtTm>${made}</CreDtTm></GrpHdr>
<${statement}><Id>${id}</Id><CreDtTm>${made}</CreDtTm>${period}<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
${balances === undefined ? '' : balance('OPBD', balances[0]) + balance('CLBD', balances[1])}
${entries.map(entry).join('\n')}
</${statement}></${root}></Document>`;
  return { of: 'bank', name: `${name}.xml`, text, reader: message === '053' ? CAMT_053 : CAMT_054 };
}

/** What the bank is taken to have said in all, and how many lines that is. */
async function bankSays(...said: readonly Said[]): Promise<string> {
  const document = await reconciling(sandbox, said);
  const bank = document.comparisons.find(({ side }) => side === 'bank');
  return bank === undefined ? 'nothing' : `${bank.statement.count} × ${bank.statement.total}`;
}

describe('two entries', () => {
  test('with a reference that begins again every day are two', async () => {
    const monday = camt('mon', [{ amount: '100.00', reference: '000001', day: '2026-11-16' }]);
    const tuesday = camt('tue', [{ amount: '250.00', reference: '000001', day: '2026-11-17' }]);
    expect(await bankSays(monday, tuesday)).toBe('2 × 350.00');
  });

  test('with a reference that begins again, even of one amount, are two on two days', async () => {
    const monday = camt('mon', [{ amount: '100.00', reference: '000001', day: '2026-11-16' }]);
    const tuesday = camt('tue', [{ amount: '100.00', reference: '000001', day: '2026-11-17' }]);
    expect(await bankSays(monday, tuesday)).toBe('2 × 200.00');
  });

  const twice = [
    { amount: '100.00', reference: 'R1' },
    { amount: '100.00', reference: 'R1' },
  ];

  test('alike in one statement are one where nothing proves them two', async () => {
    expect(await bankSays(camt('s', twice))).toBe('1 × 100.00');
  });

  test('alike in one statement are two where its balances prove it, and one where they prove that', async () => {
    expect(await bankSays(camt('two', twice, { balances: ['0.00', '200.00'] }))).toBe('2 × 200.00');
    const other = await Sandbox.make();
    try {
      const document = await reconciling(other, [camt('one', twice, { balances: ['0.00', '100.00'] })]);
      expect(document.comparisons.map(({ statement }) => statement.total)).toEqual(['100.00']);
      expect(told(document).filter((one) => one.startsWith('balance_gap'))).toEqual([]);
    } finally {
      await other.remove();
    }
  });

  test('in a notification and then in the statement are one', async () => {
    const entry = { amount: '100.00', reference: 'R1' };
    expect(await bankSays(camt('ntf', [entry], {}, '054'), camt('stm', [entry]))).toBe('1 × 100.00');
  });

  test('as a whole in the statement, and in its parts in a notification, are told in parts', async () => {
    const parts = [
      ['A', '60.00'],
      ['B', '40.00'],
    ] as const;
    const whole = camt('stm', [{ amount: '100.00', reference: 'R1' }]);
    const detailed = camt('ntf', [{ amount: '100.00', reference: 'R1', details: parts }], {}, '054');
    expect(await bankSays(whole, detailed)).toBe('2 × 100.00');
    expect(await bankSays()).toBe('2 × 100.00');
  });
});

describe('two statements', () => {
  test('of one id on other days are two: some banks begin again', async () => {
    const first = camt('a', [{ amount: '100.00', reference: 'X1', day: '2026-11-16' }], { id: '1' }, '054');
    const second = camt('b', [{ amount: '50.00', reference: 'X2', day: '2026-11-17' }], { id: '1' }, '054');
    expect(await bankSays(first, second)).toBe('2 × 150.00');
  });

  test('of which one is the newer version of the other are one', async () => {
    const frame = { id: '7', balances: ['0.00', '90.00'] as const };
    const wrong = camt('w', [{ amount: '80.00', reference: 'X1' }], {
      ...frame,
      made: '2026-11-21T05:00:00',
    });
    const right = camt('r', [{ amount: '90.00', reference: 'X1' }], {
      ...frame,
      made: '2026-11-21T06:00:00',
    });
    expect(await bankSays(right, wrong)).toBe('1 × 90.00');
  });

  test('of a day and of its month make no gap between them', async () => {
    const day = (date: string, opening: string, closing: string) =>
      camt(date, [{ amount: '10.00', reference: date, day: date }], {
        balances: [opening, closing],
        days: [date, date],
      });
    const month = camt(
      'month',
      [
        { amount: '10.00', reference: '2026-11-02', day: '2026-11-02' },
        { amount: '10.00', reference: '2026-11-03', day: '2026-11-03' },
      ],
      { balances: ['0.00', '20.00'], days: ['2026-11-01', '2026-11-30'] },
    );
    const document = await reconciling(sandbox, [
      month,
      day('2026-11-02', '0.00', '10.00'),
      day('2026-11-03', '10.00', '20.00'),
    ]);
    expect(told(document).filter((one) => one.startsWith('balance_gap'))).toEqual([]);
    expect(document.comparisons[0]!.statement).toMatchObject({ total: '20.00', count: 2 });
  });

  test('that say different things under one id are not smoothed over', async () => {
    await sandbox.given({ id: 'T1', amount: 1000, state: 'captured', at: NOON });
    const before = { name: 'old.csv', text: saying({ reference: 'T1', gross: '10.00', id: 'L1' }) };
    const after = { name: 'new.csv', text: saying({ reference: 'T1', gross: '9.00', id: 'L1' }) };
    for (const order of [[before, after], []])
      expect(told(await reconciling(sandbox, order))).toEqual(['missing_in_ledger T1 USD – 9.00']);
  });
});

describe('payouts', () => {
  const inBatch = (source: string, gross: string, paid: string): Said => ({
    name: `${source}.csv`,
    text: saying(
      { kind: 'reserve', gross, payout: '1' },
      { kind: 'payout', reference: '1', gross: `-${paid}`, payout: '1' },
    ),
    reader: { ...READERS.balance, source },
  });

  test('of two acquirers under one number are two', async () => {
    const document = await reconciling(sandbox, [
      inBatch('a', '100.00', '99.00'),
      inBatch('b', '50.00', '51.00'),
    ]);
    expect(told(document)).toEqual(['control_total 1 USD 100.00 99.00', 'control_total 1 USD 50.00 51.00']);
  });

  test('that balance and list say differently are a break', async () => {
    const list = {
      of: 'payouts' as const,
      text: saying({ kind: 'payout', reference: 'P', payout: 'P', gross: '90.00' }),
    };
    const balance = { text: saying({ kind: 'payout', reference: 'P', payout: 'P', gross: '-100.00' }) };
    expect(told(await reconciling(sandbox, [list, balance]))).toEqual(['control_total P USD 100.00 90.00']);
  });

  test('without a name are told by their place, and found at the bank by amount and day', async () => {
    const balance = {
      text: saying({ kind: 'reserve', gross: '95.00' }, { kind: 'payout', gross: '-95.00' }),
    };
    const bank = { of: 'bank' as const, text: saying({ kind: 'transfer', gross: '95.00' }) };
    const document = await reconciling(sandbox, [balance, bank]);
    expect(told(document)).toEqual([]);
    expect(document.payouts).toMatchObject([
      { reference: 'balance.csv:3', stated: '95.00', credited: '2026-11-20' },
    ]);
  });

  test('that cost something reach the bank without it', async () => {
    const balance = {
      text: saying(
        { kind: 'reserve', gross: '101.00' },
        { kind: 'payout', reference: 'P', gross: '-100.00', fee: '1.00' },
      ),
    };
    const bank = { of: 'bank' as const, text: saying({ kind: 'transfer', reference: 'P', gross: '100.00' }) };
    const document = await reconciling(sandbox, [balance, bank]);
    expect(told(document)).toEqual([]);
    const steps = document.waterfall[0]!.steps.map(({ name, amount }) => `${name} ${amount}`);
    expect(steps.slice(-5)).toEqual([
      'Left with the acquirer 0.00',
      'Cost of paying out -1.00',
      'Paid out 100.00',
      'Not seen at the bank 0.00',
      'Credited by the bank 100.00',
    ]);
  });
});

test('a file that is read in another way than before is refused until it is taken back', async () => {
  const shape = {
    name: 'own',
    recognise: ['ref', 'sum'],
    direction: 'signed' as const,
    gross: { column: 'sum' },
    fee: 'none' as const,
    net: 'derived' as const,
    currency: { constant: 'USD' },
    kind: { constant: 'payment' as const },
    booked: { constant: '2026-11-20' },
    references: ['ref'],
  };
  const reader = (amounts: 'minor' | 'decimal') => csvReader(mappingSchema.parse({ ...shape, amounts }));
  const file = { name: 'own.csv', text: 'ref,sum\nT1,10\n' };
  await reconciling(sandbox, [{ ...file, reader: reader('minor') }]);
  const { errors } = await reconciling(sandbox, [{ ...file, reader: reader('decimal') }]);
  expect(errors).toMatchObject([
    {
      file: 'own.csv',
      hint: expect.stringMatching(/^Take it back first: batchgate reconcile --forget [0-9a-f]{12}$/),
    },
  ]);
});
