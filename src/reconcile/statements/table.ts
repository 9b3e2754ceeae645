/** The records of a CSV statement: where its header is, and the cells of everything after it, in blocks. */

import { isBlank } from '../../core/blank.ts';
import { cellsOf, splitCells } from '../../files/csv-cells.ts';
import type { Text } from '../../files/decode.ts';
import { columnName } from '../../files/dialect.ts';
import { recordBlocks } from '../../files/records.ts';
import type { Mapping } from './mapping.ts';
import { type Words, wordSet } from './words.ts';

/** A header is looked for in so much of a file. */
export const BEGINNING_BYTES = 64 * 1024;

export interface TableHeader {
  /** Its physical line; 0 where the file has none. All records come after `skipped` physical lines. */
  readonly line: number;
  readonly skipped: number;
  readonly delimiter: string;
  /** Names, trimmed and in lower case. */
  readonly columns: readonly string[];
}

export interface TableRecord {
  /** First physical line. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The first 64 KiB of a text. @throws FileRejected */
export async function beginningOf(text: Text): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of text.pieces()) {
    pieces.push(piece);
    length += piece.length;
    if (length >= BEGINNING_BYTES) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, BEGINNING_BYTES);
}

/**
 * The header in the beginning of a file, on one physical line.
 * @returns undefined where none is
 */
export function findHeader(beginning: string, mapping: Mapping): TableHeader | undefined {
  const { preamble, columns, delimiter } = mapping;
  if (columns !== undefined) {
    const skipped = preamble === 'until header' ? 0 : preamble;
    return { line: 0, skipped, delimiter: delimiter[0]!, columns };
  }
  const lines = beginning.split(/\r\n|\n|\r/);
  if (preamble === 'until header') {
    for (let index = 0; index < lines.length; index++) {
      if (!mentionsAll(lines[index]!, mapping)) continue;
      const header = headerIn(lines[index]!, index + 1, mapping);
      if (header !== undefined && lacks(header.columns, mapping).length === 0) return header;
    }
    return undefined;
  }
  const comment = commentOf(mapping);
  const index = lines.findIndex(
    (line, at) =>
      at >= preamble && !isBlank(line) && !SEPARATOR.test(line) && comment?.meaning(line) !== true,
  );
  return index === -1 ? undefined : headerIn(lines[index]!, index + 1, mapping);
}

/** Whether a line can be the header: splitting the cells of every line would take long. */
function mentionsAll(text: string, { recognise }: Mapping): boolean {
  const plain = text.toLowerCase();
  return recognise.every((name) => name.includes('"') || plain.includes(name));
}

/** Excel's `sep=;`. */
const SEPARATOR = /^"?sep=[^"]"?$/i;

/** Columns of `recognise` that are not there. */
export function lacks(columns: readonly string[], { recognise }: Mapping): readonly string[] {
  return recognise.filter((name) => !columns.includes(name));
}

/** The line as a header, by the delimiter with which it has most of the columns that it must have. */
function headerIn(text: string, line: number, mapping: Mapping): TableHeader | undefined {
  let best: TableHeader | undefined;
  for (const delimiter of mapping.delimiter) {
    const columns = namesIn(text, delimiter);
    if (columns === undefined) continue;
    const isBetter =
      best === undefined || lacks(columns, mapping).length < lacks(best.columns, mapping).length;
    if (isBetter) best = { line, skipped: line, delimiter, columns };
  }
  return best;
}

/** Undefined where the quotes of the line make no sense. */
function namesIn(text: string, delimiter: string): readonly string[] | undefined {
  try {
    return splitCells(Buffer.from(text), delimiter)[0]?.map(columnName) ?? [];
  } catch {
    return undefined;
  }
}

/**
 * The records after the header, without blank ones and comments.
 * @throws FileRejected
 */
export async function* recordsAfter(
  text: Text,
  header: TableHeader,
  mapping: Mapping,
): AsyncGenerator<readonly TableRecord[]> {
  const comment = commentOf(mapping);
  for await (const block of recordBlocks(blankedLines(text.pieces(), header.skipped), 'quotes')) {
    const all = cellsOf(block, header.delimiter, header.columns);
    const records: TableRecord[] = [];
    for (let index = 0; index < all.length; index++) {
      const cells = all[index]!;
      if (cells.every(isBlank) || comment?.meaning(cells[0]!) === true) continue;
      records.push({ line: block.lines[index]!, cells });
    }
    yield records;
  }
}

function commentOf({ comment }: Mapping): Words<true> | undefined {
  return comment === undefined ? undefined : wordSet([comment]);
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const BLANK_LINE = Buffer.from('\n');

/** The text with its first lines emptied: what they hold must not be read, but the lines after them keep their numbers. */
async function* blankedLines(pieces: AsyncIterable<Buffer>, lines: number): AsyncGenerator<Buffer> {
  let left = lines;
  let afterReturn = false;
  for await (const piece of pieces) {
    let at = 0;
    if (afterReturn && piece.length > 0) {
      if (piece[0] === LINE_FEED) at++;
      afterReturn = false;
    }
    for (; left > 0 && at < piece.length; at++) {
      const byte = piece[at]!;
      if (byte !== LINE_FEED && byte !== RETURN) continue;
      left--;
      yield BLANK_LINE;
      if (byte === RETURN) {
        if (at + 1 === piece.length) afterReturn = true;
        else if (piece[at + 1] === LINE_FEED) at++;
      }
    }
    if (at < piece.length) yield at === 0 ? piece : piece.subarray(at);
  }
}
