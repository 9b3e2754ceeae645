/**
 * From a record of a file to what the batch does with it: an instruction for one account, or an invalid line. All
 * passes over a file read their lines here, so that they always see the same.
 */
import { type Reason, reason } from '../core/code.ts';
import { nearest } from '../core/distance.ts';
import type { Account } from '../core/gateway.ts';
import {
  amountOf,
  columnsOf,
  type Instruction,
  type InvalidLine,
  isInvalid,
  isKnownField,
  parseInstruction,
} from '../core/instruction.ts';
import type { AmountStyle } from '../core/money.ts';
import {
  isOperation,
  OPERATION_NAMES,
  OPERATIONS,
  type Operation,
  operationOfFileName,
  operationOfList,
} from '../core/operation.ts';
import { type FileShape, JsonNumber, type JsonObject, type Row, tableOf } from '../core/row.ts';
import { CardScan } from '../files/card-data.ts';
import { excelDamage } from '../files/excel-damage.ts';
import { FileRejected } from '../files/rejected.ts';
import type { AccountBook } from '../ledger/accounts.ts';
import type { Submission } from './submission.ts';

/** A line with the account and operation that it names, as far as they could be found out. */
export interface Line {
  readonly row: Row;
  readonly merchantId: string | undefined;
  readonly accountId: string | undefined;
  readonly operation: Operation | undefined;
  readonly account: Account | undefined;
  /** With `account` when it is an instruction. */
  readonly parsed: Instruction | InvalidLine;
}

/** Where the operation and the account of lines come from, apart from columns. */
interface Frame {
  readonly operation: Operation | undefined;
  readonly merchantId: string | undefined;
  readonly accountId: string | undefined;
}

const CARD = reason('B0012', 'a cell holds a card number');

export class LineReader {
  /** What holds for all lines that say nothing else. */
  readonly frame: Frame;
  readonly #accounts: AccountBook;
  readonly #style: AmountStyle;
  readonly #cards: CardScan;
  /** The only account there is, for files that name none. */
  readonly #only: Account | undefined;

  /** Throws FileRejected when the sources outside the lines contradict one another. */
  constructor(shape: FileShape, submission: Submission, accounts: AccountBook) {
    this.frame = frameOf(shape, submission);
    this.#accounts = accounts;
    this.#style = submission.reading.style;
    this.#cards = new CardScan(tableOf(shape)?.columns ?? []);
    this.#only = accounts.all.length === 1 ? accounts.all[0] : undefined;
  }

  /** Reads one record. Throws FileRejected when it crosses a boundary of the file. */
  read(row: Row): Line {
    const { fields } = row;
    const operation = this.#operation(row);
    if (row.entry !== undefined) checkKeys(row, row.entry, operation);
    const [merchantId, accountId] = this.#ids(row);
    const account =
      merchantId === undefined || accountId === undefined
        ? undefined
        : this.#accounts.find(merchantId, accountId);
    const hasCard = this.#cards.add(row);
    const line = (parsed: Instruction | InvalidLine): Line => ({
      row,
      merchantId,
      accountId,
      operation,
      account,
      parsed,
    });
    const invalid = (why: Reason) => line({ reason: why, ...amountOf(operation, fields, this.#style) });
    const fault = hasCard ? CARD : (row.faults[0] ?? this.#fault(row, operation, merchantId, accountId));
    if (fault !== undefined) return invalid(fault);
    const parsed = parseInstruction(operation!, row.line, fields, this.#style);
    const placed = !isInvalid(parsed) || parsed.reason.code > 'I0013';
    if (placed && account === undefined)
      return invalid(reason('I0013', `${merchantId}, ${accountId}`, { column: 'account_id' }));
    return line(parsed);
  }

  /** What stands against the whole file once every line was read: columns of card numbers. */
  verdict(): Reason | undefined {
    return this.#cards.verdict();
  }

  /** What is wrong before the fields are looked at one by one. */
  #fault(
    row: Row,
    operation: Operation | undefined,
    merchantId: string | undefined,
    accountId: string | undefined,
  ): Reason | undefined {
    if (operation === undefined) {
      const given = row.fields.operation;
      return given === undefined
        ? reason('I0001', 'operation', { column: 'operation' })
        : reason('I0002', `operation is ${JSON.stringify(given)}`, { column: 'operation' });
    }
    if (merchantId === undefined) return reason('I0001', 'merchant_id', { column: 'merchant_id' });
    if (accountId === undefined) return reason('I0001', 'account_id', { column: 'account_id' });
    for (const field in row.fields) {
      const damage = excelDamage(field, row.fields[field]!);
      if (damage !== undefined) return reason('B0013', `${field}: ${damage}`, { column: field });
    }
    return undefined;
  }

  #operation(row: Row): Operation | undefined {
    const given = row.fields.operation;
    if (given === undefined) return this.frame.operation;
    const word = given.trim().toLowerCase();
    if (!isOperation(word)) return undefined;
    if (this.frame.operation !== undefined && word !== this.frame.operation) {
      throw contradiction(
        `line ${row.line} says ${word}, the file says ${this.frame.operation}`,
        row,
        'operation',
      );
    }
    return word;
  }

  /** Merchant and account of the line; undefined where nothing says which. */
  #ids(row: Row): readonly [string | undefined, string | undefined] {
    const merchantId = this.#bounded(row, 'merchant_id', this.frame.merchantId);
    const accountId = this.#bounded(row, 'account_id', this.frame.accountId);
    return [merchantId ?? this.#only?.merchantId, accountId ?? this.#only?.accountId];
  }

  #bounded(row: Row, field: 'merchant_id' | 'account_id', boundary: string | undefined): string | undefined {
    const given = row.fields[field];
    if (given !== undefined && boundary !== undefined && given !== boundary) {
      throw contradiction(
        `line ${row.line} names ${field} ${JSON.stringify(given)}, the file belongs to ${boundary}`,
        row,
        field,
      );
    }
    return boundary ?? given;
  }
}

/** A JSON file has no header: each entry's keys must make sense, as the columns of a CSV file must. */
function checkKeys(row: Row, entry: JsonObject, operation: Operation | undefined): void {
  for (const [key, value] of entry.members) {
    if (isKnownField(key) || (key.startsWith('_') && key !== '_result')) continue;
    if (key === '_result')
      throw new FileRejected([reason('B0019', 'its entries have _result', { line: row.line, column: key })]);
    const meant = nearest(key, Array.isArray(value) ? LISTS : keysOf(operation));
    if (meant !== undefined && entry.get(meant) === undefined) {
      throw new FileRejected([
        reason('B0007', `${key} looks like ${meant}`, { line: row.line, column: key }),
      ]);
    }
  }
}

/** Keys at the top of an entry: of the operation, or of any while it is not known. */
function keysOf(operation: Operation | undefined): readonly string[] {
  return operation === undefined ? OPERATION_NAMES.flatMap(topOf) : topOf(operation);
}

function topOf(operation: Operation): readonly string[] {
  const own = columnsOf(operation).map((column) => column.split('.')[0]!);
  // A payout is a request of the API by itself: a misspelt signature would silently not be looked at.
  return operation === 'payout' ? [...own, 'encryption_data'] : own;
}

/** A message whose list is misspelt looks like a single entry. */
const LISTS = OPERATION_NAMES.flatMap((operation) => OPERATIONS[operation].list ?? []);

function contradiction(detail: string, row: Row, column: string): FileRejected {
  return new FileRejected([reason('B0015', detail, { line: row.line, column })]);
}

function frameOf(shape: FileShape, submission: Submission): Frame {
  const list = shape.format === 'json' ? shape.list : undefined;
  const operation = agreeing<Operation>('operation', [
    ['--operation', submission.operation],
    ['the list in the file', list === undefined ? undefined : operationOfList(list)],
    ['the message in the file (pain.001)', shape.format === 'pain001' ? 'payout' : undefined],
    ['the name of the file', operationOfFileName(submission.name)],
  ]);
  const envelope = shape.format === 'json' ? shape.envelope : undefined;
  return {
    operation,
    merchantId: agreeing('merchant_id', [
      ['the folder or flag', submission.merchantId],
      ['the envelope', textMember(envelope, 'merchant_id')],
    ]),
    accountId: agreeing('account_id', [
      ['the folder or flag', submission.accountId],
      ['the envelope', textMember(envelope, 'account_id')],
    ]),
  };
}

/** The value that all sources agree on; those that say nothing do not count. */
function agreeing<T extends string>(
  what: string,
  sources: readonly (readonly [string, T | undefined])[],
): T | undefined {
  const said = sources.filter(([, value]) => value !== undefined);
  const [first, ...others] = said;
  const other = others.find(([, value]) => value !== first![1]);
  if (other !== undefined) {
    throw new FileRejected([
      reason('B0015', `${what}: ${first![0]} says ${first![1]}, ${other[0]} says ${other[1]}`),
    ]);
  }
  return first?.[1];
}

function textMember(envelope: JsonObject | undefined, key: string): string | undefined {
  const value = envelope?.get(key);
  if (value instanceof JsonNumber) {
    throw new FileRejected([reason('B0015', `${key} in the envelope is a number; ids must be strings`)]);
  }
  return typeof value === 'string' ? value : undefined;
}
