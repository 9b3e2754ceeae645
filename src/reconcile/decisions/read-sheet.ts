/** A sheet with decisions → orders. It is read whole before anything is done, and what is wrong is said all at once. */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { hintOf, type Reason } from '../../core/code.ts';
import { getOrSet } from '../../core/get-or-set.ts';
import type { Row } from '../../core/row.ts';
import { checkColumns } from '../../files/columns.ts';
import { openSource, type ReadOptions } from '../../files/open.ts';
import { FileRejected } from '../../files/rejected.ts';
import type { Decision } from '../decide.ts';
import type { Order } from './orders.ts';
import { isNoAmount } from './seen.ts';
import { DECISION_COLUMNS } from './sheet.ts';
import { assigneeIn, reasonIn, type Words } from './words.ts';

/** What is wrong with a sheet, and where. */
export interface SheetFault {
  /** First physical line of the row; undefined where it is about the file. */
  readonly line?: number | undefined;
  readonly column?: string | undefined;
  /** Stable identifier, where it is about reading the file. */
  readonly code?: string | undefined;
  readonly message: string;
  readonly hint: string;
}

export interface Sheet {
  /** Name of the file. */
  readonly name: string;
  readonly sha256: string;
  readonly rows: number;
  /** Rows in which nothing is decided. */
  readonly undecided: number;
  readonly orders: readonly Order[];
  readonly faults: readonly SheetFault[];
}

/** Without these nobody can tell what was decided about what; all others are for people. */
const COLUMNS: readonly string[] = ['id', 'state', 'ledger', 'statement', ...DECISION_COLUMNS];

/** A sheet is kept in memory; a hundred thousand breaks take some fifty megabytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Read so much at a time, as from a disk. */
const PIECE = 64 * 1024;

/** Reads the file at once, so that its hash is that of what was read. */
export async function readSheet(path: string, options: ReadOptions): Promise<Sheet> {
  const name = basename(path);
  const reader = new SheetReader();
  const unfit = unfitness(await stat(path));
  if (unfit !== undefined) return { name, sha256: '', ...reader.result(), faults: [unfit] };
  const bytes = await readFile(path);
  try {
    const source = async function* () {
      for (let from = 0; from < bytes.length; from += PIECE) yield bytes.subarray(from, from + PIECE);
    };
    const opened = await openSource(source, `${name}.csv`, options, (field) => COLUMNS.includes(field));
    if (opened.shape.format === 'csv') {
      const faults = checkColumns(opened.shape.columns, COLUMNS, COLUMNS);
      if (faults.length > 0) throw new FileRejected(faults.map(withOwnHint));
    }
    for await (const rows of opened.rows()) for (const row of rows) reader.add(row);
  } catch (error) {
    if (!(error instanceof FileRejected)) throw error;
    reader.reject(error.reasons);
  }
  return { name, sha256: createHash('sha256').update(bytes).digest('hex'), ...reader.result() };
}

function unfitness(stats: Stats): SheetFault | undefined {
  const hint = 'Name a file that batchgate break list --csv FILE has written.';
  if (!stats.isFile()) return { message: 'it is no plain file', hint };
  return stats.size > MOST_BYTES ? { message: 'it has more than 256 MiB', hint } : undefined;
}

/** Templates are for files of instructions. */
function withOwnHint(reason: Reason): Reason {
  const hint = 'batchgate break list --csv FILE writes a file with all columns; keep them.';
  return reason.code === 'B0006' ? { ...reason, hint } : reason;
}

class SheetReader {
  #rows = 0;
  #undecided = 0;
  #orders: Order[] = [];
  readonly #faults: SheetFault[] = [];
  /** First line of each break. */
  readonly #lines = new Map<string, number>();

  add(row: Row): void {
    this.#rows += 1;
    if (row.faults.length > 0) {
      this.reject(row.faults);
      return;
    }
    const { fields, line } = row;
    if (DECISION_COLUMNS.every((column) => fields[column] === undefined)) {
      this.#undecided += 1;
      return;
    }
    const order = orderIn(row);
    if (Array.isArray(order)) {
      this.#faults.push(...order);
      return;
    }
    const first = getOrSet(this.#lines, order.id, () => line);
    if (first === line) this.#orders.push(order);
    else
      this.#faults.push({
        line,
        column: 'id',
        message: `${order.id} is decided on line ${first} already`,
        hint: 'Decide about a break on one line.',
      });
  }

  reject(reasons: readonly Reason[]): void {
    for (const reason of reasons) {
      const { code, message, line, column } = reason;
      this.#faults.push({
        line,
        column: column === undefined ? undefined : String(column),
        code,
        message,
        hint: hintOf(reason),
      });
    }
  }

  result(): Omit<Sheet, 'name' | 'sha256'> {
    return {
      rows: this.#rows,
      undecided: this.#undecided,
      orders: this.#orders,
      faults: this.#faults,
    };
  }
}

/** A row in which something is decided. */
function orderIn({ line, fields }: Row): Order | SheetFault[] {
  const faults: SheetFault[] = [];
  const fault = (column: string, message: string, hint: string) =>
    faults.push({ line, column, message, hint });
  const words = (column: string, read: Words | undefined): string | undefined => {
    if (read === undefined || 'text' in read) return read?.text;
    fault(column, `the cell ${read.fault}`, 'Write it on one line, and shorter where it is too long.');
    return undefined;
  };
  const { id, decision, assign_to, comment } = fields;
  if (id === undefined)
    fault('id', 'the row does not say which break it is about', 'Keep the column id as it was written.');
  for (const column of ['ledger', 'statement'] as const)
    if (isNoAmount(fields[column] ?? ''))
      fault(
        column,
        `"${fields[column]}" is no amount; a spreadsheet may have changed it`,
        'Write the breaks again with batchgate break list --csv FILE, and open its columns as text.',
      );
  const what = decision?.trim().toLowerCase();
  if (what !== undefined && what !== 'resolve' && what !== 'reopen')
    fault('decision', `"${decision}" is no decision`, 'Write resolve or reopen, or leave the cell empty.');
  else if (what !== undefined && comment === undefined)
    fault('comment', `there is no reason to ${what} it`, 'Write the reason into the column comment.');
  const said = words('comment', comment === undefined ? undefined : reasonIn(comment));
  const to = words('assign_to', assign_to === undefined ? undefined : assigneeIn(assign_to));
  if (faults.length > 0) return faults;
  const decisions: Decision[] = [];
  if (to !== undefined) decisions.push({ is: 'assign', to: to === '' ? null : to });
  if (said !== undefined) decisions.push(spoken(what as 'resolve' | 'reopen' | undefined, said));
  const { state = '', ledger = '', statement = '' } = fields;
  return { id: id!.trim().toUpperCase(), decisions, line, seen: { state, ledger, statement } };
}

function spoken(what: 'resolve' | 'reopen' | undefined, said: string): Decision {
  return what === undefined ? { is: 'comment', text: said } : { is: what, reason: said };
}
