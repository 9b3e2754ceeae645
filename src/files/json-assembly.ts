/** JSON tokens → the entries of a file, and the message around them. What is complete is passed on and not kept. */
import type { Token } from 'stream-json/core/parser.js';
import { operationOfList } from '../core/operation.ts';
import { type JsonNode, JsonNumber, JsonObject } from '../core/row.ts';
import { JsonFault } from './json-fault.ts';

/** `array`: of entries; `message`: one object, with a list of entries inside or itself the only entry; `entry`: one entry. */
export type JsonLayout = 'array' | 'message' | 'entry';

/** Largest entry, and largest message without its list, in characters (white space and escapes do not count). */
const MAX_SIZE = 64 * 1024;

/** Most objects and arrays inside each other, counted from the outermost of the file. */
const MAX_DEPTH = 32;

/** Of `true` and `null`; near enough for `false`. */
const LITERAL_LENGTH = 4;

interface OpenObject {
  readonly members: [key: string, value: JsonNode][];
  /** The key whose value comes next. */
  key: string;
  /** All keys so far, once there are too many to look through. */
  keys: Set<string> | undefined;
}

/** What is open: an object, an array, or the list of entries. */
type Open = OpenObject | JsonNode[] | typeof LIST;
const LIST = Symbol('list of entries');

/** Every method throws JsonFault. */
export class JsonAssembly {
  /** How many entries are complete. */
  count = 0;
  /** True once the value that the file consists of is complete. */
  done = false;
  /** Layout `message`: the name of its list, once met; and, once done, its other members. */
  list: string | undefined;
  message: JsonObject | undefined;

  readonly #layout: JsonLayout;
  readonly #open: Open[] = [];
  #entries: JsonObject[] = [];
  /** Size so far of the entry that is open, else of the message. */
  #size = 0;
  #messageSize = 0;

  constructor(layout: JsonLayout) {
    this.#layout = layout;
  }

  /** The entries completed since the last call. */
  takeEntries(): readonly JsonObject[] {
    const entries = this.#entries;
    if (entries.length > 0) this.#entries = [];
    return entries;
  }

  /** Number of the entry that is open or comes next in the list, from 1; undefined outside the list. */
  get openEntry(): number | undefined {
    return this.#open[0] === LIST || this.#open[1] === LIST ? this.count + 1 : undefined;
  }

  add(token: Token): void {
    switch (token.name) {
      case 'keyValue':
        this.#addKey(token.value);
        break;
      case 'stringValue':
        this.#addValue(wellFormed(token.value), token.value.length);
        break;
      case 'numberValue':
        this.#addValue(new JsonNumber(token.value), token.value.length);
        break;
      case 'trueValue':
      case 'falseValue':
      case 'nullValue':
        this.#addValue(token.value, LITERAL_LENGTH);
        break;
      case 'startObject':
        this.#begin({ members: [], key: '', keys: undefined });
        break;
      case 'startArray':
        this.#begin(this.#isEntryList() ? LIST : []);
        break;
      case 'endObject':
      case 'endArray':
        this.#end();
        break;
    }
  }

  #begin(opened: Open): void {
    this.#grow(0);
    if (opened === LIST) {
      this.#messageSize = this.#size;
      this.#size = 0;
    }
    if (this.#open.push(opened) > MAX_DEPTH)
      throw new JsonFault('B0011', `it is nested deeper than ${MAX_DEPTH}`);
  }

  #end(): void {
    const ended = this.#open.pop()!;
    if (ended !== LIST) {
      this.#place(Array.isArray(ended) ? ended : new JsonObject(ended.members));
    } else {
      this.#size = this.#messageSize;
      this.done = this.#layout === 'array';
    }
  }

  /** Whether the array that begins here is the file's list of entries. */
  #isEntryList(): boolean {
    const key = this.#messageKey();
    if (key === undefined || operationOfList(key) === undefined)
      return this.#layout === 'array' && this.#open.length === 0;
    if (this.list === key) throw twice(key);
    if (this.list !== undefined) throw new JsonFault('B0015', `there are two lists, ${this.list} and ${key}`);
    this.list = key;
    return true;
  }

  /** The key of the message whose value comes next, when it is the message's own. */
  #messageKey(): string | undefined {
    const outer = this.#open[0];
    const own =
      this.#layout === 'message' &&
      this.#open.length === 1 &&
      typeof outer === 'object' &&
      !Array.isArray(outer);
    return own ? outer.key : undefined;
  }

  #addKey(key: string): void {
    this.#grow(key.length);
    const object = this.#open.at(-1) as OpenObject;
    if (isForbidden(key)) throw new JsonFault('B0011', `the key "${key}" is forbidden`);
    if (hasKey(object, wellFormed(key))) throw twice(key);
    object.key = key;
  }

  #addValue(value: JsonNode, length: number): void {
    this.#grow(length);
    this.#place(value);
  }

  /** Every token has a comma, a colon, quotes or a bracket about it. */
  #grow(length: number): void {
    this.#size += length + 2;
    if (this.#size > MAX_SIZE) throw new JsonFault('B0010', 'white space and escapes do not count');
  }

  /** Puts a complete value where it belongs. */
  #place(value: JsonNode): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      this.done = true;
      if (this.#layout === 'message' && value instanceof JsonObject) this.message = value;
      else this.#placeEntry(value);
    } else if (parent === LIST) {
      this.#placeEntry(value);
    } else if (Array.isArray(parent)) {
      parent.push(value);
    } else {
      const list = this.#messageKey();
      if (list !== undefined && operationOfList(list) !== undefined)
        throw new JsonFault('B0011', `${list} is not a list`);
      parent.members.push([parent.key, value]);
    }
  }

  #placeEntry(value: JsonNode): void {
    if (!(value instanceof JsonObject)) throw new JsonFault('B0011', 'an entry is not an object');
    this.#entries.push(value);
    this.#size = 0;
    this.count++;
  }
}

function isForbidden(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/** Up to so many keys looking through them is quicker than a set. */
const FEW_KEYS = 16;

/** Whether the object has the key already; if not, it has it from now on. */
function hasKey(object: OpenObject, key: string): boolean {
  const { members } = object;
  if (members.length < FEW_KEYS) {
    for (const [name] of members) if (name === key) return true;
    return false;
  }
  object.keys ??= new Set(members.map(([name]) => name));
  return object.keys.size === object.keys.add(key).size;
}

/** Half of a surrogate pair is no character: other programs would read, sign or compare something else. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function wellFormed(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new JsonFault('B0011', 'a string has half of a surrogate pair');
  return text;
}

function twice(key: string): JsonFault {
  return new JsonFault('B0011', `the key ${shown(key)} stands twice in one object`);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
