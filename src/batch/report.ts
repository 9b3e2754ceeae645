/**
 * The last pass over a file: every line meets its outcome in the journal, is written to the line files and counted. All
 * that a report says comes from the journal and the kept copy of the input, so it can be written again at any time.
 */
import { CODES, type Code, hintOf } from '../core/code.ts';
import { digitsOf } from '../core/currency.ts';
import type { Movement } from '../core/gateway.ts';
import { amountOf, isInvalid } from '../core/instruction.ts';
import { formatAmount, Sum } from '../core/money.ts';
import type { LineOutcome, Outcome } from '../core/outcome.ts';
import type { Row } from '../core/row.ts';
import { maskCards } from '../files/card-data.ts';
import type { OpenedFile } from '../files/open.ts';
import type { KnownAccount } from '../ledger/accounts.ts';
import type { Change, ExceptionRow, ListedLine } from '../report/document.ts';
import { type LineFiles, writeLineFiles } from '../report/line-files.ts';
import type { ReportedLine } from '../report/line-writer.ts';
import type { LineReader } from './lines.ts';
import type { ExecutedLine, JournalWalk } from './outcomes.ts';
import type { Submission } from './submission.ts';
import { type Place, Tally } from './tally.ts';

/** How many lines the HTML report lists; the result file has them all. */
const MOST_LISTED = 500;

/** How many changed lines a revision lists. */
const MOST_CHANGES = 1000;

/** What a walk over all lines has found. */
export interface Findings {
  readonly tally: Tally;
  readonly exceptions: readonly ExceptionRow[];
  readonly changes: readonly Change[];
  readonly listed: readonly ListedLine[];
  readonly unlisted: number;
  /** Chunks that carried at least one line when it was executed first. */
  readonly chunks: number;
}

export interface WalkInput {
  readonly opened: OpenedFile;
  readonly reader: LineReader;
  readonly submission: Submission;
  readonly accounts: readonly KnownAccount[];
  readonly journal: JournalWalk;
  /** Whether this revision is compared with the one before. */
  readonly compare: boolean;
  readonly onProgress: ((lines: number) => void) | undefined;
}

export interface LineFilePaths {
  readonly result: string;
  readonly fixme: string;
  readonly held: string;
}

/** Writes result, fixme and held, and counts everything on the way. Outcomes are those of a payment initiation's transfers. */
export async function writeLines(
  input: WalkInput,
  batch: string,
  extra: boolean,
  paths: LineFilePaths,
): Promise<Findings & { readonly written: LineFiles; readonly outcomes: readonly LineOutcome[] }> {
  const collector = new Collector();
  const { shape, initiation } = input.opened;
  const outcomes: LineOutcome[] = [];
  const lines = walk(input, collector);
  const written = await writeLineFiles(
    { shape, batch, extra, mask: maskCards, paths },
    initiation === undefined ? lines : noted(lines, outcomes),
  );
  return { ...collector.findings(), written, outcomes };
}

/** The same lines, while their outcomes are kept: a payment initiation is in memory as a whole, and so is its answer. */
async function* noted(
  blocks: AsyncIterable<readonly VisitedLine[]>,
  outcomes: LineOutcome[],
): AsyncGenerator<readonly VisitedLine[]> {
  for await (const lines of blocks) {
    for (const { outcome } of lines) outcomes.push(outcome);
    yield lines;
  }
}

/** A line of the file with all that the journal knows of it. */
export interface VisitedLine extends ReportedLine {
  /** Undefined when no chunk has carried it. */
  readonly executed: ExecutedLine | undefined;
  /** Acted-on amount in minor units, where it can be read, and its currency. */
  readonly amount: number | undefined;
  readonly currency: string | undefined;
  readonly moved: readonly Movement[];
}

/** Shows every line to `visit` and counts, without writing. */
export function visitLines(input: WalkInput, visit: (line: VisitedLine) => void): Promise<Findings> {
  return visitBlocks(input, async (lines) => lines.forEach(visit));
}

/** The same, a block of lines at a time. */
export async function visitBlocks(
  input: WalkInput,
  visit: (lines: readonly VisitedLine[]) => Promise<void>,
): Promise<Findings> {
  const collector = new Collector();
  for await (const lines of walk(input, collector)) await visit(lines);
  return collector.findings();
}

/** All lines in the order of the file, each with its outcome. */
async function* walk(input: WalkInput, collector: Collector): AsyncGenerator<readonly VisitedLine[]> {
  const byNumber = new Map(input.accounts.map((account) => [account.number, account]));
  let lines = 0;
  for await (const rows of input.opened.rows()) {
    const last = rows.at(-1);
    if (last !== undefined) await input.journal.readTo(last.line);
    yield rows.map((row) => visited(row, input, byNumber, collector));
    lines += rows.length;
    input.onProgress?.(lines);
  }
}

function visited(
  row: Row,
  { journal, reader, submission, compare }: WalkInput,
  accounts: ReadonlyMap<number, KnownAccount>,
  collector: Collector,
): VisitedLine {
  const executed = journal.take(row.line);
  if (executed === undefined) {
    const line = reader.read(row);
    const { parsed } = line;
    const [outcome, why] = isInvalid(parsed)
      ? (['invalid', parsed.reason] as const)
      : (['not_sent', undefined] as const);
    const result: LineOutcome = { ...NOT_EXECUTED, line: row.line, outcome, reason: why };
    const { amount, currency } = parsed;
    collector.add(row, result, line, amount, currency);
    return { row, outcome: result, executed, amount, currency, moved: [] };
  }
  const { operation, account } = executed.chunk;
  const { merchantId, accountId } = accounts.get(account)!;
  const { amount, currency } = amountOf(operation, row.fields, submission.reading.style);
  if (amount === undefined || currency === undefined)
    throw new Error(`line ${row.line} was executed without an amount`);
  const { outcome, moved } = journal.outcome(row.line, executed, amount, currency);
  const place = { merchantId, accountId, operation };
  collector.add(row, outcome, place, amount, currency);
  if (moved.length > 0) collector.tally.moved(place, moved);
  collector.chunk(firstOf(executed).chunk);
  if (compare) collector.change(outcome, journal.outcomeBefore(row.line, executed));
  return { row, outcome, executed, amount, currency, moved };
}

/** The line in the first attempt that had it. */
function firstOf(executed: ExecutedLine): ExecutedLine {
  return executed.before === undefined ? executed : firstOf(executed.before);
}

const NOT_EXECUTED = { chunk: undefined, attempt: undefined, reference: undefined, first: undefined };

interface Exception {
  readonly outcome: Outcome;
  readonly code: Code;
  lines: number;
  readonly sums: Map<string, Sum>;
}

/** Gathers what the documents say about the lines that go by. */
class Collector {
  readonly tally = new Tally();
  readonly #exceptions = new Map<string, Exception>();
  readonly #changes: Change[] = [];
  /** Lines that need attention, and the first others to fill up with. */
  readonly #attention: ListedLine[] = [];
  readonly #others: ListedLine[] = [];
  readonly #chunks = new Set<string>();
  #lastChunk: object | undefined;
  #lines = 0;

  add(
    row: Row,
    outcome: LineOutcome,
    place: Place,
    amount: number | undefined,
    currency: string | undefined,
  ): void {
    this.#lines += 1;
    this.tally.add(place, currency, outcome.outcome, amount);
    const isException = outcome.outcome !== 'succeeded';
    const list = isException ? this.#attention : this.#others;
    if (list.length < MOST_LISTED) list.push(listed(row, outcome, place, amount, currency));
    if (outcome.reason !== undefined) this.#except(outcome.outcome, outcome.reason.code, amount, currency);
  }

  chunk(chunk: { readonly attempt: number; readonly number: number }): void {
    if (chunk === this.#lastChunk) return;
    this.#lastChunk = chunk;
    this.#chunks.add(`${chunk.attempt}/${chunk.number}`);
  }

  change(outcome: LineOutcome, before: Outcome | undefined): void {
    if (before === undefined || before === outcome.outcome || this.#changes.length === MOST_CHANGES) return;
    this.#changes.push({
      line: outcome.line,
      from: before,
      to: outcome.outcome,
      code: outcome.reason?.code ?? '',
    });
  }

  findings(): Findings {
    const listedLines = [...this.#attention, ...this.#others].slice(0, MOST_LISTED);
    return {
      tally: this.tally,
      exceptions: [...this.#exceptions.values()].sort(mostLinesFirst).map(exceptionRow),
      changes: this.#changes,
      listed: listedLines,
      unlisted: this.#lines - listedLines.length,
      chunks: this.#chunks.size,
    };
  }

  #except(outcome: Outcome, code: Code, amount: number | undefined, currency: string | undefined): void {
    const key = `${outcome} ${code}`;
    let exception = this.#exceptions.get(key);
    if (exception === undefined) {
      exception = { outcome, code, lines: 0, sums: new Map() };
      this.#exceptions.set(key, exception);
    }
    exception.lines += 1;
    if (amount === undefined || currency === undefined) return;
    const sum = exception.sums.get(currency) ?? new Sum();
    sum.add(amount);
    exception.sums.set(currency, sum);
  }
}

function mostLinesFirst(a: Exception, b: Exception): number {
  return b.lines - a.lines || (a.code < b.code ? -1 : a.code > b.code ? 1 : a.outcome < b.outcome ? -1 : 1);
}

function exceptionRow({ outcome, code, lines, sums }: Exception): ExceptionRow {
  const currencies = [...sums.keys()].sort();
  const amounts = Object.fromEntries(
    currencies.map((currency) => [currency, formatAmount(sums.get(currency)!.value, digitsOf(currency)!)]),
  );
  const { sentence, hint } = CODES[code];
  return { outcome, code, sentence, hint, lines, amounts };
}

function listed(
  row: Row,
  { outcome, reason }: LineOutcome,
  place: Place,
  amount: number | undefined,
  currency: string | undefined,
): ListedLine {
  const { fields } = row;
  const digits = currency === undefined ? undefined : digitsOf(currency);
  const shown = (text: string | undefined, column: string) =>
    reason?.code === 'B0012' ? maskCards(text ?? '', column) : (text ?? '');
  return {
    line: row.line,
    outcome,
    operation: place.operation ?? '',
    subject: shown(fields.transaction_id ?? fields.request_id, 'transaction_id'),
    order: shown(fields.order_no, 'order_no'),
    currency: currency ?? '',
    amount: amount === undefined || digits === undefined ? '' : formatAmount(amount, digits),
    code: reason?.code ?? '',
    message: reason?.message ?? '',
    hint: reason === undefined ? '' : hintOf(reason),
  };
}
