/** JSON text, in pieces → entries. */
import { jsonParser } from 'stream-json/core/parser.js';
import type { JsonObject } from '../core/row.ts';
import { JsonAssembly, type JsonLayout } from './json-assembly.ts';
import { JsonFault } from './json-fault.ts';

/**
 * Longest string or stretch of white space, in characters as written: an entry of 64 KiB all written as `\u0041` still fits.
 * It bounds what the tokenizer holds while nothing comes out of it.
 */
const MAX_SILENCE = 6 * 64 * 1024 + 64 * 1024;

export class JsonReader {
  readonly layout: JsonLayout;
  readonly assembly: JsonAssembly;
  readonly #parse = jsonParser({ streamValues: false });
  #silence = 0;

  constructor(layout: JsonLayout) {
    this.layout = layout;
    this.assembly = new JsonAssembly(layout);
  }

  /**
   * Reads the next piece.
   * @returns the entries that it completes
   * @throws JsonFault
   */
  read(text: string): readonly JsonObject[] {
    const tokens = this.#tokens(text);
    if (typeof tokens === 'symbol') {
      this.#silence += text.length;
      if (this.#silence > MAX_SILENCE) throw new JsonFault('B0010', 'one value');
      return [];
    }
    this.#silence = 0;
    for (const token of tokens.values) this.assembly.add(token);
    return this.assembly.takeEntries();
  }

  /** The text is over. Throws JsonFault when it should not be. */
  end(): void {
    if (!this.assembly.done) throw new JsonFault('B0011', 'the text ends too early');
  }

  #tokens(text: string) {
    try {
      return this.#parse(text);
    } catch (error) {
      throw new JsonFault('B0011', syntaxFault(error));
    }
  }
}

/** `Parser cannot parse input: expected ','` and the like; the tokenizer never quotes the text. */
function syntaxFault(error: unknown): string {
  return error instanceof Error
    ? error.message.replace(/^Parser (?:cannot parse input: |has )/, '')
    : String(error);
}
