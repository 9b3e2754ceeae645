/** A record of a CSV statement → a line of a statement. */

import { digitsOf } from '../../core/currency.ts';
import { quote } from '../../core/quote.ts';
import { LINE_KINDS, type LineKind, type StatementLine } from '../statement.ts';
import type { Columns } from './columns.ts';
import { dayReader, type ReadDay } from './dates.ts';
import { figuresReader } from './figures.ts';
import type { Mapping, TextColumn } from './mapping.ts';
import type { TableRecord } from './table.ts';
import { Words, wordSet } from './words.ts';

/** A line, or undefined for a record that the mapping ignores. Throws Unreadable. */
export type ToLine = (record: TableRecord) => StatementLine | undefined;

/** How the records of one file become lines; everything about its columns is decided here, once. */
export function lineMaker(mapping: Mapping, columns: Columns): ToLine {
  const isIgnored = ignoreTest(mapping, columns);
  const currencyOf = currencyReader(mapping, columns);
  const kindOf = kindReader(mapping, columns);
  const figuresOf = figuresReader(mapping, columns);
  const readDay = dayReader(mapping.dates);
  const bookedOf = bookedReader(mapping, readDay, columns);
  const valuedOf = valuedReader(mapping, readDay, columns);
  const references = columns.indexes(mapping.references);
  const idOf = idReader(mapping.id, columns);
  const groupOf = joined(mapping.group === undefined ? [] : [mapping.group], '', columns);
  const textOf = joined(mapping.text, ' · ', columns);
  columns.check();
  return (record) => {
    checkLength(record, columns);
    const { line, cells } = record;
    if (isIgnored(cells)) return undefined;
    const currency = currencyOf(record);
    const kind = kindOf(record);
    const reading = { line, cells, kind, currency, digits: digitsOf(currency)! };
    const { gross, fee, net } = figuresOf(reading);
    return {
      line,
      kind,
      currency,
      gross,
      fee,
      net,
      references: referencesIn(cells, references),
      id: idOf(cells),
      group: groupOf(cells),
      booked: bookedOf(record),
      valued: valuedOf(record),
      text: textOf(cells) ?? '',
    };
  };
}

/** Cells beyond the last column may stand there as long as they are empty. */
function checkLength({ line, cells }: TableRecord, columns: Columns): void {
  if (cells.length === columns.count) return;
  const excess = cells.slice(columns.count);
  if (cells.length < columns.count || excess.some((cell) => cell.trim() !== '')) {
    throw columns.recordFault(line, `it has ${cells.length} cells under ${columns.count} columns`);
  }
}

function ignoreTest({ ignore }: Mapping, columns: Columns): (cells: readonly string[]) => boolean {
  const rules = ignore.map(({ column, words }) => ({ index: columns.index(column), words: wordSet(words) }));
  return (cells) => {
    for (const { index, words } of rules) if (words.meaning(cells[index]!) === true) return true;
    return false;
  };
}

function currencyReader({ currency }: Mapping, columns: Columns): (record: TableRecord) => string {
  if ('constant' in currency) return () => currency.constant;
  const index = columns.index(currency.column);
  return ({ line, cells }) => {
    const code = cells[index]!.trim().toUpperCase();
    if (digitsOf(code) !== undefined) return code;
    throw columns.fault(
      line,
      index,
      `${quote(cells[index]!)} is no active ISO 4217 currency with a minor unit`,
    );
  };
}

function kindReader({ kind }: Mapping, columns: Columns): (record: TableRecord) => LineKind {
  if ('constant' in kind) return () => kind.constant;
  const index = columns.index(kind.column);
  const words = new Words(Object.entries(kind.words));
  return ({ line, cells }) => {
    const found = words.meaning(cells[index]!) ?? kind.otherwise;
    if (found !== undefined) return found;
    throw columns.fault(
      line,
      index,
      `${quote(cells[index]!)} is no kind of movement that the mapping knows`,
      `Say in the mapping what it means: one of ${LINE_KINDS.join(', ')}.`,
    );
  };
}

function bookedReader(
  { booked, dates }: Mapping,
  readDay: ReadDay,
  columns: Columns,
): (record: TableRecord) => string {
  if ('constant' in booked) return () => booked.constant;
  const index = columns.index(booked.column);
  return (record) => {
    const text = record.cells[index]!.trim();
    return text === '' && booked.empty === 'unknown'
      ? ''
      : dayIn(record, index, text, readDay, dates, columns);
  };
}

function valuedReader(
  { valued, dates }: Mapping,
  readDay: ReadDay,
  columns: Columns,
): (record: TableRecord) => string | undefined {
  const [index] = valued === undefined ? [] : columns.indexes([valued]);
  if (index === undefined) return () => undefined;
  return (record) => {
    const text = record.cells[index]!.trim();
    return text === '' ? undefined : dayIn(record, index, text, readDay, dates, columns);
  };
}

function dayIn(
  { line }: TableRecord,
  index: number,
  text: string,
  readDay: ReadDay,
  formats: readonly string[],
  columns: Columns,
): string {
  const day = readDay(text);
  if (day !== undefined) return day;
  const what = text === '' ? 'there is no day' : `${quote(text)} is not exactly one day of the calendar`;
  throw columns.fault(line, index, `${what}, written as ${formats.join(' or ')}`);
}

/** The cells that are filled, each once, in their order. */
function referencesIn(cells: readonly string[], indexes: readonly number[]): readonly string[] {
  const found: string[] = [];
  for (const index of indexes) {
    const reference = cells[index]!.trim();
    if (reference !== '' && !found.includes(reference)) found.push(reference);
  }
  return found;
}

/** All parts of an id, so that an empty one cannot make two ids alike; undefined when all are empty. */
function idReader(
  wanted: readonly TextColumn[],
  columns: Columns,
): (cells: readonly string[]) => string | undefined {
  const indexes = columns.indexes(wanted);
  return (cells) => {
    const parts = indexes.map((index) => cells[index]!.trim());
    return parts.some((part) => part !== '') ? parts.join('|') : undefined;
  };
}

/** The filled cells as one text; undefined when all are empty. */
function joined(
  wanted: readonly TextColumn[],
  between: string,
  columns: Columns,
): (cells: readonly string[]) => string | undefined {
  const indexes = columns.indexes(wanted);
  if (indexes.length === 0) return () => undefined;
  return (cells) => {
    let text: string | undefined;
    for (const index of indexes) {
      const cell = cells[index]!.trim();
      if (cell !== '') text = text === undefined ? cell : text + between + cell;
    }
    return text;
  };
}
