/** One JSON object per line → rows. */

import { isBlank } from '../core/blank.ts';
import { reason } from '../core/code.ts';
import type { JsonObject, JsonShape, Row } from '../core/row.ts';
import type { Text } from './decode.ts';
import { entryRowMaker } from './flatten.ts';
import { JsonFault } from './json-fault.ts';
import { JsonReader } from './json-reader.ts';
import { BLOCK_ROWS, type Counts, type IsKnown, type OpenedFile } from './opened-file.ts';
import { recordBlocks, recordText } from './records.ts';
import { FileRejected } from './rejected.ts';

export class NdjsonFile implements OpenedFile {
  readonly shape: JsonShape;
  counts: Counts | undefined;
  readonly #text: Text;
  readonly #toRow: ReturnType<typeof entryRowMaker>;

  constructor(text: Text, shape: JsonShape, isKnown: IsKnown) {
    this.shape = shape;
    this.#text = text;
    this.#toRow = entryRowMaker(isKnown);
  }

  async *rows(): AsyncGenerator<readonly Row[]> {
    const counts = { rows: 0, blank: 0 };
    for await (const block of recordBlocks(this.#text.pieces(), 'no quotes')) {
      if (block.cut !== undefined) throw rejected(new JsonFault('B0010', 'the line'), block.lines[0]!);
      const rows: Row[] = [];
      for (let index = 0; index < block.lines.length; index++) {
        const text = recordText(block, index);
        if (isBlank(text)) counts.blank++;
        else rows.push(this.#toRow(block.lines[index]!, entryOf(text, block.lines[index]!)));
      }
      counts.blank += block.blank;
      counts.rows += rows.length;
      for (let from = 0; from < rows.length; from += BLOCK_ROWS) yield rows.slice(from, from + BLOCK_ROWS);
    }
    this.counts = counts;
  }
}

function entryOf(text: string, line: number): JsonObject {
  try {
    const reader = new JsonReader('entry');
    const [entry] = reader.read(text);
    reader.end();
    return entry!;
  } catch (error) {
    throw error instanceof JsonFault ? rejected(error, line) : error;
  }
}

function rejected({ code, detail }: JsonFault, line: number): FileRejected {
  return new FileRejected([reason(code, `${detail}, on line ${line}`, { line })]);
}
