/**
 * Synthetic, reproducible data for trying out and measuring: transactions to import, a file for every operation, and
 * the statement that an acquirer would send, with planted breaks. Contract, `generate`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import { CsvFile } from './csv-file.ts';
import { Random } from './random.ts';
import { type BreakKind, type PlantedBreak, plantBreaks, STATEMENT_COLUMNS, settle } from './statement.ts';
import { orderedIds, randomIds, type SyntheticTransaction, syntheticTransactions } from './transactions.ts';

export interface GenerateOptions {
  /** How many transactions capture.csv captures; of the others there are a tenth each. */
  readonly transactions: number;
  /** Any safe integer. The same one gives the same bytes, always and everywhere. */
  readonly seed: number;
  /** The folder; files of the same names in it are written over. */
  readonly out: string;
  readonly ids: 'ordered' | 'random';
}

export interface GeneratedFile {
  readonly path: string;
  /** Rows without the header; for breaks.json the breaks. */
  readonly rows: number;
}

/** All transactions belong to this account; it needs the currencies USD, EUR and JPY. */
export const ACCOUNT = ['M1', 'A1'] as const;

/** How many transactions are made before their lines are written. */
const BLOCK = 1000;

const ENTRY_COLUMNS = ['merchant_id', 'account_id', 'transaction_id', 'order_no', 'currency', 'amount'];

const PAYOUT_COLUMNS = [
  'merchant_id',
  'account_id',
  'request_id',
  'payment_method',
  'source_currency',
  'payment_currency',
  'source_amount',
  'beneficiary.entity_type',
  'beneficiary.company_name',
  'beneficiary.bank_details.iban',
];

/** Writes a whole set and says what it wrote. */
export async function generate(options: GenerateOptions): Promise<GeneratedFile[]> {
  await mkdir(options.out, { recursive: true });
  const files = await createFiles(options.out);
  const all = Object.values(files);
  try {
    const breaks = await writeSet(options, files);
    const path = join(options.out, 'breaks.json');
    await writeFile(path, `${JSON.stringify({ breaks }, undefined, 2)}\n`);
    return [...all.map((file) => ({ path: file.path, rows: file.rows })), { path, rows: breaks.length }];
  } finally {
    await Promise.all(all.map((file) => file.close()));
  }
}

type Files = Awaited<ReturnType<typeof createFiles>>;

async function createFiles(folder: string) {
  const create = (name: string, header: readonly string[]) => CsvFile.create(join(folder, name), header);
  return {
    transactions: await create('transactions.csv', [
      ...ENTRY_COLUMNS,
      'state',
      'captured',
      'refunded',
      'cancelled',
      'authorised_at',
    ]),
    capture: await create('capture.csv', ENTRY_COLUMNS),
    cancel: await create('cancel.csv', ENTRY_COLUMNS),
    review: await create('review.csv', [...ENTRY_COLUMNS, 'review_flag']),
    refund: await create('refund.csv', [...ENTRY_COLUMNS, 'refund_amount', 'refund_reason']),
    payout: await create('payout.csv', PAYOUT_COLUMNS),
    settlement: await create('settlement.csv', STATEMENT_COLUMNS),
  };
}

/** Returns the breaks that were planted. */
async function writeSet(options: GenerateOptions, files: Files): Promise<PlantedBreak[]> {
  const random = new Random(options.seed);
  const nextId = options.ids === 'ordered' ? orderedIds(random) : randomIds(random);
  const planted = plantBreaks(options.transactions, random);
  const breaks: PlantedBreak[] = [];
  const orderPrefix = `ORD-${options.seed}`;
  for (const transaction of syntheticTransactions(options.transactions, random, orderPrefix, nextId)) {
    const kind = transaction.fate === 'capture' ? planted.get(files.capture.rows) : undefined;
    const found = writeTransaction(transaction, kind, nextId, files);
    if (found !== undefined) breaks.push(found);
    if (files.transactions.rows % BLOCK === 0) await flush(files);
  }
  await flush(files);
  return breaks;
}

async function flush(files: Files): Promise<void> {
  await Promise.all(Object.values(files).map((file) => file.flush()));
}

/** The lines of one transaction in all the files; returns the break among them. */
function writeTransaction(
  transaction: SyntheticTransaction,
  kind: BreakKind | undefined,
  nextId: () => string,
  files: Files,
): PlantedBreak | undefined {
  const { id, orderNo, currency, amount, fate, refund, payout } = transaction;
  const decimal = (minor: number) => formatAmount(minor, digitsOf(currency)!);
  const entry = [...ACCOUNT, id, orderNo, currency, decimal(amount)];
  files.transactions.add([...entry, ...importedAs(fate, decimal(amount))]);
  if (fate === 'capture') files.capture.add(entry);
  if (fate === 'cancel') files.cancel.add(entry);
  if (fate === 'accept') files.review.add([...entry, '1']);
  if (fate === 'reject') files.review.add([...entry, '0']);
  if (refund > 0)
    files.refund.add([...entry, decimal(refund), refund === amount ? 'order returned' : 'item returned']);
  if (payout > 0) files.payout.add(payoutLine(id, currency, decimal(payout), files.payout.rows));
  if (fate !== 'capture' && fate !== 'captured') return undefined;
  const settled = settle(transaction, kind, nextId);
  for (const line of settled.lines) files.settlement.add(line);
  return settled.planted;
}

/** The cells `state, captured, refunded, cancelled, authorised_at`: empty ones have the defaults of `import`. */
function importedAs(fate: SyntheticTransaction['fate'], amount: string): readonly string[] {
  switch (fate) {
    case 'capture':
    case 'cancel':
      return ['authorised', '', '', '', ''];
    case 'accept':
    case 'reject':
      return ['in_review', '', '', '', ''];
    case 'captured':
      return ['captured', amount, '', '', ''];
  }
}

/** Companies that do not exist, with the IBANs that their countries publish as examples. */
const BENEFICIARIES = [
  ['Example Trading Ltd', 'GB29NWBK60161331926819'],
  ['Muster, Söhne & Co. KG', 'DE89370400440532013000'],
  ['Exemple SARL', 'FR1420041010050500013M02606'],
  ['Voorbeeld B.V.', 'NL91ABNA0417164300'],
] as const;

function payoutLine(id: string, currency: string, amount: string, index: number): readonly string[] {
  const [company, iban] = BENEFICIARIES[index % BENEFICIARIES.length]!;
  return [...ACCOUNT, `P${id.slice(1)}`, 'SWIFT', currency, currency, amount, 'COMPANY', company, iban];
}
