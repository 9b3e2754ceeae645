import type { MappingInput } from '../mapping.ts';

/**
 * Adyen's settlement details report. Written from Adyen's documentation; not checked against a real file. The line is in
 * the net currency (NC). The gross (GC) is taken where it is in the same currency and there is one; else it is the net
 * and its fees. Days are those of the account's time zone, as written.
 */
export const ADYEN_SETTLEMENT_DETAILS: MappingInput = {
  name: 'adyen-settlement-details',
  recognise: [
    'Psp Reference',
    'Merchant Reference',
    'Type',
    'Modification Reference',
    'Gross Debit (GC)',
    'Gross Credit (GC)',
    'Net Currency',
    'Net Debit (NC)',
    'Net Credit (NC)',
    'Batch Number',
  ],
  delimiter: [',', ';', 'tab'],
  amounts: 'decimal',
  direction: 'signed',
  gross: { credit: 'Gross Credit (GC)', debit: 'Gross Debit (GC)', empty: 'derived' },
  gross_currency: 'Gross Currency',
  fee: {
    columns: ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'],
    cost: 'positive',
  },
  net: { credit: 'Net Credit (NC)', debit: 'Net Debit (NC)', empty: 'zero' },
  currency: { column: 'Net Currency' },
  kind: {
    column: 'Type',
    words: {
      'Settled*': 'payment',
      'Refunded*': 'refund',
      'Chargeback*': 'chargeback',
      SecondChargeback: 'chargeback',
      Fee: 'fee',
      MiscCosts: 'fee',
      PaymentCost: 'fee',
      InvoiceDeduction: 'fee',
      MerchantPayout: 'payout',
      'PaidOut*': 'payout',
      BankInstructionReturned: 'payout',
      Balancetransfer: 'reserve',
      DepositCorrection: 'reserve',
      '*Reserve*': 'reserve',
      ManualCorrected: 'adjustment',
      MatchedStatement: 'adjustment',
    },
    otherwise: 'other',
  },
  dates: ['yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd'],
  booked: { column: 'Creation Date' },
  references: ['Psp Reference', 'Merchant Reference', 'Modification Reference'],
  id: ['Batch Number', 'Type', 'Psp Reference', 'Modification Reference', 'Creation Date'],
  group: 'Batch Number',
  text: ['Type', 'Modification Reference'],
};
