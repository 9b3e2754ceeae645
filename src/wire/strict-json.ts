/**
 * JSON as messages may carry it. `JSON.parse` takes the last of two equal keys, and other programs the first: a text
 * that can be read in two ways is refused before anybody looks at its signature. Contract, "HTTP"; F38, F39, F40, F88.
 */
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { quote } from '../core/quote.ts';
import { type JsonValue, jsonFault, MAX_DEPTH } from './canonical.ts';

/** So many characters become tokens at a time: those of a whole megabyte would take a hundred. */
const SLICE = 64 * 1024;

/**
 * Reads a whole JSON text. What it returns has a canonical form.
 * @returns the value of `JSON.parse`, or in words why the text is refused
 */
export function parseStrictJson(text: string): { readonly value: JsonValue } | { readonly fault: string } {
  const parsed = parse(text);
  if ('fault' in parsed) return parsed;
  const fault = ambiguityOf(text) ?? jsonFault(parsed.value);
  return fault === undefined ? parsed : { fault };
}

function parse(text: string): { readonly value: JsonValue } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Only the position: the rest of the message may quote the text, which can hold a security code.
    const position = / at position \d+/.exec(error.message)?.[0] ?? '';
    return { fault: `it is not valid JSON${position}` };
  }
}

/** What JSON allows and a message must not have: a key twice in one object, `__proto__`, or too much nesting. */
function ambiguityOf(text: string): string | undefined {
  const tokenise = jsonParser({ streamValues: false });
  const structure = new Structure();
  for (let start = 0; start < text.length; start += SLICE) {
    const tokens = tokenise(text.slice(start, start + SLICE));
    if (typeof tokens === 'symbol') continue;
    for (const token of tokens.values) {
      const fault = structure.take(token);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/** Stands for the keys of a list, which never gets one. */
const NO_KEYS = new Set<string>();

/** What is open while tokens go by. */
class Structure {
  /** The keys so far of every open object or list. */
  readonly #open: Set<string>[] = [];

  take(token: Token): string | undefined {
    switch (token.name) {
      case 'startObject':
        return this.#start(new Set());
      case 'startArray':
        return this.#start(NO_KEYS);
      case 'endObject':
      case 'endArray':
        this.#open.pop();
        return undefined;
      case 'keyValue':
        return this.#key(token.value);
      default:
        return undefined;
    }
  }

  #start(keys: Set<string>): string | undefined {
    return this.#open.push(keys) > MAX_DEPTH ? `it is nested deeper than ${MAX_DEPTH}` : undefined;
  }

  #key(key: string): string | undefined {
    if (key === '__proto__') return 'it has the key "__proto__"';
    const keys = this.#open.at(-1)!;
    if (keys.has(key)) return `the key ${quote(key)} stands twice in one object`;
    keys.add(key);
    return undefined;
  }
}
