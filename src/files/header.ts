/** The header of a CSV file: where it is and whether its names can be told apart. */
import { type Reason, reason } from '../core/code.ts';
import { unguard } from '../core/guard.ts';
import type { CsvShape } from '../core/row.ts';
import { cellsOf } from './csv-cells.ts';
import { columnName, delimiterOfSepLine, sniffDelimiter } from './dialect.ts';
import { type RecordBlock, recordBlocks, recordText } from './records.ts';
import { FileRejected } from './rejected.ts';

export interface Header {
  readonly delimiter: string;
  readonly lineEnd: CsvShape['lineEnd'];
  /** As they stand in the file, and as columns go by. */
  readonly names: readonly string[];
  readonly columns: readonly string[];
  /** Its first physical line: what comes later is data. Infinity where there is none. */
  readonly line: number;
  /** How many of the columns have a name; the nameless ones can only be the last ones. */
  readonly named: number;
}

/** Names that must never become keys. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads the header: the first record that is not blank, after Excel's `sep=` line if there is one.
 * @param delimiter the one asked for, else it is found out
 * @throws FileRejected B0004, B0005, B0010
 */
export async function readHeader(
  pieces: AsyncIterable<Buffer>,
  delimiter: string | undefined,
  isKnown: (name: string) => boolean,
): Promise<Header> {
  const { record, separator } = await headerRecord(pieces);
  if (record === undefined) {
    return {
      delimiter: delimiter ?? separator ?? ',',
      lineEnd: '\n',
      names: [],
      columns: [],
      line: Number.POSITIVE_INFINITY,
      named: 0,
    };
  }
  const used = delimiter ?? separator ?? sniffDelimiter(record.bytes, isKnown);
  const names = cellsOf(record, used)[0]!.map(unguard);
  const columns = names.map(columnName);
  const line = record.lines[0]!;
  const reasons = headerFaults(columns, line);
  if (reasons.length > 0) throw new FileRejected(reasons);
  return { delimiter: used, lineEnd: lineEndOf(record), names, columns, line, named: namedCount(columns) };
}

interface HeaderRecord {
  /** A block of this one record, with its line end. */
  readonly record: RecordBlock | undefined;
  /** The delimiter of a `sep=` line. */
  readonly separator: string | undefined;
}

async function headerRecord(pieces: AsyncIterable<Buffer>): Promise<HeaderRecord> {
  let separator: string | undefined;
  for await (const block of recordBlocks(pieces, 'quotes')) {
    for (let index = 0; index < block.lines.length; index++) {
      const text = recordText(block, index);
      const named = block.lines[index] === 1 ? delimiterOfSepLine(text) : undefined;
      separator ??= named;
      if (named === undefined && !BLANK.test(text)) return { record: single(block, index), separator };
    }
  }
  return { record: undefined, separator };
}

/** A record of empty cells, whatever separates them. */
const BLANK = /^[\s,;|"]*$/;

function single(block: RecordBlock, index: number): RecordBlock {
  const start = block.starts[index]!;
  const bytes = block.bytes.subarray(start, block.starts[index + 1] ?? block.bytes.length);
  return {
    ...block,
    bytes,
    lines: [block.lines[index]!],
    starts: [0],
    ends: [block.ends[index]! - start],
    blank: 0,
  };
}

function lineEndOf({ bytes, ends }: RecordBlock): CsvShape['lineEnd'] {
  const end = bytes.toString('latin1', ends[0], ends[0]! + 2);
  return end === '\r\n' ? end : end.startsWith('\r') ? '\r' : '\n';
}

function namedCount(columns: readonly string[]): number {
  return columns.findLastIndex((name) => name !== '') + 1;
}

/** Spreadsheets leave nameless columns at the end, which do no harm while they are empty; all others must have a name. */
function headerFaults(columns: readonly string[], line: number): readonly Reason[] {
  const named = columns.slice(0, namedCount(columns));
  const first = new Map(named.map((name, index) => [name, index + 1] as const).reverse());
  return named.flatMap((name, index) => {
    const fault = nameFault(name, first.get(name)!, index + 1);
    return fault === undefined
      ? []
      : [reason('B0005', fault, { line, column: name === '' ? index + 1 : name })];
  });
}

function nameFault(name: string, first: number, column: number): string | undefined {
  if (name === '') return `column ${column} has no name`;
  if (FORBIDDEN.has(name)) return `column ${column} is called "${name}"`;
  return first < column ? `columns ${first} and ${column} are both called "${name}"` : undefined;
}
