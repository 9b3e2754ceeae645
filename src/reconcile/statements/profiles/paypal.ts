import type { MappingInput } from '../mapping.ts';

/**
 * PayPal's activity download, in English with American days (month first) and the columns that it has by default since
 * 2018. Other languages and days write theirs differently: they need a mapping of their own. Written from public
 * documentation; not checked against a real file.
 */
export const PAYPAL_ACTIVITY: MappingInput = {
  name: 'paypal-activity',
  source: 'paypal',
  recognise: [
    'Date',
    'Type',
    'Status',
    'Currency',
    'Gross',
    'Fee',
    'Net',
    'Transaction ID',
    'Balance Impact',
  ],
  delimiter: [',', 'tab'],
  ignore: [
    { column: 'Balance Impact', words: ['Memo'] },
    { column: 'Status', words: ['Pending', 'Denied', 'Canceled', 'Expired', 'Failed', 'Voided'] },
  ],
  amounts: 'decimal',
  thousands: 'comma',
  direction: 'signed',
  gross: { column: 'Gross' },
  fee: { column: 'Fee', cost: 'negative', empty: 'zero' },
  net: { column: 'Net' },
  currency: { column: 'Currency' },
  kind: {
    column: 'Type',
    words: {
      '*fee*': 'fee',
      '*hold*': 'reserve',
      '*reserve*': 'reserve',
      '*release*': 'reserve',
      '*chargeback*': 'chargeback',
      '*dispute*': 'chargeback',
      '*reversal*': 'refund',
      '*refund*': 'refund',
      '*withdrawal*': 'payout',
      '*transfer to bank*': 'payout',
      '*conversion*': 'adjustment',
      '*adjustment*': 'adjustment',
      '*payment*': 'payment',
    },
    otherwise: 'other',
  },
  dates: 'M/d/yyyy',
  booked: { column: 'Date' },
  references: [
    'Transaction ID',
    { column: 'Reference Txn ID', optional: true },
    { column: 'Invoice Number', optional: true },
    { column: 'Custom Number', optional: true },
  ],
  id: ['Transaction ID'],
  text: ['Type', { column: 'Name', optional: true }],
};

/**
 * PayPal's settlement report (STL): records of several kinds told by their first cell, of which those of the body (SB)
 * are the lines; smallest units without signs, the direction in columns of its own. Written from PayPal's specification
 * of the report; not checked against a real file. What its section footers (SF) state is not taken.
 */
export const PAYPAL_SETTLEMENT: MappingInput = {
  name: 'paypal-settlement',
  source: 'paypal',
  recognise: [
    'CH',
    'Transaction ID',
    'Transaction Event Code',
    'Transaction Debit or Credit',
    'Gross Transaction Amount',
    'Gross Transaction Currency',
    'Fee Debit or Credit',
    'Fee Amount',
  ],
  delimiter: [',', 'tab', ';', 'pipe'],
  preamble: 'until header',
  footer: { first_cell: ['RH', 'FH', 'SH', 'CH', 'SF', 'SC', 'RF', 'RC', 'FF'] },
  amounts: 'minor',
  direction: { column: 'Transaction Debit or Credit', credit: ['CR'], debit: ['DR'] },
  gross: { column: 'Gross Transaction Amount' },
  fee: {
    column: 'Fee Amount',
    direction: { column: 'Fee Debit or Credit', credit: ['CR'], debit: ['DR'] },
    empty: 'zero',
  },
  net: 'derived',
  currency: { column: 'Gross Transaction Currency' },
  kind: {
    column: 'Transaction Event Code',
    words: {
      'T00*': 'payment',
      'T01*': 'fee',
      'T02*': 'adjustment',
      'T03*': 'transfer',
      'T04*': 'payout',
      T1105: 'reserve',
      T1106: 'chargeback',
      T1107: 'refund',
      T1108: 'fee',
      T1109: 'fee',
      T1110: 'reserve',
      T1111: 'reserve',
      'T11*': 'other',
      T1201: 'chargeback',
      T1202: 'chargeback',
      'T12*': 'adjustment',
      'T15*': 'reserve',
      'T19*': 'adjustment',
      'T20*': 'transfer',
      'T21*': 'reserve',
      'T22*': 'transfer',
    },
    otherwise: 'other',
  },
  dates: 'yyyy/MM/dd HH:mm:ss XXX',
  booked: { column: 'Transaction Completion Date' },
  references: [
    'Transaction ID',
    { column: 'PayPal Reference ID', optional: true },
    { column: 'Invoice ID', optional: true },
    { column: 'Custom Field', optional: true },
  ],
  id: ['Transaction ID'],
  group: { column: 'Bank Reference ID', optional: true },
  text: ['Transaction Event Code'],
};
