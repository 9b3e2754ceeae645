/** The line files of JSON input: the input's own shape, each entry with what became of it. Contract, "Reports of a batch". */
import { writeJson } from '../core/json-node.ts';
import { type JsonNode, JsonNumber, JsonObject, type JsonShape } from '../core/row.ts';
import {
  hasCardData,
  type LineFile,
  type LineWriter,
  linesFor,
  type Mask,
  OUR_COLUMNS,
  type ReportedLine,
} from './line-writer.ts';

export interface JsonLinesInput {
  readonly shape: JsonShape;
  /** The batch's id. */
  readonly batch: string;
  readonly mask: Mask;
}

type Member = readonly [name: string, value: JsonNode];

/** The writer of one line file of a JSON input; entries are counted across blocks, so one writer writes one file. */
export function jsonLines(file: LineFile, { shape, batch, mask }: JsonLinesInput): LineWriter {
  const { head, between, after, tail } = frameOf(file, shape);
  let first = true;
  return {
    head,
    block: (lines) => {
      let text = '';
      for (const line of linesFor(file, lines)) {
        text += (first ? '' : between) + writeJson(reported(file, line, batch, mask)) + after;
        first = false;
      }
      return text;
    },
    tail,
  };
}

/** What stands before all entries, between two, after each, and after all. */
interface Frame {
  readonly head: string;
  readonly between: string;
  readonly after: string;
  readonly tail: string;
}

function frameOf(file: LineFile, shape: JsonShape): Frame {
  switch (shape.form) {
    case 'array':
      return { head: '[\n', between: ',\n', after: '', tail: '\n]\n' };
    case 'envelope': {
      const others = without(shape.envelope?.members ?? [], staleIn(file));
      // An object with one more member, its empty list; taken apart between the list's brackets.
      const whole = writeJson(new JsonObject([...others, [shape.list ?? 'orders', []]]));
      return { head: `${whole.slice(0, -2)}\n`, between: ',\n', after: '', tail: '\n]}\n' };
    }
    case 'ndjson':
    case 'object':
      return { head: '', between: '', after: '\n', tail: '' };
  }
}

/** The entry as it was written, with our members; card numbers masked where there are any. */
function reported(file: LineFile, line: ReportedLine, batch: string, mask: Mask): JsonObject {
  const given = line.row.entry?.members ?? [];
  const ours: readonly Member[] = OUR_COLUMNS[file].map(({ name, value }) => [
    name,
    jsonValue(value(line, batch)),
  ]);
  const added: readonly Member[] = file === 'result' ? [['_result', new JsonObject(ours)]] : ours;
  const kept = without(given, [
    ...staleIn(file),
    ...added.map(([name]) => name).filter((name) => name.startsWith('_')),
  ]);
  const names = kept.map(([name]) => name);
  const entry = new JsonObject([...kept, ...added.filter(([name]) => !names.includes(name))]);
  return hasCardData(line) ? maskedObject(entry, '', mask) : entry;
}

/** A signature over entries that the file no longer has would only get it refused (B0016). */
function staleIn(file: LineFile): readonly string[] {
  return file === 'result' ? [] : ['encryption_data'];
}

function without(members: readonly Member[], names: readonly string[]): readonly Member[] {
  return members.filter(([name]) => !names.includes(name));
}

function jsonValue(value: string | number | undefined): JsonNode {
  if (value === undefined) return null;
  return typeof value === 'number' ? new JsonNumber(String(value)) : value;
}

function maskedObject(object: JsonObject, path: string, mask: Mask): JsonObject {
  const prefix = path === '' ? '' : `${path}.`;
  return new JsonObject(object.members.map(([name, value]) => [name, masked(value, prefix + name, mask)]));
}

function masked(node: JsonNode, path: string, mask: Mask): JsonNode {
  if (typeof node === 'string') return mask(node, path);
  if (node instanceof JsonObject) return maskedObject(node, path, mask);
  if (node instanceof JsonNumber) return maskedNumber(node, path, mask);
  return Array.isArray(node) ? node.map((item, at) => masked(item, `${path}.${at}`, mask)) : node;
}

/** A number that is a card number becomes text; any other stays as it was written. */
function maskedNumber(number: JsonNumber, path: string, mask: Mask): JsonNode {
  const text = mask(number.text, path);
  return text === number.text ? number : text;
}
