/**
 * From what a schema finds in a message to reasons: each with the dotted path of its field, none with a value, because
 * a card number can stand in any field. Lists and fields are bounded before the schema sees them.
 */
import * as z from 'zod';
import { isBlank } from '../../core/blank.ts';
import { type Reason, reason } from '../../core/code.ts';
import { nearest } from '../../core/distance.ts';
import { decimal } from '../../core/text.ts';
import type { JsonFields, JsonValue } from '../canonical.ts';
import { MOST_REASONS, type Refused, refusedFor, shownName, unknownField } from './refused.ts';
import { isFields, isList } from './values.ts';

/** No list of a message may be longer than this. */
const LONGEST_LIST = 200;

/**
 * Parses a message. Blank text and `null` mean that a field is absent, as in files.
 * @param schema of an object
 * @returns the message, and the fields that were given; or why it is refused
 */
export function parseMessage<Schema extends z.ZodType>(
  schema: Schema,
  fields: JsonFields,
): { readonly message: z.infer<Schema>; readonly given: JsonFields } | Refused {
  const long = longList(fields, '');
  if (long !== undefined)
    return { reasons: [reason('I0002', `${long} has too many elements`, { column: long })] };
  const given = withoutBlanks(fields);
  const parsed = schema.safeParse(given);
  if (parsed.success) return { message: parsed.data, given };
  return refusedFor(reasonsOf(schema, parsed.error.issues, given));
}

/** The path of the first list that is too long. */
function longList(value: JsonValue, path: string): string | undefined {
  if (isList(value) && value.length > LONGEST_LIST) return path;
  if (!isList(value) && !isFields(value)) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'object') continue;
    const found = longList(inner, path === '' ? shownName(key) : `${path}.${shownName(key)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withoutBlanks(fields: JsonFields): JsonFields {
  const filled = Object.entries(fields).filter(([, value]) => !isAbsent(value));
  return Object.fromEntries(filled.map(([name, value]) => [name, withoutInnerBlanks(value)]));
}

function withoutInnerBlanks(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(withoutInnerBlanks);
  return isFields(value) ? withoutBlanks(value) : value;
}

/** True for what counts as not given. */
export function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

type Issue = z.core.$ZodIssue;

/** So many issues are looked at: enough for the reasons that matter most to be among them. */
const MOST_ISSUES = 1000;

function reasonsOf(schema: z.ZodType, issues: readonly Issue[], given: JsonFields): readonly Reason[] {
  const bounded = issues.slice(0, MOST_ISSUES);
  const unknown = bounded.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? strangers(schema, issue, given) : [],
  );
  // What a misspelt name stands for is not missing as well.
  const meant = new Set(unknown.map((stranger) => stranger.meant));
  const others = bounded.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys' || meant.has(issue.path.join('.'))) return [];
    return [reasonOf(schema, issue, given)];
  });
  return [...others, ...unknown.map((stranger) => stranger.reason)];
}

interface Stranger {
  readonly reason: Reason;
  /** Path of the field that was probably meant. */
  readonly meant: string | undefined;
}

function strangers(
  schema: z.ZodType,
  { path, keys }: Extract<Issue, { readonly code: 'unrecognized_keys' }>,
  given: JsonFields,
): readonly Stranger[] {
  const at = schemaAt(schema, path);
  const inside = valueAt(given, path);
  const shape = at instanceof z.ZodObject ? Object.keys(at.shape) : [];
  const absent = shape.filter((name) => !isFields(inside) || !Object.hasOwn(inside, name));
  return keys.slice(0, MOST_REASONS).map((key) => {
    const name = nearest(key, absent);
    return {
      reason: unknownField(key, absent, path.join('.')),
      meant: name === undefined ? undefined : [...path, name].join('.'),
    };
  });
}

function reasonOf(schema: z.ZodType, issue: Issue, given: JsonFields): Reason {
  const column = issue.path.join('.');
  if (issue.code === 'custom' && issue.params?.missing === true)
    return reason('I0001', issue.message, { column });
  const value = valueAt(given, issue.path);
  if (value === undefined) return reason('I0001', column, { column });
  const isAmount = typeof value === 'string' && schemaAt(schema, issue.path) === decimal;
  return reason(isAmount ? 'I0021' : 'I0002', `${column}; expected ${expectation(issue)}`, { column });
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  object: 'an object',
  array: 'a list',
};

/** What the schema says, or for a wrong type without words of its own the right one. */
function expectation(issue: Issue): string {
  const isPlain = issue.code === 'invalid_type' && issue.message.startsWith('Invalid input');
  return isPlain ? (TYPES[issue.expected] ?? issue.expected) : issue.message;
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  let at: unknown = schema;
  for (const key of path) {
    const inner = unwrapped(at);
    if (inner instanceof z.ZodArray) at = inner.element;
    else if (inner instanceof z.ZodObject) at = inner.shape[String(key)];
    else return undefined;
  }
  const found = unwrapped(at);
  return found instanceof z.ZodType ? found : undefined;
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

function valueAt(fields: JsonFields, path: readonly PropertyKey[]): JsonValue | undefined {
  let at: JsonValue | undefined = fields;
  for (const key of path) {
    if (isList(at)) at = at[Number(key)];
    else if (isFields(at) && Object.hasOwn(at, String(key))) at = at[String(key)];
    else return undefined;
  }
  return at;
}
