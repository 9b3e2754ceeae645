/** Where exactly a JSON text is wrong: the slow second reading, character by character where the quick one failed. */
import { reason } from '../core/code.ts';
import type { Text } from './decode.ts';
import type { JsonLayout } from './json-assembly.ts';
import { JsonFault } from './json-fault.ts';
import { JsonReader } from './json-reader.ts';
import { Place } from './place.ts';
import { FileRejected } from './rejected.ts';

/** The tokenizer looks so many characters ahead at most before it calls something wrong. */
const LONGEST_WAIT = 32;

/**
 * Reads the text again up to its first fault.
 * @param read how many characters were read before the fault was met
 * @param found that fault, wherever it is
 */
export async function locateFault(
  text: Text,
  layout: JsonLayout,
  read: number,
  found: JsonFault,
): Promise<FileRejected> {
  const reader = new JsonReader(layout);
  const place = new Place();
  try {
    await readUpToFault(text, read - LONGEST_WAIT, reader, place);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { openEntry } = reader.assembly;
    const inEntry = openEntry === undefined ? '' : `, in entry ${openEntry}`;
    const where = { line: place.line, column: place.position };
    return new FileRejected([reason(error.code, `${error.detail}, at ${place}${inEntry}`, where)]);
  }
  return new FileRejected([reason(found.code, found.detail)]);
}

async function readUpToFault(text: Text, good: number, reader: JsonReader, place: Place): Promise<void> {
  const strings = new StringState();
  let passed = 0;
  for await (const piece of text.pieces()) {
    const characters = piece.toString();
    const quick = characters.slice(0, Math.max(good - passed, 0));
    passed += characters.length;
    for (const next of [quick, ...characters.slice(quick.length)]) {
      // The tokenizer would wait a few characters more, and be on the next line by then.
      if (strings.open && LINE_END.test(next)) {
        throw new JsonFault('B0011', 'a string is not closed on its line');
      }
      reader.read(next);
      place.pass(next);
      strings.pass(next);
    }
  }
  reader.end();
}

const LINE_END = /^[\r\n]$/;

/** Whether a text that is cut off here is cut off in a string. */
class StringState {
  open = false;
  #escaped = false;

  pass(text: string): void {
    for (const character of text) {
      if (this.#escaped) this.#escaped = false;
      else if (character === '"') this.open = !this.open;
      else this.#escaped = this.open && character === '\\';
    }
  }
}
