/** JSON → rows. */
import type { JsonObject, JsonShape, Row } from '../core/row.ts';
import type { Text } from './decode.ts';
import { entryRowMaker } from './flatten.ts';
import { JsonFault } from './json-fault.ts';
import { jsonBeginning } from './json-form.ts';
import { locateFault } from './json-location.ts';
import { JsonReader } from './json-reader.ts';
import { NdjsonFile } from './ndjson.ts';
import { BLOCK_ROWS, type Counts, type IsKnown, type OpenedFile } from './opened-file.ts';

/**
 * Finds out the form of a JSON file. A message is read to its end for it: what holds for all its entries may stand there.
 * @param named whether the file's name says that it has an object per line
 * @throws FileRejected B0002, B0003, B0010, B0011, B0015
 */
export async function openJson(text: Text, named: boolean, isKnown: IsKnown): Promise<OpenedFile> {
  const shape = { format: 'json', encoding: text.encoding, list: undefined, envelope: undefined } as const;
  switch (await jsonBeginning(text, named)) {
    case 'array':
      return new JsonFile(text, { ...shape, form: 'array' }, isKnown);
    case 'lines':
      return new NdjsonFile(text, { ...shape, form: 'ndjson' }, isKnown);
    // An empty file is not JSON, but neither is it a fault (F17): it is read as no lines at all.
    case 'nothing':
      return new NdjsonFile(text, { ...shape, form: named ? 'ndjson' : 'array' }, isKnown);
    case 'message':
      return new JsonFile(text, { ...shape, ...(await messageShape(text)) }, isKnown);
  }
}

async function messageShape(text: Text): Promise<Pick<JsonShape, 'form' | 'list' | 'envelope'>> {
  const reader = new JsonReader('message');
  for await (const _ of entriesOf(text, reader));
  const { list, message } = reader.assembly;
  return list === undefined
    ? { form: 'object', list, envelope: undefined }
    : { form: 'envelope', list, envelope: message };
}

/** An array, an envelope or a single object. */
class JsonFile implements OpenedFile {
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
    const { form } = this.shape;
    const reader = new JsonReader(form === 'array' ? 'array' : form === 'envelope' ? 'message' : 'entry');
    let number = 0;
    for await (const entries of entriesOf(this.#text, reader)) {
      for (let from = 0; from < entries.length; from += BLOCK_ROWS) {
        yield entries.slice(from, from + BLOCK_ROWS).map((entry) => this.#toRow(++number, entry));
      }
    }
    this.counts = { rows: number, blank: 0 };
  }
}

/** The entries as they are completed, piece by piece. Throws FileRejected, which says where the text is wrong. */
async function* entriesOf(text: Text, reader: JsonReader): AsyncGenerator<readonly JsonObject[]> {
  let read = 0;
  try {
    for await (const piece of text.pieces()) {
      const characters = piece.toString();
      yield reader.read(characters);
      read += characters.length;
    }
    reader.end();
  } catch (error) {
    throw error instanceof JsonFault ? await locateFault(text, reader.layout, read, error) : error;
  }
}
