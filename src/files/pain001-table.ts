/** The table as which the transfers of a payment initiation are read and reported: a CSV file of payouts. */
import type { CsvShape, Row } from '../core/row.ts';
import { delimiterOf } from './dialect.ts';
import type { ReadTransfer } from './iso20022/pain001-transfer.ts';

/** What a transfer can say of a payout, and `operation`, which makes every fixme file a file of payouts. */
const COLUMNS: readonly string[] = [
  ...['operation', 'request_id', 'payment_method', 'payment_date', 'fee_paid_by'],
  ...['source_currency', 'source_amount', 'payment_currency', 'payment_amount', 'reference', 'reason'],
  ...under('beneficiary', 'entity_type company_name'),
  ...under('beneficiary.address', 'country_code state city postcode street number street_address'),
  ...under('beneficiary.bank_details', 'iban account_number account_name account_currency swift_code'),
  ...under('beneficiary.bank_details', 'bank_country_code bank_code bank_name'),
];

function under(path: string, names: string): readonly string[] {
  return names.split(' ').map((name) => `${path}.${name}`);
}

/** @param delimiter of the sender's own CSV files, as the user names it: a corrected line comes back among them */
export function payoutTable(delimiter: string | undefined): CsvShape {
  return {
    format: 'csv',
    encoding: 'utf-8',
    delimiter: (delimiter === undefined ? undefined : delimiterOf(delimiter)) ?? ',',
    lineEnd: '\n',
    header: COLUMNS,
    columns: COLUMNS,
  };
}

/** @param line number of the transfer, from 1 */
export function rowOf({ fields, unread, faults }: ReadTransfer, line: number): Row {
  const cells = COLUMNS.map((name) =>
    name === 'operation' ? 'payout' : (fields[name] ?? unread[name] ?? ''),
  );
  return { line, fields, faults, cells, entry: undefined };
}
