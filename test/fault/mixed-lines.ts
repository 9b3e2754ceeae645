/** The file that tests of crashes execute. */
import type { Fields } from '../property/files.ts';

/** Every operation and outcome, in a dozen chunks of the two accounts of `newLedger`. */
export function mixedLines(): Fields[] {
  const entry = (operation: string, account: string, id: string, rest: Fields): Fields => ({
    operation,
    merchant_id: 'M1',
    account_id: account,
    transaction_id: id,
    order_no: `O-${id}`,
    currency: 'USD',
    ...rest,
  });
  const payout = (account: string, id: string, amount: string): Fields => ({
    operation: 'payout',
    merchant_id: 'M1',
    account_id: account,
    request_id: id,
    payment_method: 'SWIFT',
    source_currency: 'USD',
    payment_currency: 'USD',
    source_amount: amount,
    'beneficiary.entity_type': 'COMPANY',
    'beneficiary.company_name': 'Example Ltd',
    'beneficiary.bank_details.iban': 'DE89370400440532013000',
  });
  return ['A1', 'A2'].flatMap((account) => [
    // More than the balance before the captures below.
    payout(account, 'P-early', '330.00'),
    ...['T0', 'T1', 'T1', 'T2'].map((id) => entry('capture', account, id, { amount: '60.00' })),
    entry('review', account, 'T3', { amount: '100.00', review_flag: '1' }),
    entry('capture', account, 'T3', { amount: '100.00', reference: 'R1' }),
    entry('cancel', account, 'T1', { amount: '40.00' }),
    entry('refund', account, 'T6', { amount: '100.00', refund_amount: '30.00' }),
    entry('refund', account, 'T6', { amount: '100.00', refund_amount: '70.01' }),
    entry('refund', account, 'T6', { amount: '100.00', refund_amount: '70.00' }),
    entry('refund', account, 'T7', { amount: 'x', refund_amount: '70.00' }),
    ...['1.00', '2.00', '1000000.00'].map((amount, at) => payout(account, `P${at}`, amount)),
  ]);
}
