/**
 * The first pass over a file: everything is decoded, parsed, validated and counted, and nothing is executed or stored.
 * What comes out is either why the file is rejected, or all that execution and approval need to know about it.
 */
import { Chunker } from '../core/chunk.ts';
import { type Reason, reason } from '../core/code.ts';
import { digitsOf } from '../core/currency.ts';
import { nearest } from '../core/distance.ts';
import { columnsOf, isInvalid, isKnownField, missingColumns } from '../core/instruction.ts';
import { formatAmount, parseAmount } from '../core/money.ts';
import { OPERATION_NAMES, type Operation } from '../core/operation.ts';
import { type FileShape, type JsonObject, type JsonShape, type Row, tableOf } from '../core/row.ts';
import { CardScan } from '../files/card-data.ts';
import { checkColumns } from '../files/columns.ts';
import { type OpenedFile, openFile } from '../files/open.ts';
import type { Difference, StatedTotals } from '../files/opened-file.ts';
import { FileRejected } from '../files/rejected.ts';
import type { AccountBook } from '../ledger/accounts.ts';
import { type KeysOf, Signatures } from './envelope.ts';
import { type Line, LineReader } from './lines.ts';
import type { ControlTotals, Submission } from './submission.ts';
import { Tally } from './tally.ts';

/** In files of at least this many lines, … */
const FEWEST_JUDGED = 10;
/** … one line in this many that is unreadable for one and the same reason rejects the file (B0020). */
const ONE_IN = 10;

/** Codes that say a line could not be read, rather than that it asks for something wrong. */
const UNREADABLE: ReadonlySet<string> = new Set(['I0002', 'I0021', 'I0022', 'B0008', 'B0013']);

/** How many invalid lines the summary of a file names one by one, unless more are asked for. */
const MOST_LISTED = 20;

export interface Preflight {
  readonly shape: FileShape | undefined;
  /** Why nothing of the file may be executed; empty for an accepted file. */
  readonly rejections: readonly Reason[];
  /** `mixed` when its lines have several; empty for a file without lines that names none. */
  readonly operation: Operation | 'mixed' | '';
  readonly rows: number;
  readonly blank: number;
  readonly invalid: number;
  /** The first invalid lines. */
  readonly listed: readonly Reason[];
  /** Chunks that the valid lines make. */
  readonly chunks: number;
  /** Some line has more cells than the header. */
  readonly extra: boolean;
  /** Lines and amounts, with `not_sent` standing for everything that is valid. */
  readonly tally: Tally;
  /** Sums of acted-on amounts per currency, invalid lines included, as decimal strings. */
  readonly calculated: { readonly rows: number; readonly totals: Readonly<Record<string, string>> };
  readonly stated: ControlTotals | undefined;
}

export interface PreflightInput {
  readonly submission: Submission;
  readonly sha256: string;
  readonly environment: string;
  readonly accounts: AccountBook;
  /** Undefined when the signature of the file was verified before. */
  readonly keysOf: KeysOf | undefined;
  readonly onProgress?: (rows: number) => void;
  /** How many invalid lines to list. */
  readonly listUpTo?: number;
}

/** Reads the whole file at `path` without executing anything. */
export async function preflight(path: string, input: PreflightInput): Promise<Preflight> {
  const counting = new Counting(input.listUpTo ?? MOST_LISTED);
  let opened: OpenedFile | undefined;
  try {
    const { submission } = input;
    opened = await openFile(path, submission.name, submission.reading, isKnownField);
    checkHeader(opened.shape, submission, input.accounts);
    const signatures = input.keysOf && new Signatures(input.accounts, input.keysOf);
    await signatures?.checkEnvelope(opened.shape, path);
    const reader = new LineReader(opened.shape, submission, input.accounts);
    await counting.readAll(opened, reader, signatures, input.onProgress);
  } catch (error) {
    if (!(error instanceof FileRejected)) throw error;
    counting.rejections.push(...error.reasons);
    const cards = opened === undefined ? undefined : await cardColumns(opened);
    if (cards !== undefined && !counting.rejections.some(({ code }) => code === cards.code))
      counting.rejections.unshift(cards);
  }
  const calculated = { rows: counting.rows, totals: totalsOf(counting.tally) };
  if (counting.rejections.length === 0)
    counting.rejections.push(
      ...counting.judge(),
      ...(opened?.initiation?.stated?.differences ?? []).map(contradicted),
      ...checkControl(input, calculated),
    );
  return {
    shape: opened?.shape,
    rejections: counting.rejections,
    operation: counting.operation,
    rows: counting.rows,
    blank: opened?.counts?.blank ?? 0,
    invalid: counting.invalid,
    listed: counting.listed,
    chunks: counting.chunks,
    extra: counting.extra,
    tally: counting.tally,
    calculated,
    stated: mergedControl([
      ...ownControl(opened?.initiation?.stated, calculated),
      ...input.submission.control,
    ]),
  };
}

/** Card numbers of a rejected file must not stay anywhere either, whatever else is wrong with it (F44): looks for them as far as it can be read. */
async function cardColumns(opened: OpenedFile): Promise<Reason | undefined> {
  const scan = new CardScan(tableOf(opened.shape)?.columns ?? []);
  try {
    for await (const rows of opened.rows()) for (const row of rows) scan.add(row);
  } catch (error) {
    if (!(error instanceof FileRejected)) throw error;
  }
  return scan.verdict();
}

/** Of a file that could not even be opened. */
export function emptyPreflight(): Preflight {
  return {
    shape: undefined,
    rejections: [],
    operation: '',
    rows: 0,
    blank: 0,
    invalid: 0,
    listed: [],
    chunks: 0,
    extra: false,
    tally: new Tally(),
    calculated: { rows: 0, totals: {} },
    stated: undefined,
  };
}

/** What is counted while the lines go by. */
class Counting {
  readonly #listUpTo: number;
  readonly rejections: Reason[] = [];
  readonly tally = new Tally();
  readonly listed: Reason[] = [];
  rows = 0;
  invalid = 0;
  chunks = 0;
  extra = false;
  readonly #operations = new Set<Operation>();
  /** Unreadable lines by code and column. */
  readonly #unreadable = new Map<string, number>();

  constructor(listUpTo: number) {
    this.#listUpTo = listUpTo;
  }

  async readAll(
    opened: OpenedFile,
    reader: LineReader,
    signatures: Signatures | undefined,
    onProgress: ((rows: number) => void) | undefined,
  ): Promise<void> {
    if (reader.frame.operation !== undefined) this.#operations.add(reader.frame.operation);
    const width = opened.shape.format === 'csv' ? opened.shape.header.length : Number.POSITIVE_INFINITY;
    const chunker = new Chunker();
    for await (const rows of opened.rows()) {
      for (const row of rows) {
        const line = reader.read(row);
        if (line.operation === 'payout' && row.entry !== undefined) await signatures?.checkPayout(row);
        if (row.cells.length > width) this.extra = true;
        this.#count(line);
        if (!isInvalid(line.parsed)) this.chunks += chunker.add(line.parsed, line.account!).length;
      }
      onProgress?.(this.rows);
    }
    this.chunks += chunker.end().length;
    const verdict = reader.verdict();
    if (verdict !== undefined) this.rejections.push(verdict);
    else if (this.rows > 0 && this.#operations.size === 0) this.rejections.push(unclearOperation());
  }

  get operation(): Operation | 'mixed' | '' {
    const [only, ...others] = this.#operations;
    return others.length > 0 ? 'mixed' : (only ?? '');
  }

  /** B0020, once all lines are counted. */
  judge(): Reason[] {
    if (this.rows < FEWEST_JUDGED) return [];
    return [...this.#unreadable]
      .filter(([, lines]) => lines * ONE_IN >= this.rows)
      .map(([what, lines]) => reason('B0020', `${lines} of ${this.rows} lines have ${what}`));
  }

  #count(line: Line): void {
    this.rows += 1;
    if (line.operation !== undefined) this.#operations.add(line.operation);
    const { parsed } = line;
    if (!isInvalid(parsed)) {
      this.tally.add(line, parsed.currency, 'not_sent', parsed.amount);
      return;
    }
    this.invalid += 1;
    this.tally.add(line, parsed.currency, 'invalid', parsed.amount);
    const { code, column } = parsed.reason;
    if (this.listed.length < this.#listUpTo) this.listed.push({ ...parsed.reason, line: line.row.line });
    if (!UNREADABLE.has(code)) return;
    const what = column === undefined ? code : `${code} in ${column}`;
    this.#unreadable.set(what, (this.#unreadable.get(what) ?? 0) + 1);
  }
}

/** Columns must make sense for the operation before any line is looked at. */
function checkHeader(shape: FileShape, submission: Submission, accounts: AccountBook): void {
  const reader = new LineReader(shape, submission, accounts);
  const { frame } = reader;
  const cards = reader.verdict();
  if (cards !== undefined) throw new FileRejected([cards]);
  if (shape.format === 'json') checkMessage(shape);
  if (shape.format === 'pain001' && accounts.all.length !== 1) checkWhose(frame);
  if (shape.format !== 'csv' || shape.columns.length === 0) return;
  const varies = shape.columns.includes('operation');
  if (frame.operation === undefined && !varies) throw new FileRejected([unclearOperation()]);
  const operations = frame.operation === undefined ? OPERATION_NAMES : [frame.operation];
  const known = [...new Set(operations.flatMap(columnsOf))];
  const required = frame.operation === undefined ? [] : missingColumns(frame.operation, shape.columns);
  const idColumns = accounts.all.length === 1 ? [] : idColumnsNeeded(frame);
  const found = checkColumns(shape.columns, [...required, ...idColumns], known, submission.name);
  if (found.length > 0) throw new FileRejected(found);
}

/** What a message may say beside its list. A misspelt name would silently say nothing, not even that it is signed. */
const MESSAGE_KEYS = ['merchant_id', 'account_id', 'encryption_data'];

function checkMessage({ envelope }: JsonShape): void {
  if (envelope === undefined) return;
  checkMessageCards(envelope);
  for (const [key] of envelope.members) {
    const meant = MESSAGE_KEYS.includes(key) ? undefined : nearest(key, MESSAGE_KEYS);
    if (meant === undefined || envelope.get(meant) !== undefined) continue;
    throw new FileRejected([reason('B0007', `${key} looks like ${meant}`, { column: key })]);
  }
}

/** A card number outside the entries belongs to no line that could be invalid for it. */
function checkMessageCards(envelope: JsonObject): void {
  const asRow: Row = { line: 0, fields: {}, faults: [], cells: [], entry: envelope };
  const scan = new CardScan([]);
  const found = scan.add(asRow);
  const named = scan.verdict();
  if (named !== undefined) throw new FileRejected([named]);
  if (found) throw new FileRejected([reason('B0012', 'the message around the entries holds a card number')]);
}

/** A payment initiation names accounts of banks, never those of a merchant. */
function checkWhose({ merchantId, accountId }: LineReader['frame']): void {
  if (merchantId !== undefined && accountId !== undefined) return;
  const detail = 'nothing says whose payouts these are, and a pain.001 cannot say it';
  const hint =
    'Name the account with --merchant and --account, or drop the file into inbox/MERCHANT/ACCOUNT/.';
  throw new FileRejected([reason('B0015', detail, { hint })]);
}

/** With several accounts, something must say whose the lines are. */
function idColumnsNeeded(frame: LineReader['frame']): readonly string[] {
  return [
    ...(frame.merchantId === undefined ? ['merchant_id'] : []),
    ...(frame.accountId === undefined ? ['account_id'] : []),
  ];
}

function unclearOperation(): Reason {
  return reason(
    'B0015',
    'nothing says what is to happen: no column operation, no --operation, and the name of the file does not begin with an operation',
  );
}

function totalsOf(tally: Tally): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(tally.totals()).map(([currency, amounts]) => [currency, amounts.instructed]),
  );
}

/** All that senders and flags state, as one; checks compare each of them. */
function mergedControl(control: readonly ControlTotals[]): ControlTotals | undefined {
  if (control.length === 0) return undefined;
  const totals = Object.assign({}, ...control.map((one) => one.totals)) as Readonly<Record<string, string>>;
  return { ...(Object.assign({}, ...control) as ControlTotals), totals };
}

/**
 * What a payment initiation states of itself, in the words of control files. Its sum adds up numbers of all currencies: it
 * is a total where there is one currency.
 */
function ownControl(stated: StatedTotals | undefined, { totals }: Preflight['calculated']): ControlTotals[] {
  if (stated === undefined) return [];
  const { rows, sum } = stated;
  const [[currency, amount] = [], ...others] = Object.entries(totals);
  const hasOneCurrency = currency !== undefined && sum !== undefined && others.length === 0;
  return [
    hasOneCurrency && normalised(sum, currency) === amount
      ? { rows, totals: { [currency]: amount } }
      : { rows },
  ];
}

function contradicted({ what, stated, calculated }: Difference): Reason {
  const detail = `${what}: stated ${stated}, calculated ${calculated}`;
  return reason('B0009', detail, { column: what.slice(what.lastIndexOf('/') + 1) });
}

/** Every figure that is stated must be the one calculated; a difference prints both. */
function checkControl(input: PreflightInput, calculated: Preflight['calculated']): Reason[] {
  const { submission, sha256, environment } = input;
  return submission.control.flatMap((control) => [
    ...differs('lines', control.rows, calculated.rows),
    ...differs('environment', control.environment, environment),
    ...differs('SHA-256', control.sha256?.toLowerCase(), sha256),
    ...Object.entries(control.totals ?? {}).flatMap(([currency, stated]) =>
      differs(
        `total ${currency}`,
        normalised(stated, currency),
        calculated.totals[currency] ?? normalised('0', currency),
      ),
    ),
  ]);
}

/** A stated total with all its decimals, so that `10.5` and `10.50` are equal; unreadable ones stay as they are. */
function normalised(stated: string, currency: string): string {
  const digits = digitsOf(currency);
  if (digits === undefined) return stated;
  if (/^0+(\.0*)?$/.test(stated)) return formatAmount(0, digits);
  const match = /^(\d{1,40})(?:\.(\d{1,4}))?$/.exec(stated);
  const fraction = (match?.[2] ?? '').replace(/0+$/, '');
  if (match === null || fraction.length > digits) return stated;
  return formatAmount(BigInt(match[1]! + fraction.padEnd(digits, '0')), digits);
}

function differs<T extends string | number>(what: string, stated: T | undefined, calculated: T): Reason[] {
  if (stated === undefined || stated === calculated) return [];
  return [reason('B0009', `${what}: stated ${stated}, calculated ${calculated}`)];
}

/** For commands: true when the text can be a stated total. */
export function isTotal(text: string, currency: string): boolean {
  const digits = digitsOf(currency);
  return digits !== undefined && (typeof parseAmount(text, digits) === 'number' || /^0+(\.0*)?$/.test(text));
}
