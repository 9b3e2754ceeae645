/** Nested JSON → dotted names: `{"beneficiary":{"bank_details":{"iban":…}}}` is `beneficiary.bank_details.iban`. */

import { isBlank } from '../core/blank.ts';
import { type Reason, reason } from '../core/code.ts';
import { type JsonNode, JsonObject, type Row } from '../core/row.ts';
import type { IsKnown } from './opened-file.ts';

/**
 * Visits everything in an object that has a name; elements of an array are named by their position, from 0.
 * @param visit returns whether to go on inside the value; asked for objects and arrays only
 */
export function walk(node: JsonObject, visit: (name: string, value: JsonNode) => boolean): void {
  for (const [key, value] of node.members) descend(key, value, visit);
}

function descend(name: string, value: JsonNode, visit: (name: string, value: JsonNode) => boolean): void {
  if (!visit(name, value)) return;
  if (value instanceof JsonObject) {
    for (const [key, inner] of value.members) descend(`${name}.${key}`, inner, visit);
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) descend(`${name}.${index}`, value[index]!, visit);
  }
}

type ToRow = (line: number, entry: JsonObject) => Row;

/** How entries become rows. A known field must be text; `null` and blank text mean that it is absent. */
export function entryRowMaker(isKnown: IsKnown): ToRow {
  /** Known names once met: a string that served as a key before is a quicker key than an equal one fresh from the file. */
  const names = new Map<string, string>();
  const knownName = (name: string): string | undefined => {
    const met = names.get(name);
    if (met !== undefined || !isKnown(name)) return met;
    names.set(name, name);
    return name;
  };

  return (line, entry) => {
    const fields: Record<string, string> = {};
    const faults: Reason[] = [];
    walk(entry, (path, value) => {
      const name = knownName(path);
      if (name === undefined) return true;
      const fault = fieldFault(name, value, fields);
      if (fault !== undefined) faults.push(reason('I0002', fault, { line, column: name }));
      else if (typeof value === 'string' && !isBlank(value)) fields[name] = value;
      return false;
    });
    return { line, fields, faults, cells: NO_CELLS, entry };
  };
}

const NO_CELLS: Row['cells'] = [];

function fieldFault(name: string, value: JsonNode, fields: Row['fields']): string | undefined {
  // A key may have dots of its own: `{"a":{"b":"1"},"a.b":"2"}` says two things about one field.
  if (fields[name] !== undefined) return `${name} is given twice`;
  if (value === null || typeof value === 'string') return undefined;
  return `${name} must be a string`;
}
