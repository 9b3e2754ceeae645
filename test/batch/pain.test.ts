/**
 * Payment initiations (pain.001) as files of payouts: told by what they are, executed as files of any other format are, and
 * answered with a status report (pain.002).
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Submission } from '../../src/batch/submission.ts';
import { reason } from '../../src/core/code.ts';
import type { InstructionGateway } from '../../src/core/gateway.ts';
import { parseRate } from '../../src/core/payout.ts';
import { PayoutSchedule } from '../../src/engine/terms.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import { HAS_REAL, realText } from '../files/iso20022/iso-documents.ts';
import { answerIn, initiation, initiationOf, type Payment, type Transfer } from '../support/initiation.ts';
import { csv, DAY, documentOf, outcomes, readCsv, Sandbox, watched } from '../support/ledger.ts';

const WRONG_IBAN = 'DE88370400440532013000';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
  sandbox.schedule = new PayoutSchedule(
    [],
    [{ date: '2026-11-01', source: 'USD', payment: 'EUR', rate: parseRate('0.5')! }],
  );
  // The merchant has 1,000.00 USD.
  await sandbox.given({ id: 'T1', state: 'captured', amount: 100_000 });
});
afterEach(() => sandbox.remove());

const run = (content: string | Uint8Array, change: Partial<Submission> = {}, name = 'bank.xml') =>
  sandbox.run(name, content, change);

/** Each line as `outcome code`, and each transfer's status. */
const endings = (document: BatchDocument) => ({
  outcomes: outcomes(document),
  statuses: answerIn(document.reports.pain002).statuses,
});

/** Codes of the reasons, each with what is particular in its message. */
const reasons = ({ errors }: BatchDocument) => errors.map(({ code, message }) => `${code} ${message}`);

const bytesOf = (path: string | null | undefined) => readFileSync(path!, 'utf8');

describe('a payment initiation', () => {
  test('is executed as a file of payouts, and everything tells so', async () => {
    const document = await run(
      initiationOf(
        [
          {
            id: 'A',
            transfers: [
              { id: 'P1', amount: '100', text: 'Invoice 1' },
              { id: 'P2', iban: WRONG_IBAN },
            ],
          },
          { id: 'B', transfers: [{ id: 'P3', amount: '20.5', currency: 'EUR', bic: 'COBADEFF' }] },
        ],
        { id: 'ERP-7', sum: '130.5' },
      ),
    );
    expect(document).toMatchObject({
      status: 'completed',
      operation: 'payout',
      exit: 3,
      read: { encoding: 'utf-8', delimiter: null, rows: 3 },
      lines: { total: 3, succeeded: 2, invalid: 1 },
      totals: {
        USD: { instructed: '110.00', succeeded: '100.00', invalid: '10.00' },
        EUR: { succeeded: '20.50' },
      },
      chunks: { planned: 1, done: 1 },
    });
    expect(await sandbox.transfers()).toEqual([
      'P1 payout 10000',
      'P3 exchange_out 4099',
      'P3 exchange_in 2050',
    ]);
    const [first, second, third] = readCsv(document.reports.result);
    expect(first).toMatchObject({
      operation: 'payout',
      request_id: 'P1',
      payment_method: 'SWIFT',
      payment_date: '2026-11-20',
      payment_amount: '100.00',
      reference: 'Invoice 1',
      'beneficiary.entity_type': 'COMPANY',
      'beneficiary.company_name': 'Acme',
      line: '1',
      outcome: 'succeeded',
      gateway_reference: `${document.batch}-1`,
    });
    expect(second).toMatchObject({
      line: '2',
      outcome: 'invalid',
      code: 'V0013',
      'beneficiary.bank_details.iban': WRONG_IBAN,
    });
    expect(third).toMatchObject({ source_currency: 'USD', payment_currency: 'EUR', payment_amount: '20.50' });
    expect(answerIn(document.reports.pain002)).toMatchObject({
      messageId: document.batch,
      created: '2026-11-20T12:00:00.000Z',
      originalMessageId: 'ERP-7',
      originalMessageName: 'pain.001.001.09',
      group: { status: 'PART' },
      payments: [
        {
          paymentInformationId: 'A',
          transfers: [
            { endToEndId: 'P1', instructionId: 'I-P1', status: 'ACSC', reference: `${document.batch}-1` },
            { endToEndId: 'P2', status: 'RJCT', reason: { code: 'AC01' } },
          ],
        },
        { paymentInformationId: 'B', transfers: [{ endToEndId: 'P3', status: 'ACSC' }] },
      ],
    });
  });

  test('has its reports beside each other, and says in report.json which', async () => {
    const document = await run(initiation({}, { iban: WRONG_IBAN }));
    const names = readdirSync(dirname(document.reports.result!));
    expect(names.map((name) => name.replace(document.batch, 'B')).sort()).toEqual([
      'bank.B.fixme.csv',
      'bank.B.pain002.xml',
      'bank.B.report.html',
      'bank.B.report.json',
      'bank.B.result.csv',
    ]);
    const report = JSON.parse(bytesOf(document.reports.json));
    expect(report.reports.pain002).toBe(`bank.${document.batch}.pain002.xml`);
    expect(report.evidence.options).toMatchObject({ payment_method: 'SWIFT', entity_type: 'COMPANY' });
    expect(report.evidence.control_totals).toEqual({
      stated: { rows: 2, totals: {} },
      calculated: { rows: 2, totals: { USD: '20.00' } },
    });
  });

  test('of one currency has its sum among the control totals of the report', async () => {
    const document = await run(initiationOf([{ transfers: [{ amount: '7' }] }], { sum: '7.000' }));
    const { evidence } = JSON.parse(bytesOf(document.reports.json));
    expect(evidence.control_totals.stated).toEqual({ rows: 1, totals: { USD: '7.00' } });
  });

  test('a file of another format has no such report, and no word of one', async () => {
    const document = await sandbox.run('payout.csv', csv('request_id'));
    expect(Object.keys(document.reports)).not.toContain('pain002');
  });
});

describe('it is told', () => {
  const text = initiation({});
  const utf16 = (order: 'le' | 'be') => {
    const bytes = Buffer.from(`\uFEFF${text.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    return order === 'le' ? bytes : bytes.swap16();
  };

  test.each<[string, string, string | Uint8Array, string]>([
    ['by its name', 'bank.xml', text, 'utf-8'],
    ['by how it begins', 'stdin', text, 'utf-8'],
    ['whatever its name ends with', 'bank.pain', text, 'utf-8'],
    ['behind a byte order mark', 'bank', `\uFEFF${text}`, 'utf-8'],
    ['without a declaration', 'bank.txt', text.replace(/^<\?.*\?>/, ''), 'utf-8'],
    ['in UTF-16', 'bank', utf16('le'), 'utf-16'],
    ['in UTF-16 of the other order', 'bank', utf16('be'), 'utf-16'],
    [
      'in an encoding that it names itself',
      'bank.xml',
      Buffer.from(text.replace('UTF-8', 'ISO-8859-1').replace('Acme', 'Müller'), 'latin1'),
      'iso-8859-1',
    ],
  ])('%s', async (_, name, content, encoding) => {
    const document = await run(
      content,
      { reading: { style: { decimal: 'dot', thousands: 'none' }, encoding: 'windows-1251' } },
      name,
    );
    expect(outcomes(document)).toEqual(['succeeded']);
    expect(document.read.encoding).toBe(encoding);
  });

  test('and nothing in it is a file of no lines', async () => {
    expect(await run('')).toMatchObject({ status: 'completed', lines: { total: 0 }, exit: 0 });
    expect(await run(' \n\n')).toMatchObject({ status: 'completed', lines: { total: 0 }, exit: 0 });
  });

  test('without a transfer it is one too', async () => {
    const document = await run(initiationOf([]));
    expect(document).toMatchObject({
      status: 'completed',
      operation: 'payout',
      lines: { total: 0 },
      exit: 0,
    });
    expect(answerIn(document.reports.pain002)).toMatchObject({ group: undefined, payments: [] });
  });
});

describe('what a transfer comes to, and its status', () => {
  test.each<[string, Payment, string, string]>([
    ['it is paid', { transfers: [{}] }, 'succeeded', 'P1 ACSC'],
    ['it is due later', { date: '2026-11-21', transfers: [{}] }, 'pending', 'P1 ACSP'],
    ['too much', { transfers: [{ amount: '1000.01' }] }, 'refused V0011', 'P1 RJCT AM04'],
    ['a currency of another account', { debtor: 'GBP', transfers: [{}] }, 'refused V0003', 'P1 RJCT AM03'],
    ['no rate', { transfers: [{ currency: 'JPY', amount: '5' }] }, 'refused V0012', 'P1 RJCT NARR'],
    ['an IBAN that is none', { transfers: [{ iban: WRONG_IBAN }] }, 'invalid V0013', 'P1 RJCT AC01'],
    ['a BIC that is none', { transfers: [{ bic: 'NOBIC' }] }, 'invalid V0013', 'P1 RJCT RC01'],
    ['nothing to pay', { transfers: [{ amount: '0' }] }, 'invalid I0021', 'P1 RJCT AM12'],
    ['a fraction of a cent', { transfers: [{ amount: '0.001' }] }, 'invalid I0022', 'P1 RJCT CH20'],
    ['a currency of nobody', { transfers: [{ currency: 'XXX' }] }, 'invalid I0022', 'P1 RJCT AM11'],
    ['nobody to pay', { transfers: [{ name: '' }] }, 'invalid I0001', 'P1 RJCT CH21'],
    ['a day that is none', { date: '2026-02-30', transfers: [{}] }, 'invalid I0002', 'P1 RJCT DT01'],
  ])('%s: %s', async (_, payment, outcome, status) => {
    expect(endings(await run(initiationOf([payment])))).toEqual({ outcomes: [outcome], statuses: [status] });
  });

  test('an id twice: the same is a duplicate, another content a contradiction', async () => {
    const text = initiation({ id: 'P1' }, { id: 'P1' }, { id: 'P1', amount: '11' }, { id: 'P2' });
    expect(endings(await run(text))).toEqual({
      outcomes: ['succeeded', 'duplicate B0001', 'invalid B0014', 'succeeded'],
      statuses: ['P1 ACSC', 'P1 RJCT AM05', 'P1 RJCT DU04', 'P2 ACSC'],
    });
  });

  test('what nobody knows is not decided yet, in words that XML can carry', async () => {
    const gateway: InstructionGateway = {
      ...watched(sandbox.engine(), {}),
      payout: async () => ({
        at: 0,
        results: [
          { status: 'unknown', reason: { ...reason('E0001'), message: 'it said \u0007 and \uFFFE' } },
        ],
      }),
    };
    const document = await sandbox.run('bank.xml', initiation({}), {}, { gateway });
    expect(endings(document)).toEqual({ outcomes: ['unknown E0001'], statuses: ['P1 PDNG NARR'] });
    const [payment] = answerIn(document.reports.pain002).payments;
    expect(payment!.transfers[0]!.reason!.text).toBe('E0001: it said ⟨U+0007⟩ and');
  });

  test('what was not sent is refused, and sent by nobody', async () => {
    const many = initiation(...Array.from({ length: 120 }, (_, index) => ({ id: `P${index}`, amount: '1' })));
    const interrupted = await sandbox.run('bank.xml', many, {}, sandbox.endingAfter(50));
    expect(interrupted).toMatchObject({ status: 'interrupted', exit: 143 });
    const stopped = await sandbox.stop(interrupted);
    const { statuses, group } = answerIn(documentOf(stopped).reports.pain002);
    expect(group).toEqual({ status: 'PART', reason: undefined });
    expect(statuses.filter((one) => one.endsWith('ACSC'))).toHaveLength((await sandbox.transfers()).length);
    expect(statuses.at(-1)).toBe('P119 RJCT NARR');
  });
});

describe('it comes again', () => {
  const text = initiation({ id: 'P1' }, { id: 'P2', iban: WRONG_IBAN });

  test('the same bytes: nothing is executed, and the same reports', async () => {
    const first = await run(text);
    expect(await run(text, {}, 'again')).toEqual({ ...first, repeat: true });
    expect(await sandbox.transfers()).toHaveLength(1);
  });

  test('the answer that is gone is written again, with the same bytes, whatever the clock says', async () => {
    const first = await run(text);
    const before = bytesOf(first.reports.pain002);
    rmSync(first.reports.pain002!);
    sandbox.now += DAY;
    await run(text);
    expect(bytesOf(first.reports.pain002)).toBe(before);
    const elsewhere = await sandbox.rewrite(first, 1);
    expect(bytesOf(elsewhere.reports.pain002)).toBe(before);
  });

  test('a second file with some of the same transfers: those are duplicates', async () => {
    const first = await run(text);
    const second = await run(
      initiationOf([{ transfers: [{ id: 'P1' }, { id: 'P2' }, { id: 'P3' }] }], { id: 'M2' }),
    );
    expect(endings(second)).toEqual({
      outcomes: ['duplicate B0001', 'succeeded', 'succeeded'],
      statuses: ['P1 RJCT AM05', 'P2 ACSC', 'P3 ACSC'],
    });
    expect(readCsv(second.reports.held)).toMatchObject([{ request_id: 'P1', _first: `${first.batch}:1` }]);
  });

  test('as CSV: the same payout is the same', async () => {
    const first = await run(initiation({ id: 'P1', text: 'Invoice 1' }));
    const [row] = readCsv(first.reports.result);
    const columns = Object.keys(row!).slice(0, Object.keys(row!).indexOf('line'));
    const again = await sandbox.run(
      'payout.csv',
      csv(columns.join(), columns.map((name) => row![name]).join()),
    );
    expect(outcomes(again)).toEqual(['duplicate B0001']);
  });

  test('with other terms it is another submission, whose payouts contradict the first', async () => {
    await run(text);
    const sepa = {
      style: { decimal: 'dot', thousands: 'none' },
      pain001: { payment_method: 'SEPA' },
    } as const;
    const second = await run(text, { reading: sepa });
    expect(second.repeat).toBe(false);
    expect(outcomes(second)).toEqual(['invalid B0014', 'invalid V0013']);
    expect(readCsv(second.reports.result)[0]).toMatchObject({ payment_method: 'SEPA' });
  });

  test('terms matter to no other file', async () => {
    const sepa = {
      style: { decimal: 'dot', thousands: 'none' },
      pain001: { payment_method: 'SEPA' },
    } as const;
    const file = csv('transaction_id,order_no,currency,amount', 'T1,O-T1,USD,1.00');
    const first = await sandbox.run('capture.csv', file);
    expect(await sandbox.run('capture.csv', file, { reading: sepa })).toEqual({ ...first, repeat: true });
  });
});

describe('a later revision', () => {
  test('has an answer of its own, and the earlier one stays', async () => {
    const first = await run(initiationOf([{ date: '2026-11-22', transfers: [{}] }]));
    const before = bytesOf(first.reports.pain002);
    sandbox.now += 3 * DAY;
    const second = documentOf(await sandbox.settle(first));
    expect(basename(second.reports.pain002!)).toBe(`bank.${first.batch}.r2.pain002.xml`);
    expect(answerIn(second.reports.pain002)).toMatchObject({
      messageId: `${first.batch}-r2`,
      statuses: ['P1 ACSC'],
      group: { status: 'ACSC' },
    });
    expect(bytesOf(first.reports.pain002)).toBe(before);
  });
});

describe('interrupted and resumed', () => {
  const many = initiation(
    ...Array.from({ length: 130 }, (_, index): Transfer => {
      const wrong = index % 40 === 3 ? { iban: WRONG_IBAN } : index % 50 === 7 ? { id: 'P1' } : {};
      return { id: `P${index}`, amount: '1.00', ...wrong };
    }),
  );

  test('it ends as if nothing had happened', async () => {
    const other = await Sandbox.make();
    await other.given({ id: 'T1', state: 'captured', amount: 100_000 });
    const expected = await other.run('bank.xml', many);
    expect(await run(many, {}, 'bank.xml').then(async ({ lines }) => lines)).toEqual(expected.lines);
    const broken = await Sandbox.make();
    await broken.given({ id: 'T1', state: 'captured', amount: 100_000 });
    const interrupted = await broken.run('bank.xml', many, {}, broken.endingAfter(60));
    expect(interrupted.status).toBe('interrupted');
    const resumed = await broken.run('bank.xml', many);
    for (const kind of ['result', 'fixme', 'held', 'pain002'] as const)
      expect(bytesOf(resumed.reports[kind])).toBe(bytesOf(expected.reports[kind]));
    expect(await broken.transfers()).toEqual(await other.transfers());
    await broken.remove();
    await other.remove();
  });
});

describe('the totals of its sender', () => {
  const payments: readonly Payment[] = [{ transfers: [{ id: 'P1' }, { id: 'P2', amount: '5.25' }] }];

  test.each<[string, object, string, string]>([
    [
      'a count',
      { count: 3 },
      'B0009 The control total, count, hash or sequence differs: GrpHdr/NbOfTxs: stated 3, calculated 2.',
      'AM18',
    ],
    [
      'a sum',
      { sum: '15.26' },
      'B0009 The control total, count, hash or sequence differs: GrpHdr/CtrlSum: stated 15.26, calculated 15.25.',
      'AM10',
    ],
  ])(
    '%s that differs rejects the file with both figures, and says so in the answer',
    async (_, stated, expected, code) => {
      const document = await run(initiationOf(payments, { id: 'ERP-8', ...stated }));
      expect(document).toMatchObject({ status: 'rejected', exit: 6, lines: { total: 2 } });
      expect(reasons(document)).toEqual([expected]);
      expect(await sandbox.transfers()).toEqual([]);
      const { pain002, ...others } = document.reports;
      expect(Object.values(others).every((path) => path === null)).toBe(true);
      expect(readdirSync(dirname(pain002!)).sort()).toEqual([
        `bank.${document.batch}.pain002.xml`,
        'bank.xml',
        'errors.csv',
        'errors.json',
      ]);
      expect(answerIn(pain002)).toMatchObject({
        originalMessageId: 'ERP-8',
        group: { status: 'RJCT', reason: { code, text: expected.replace(' ', ': ') } },
        payments: [],
      });
    },
  );

  test('are compared besides the ones of flags and control files', async () => {
    const control = [{ rows: 2, totals: { USD: '15.24' } }];
    const document = await run(initiationOf(payments, { count: 1 }), { control });
    expect(reasons(document).map((one) => one.split(': ').slice(1).join(': '))).toEqual([
      'GrpHdr/NbOfTxs: stated 1, calculated 2.',
      'total USD: stated 15.24, calculated 15.25.',
    ]);
    expect(
      await run(initiationOf(payments), { control: [{ rows: 2, totals: { USD: '15.25' } }] }),
    ).toMatchObject({
      exit: 0,
    });
  });

  test('count what cannot be paid, and not what cannot be read', async () => {
    const transfers = [{ id: 'P1', amount: '' }, { id: 'P2', iban: WRONG_IBAN, amount: '5' }, { id: 'P3' }];
    const document = await run(initiationOf([{ transfers }], { count: 3, sum: '15' }));
    expect(outcomes(document)).toEqual(['invalid I0021', 'invalid V0013', 'succeeded']);
    expect(document.breakdown[0]).toMatchObject({ unreadable_amounts: 1, amounts: { instructed: '15.00' } });
  });
});

describe('a file that is rejected, and nothing of it executed', () => {
  const good = initiation({});
  test.each<[string, string, string, string?]>([
    [
      'with entities',
      good
        .replace('<Document', '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Document')
        .replace('Acme', '&b;'),
      'B0011 The XML cannot be read: it has a document type',
    ],
    [
      'that asks for another file',
      good
        .replace('<Document', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document')
        .replace('Acme', '&x;'),
      'B0011 The XML cannot be read: it has a document type',
    ],
    ['that was cut off', good.slice(0, -40), 'B0011 The XML cannot be read: '],
    ['that is not well-formed', good.replace('</Cdtr>', '</Cdtx>'), 'B0011 The XML cannot be read: '],
    ['that is a page', '<html><body>Not found</body></html>\n', 'B0011 The XML cannot be read: '],
    ['that says XML in its name alone', 'request_id\nP1\n', 'B0011 The XML cannot be read: '],
    [
      'without an id',
      good.replace('<MsgId>M1</MsgId>', ''),
      'B0011 The XML cannot be read: it has no id (GrpHdr/MsgId).',
    ],
    [
      'that is a statement',
      good.replace('pain.001.001.09', 'camt.053.001.08'),
      'B0015 The operation or the account is unclear or contradictory: it is camt.053.001.08 (CstmrCdtTrfInitn), and only',
    ],
    ['that is asked to be refunds', good, 'B0015 ', 'refund'],
    [
      'with a card number around the transfers',
      good.replace('<PmtMtd>', '<Dbtr><Nm>4111111111111111</Nm></Dbtr><PmtMtd>'),
      'B0012 ',
    ],
  ])('%s', async (_, content, expected, operation) => {
    const change = operation === undefined ? {} : { operation: operation as 'refund' };
    const document = await run(content, change);
    expect(document).toMatchObject({ status: 'rejected', exit: 6 });
    expect(document.errors).toHaveLength(1);
    expect(reasons(document)[0]!.startsWith(expected), reasons(document)[0]).toBe(true);
    expect(await sandbox.transfers()).toEqual([]);
  });

  test('that is larger than what is held in memory', async () => {
    const document = await run(good + ' '.repeat(32 * 1024 * 1024));
    expect(reasons(document)).toEqual(['B0011 The XML cannot be read: it is larger than 32 MiB.']);
  });

  test('whose name says another operation', async () => {
    const document = await run(good, {}, 'refunds.xml');
    expect(reasons(document)).toEqual([
      'B0015 The operation or the account is unclear or contradictory: operation: the message in the file (pain.001) says payout, the name of the file says refund.',
    ]);
    expect(answerIn(document.reports.pain002).group).toMatchObject({
      status: 'RJCT',
      reason: { code: 'NARR' },
    });
  });

  test('because a line is invalid and the policy atomic: every transfer is refused', async () => {
    const document = await run(initiation({ id: 'P1' }, { id: 'P2', iban: WRONG_IBAN }), {
      policy: 'atomic',
    });
    expect(document).toMatchObject({ status: 'rejected', exit: 6 });
    expect(answerIn(document.reports.pain002).statuses).toEqual(['P1 RJCT NARR', 'P2 RJCT AC01']);
    expect(await sandbox.transfers()).toEqual([]);
  });

  test('F44 with card numbers: nothing of it is left, and no answer', async () => {
    const document = await run(good.replace('<PmtMtd>', '<Dbtr><Nm>4111111111111111</Nm></Dbtr><PmtMtd>'));
    expect(document.reports.pain002).toBeUndefined();
    for (const { path, bytes } of await sandbox.files())
      expect(bytes.includes('4111111111111111'), path).toBe(false);
  });
});

test('F44 a transfer with a card number is invalid, and its reports hide it', async () => {
  const document = await run(initiation({ id: 'P1', name: 'Acme 4111 1111 1111 1111' }, { id: 'P2' }));
  expect(endings(document)).toEqual({
    outcomes: ['invalid B0012', 'succeeded'],
    statuses: ['P1 RJCT NARR', 'P2 ACSC'],
  });
  for (const kind of ['result', 'fixme', 'pain002', 'json', 'html'] as const)
    expect(bytesOf(document.reports[kind])).not.toContain('4111 1111 1111 1111');
});

describe('what was wrong', () => {
  test('can be corrected in the fixme file and sent, whatever its name', async () => {
    const first = await run(
      initiation({ id: 'P1' }, { id: 'P2', iban: WRONG_IBAN }, { id: 'P3', amount: '1,50' }),
    );
    expect(outcomes(first)).toEqual(['succeeded', 'invalid V0013', 'invalid I0021']);
    const fixme = bytesOf(first.reports.fixme);
    expect(readCsv(first.reports.fixme)).toMatchObject([
      { operation: 'payout', request_id: 'P2', _line_of: `${first.batch}:2` },
      { request_id: 'P3', payment_amount: '1,50', _line_of: `${first.batch}:3` },
    ]);
    expect(outcomes(await sandbox.run(basename(first.reports.fixme!), fixme))).toEqual([
      'refused V0013',
      'invalid I0021',
    ]);
    const corrected = fixme.replace(`,${WRONG_IBAN},`, ',DE89370400440532013000,').replace('"1,50"', '1.50');
    const second = await sandbox.run(basename(first.reports.fixme!), corrected);
    expect(outcomes(second)).toEqual(['succeeded', 'succeeded']);
    expect(await sandbox.transfers()).toEqual(['P1 payout 1000', 'P2 payout 1000', 'P3 payout 150']);
  });

  test('comes in the way of the sender, whose CSV files have semicolons and commas', async () => {
    const reading = { delimiter: 'semicolon', style: { decimal: 'comma', thousands: 'dot' } } as const;
    // With three decimals, `234.567` would be a quarter of a million where a dot parts thousands.
    const first = await run(
      initiation(
        { id: 'P1', amount: '12.5' },
        { id: 'P2', amount: '234.567' },
        { id: 'P3', iban: WRONG_IBAN },
      ),
      { reading },
    );
    expect(readCsv(first.reports.result, ';').map(({ outcome, code }) => `${outcome} ${code}`)).toEqual([
      'succeeded ',
      'invalid I0022',
      'invalid V0013',
    ]);
    expect(first.totals!.USD).toMatchObject({ instructed: '22.50', succeeded: '12.50' });
    const lines = readCsv(first.reports.fixme, ';');
    expect(lines.map((line) => line.payment_amount)).toEqual(['234,567', '10,00']);
    const corrected = bytesOf(first.reports.fixme)
      .replace('234,567', '234,56')
      .replace(WRONG_IBAN, 'DE89370400440532013000');
    const second = await sandbox.run('fixme.csv', corrected, { reading });
    expect(second.lines).toMatchObject({ total: 2, succeeded: 2 });
    expect(await sandbox.transfers()).toEqual(['P1 payout 1250', 'P2 payout 23456', 'P3 payout 1000']);
  });
});

describe('whose payouts they are', () => {
  test('must be said where there are several accounts: the file cannot', async () => {
    await sandbox.account();
    const document = await run(initiation({}));
    expect(reasons(document)).toEqual([
      'B0015 The operation or the account is unclear or contradictory: nothing says whose payouts these are, and a pain.001 cannot say it.',
    ]);
    const second = await run(initiation({}), { merchantId: 'M1', accountId: 'A1' });
    expect(outcomes(second)).toEqual(['succeeded']);
    expect(second.breakdown[0]).toMatchObject({ merchant: 'M1', account: 'A1' });
  });
});

describe.skipIf(!HAS_REAL)('files of real banks', () => {
  test.each([
    ['iso20022js/cross_river__pain_001_ach_credit.xml', ['succeeded'], ['0000000000000011 ACSC']],
    ['sepa-examples/pain001-single-sct.xml', ['invalid V0013'], ['E2E-20260315-001 RJCT AC01']],
  ])('%s', async (file, expected, statuses) => {
    expect(endings(await run(realText(`pain001/${file}`)))).toEqual({ outcomes: expected, statuses });
  });
});
