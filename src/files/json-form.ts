/** Which of its forms a JSON file has, as far as its beginning tells. */

import { isBlank } from '../core/blank.ts';
import { operationOfList } from '../core/operation.ts';
import type { Text } from './decode.ts';
import { JsonFault } from './json-fault.ts';
import { JsonReader } from './json-reader.ts';
import { recordBlocks, recordText } from './records.ts';

export type JsonBeginning = 'nothing' | 'array' | 'lines' | 'message';

/**
 * Reads as much as is needed: an array begins with its bracket; a first line that is a whole entry, with something after it,
 * is one of many; all else is one message.
 * @param named whether the file's name says that it has an object per line
 */
export async function jsonBeginning(text: Text, named: boolean): Promise<JsonBeginning> {
  let isFirst = true;
  for await (const block of recordBlocks(text.pieces(), 'no quotes')) {
    for (let index = 0; index < block.lines.length; index++) {
      const line = recordText(block, index);
      if (isBlank(line)) continue;
      if (!isFirst) return 'lines';
      if (line.trimStart().startsWith('[')) return 'array';
      if (named) return 'lines';
      if (block.cut !== undefined || !isEntry(line)) return 'message';
      isFirst = false;
    }
  }
  return isFirst ? 'nothing' : 'message';
}

/** Whether the line is an object by itself, and no envelope. */
function isEntry(line: string): boolean {
  try {
    const reader = new JsonReader('entry');
    const [entry] = reader.read(line);
    return entry !== undefined && !entry.members.some(([key]) => operationOfList(key) !== undefined);
  } catch (error) {
    if (error instanceof JsonFault) return false;
    throw error;
  }
}
