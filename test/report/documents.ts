/** Documents to render: figures that add up, and one of every kind of trouble. */
import { CODES, type Code, reason } from '../../src/core/code.ts';
import { OUTCOMES, type Outcome } from '../../src/core/outcome.ts';
import type {
  Amounts,
  BreakdownRow,
  ExceptionRow,
  LineCounts,
  ListedLine,
  ReportDocument,
} from '../../src/report/document.ts';

const BATCH = 'B20261120-080203-4f9c';

export function lines(counts: Partial<Record<Outcome, number>>): LineCounts {
  const filled = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts[outcome] ?? 0])) as Record<
    Outcome,
    number
  >;
  return { total: OUTCOMES.reduce((total, outcome) => total + filled[outcome], 0), ...filled };
}

export function amounts(instructed: string, parts: Partial<Record<Outcome, string>>, zero = '0.00'): Amounts {
  const filled = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, parts[outcome] ?? zero])) as Record<
    Outcome,
    string
  >;
  return { instructed, ...filled };
}

export function exception(
  outcome: Outcome,
  code: Code,
  count: number,
  sums: Record<string, string>,
): ExceptionRow {
  return {
    outcome,
    code,
    sentence: CODES[code].sentence,
    hint: CODES[code].hint,
    lines: count,
    amounts: sums,
  };
}

export function listed(line: number, outcome: Outcome, code: Code | undefined, detail?: string): ListedLine {
  const why =
    code === undefined
      ? { code: '', message: '', hint: '' }
      : { ...reason(code, detail), hint: CODES[code].hint };
  return {
    line,
    outcome,
    operation: 'refund',
    subject: `tr_01JD3V9Z${String(line).padStart(6, '0')}`,
    order: `ORD-2026-${String(line).padStart(5, '0')}`,
    currency: 'USD',
    amount: '50.00',
    code: why.code,
    message: why.message,
    hint: why.hint,
  };
}

const row: BreakdownRow = {
  account: 'A1',
  merchant: 'M1',
  operation: 'refund',
  currency: 'USD',
  lines: lines({ succeeded: 990, refused: 6, invalid: 3, duplicate: 1 }),
  amounts: amounts('12345.67', {
    succeeded: '12000.00',
    refused: '300.00',
    invalid: '40.00',
    duplicate: '5.67',
  }),
  moved_in: '0.00',
  moved_out: '12000.00',
  fees: '0.00',
  unreadable_amounts: 1,
};

/** A thousand refunds of which ten did not succeed: the example of the contract. */
export const withExceptions: ReportDocument = {
  schema_version: 1,
  environment: 'sandbox',
  batch: BATCH,
  file: 'refund.csv',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  repeat: false,
  gateway: 'engine',
  operation: 'refund',
  status: 'completed',
  revision: 1,
  read: { encoding: 'utf-8', delimiter: ',', decimal: 'dot', rows: 1000 },
  lines: row.lines,
  totals: { USD: row.amounts },
  breakdown: [row],
  chunks: { planned: 20, done: 20 },
  reports: {
    result: `/data/outbox/refund.csv.${BATCH}.result.csv`,
    fixme: `/data/outbox/refund.csv.${BATCH}.fixme.csv`,
    held: `/data/outbox/refund.csv.${BATCH}.held.csv`,
    json: `/data/outbox/refund.csv.${BATCH}.report.json`,
    html: `/data/outbox/refund.csv.${BATCH}.report.html`,
  },
  errors: [],
  exit: 3,
  evidence: {
    submitted_by: 'finance',
    submitted_from: 'inbox/M1/A1/refund.csv',
    received_at: '2026-11-20T08:02:03+00:00',
    started_at: '2026-11-20T08:02:09+00:00',
    finished_at: '2026-11-20T08:02:11+00:00',
    options: { policy: 'valid-lines', repeats: 'hold', concurrency: 4 },
    program_version: '0.1.0',
    control_totals: {
      stated: { rows: 1000, totals: { USD: '12345.67' } },
      calculated: { rows: 1000, totals: { USD: '12345.67' } },
    },
    ledger_sequence: { from: 2001, to: 2990 },
    balances: [{ merchant: 'M1', account: 'A1', currency: 'USD', before: '98765.43', after: '86765.43' }],
    audit_head: 'c3ab8ff13720e8ad9047dd39466b3c8974e592c2fa383d4a3960714caef0c4f2',
  },
  exceptions: [
    exception('refused', 'V0006', 4, { USD: '210.00' }),
    exception('invalid', 'I0021', 2, { USD: '25.00' }),
    exception('refused', 'V0007', 2, { USD: '90.00' }),
    exception('invalid', 'I0001', 1, { USD: '15.00' }),
    exception('duplicate', 'B0001', 1, { USD: '5.67' }),
  ],
  changes: [],
  listed: [
    listed(17, 'refused', 'V0006', '12.00 is left to refund'),
    listed(42, 'refused', 'V0006', '0.00 is left to refund'),
    listed(105, 'refused', 'V0007', 'it is cancelled'),
    listed(106, 'invalid', 'I0021', 'refund_amount is "1,50"'),
    listed(377, 'invalid', 'I0001', 'order_no'),
    listed(512, 'duplicate', 'B0001', 'the first is B20261119-070000-11aa:88'),
    listed(2, 'succeeded', undefined),
    listed(3, 'succeeded', undefined),
    listed(4, 'succeeded', undefined),
  ],
  unlisted: 991,
};

/** Every line succeeded, live, two accounts and three currencies with 0, 2 and 3 digits. */
export const allSucceeded: ReportDocument = {
  ...withExceptions,
  environment: 'live',
  file: 'capture-2026-11-20.csv',
  operation: 'capture',
  gateway: 'acquirer-eu',
  lines: lines({ succeeded: 1_000_000 }),
  totals: {
    EUR: amounts('123456789012.34', { succeeded: '123456789012.34' }),
    JPY: amounts('9876543', { succeeded: '9876543' }, '0'),
    KWD: amounts('12.345', { succeeded: '12.345' }, '0.000'),
  },
  breakdown: [
    captures('M1', 'eu-shop', 'EUR', 700_000, '100000000000.30', '0.00'),
    captures('M1', 'eu-market', 'EUR', 200_000, '23456789012.04', '0.00'),
    captures('M1', 'jp-shop', 'JPY', 99_999, '9876543', '0'),
    captures('M1', 'kw-shop', 'KWD', 1, '12.345', '0.000'),
  ],
  reports: { ...withExceptions.reports, fixme: null, held: null },
  exit: 0,
  exceptions: [],
  listed: [],
  unlisted: 1_000_000,
};

function captures(
  merchant: string,
  account: string,
  currency: string,
  count: number,
  amount: string,
  zero: string,
): BreakdownRow {
  return {
    account,
    merchant,
    operation: 'capture',
    currency,
    lines: lines({ succeeded: count }),
    amounts: amounts(amount, { succeeded: amount }, zero),
    moved_in: amount,
    moved_out: zero,
    fees: zero,
    unreadable_amounts: 0,
  };
}

/** Several operations and currencies, unknown lines, an alarm, a second revision, control totals that were not stated. */
export const mixedUnknown: ReportDocument = {
  ...withExceptions,
  file: 'month-end.csv',
  operation: 'mixed',
  status: 'unknown',
  revision: 2,
  lines: lines({
    succeeded: 40,
    pending: 5,
    refused: 10,
    invalid: 4,
    duplicate: 3,
    unknown: 6,
    not_sent: 12,
  }),
  totals: null,
  breakdown: [
    {
      ...row,
      operation: 'capture',
      lines: lines({ succeeded: 20, refused: 5, unknown: 6 }),
      amounts: amounts('3100.00', { succeeded: '2000.00', refused: '500.00', unknown: '600.00' }),
      moved_in: '2000.00',
      moved_out: '0.00',
      fees: '12.50',
      unreadable_amounts: 0,
    },
    {
      ...row,
      currency: 'EUR',
      lines: lines({ succeeded: 20, refused: 5, invalid: 4, duplicate: 3 }),
      amounts: amounts('1280.00', {
        succeeded: '800.00',
        refused: '200.00',
        invalid: '160.00',
        duplicate: '120.00',
      }),
      moved_out: '800.00',
      unreadable_amounts: 0,
    },
    {
      ...row,
      account: 'A2',
      operation: 'payout',
      currency: 'JPY',
      lines: lines({ pending: 5, not_sent: 12 }),
      amounts: amounts('1700000', { pending: '500000', not_sent: '1200000' }, '0'),
      moved_in: '0',
      moved_out: '500000',
      fees: '1500',
      unreadable_amounts: 0,
    },
  ],
  exit: 7,
  errors: [{ ...reason('B0022', '3 lines were added'), hint: CODES.B0022.hint }],
  exceptions: [
    exception('unknown', 'E0001', 6, { USD: '600.00' }),
    exception('not_sent', 'E0002', 12, { JPY: '1200000' }),
    exception('refused', 'V0007', 10, { USD: '500.00', EUR: '200.00' }),
    exception('invalid', 'I0022', 4, { EUR: '160.00' }),
    exception('duplicate', 'B0001', 3, { EUR: '120.00' }),
  ],
  changes: [
    { line: 7, from: 'unknown', to: 'succeeded', code: '' },
    { line: 12, from: 'unknown', to: 'refused', code: 'V0007' },
  ],
  listed: [listed(9, 'unknown', 'E0001'), listed(10, 'not_sent', 'E0002'), listed(11, 'pending', undefined)],
  unlisted: 77,
  evidence: {
    ...withExceptions.evidence,
    control_totals: {
      stated: null,
      calculated: { rows: 80, totals: { USD: '3100.00', EUR: '1280.00', JPY: '1700000' } },
    },
    balances: [],
    ledger_sequence: { from: 1, to: 0 },
  },
};

/** Nothing was executed. */
export const rejected: ReportDocument = {
  ...withExceptions,
  status: 'rejected',
  lines: lines({}),
  totals: {},
  breakdown: [],
  chunks: { planned: 0, done: 0 },
  reports: { result: null, fixme: null, held: null, json: null, html: null },
  errors: [
    {
      ...reason('B0007', '"refund_amout" probably means refund_amount'),
      hint: CODES.B0007.hint,
      line: 1,
      column: 'refund_amout',
    },
  ],
  exit: 6,
  exceptions: [],
  listed: [],
  unlisted: 0,
};

/** Texts from a file that want to be HTML, to turn the reading direction, to hide, or to burst the page. F34, F99. */
export const HOSTILE = {
  tag: '"><script>alert(1)</script>',
  image: `'><img src=x onerror=alert(1)>`,
  direction: 'invoice\u202Efdp.exe',
  control: 'a\u0000b\nc\u001b[31m',
  long: 'x'.repeat(255),
  entity: '&lt;b&gt; & "quotes"',
};

export const hostile: ReportDocument = {
  ...withExceptions,
  file: `../${HOSTILE.tag}${HOSTILE.direction}${HOSTILE.long}.csv`,
  gateway: HOSTILE.image,
  breakdown: [
    { ...row, account: HOSTILE.tag, merchant: HOSTILE.long, operation: 'refund', currency: HOSTILE.image },
  ],
  totals: { [HOSTILE.image]: row.amounts },
  errors: [{ code: 'B0022', message: HOSTILE.tag, hint: HOSTILE.image, column: HOSTILE.control }],
  exceptions: [
    {
      ...exception('refused', 'V0006', 10, { [HOSTILE.tag]: '1.00' }),
      sentence: HOSTILE.entity,
      hint: HOSTILE.direction,
    },
  ],
  listed: Object.values(HOSTILE).map((text, at) => ({
    ...listed(at + 2, 'refused', 'V0006'),
    subject: text,
    order: text,
    currency: text,
    amount: text,
    message: text,
    hint: text,
  })),
  reports: { ...withExceptions.reports, fixme: `/x/${HOSTILE.tag}.fixme.csv` },
  evidence: {
    ...withExceptions.evidence,
    submitted_by: HOSTILE.tag,
    submitted_from: HOSTILE.control,
    options: { [HOSTILE.tag]: HOSTILE.image },
    audit_head: HOSTILE.long,
    balances: [
      {
        merchant: HOSTILE.tag,
        account: HOSTILE.long,
        currency: HOSTILE.image,
        before: '1.00',
        after: '2.00',
      },
    ],
  },
};
