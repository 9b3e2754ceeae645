/** Parts of reconciliations to render: one of nearly every kind of break, statements, payouts. */
import type {
  Comparison,
  ListedBreak,
  PayoutCheck,
  SideTotals,
  StatementSummary,
} from '../../../src/report/reconciliation/document.ts';

export const DAY = '2026-11-20';

export function side(total: string, matched: string, others: Partial<SideTotals>, count: number): SideTotals {
  return { total, matched, open: '0.00', expected: '0.00', resolved: '0.00', ...others, count };
}

export function listedBreak(change: Partial<ListedBreak>): ListedBreak {
  return {
    id: 'K0000000000000001',
    state: 'open',
    side: 'acquirer',
    kind: 'missing_in_statement',
    reference: 'tr_01JD3V9Z000017',
    currency: 'EUR',
    ledger: '120.00',
    statement: null,
    statement_currency: null,
    difference: '-120.00',
    age_days: 3,
    severity: 'medium',
    day: '2026-11-17',
    found: '2026-11-18',
    due: null,
    closed: null,
    place: null,
    why: 'The ledger captured it, and no statement up to its due day has it.',
    assignee: null,
    resolution: null,
    ...change,
  };
}

export const comparisons: readonly Comparison[] = [
  {
    side: 'acquirer',
    currency: 'EUR',
    ledger: side('184330.35', '181020.10', { open: '1560.25', expected: '1750.00', resolved: '0.00' }, 1482),
    statement: side('182573.80', '181020.10', { open: '1508.70', resolved: '45.00' }, 1479),
  },
  {
    side: 'bank',
    currency: 'EUR',
    ledger: side('176310.55', '172110.55', { open: '0.00', expected: '4200.00' }, 9),
    statement: side('172135.55', '172110.55', { open: '25.00' }, 9),
  },
  {
    side: 'acquirer',
    currency: 'JPY',
    ledger: { total: '995000', matched: '995000', open: '0', expected: '0', resolved: '0', count: 41 },
    statement: { total: '1003700', matched: '995000', open: '8700', expected: '0', resolved: '0', count: 40 },
  },
];

export const open: readonly ListedBreak[] = [
  listedBreak({
    id: 'K4T7Q2M9X1B6D0WZ8',
    severity: 'high',
    ledger: '1120.00',
    difference: '-1120.00',
    age_days: 41,
    day: '2026-10-10',
    found: '2026-10-13',
    assignee: 'maria.keller',
  }),
  listedBreak({
    id: 'KZ81C5N0Y7R3V2HQP',
    kind: 'missing_in_ledger',
    severity: 'high',
    reference: 'ORD-2026-88121',
    ledger: null,
    statement: '1263.20',
    difference: '1263.20',
    age_days: 12,
    day: '2026-11-08',
    place: 'settlement-2026-11-09.csv:118',
    why: 'The statement has a payment of ORD-2026-88121, and the ledger does not.',
  }),
  listedBreak({
    id: 'K9G2E4A7J0S5T8XCM',
    kind: 'amount_differs',
    severity: 'medium',
    reference: 'tr_01JD3V9Z000377',
    ledger: '360.25',
    statement: '306.25',
    difference: '-54.00',
    age_days: 9,
    day: '2026-11-11',
    place: 'settlement-2026-11-12.csv:77',
    why: 'Captured 360.25; the statement says 306.25.',
    assignee: 'j.okafor',
  }),
  listedBreak({
    id: 'K3B8N6V1F4L9W7DRK',
    kind: 'duplicate_in_statement',
    reference: 'tr_01JD3V9Z000105',
    ledger: null,
    statement: '-60.75',
    difference: '-60.75',
    age_days: 2,
    day: '2026-11-18',
    place: 'settlement-2026-11-19.csv:402',
    why: 'The refund stands in the statement once more than the ledger has it.',
  }),
  listedBreak({
    id: 'K7H5P0U2I8O1Q3YEB',
    side: 'bank',
    kind: 'missing_in_ledger',
    severity: 'low',
    reference: 'INTEREST NOV',
    ledger: null,
    statement: '25.00',
    difference: '25.00',
    age_days: 1,
    day: '2026-11-19',
    place: 'camt053-2026-11-19.xml:7',
    why: 'The bank credited it, and no payout explains it.',
  }),
  listedBreak({
    id: 'K1F6S3D9G2H8J5KAL',
    kind: 'currency_differs',
    severity: 'medium',
    reference: 'tr_01JD3V9Z000512',
    ledger: '80.00',
    statement: '8700',
    statement_currency: 'JPY',
    difference: null,
    age_days: 5,
    day: '2026-11-15',
    place: 'settlement-2026-11-16.csv:12',
    why: 'Captured in EUR, settled in JPY.',
  }),
  listedBreak({
    id: 'K6X4C1V7B3N0M9ZAS',
    kind: 'fee_differs',
    severity: 'low',
    reference: 'tr_01JD3V9Z000600',
    ledger: '1.40',
    statement: '1.90',
    difference: '0.50',
    age_days: 6,
    day: '2026-11-14',
    place: 'settlement-2026-11-15.csv:19',
    why: 'Agreed are 1.40 %, kept were 1.90 %.',
  }),
  listedBreak({
    id: 'K2Q9W5E8R1T4Y7UIO',
    kind: 'control_total',
    severity: 'low',
    reference: 'settlement-2026-11-15.csv',
    currency: null,
    ledger: '118',
    statement: '120',
    difference: '2',
    age_days: 5,
    day: '2026-11-15',
    place: 'settlement-2026-11-15.csv:1',
    why: 'The statement states 120 lines and has 118.',
  }),
];

export const expected: readonly ListedBreak[] = [
  listedBreak({
    id: 'K5Z3X1C8V6B4N2M0Q',
    state: 'expected',
    severity: 'low',
    reference: 'tr_01JD3V9Z000901',
    ledger: '1750.00',
    difference: '-1750.00',
    age_days: 1,
    day: '2026-11-19',
    found: DAY,
    due: '2026-11-23',
    why: 'Captured; it is due in a statement by 2026-11-23.',
  }),
  listedBreak({
    id: 'K8L6K4J2H0G9F7D5S',
    state: 'expected',
    side: 'bank',
    severity: 'low',
    reference: 'po_2026-11-19',
    ledger: '4200.00',
    difference: '-4200.00',
    age_days: 1,
    day: '2026-11-19',
    found: DAY,
    due: '2026-11-24',
    why: 'Paid out; it is due at the bank by 2026-11-24.',
  }),
];

export const resolved: readonly ListedBreak[] = [
  listedBreak({
    id: 'K0P9O8I7U6Y5T4R3E',
    state: 'resolved',
    kind: 'missing_in_ledger',
    severity: 'low',
    reference: 'ADJ-77120',
    ledger: null,
    statement: '45.00',
    difference: '45.00',
    age_days: 16,
    day: '2026-11-04',
    place: 'settlement-2026-11-05.csv:301',
    why: 'The statement has an adjustment, and the ledger does not.',
    assignee: 'maria.keller',
    resolution: 'Goodwill credit of the acquirer, letter of 2026-11-06.',
  }),
];

export function statement(change: Partial<StatementSummary>): StatementSummary {
  return {
    file: 'settlement-2026-11.csv',
    profile: 'adyen-settlement-details',
    of: 'balance',
    id: null,
    lines: 1479,
    period: ['2026-11-01', '2026-11-19'],
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    repeat: false,
    counted_elsewhere: 0,
    ...change,
  };
}

export function payout(change: Partial<PayoutCheck>): PayoutCheck {
  return {
    reference: 'po_2026-11-18',
    currency: 'EUR',
    day: '2026-11-18',
    lines: 164,
    parts: {
      payment: '21480.10',
      refund: '-960.00',
      chargeback: '0.00',
      fee: '-344.90',
      reserve: '0.00',
      adjustment: '0.00',
    },
    calculated: '20175.20',
    stated: '20175.20',
    residual: '0.00',
    credited: '2026-11-19',
    ...change,
  };
}
