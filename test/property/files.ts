/** Random small files on a ledger with a transaction in every interesting state: what the properties quantify over. */
import fc from 'fast-check';
import { type Given, NOON, Sandbox } from '../support/ledger.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Amounts are 100.00 each; A1 captures by hand, A2 at once. The same ids stand in both. */
const STATES: readonly Omit<Given, 'id'>[] = [
  { state: 'authorised' },
  { state: 'authorised' },
  { state: 'authorised', at: NOON - 8 * DAY },
  { state: 'in_review' },
  { state: 'in_review' },
  { state: 'partially_captured', captured: 4000 },
  { state: 'captured' },
  { state: 'captured' },
  { state: 'partially_refunded', refunded: 2500 },
  { state: 'refunded' },
  { state: 'cancelled' },
  { state: 'declined' },
  { state: 'authorised', currency: 'EUR' },
];

/** How many spare transactions there are, one of each kind for every line. */
export const MOST_LINES = 130;

const SPARE: Readonly<Record<string, Given['state']>> = {
  capture: 'authorised',
  cancel: 'authorised',
  review: 'in_review',
  refund: 'captured',
};

/** The spare transaction of a line: the operation succeeds on it. */
export function spareOf(operation: string, line: number): string {
  return `${operation.toUpperCase()}-${line}`;
}

/** A ledger, always the same. */
export async function newLedger(spares = false): Promise<Sandbox> {
  const sandbox = await Sandbox.make([{}, { capture: 'automatic' }]);
  const given = [1, 2].flatMap((account) => STATES.map((one, at) => ({ ...one, id: `T${at}`, account })));
  const spare = Object.entries(SPARE).flatMap(([operation, state]) =>
    Array.from({ length: MOST_LINES }, (_, at) => ({ id: spareOf(operation, at), state: state! })),
  );
  await sandbox.given(...given, ...(spares ? spare : []));
  return sandbox;
}

export type Fields = Readonly<Record<string, string>>;

const amount = fc.constantFrom('100.00', '100', '60.00', '50.00', '40.00', '33.33', '0.01', '75', '100.01');

const place = fc.record({
  merchant_id: fc.constant('M1'),
  account_id: fc.constantFrom('A1', 'A1', 'A1', 'A2'),
});

const subject = fc.nat({ max: STATES.length }).map((at) => ({
  transaction_id: `T${at}`,
  order_no: `O-T${at}`,
  currency: at === 12 ? 'EUR' : 'USD',
}));

const reference = fc.option(
  fc.constantFrom('R1', 'R2', '=R').map((text) => ({ reference: text })),
  { nil: {}, freq: 3 },
);

const action = fc.oneof(
  { weight: 4, arbitrary: amount.map((text) => ({ operation: 'capture', amount: text })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('100.00', '60.00').map((text) => ({ operation: 'cancel', amount: text })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('0', '1', '1')
      .map((flag) => ({ operation: 'review', amount: '100.00', review_flag: flag })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('100.00', '100.00', '100.00', '99.99'), amount)
      .map(([whole, part]) => ({ operation: 'refund', amount: whole, refund_amount: part })),
  },
);

const entry = fc
  .tuple(place, subject, action, reference)
  .map(([where, what, how, key]): Fields => ({ ...where, ...what, ...how, ...key }));

const payout = fc
  .record({
    request_id: fc.constantFrom('P1', 'P2', 'P3', 'P4', 'P5', 'P6'),
    // The balances are 315.00 at first.
    source_amount: fc.constantFrom('100.00', '0.01', '315.00', '330.00', '415.00'),
    account_id: fc.constantFrom('A1', 'A2'),
    payment_date: fc.constantFrom('', '', '2026-12-24'),
    iban: fc.constantFrom('DE89370400440532013000', 'DE89370400440532013000', 'DE00370400440532013000'),
  })
  .map(
    ({ iban, ...given }): Fields => ({
      merchant_id: 'M1',
      operation: 'payout',
      payment_method: 'SWIFT',
      source_currency: 'USD',
      payment_currency: 'USD',
      'beneficiary.entity_type': 'COMPANY',
      'beneficiary.company_name': 'Example Ltd',
      'beneficiary.bank_details.iban': iban,
      ...given,
    }),
  );

/** Few: a file with one in ten unreadable lines would be rejected as a whole. */
const faulty = fc
  .tuple(entry, fc.constantFrom('x', '0', '1.005', ''), fc.constantFrom('A1', 'A9'))
  .map(([fields, text, account]): Fields => ({ ...fields, amount: text, account_id: account }));

const line = fc.oneof(
  { weight: 30, arbitrary: entry },
  { weight: 5, arbitrary: payout },
  { weight: 1, arbitrary: faulty },
);

export interface RandomFile {
  readonly name: string;
  readonly content: string;
  readonly fields: readonly Fields[];
}

/** A file of any operations and accounts. */
export function randomFile(most = MOST_LINES): fc.Arbitrary<RandomFile> {
  return fc
    .tuple(
      fc.array(line, { minLength: 1, maxLength: most, size: 'max' }),
      fc.boolean(),
      fc.string({ unit: 'grapheme-ascii', maxLength: 5 }),
    )
    .map(([fields, asJson, note]) => fileOf(fields, asJson, note));
}

export function fileOf(fields: readonly Fields[], asJson: boolean, note: string): RandomFile {
  // The own column makes files of the same lines different files.
  const own = note.replace(/[0-9]/g, '');
  return asJson
    ? {
        name: 'lines.ndjson',
        content: fields.map((one) => `${JSON.stringify({ ...one, kommentar: own })}\n`).join(''),
        fields,
      }
    : { name: 'lines.csv', content: csvOf(fields.map((one) => ({ ...one, kommentar: own }))), fields };
}

/** CSV of these records, under all columns that any of them has. */
export function csvOf(records: readonly Fields[]): string {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const lines = [columns, ...records.map((record) => columns.map((column) => record[column] ?? ''))];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

/** Quoted where it must be, and guarded where intake would take an apostrophe away. */
export function csvCell(cell: string): string {
  const text = /^'* *[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
