/** Records → cells, by csv-parse, which also finds misplaced quotes. */
import { CsvError, parse } from 'csv-parse/sync';
import { type Reason, reason } from '../core/code.ts';
import type { RecordBlock } from './records.ts';
import { FileRejected } from './rejected.ts';

/** Errors of csv-parse that are the file's fault. */
const QUOTE_FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'the quote is not closed before the end of the file',
  CSV_INVALID_CLOSING_QUOTE: 'something follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote stands inside an unquoted cell',
};

/**
 * The cells of every record of a block. No limit is set on csv-parse's side: records.ts has set a stricter one, which
 * counts delimiters too. A record may have any number of cells.
 * @param columns names of the columns, for the message
 * @throws FileRejected B0004, B0010
 */
export function cellsOf(
  block: RecordBlock,
  delimiter: string,
  columns: readonly string[] = [],
): readonly string[][] {
  const records = attempt(block, delimiter, columns);
  if (block.cut !== undefined) throw new FileRejected([tooLarge(block)]);
  if (records.length === block.lines.length) return records;
  throw new Error(`csv-parse found ${records.length} records where there are ${block.lines.length}`);
}

function attempt(block: RecordBlock, delimiter: string, columns: readonly string[]): readonly string[][] {
  try {
    return splitCells(block.bytes, delimiter);
  } catch (error) {
    if (!(error instanceof CsvError) || QUOTE_FAULTS[error.code] === undefined) throw error;
    const isCut = block.cut === 'too large' && error.code === 'CSV_QUOTE_NOT_CLOSED';
    throw new FileRejected([isCut ? tooLarge(block) : misplacedQuote(error, block, columns)]);
  }
}

/** @throws CsvError */
export function splitCells(bytes: Buffer, delimiter: string): string[][] {
  return parse(bytes, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    columns: false,
    relax_column_count: true,
    skip_empty_lines: true,
  });
}

function misplacedQuote(error: CsvError, block: RecordBlock, columns: readonly string[]): Reason {
  const line = block.lines[Number(error.records)]!;
  const cell = Number(error.column);
  const detail = `${QUOTE_FAULTS[error.code]}, in the record that begins on line ${line}, cell ${cell + 1}`;
  return reason('B0004', detail, { line, column: columns[cell] || cell + 1 });
}

function tooLarge(block: RecordBlock): Reason {
  const line = block.lines[0]!;
  return reason('B0010', `the record that begins on line ${line}`, { line });
}
