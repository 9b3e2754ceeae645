/** CSV → rows. */

import { isBlank } from '../core/blank.ts';
import { type Reason, reason } from '../core/code.ts';
import { unguard } from '../core/guard.ts';
import type { CsvShape, Row } from '../core/row.ts';
import { cellsOf } from './csv-cells.ts';
import type { Text } from './decode.ts';
import { delimiterOf } from './dialect.ts';
import { type Header, readHeader } from './header.ts';
import { BLOCK_ROWS, type Counts, type IsKnown, NO_FAULTS, type OpenedFile } from './opened-file.ts';
import { recordBlocks } from './records.ts';

/**
 * Reads the header of a CSV file.
 * @param delimiter as the user names it, undefined to find out
 * @throws FileRejected B0002, B0003, B0004, B0005, B0010
 */
export async function openCsv(
  text: Text,
  delimiter: string | undefined,
  isKnown: IsKnown,
): Promise<OpenedFile> {
  const header = await readHeader(
    text.pieces(),
    delimiter === undefined ? undefined : delimiterOf(delimiter),
    isKnown,
  );
  return new CsvFile(text, header, isKnown);
}

class CsvFile implements OpenedFile {
  readonly shape: CsvShape;
  counts: Counts | undefined;
  readonly #text: Text;
  readonly #header: Header;
  readonly #toRow: ToRow;

  constructor(text: Text, header: Header, isKnown: IsKnown) {
    const { delimiter, lineEnd, names, columns } = header;
    this.shape = { format: 'csv', encoding: text.encoding, delimiter, lineEnd, header: names, columns };
    this.#text = text;
    this.#header = header;
    this.#toRow = rowMaker(header, isKnown);
  }

  async *rows(): AsyncGenerator<readonly Row[]> {
    const { delimiter, columns, line: headerLine } = this.#header;
    const counts = { rows: 0, blank: 0 };
    for await (const block of recordBlocks(this.#text.pieces(), 'quotes')) {
      const records = cellsOf(block, delimiter, columns);
      const rows: Row[] = [];
      for (let index = 0; index < records.length; index++) {
        const line = block.lines[index]!;
        const cells = records[index]!;
        unguardAll(cells);
        if (isBlankRecord(cells)) counts.blank++;
        else if (line > headerLine) rows.push(this.#toRow(line, cells));
      }
      counts.blank += block.blank;
      counts.rows += rows.length;
      for (let from = 0; from < rows.length; from += BLOCK_ROWS) yield rows.slice(from, from + BLOCK_ROWS);
    }
    this.counts = counts;
  }
}

type ToRow = (line: number, cells: string[]) => Row;

/** How the records under this header become rows. */
function rowMaker({ columns, named }: Header, isKnown: IsKnown): ToRow {
  const known = columns.flatMap((name, index) => (isKnown(name) ? [{ name, index }] : []));
  return (line, cells) => {
    const fault = lengthFault(cells, columns.length, named, line);
    // Which cell is which column is anyone's guess when their number is wrong, so none of them becomes a field.
    if (fault !== undefined) return { line, fields: {}, faults: [fault], cells, entry: undefined };
    const fields: Record<string, string> = {};
    for (const { name, index } of known) {
      const cell = cells[index]!;
      if (!isBlank(cell)) fields[name] = cell;
    }
    return { line, fields, faults: NO_FAULTS, cells, entry: undefined };
  };
}

const APOSTROPHE = 0x27;

function unguardAll(cells: string[]): void {
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index]!;
    if (cell.charCodeAt(0) === APOSTROPHE) cells[index] = unguard(cell);
  }
}

function lengthFault(
  cells: readonly string[],
  columns: number,
  named: number,
  line: number,
): Reason | undefined {
  if (cells.length !== columns)
    return reason('B0008', `${cells.length} cells under ${columns} columns`, { line });
  for (let index = named; index < columns; index++) {
    if (!isBlank(cells[index]!)) {
      return reason('B0008', `a cell in column ${index + 1}, which has no name`, { line, column: index + 1 });
    }
  }
  return undefined;
}

function isBlankRecord(cells: readonly string[]): boolean {
  for (const cell of cells) if (!isBlank(cell)) return false;
  return true;
}
