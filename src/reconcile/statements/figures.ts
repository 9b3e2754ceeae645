/** The three figures of a line, gross, fee and net, read from its cells by what the mapping says of them. */
import type { LineKind } from '../statement.ts';
import { type AmountScale, amountFault, readSigned, readUnsigned } from './amounts.ts';
import type { Columns } from './columns.ts';
import type { AmountField, Direction, FeeField, Mapping } from './mapping.ts';
import { wordSet } from './words.ts';

/** A record with what is known of it so far. */
export interface Reading {
  readonly line: number;
  readonly cells: readonly string[];
  readonly kind: LineKind;
  readonly currency: string;
  readonly digits: number;
}

export interface Figures {
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
}

/** One of them; undefined where it follows from the other two. */
type ReadFigure = (reading: Reading) => number | undefined;

export function scaleOf({ amounts, decimal, thousands, excess_zeros }: Mapping): AmountScale {
  return { amounts, decimal, thousands, excessZeros: excess_zeros };
}

/** How to read the figures of every record of a file. */
export function figuresReader(mapping: Mapping, columns: Columns): (reading: Reading) => Figures {
  const scale = scaleOf(mapping);
  const readGross = amountReader(mapping.gross, mapping.direction, scale, columns);
  const readNet = amountReader(mapping.net, mapping.direction, scale, columns);
  const readFee = feeReader(mapping.fee, scale, columns);
  const grossCurrency =
    mapping.gross_currency === undefined ? undefined : columns.index(mapping.gross_currency);
  return (reading) => {
    const isForeign = grossCurrency !== undefined && differs(reading, grossCurrency);
    const gross = isForeign ? undefined : readGross(reading);
    const fee = readFee(reading);
    const net = readNet(reading);
    return {
      gross: gross ?? net! + fee!,
      fee: fee ?? gross! - net!,
      net: net ?? gross! - fee!,
    };
  };
}

function differs({ cells, currency }: Reading, index: number): boolean {
  const other = cells[index]!.trim().toUpperCase();
  return other !== '' && other !== currency;
}

function amountReader(
  field: AmountField,
  direction: Direction,
  scale: AmountScale,
  columns: Columns,
): ReadFigure {
  if (field === 'derived') return () => undefined;
  if ('columns' in field) return summed(field.columns, scale, columns, 1);
  if ('credit' in field) return twoColumns(field, scale, columns);
  const index = columns.index(field.column);
  if (direction === 'signed')
    return (reading) => cellAmount(reading, index, field.empty, readSigned, scale, columns);
  const isDebit = debitTest(direction, columns);
  return (reading) => {
    const amount = cellAmount(reading, index, field.empty, readUnsigned, scale, columns);
    return amount !== undefined && amount !== 0 && isDebit(reading) ? -amount : amount;
  };
}

function feeReader(field: FeeField, scale: AmountScale, columns: Columns): ReadFigure {
  if (field === 'derived') return () => undefined;
  if (field === 'none') return () => 0;
  if ('columns' in field) return summed(field.columns, scale, columns, field.cost === 'negative' ? -1 : 1);
  const index = columns.index(field.column);
  if ('cost' in field) {
    return (reading) => {
      const amount = cellAmount(reading, index, field.empty, readSigned, scale, columns);
      return amount !== undefined && amount !== 0 && field.cost === 'negative' ? -amount : amount;
    };
  }
  const isCost = debitTest(field.direction, columns);
  return (reading) => {
    const amount = cellAmount(reading, index, field.empty, readUnsigned, scale, columns);
    return amount === undefined || amount === 0 || isCost(reading) ? amount : -amount;
  };
}

/** The sum of signed columns, of which empty ones count as nothing. */
function summed(names: readonly string[], scale: AmountScale, columns: Columns, sign: 1 | -1): ReadFigure {
  const indexes = names.map((name) => columns.index(name));
  return (reading) => {
    let sum = 0;
    for (const index of indexes) sum += cellAmount(reading, index, 'zero', readSigned, scale, columns)!;
    return sum === 0 ? 0 : sign * sum;
  };
}

/** Credits in one column, debits in another, both without a sign; only one of them can be filled. */
function twoColumns(
  field: Extract<AmountField, { readonly credit: string }>,
  scale: AmountScale,
  columns: Columns,
): ReadFigure {
  const creditIndex = columns.index(field.credit);
  const debitIndex = columns.index(field.debit);
  return (reading) => {
    const { cells, line } = reading;
    const isEmpty = cells[creditIndex]!.trim() === '' && cells[debitIndex]!.trim() === '';
    if (isEmpty && field.empty === 'derived') return undefined;
    if (isEmpty && field.empty === undefined) {
      throw columns.fault(line, creditIndex, `there is neither a credit nor a debit (${field.debit})`);
    }
    const credit = cellAmount(reading, creditIndex, 'zero', readUnsigned, scale, columns)!;
    const debit = cellAmount(reading, debitIndex, 'zero', readUnsigned, scale, columns)!;
    if (credit !== 0 && debit !== 0) {
      throw columns.fault(line, creditIndex, `there is a credit and a debit (${field.debit}) at once`);
    }
    return debit === 0 ? credit : -debit;
  };
}

/** Whether the money of a record leaves the merchant, said beside the amounts. */
function debitTest(direction: Exclude<Direction, 'signed'>, columns: Columns): (reading: Reading) => boolean {
  if ('debit_kinds' in direction) {
    const kinds = new Set(direction.debit_kinds);
    return ({ kind }) => kinds.has(kind);
  }
  const index = columns.index(direction.column);
  const debit = wordSet(direction.debit);
  const credit = wordSet(direction.credit);
  return ({ cells, line }) => {
    const word = cells[index]!;
    const isDebit = debit.meaning(word) === true;
    if (isDebit !== (credit.meaning(word) === true)) return isDebit;
    throw columns.fault(line, index, `${JSON.stringify(word)} says neither credit nor debit`);
  };
}

function cellAmount(
  { cells, line, currency, digits }: Reading,
  index: number,
  empty: 'zero' | 'derived' | undefined,
  read: typeof readSigned,
  scale: AmountScale,
  columns: Columns,
): number | undefined {
  const text = cells[index]!.trim();
  if (text === '' && empty !== undefined) return empty === 'zero' ? 0 : undefined;
  if (text === '') throw columns.fault(line, index, 'there is no amount');
  const minor = read(text, digits, scale);
  if (typeof minor === 'number') return minor;
  throw columns.fault(line, index, amountFault(minor, text, currency, digits, scale));
}
