/** Reconciliations to render: figures that add up, one of every kind of break, and texts that want to break out. */
import { BREAK_KINDS } from '../../../src/core/break.ts';
import { EMBEDDED } from '../../../src/core/gateway.ts';
import type { ReconciliationDocument } from '../../../src/report/reconciliation/document.ts';
import { HOSTILE } from '../documents.ts';
import { comparisons, DAY, expected, listedBreak, open, payout, resolved, side, statement } from './parts.ts';

/** A month of one account, with one of nearly every kind of break. */
export const withBreaks: ReconciliationDocument = {
  schema_version: 1,
  environment: 'sandbox',
  merchant: 'M1',
  account: 'eu-shop',
  gateway: EMBEDDED,
  day: DAY,
  period: { from: '2026-11-01', to: '2026-11-19' },
  statements: [
    statement({}),
    statement({
      file: 'payouts-2026-11.csv',
      of: 'payouts',
      lines: 9,
      sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
      repeat: true,
    }),
    statement({
      file: 'camt053-2026-11-19.xml',
      profile: 'camt.053',
      of: 'bank',
      id: '2026-11-19/001',
      lines: 12,
      period: null,
      sha256: 'fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13',
      counted_elsewhere: 3,
    }),
  ],
  errors: [],
  totals: {
    EUR: { ledger: '184330.35', statement: '182573.80', matched: '181020.10', open: '2602.95' },
    JPY: { ledger: '995000', statement: '1003700', matched: '995000', open: '8700' },
  },
  comparisons,
  waterfall: [
    {
      currency: 'EUR',
      steps: [
        { name: 'Payments', amount: '191840.10', lines: 1391, is: 'part' },
        { name: 'Refunds', amount: '-6710.40', lines: 74, is: 'part' },
        { name: 'Chargebacks', amount: '-2555.90', lines: 14, is: 'part' },
        { name: 'Gross', amount: '182573.80', lines: 1479, is: 'sum' },
        { name: 'Fees kept back', amount: '-2690.25', lines: 0, is: 'part' },
        { name: 'Fees charged', amount: '-89.50', lines: 2, is: 'part' },
        { name: 'Reserve', amount: '-3483.50', lines: 2, is: 'part' },
        { name: 'Net of fees', amount: '176310.55', lines: 1483, is: 'sum' },
        { name: 'Left with the acquirer', amount: '-12110.25', lines: 0, is: 'part' },
        { name: 'Paid out', amount: '164200.30', lines: 9, is: 'sum' },
        { name: 'Not seen at the bank', amount: '-4187.50', lines: 0, is: 'part' },
        { name: 'Credited by the bank', amount: '160012.80', lines: 8, is: 'sum' },
      ],
    },
  ],
  rules: [
    {
      side: 'acquirer',
      rule: 'reference',
      meaning: 'One entry and one line have the same reference, currency and amount.',
      matches: 1462,
      entries: 1462,
      lines: 1462,
    },
    {
      side: 'acquirer',
      rule: 'entries add up',
      meaning: 'Several entries of one transaction add up to one line.',
      matches: 6,
      entries: 14,
      lines: 6,
    },
    {
      side: 'bank',
      rule: 'payout reference',
      meaning: 'The bank’s text names the payout, and the amount is the same.',
      matches: 8,
      entries: 8,
      lines: 8,
    },
  ],
  payouts: [
    payout({ reference: 'po_2026-11-19', day: '2026-11-19', credited: null }),
    payout({}),
    payout({
      reference: 'po_2026-11-17',
      day: '2026-11-17',
      parts: {
        adjustment: '12.50',
        payment: '18200.00',
        refund: '-310.25',
        reserve: '-500.00',
        fee: '-291.75',
      },
      calculated: '17110.50',
      stated: '17098.00',
      residual: '-12.50',
      credited: '2026-11-18',
    }),
    payout({ reference: 'batch 88', day: '2026-11-16', stated: null, residual: null, credited: null }),
    payout({
      reference: 'po_2026-10-31',
      day: '',
      lines: 0,
      parts: {},
      calculated: '0.00',
      residual: null,
      credited: '2026-11-02',
    }),
  ],
  breaks: [...open, ...expected, ...resolved],
  unlisted: 0,
  counts: { open: 8, expected: 2, resolved: 1, closed: 4 },
  reports: {
    json: '/data/reports/eu-shop/reconciliation.json',
    csv: '/data/reports/eu-shop/reconciliation.csv',
    html: '/data/reports/eu-shop/reconciliation.html',
  },
  program_version: '0.1.0',
  exit: 10,
};

const agreed = side('995000.00', '995000.00', {}, 41);

/** Live, at a remote gateway, and nothing left to say. */
export const agrees: ReconciliationDocument = {
  ...withBreaks,
  environment: 'live',
  gateway: 'acquirer-eu',
  period: { from: null, to: null },
  statements: [statement({})],
  totals: { EUR: { ledger: '995000.00', statement: '995000.00', matched: '995000.00', open: '0.00' } },
  comparisons: [{ side: 'acquirer', currency: 'EUR', ledger: agreed, statement: agreed }],
  payouts: [payout({})],
  breaks: [],
  counts: { open: 0, expected: 0, resolved: 0, closed: 0 },
  exit: 0,
};

/** Nothing is open, but statements are still to come. */
export const waiting: ReconciliationDocument = {
  ...withBreaks,
  totals: {},
  comparisons: [],
  breaks: expected,
  counts: { open: 0, expected: 2, resolved: 0, closed: 0 },
  exit: 0,
};

/** A file that could not be read; what is loaded agrees. */
export const incomplete: ReconciliationDocument = {
  ...agrees,
  errors: [
    {
      file: 'settlement-2026-11-19.csv',
      message: 'settlement-2026-11-19.csv, line 17: the quote is not closed',
      hint: 'Ask for the file again; `batchgate reconcile --statement FILE` loads it.',
      line: 17,
    },
  ],
  exit: 6,
};

/** No statement, no entry. */
export const empty: ReconciliationDocument = {
  ...agrees,
  statements: [],
  totals: {},
  comparisons: [],
  waterfall: [],
  rules: [],
  payouts: [],
};

/** As many breaks as a report lists, and more that it does not. */
export const many: ReconciliationDocument = {
  ...withBreaks,
  totals: {},
  comparisons: [],
  breaks: Array.from({ length: 1000 }, (_, at) =>
    listedBreak({
      id: `K${String(at).padStart(16, '0')}`,
      kind: BREAK_KINDS[at % BREAK_KINDS.length]!,
      severity: at < 100 ? 'high' : at < 500 ? 'medium' : 'low',
      reference: `tr_01JD3V9Z${String(at).padStart(6, '0')}`,
      age_days: at % 45,
    }),
  ),
  unlisted: 500,
  counts: { open: 1500, expected: 0, resolved: 0, closed: 0 },
};

const texts = Object.values(HOSTILE);

/** Every text is a hostile one. F34, F99. */
export const hostile: ReconciliationDocument = {
  ...withBreaks,
  environment: 'sandbox',
  merchant: HOSTILE.long,
  account: HOSTILE.tag,
  gateway: HOSTILE.image,
  day: HOSTILE.control,
  period: { from: HOSTILE.tag, to: HOSTILE.direction },
  statements: texts.map((text) => ({
    ...statement({}),
    file: text,
    profile: text,
    of: text,
    id: text,
    period: [text, text],
    sha256: text,
  })),
  errors: texts.map((text) => ({ file: text, message: text, hint: text, line: 3, column: text })),
  totals: { [HOSTILE.image]: { ledger: '1.00', statement: '1.00', matched: '1.00', open: '0.00' } },
  comparisons: texts.map((text) => ({ ...comparisons[0]!, currency: text })),
  waterfall: texts.map((text) => ({
    currency: text,
    steps: [
      { name: text, amount: '10.00', lines: 1, is: 'part' },
      { name: text, amount: '-10.50', lines: 1, is: 'part' },
      { name: text, amount: '-0.50', lines: 0, is: 'sum' },
    ],
  })),
  rules: texts.map((text) => ({ ...withBreaks.rules[0]!, rule: text, meaning: text })),
  payouts: texts.map((text) => ({
    ...payout({}),
    reference: text,
    currency: text,
    day: text,
    credited: text,
    parts: { [text]: '20175.20' },
  })),
  breaks: texts.flatMap((text) =>
    (['open', 'expected', 'resolved', 'closed'] as const).map((state) =>
      listedBreak({
        id: text,
        state,
        reference: text,
        currency: text,
        statement: '1.00',
        statement_currency: text,
        day: text,
        found: text,
        due: text,
        closed: text,
        place: text,
        why: text,
        assignee: text,
        resolution: text,
      }),
    ),
  ),
  counts: { open: texts.length, expected: texts.length, resolved: texts.length, closed: texts.length },
  reports: { json: `/x/${HOSTILE.tag}`, csv: `/x/${HOSTILE.image}`, html: HOSTILE.long },
  program_version: HOSTILE.tag,
};
