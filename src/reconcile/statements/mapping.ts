/**
 * A mapping: how one kind of CSV file says what a statement says. People write it in YAML. Everything that could be
 * understood in two ways is stated in it, and nothing is guessed from the data.
 */
import { parse } from 'yaml';
import * as z from 'zod';
import { digitsOf } from '../../core/currency.ts';
import { isConsistent } from '../../core/money.ts';
import { delimiterOf } from '../../files/dialect.ts';
import { isEncoding } from '../../files/encoding.ts';
import { Unreadable } from '../../files/unreadable.ts';
import { LINE_KINDS, SUBJECTS } from '../statement.ts';
import { dayReader, formatFault } from './dates.ts';

/** Name of a column; case and outer spaces do not matter. */
const column = z.string().trim().toLowerCase().min(1);

/** Words of the source; `*` stands for anything, case does not matter. */
const words = z.array(z.string()).min(1);

const kind = z.enum(LINE_KINDS);

/** A column that may be missing from the file has an object of its own. */
const textColumn = z.union(
  [
    column.transform((name) => ({ column: name, optional: false })),
    z.strictObject({ column, optional: z.boolean().default(false) }),
  ],
  { error: 'must be the name of a column, or { column: …, optional: true }' },
);

const constant = z.strictObject({ constant: z.string().min(1) });

/** Which way the money of a column without signs goes. */
const directionColumn = z.strictObject({ column, credit: words, debit: words });

const direction = z.union(
  [z.literal('signed'), directionColumn, z.strictObject({ debit_kinds: z.array(kind).min(1) })],
  {
    error:
      'must be signed, { column: …, credit: […], debit: […] } or { debit_kinds: […] }; amounts in two columns say it themselves',
  },
);

/** What an empty amount means; where nothing is said, it is refused. */
const whenEmpty = z.enum(['zero', 'derived']).optional();

const amountForms = [
  z.strictObject({ column, empty: whenEmpty }),
  /** With signs, added up; empty ones count as nothing. */
  z.strictObject({ columns: z.array(column).min(1) }),
  z.strictObject({ credit: column, debit: column, empty: whenEmpty }),
  z.literal('derived'),
] as const;

const amount = z.union(amountForms, {
  error: 'must be { column: … }, { columns: […] }, { credit: …, debit: … } or derived',
});

/** Whether a cost is written above zero or below. */
const cost = z.enum(['positive', 'negative']);

const fee = z.union(
  [
    z.strictObject({ column, cost, empty: whenEmpty }),
    z.strictObject({ columns: z.array(column).min(1), cost }),
    /** Without signs; a debit is a cost. */
    z.strictObject({ column, direction: directionColumn, empty: whenEmpty }),
    z.literal('derived'),
    z.literal('none'),
  ],
  {
    error:
      'must be { column: …, cost: positive|negative }, { columns: […], cost: … }, { column: …, direction: … }, derived or none',
  },
);

const format = z.string().superRefine((text, context) => {
  const fault = formatFault(text);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

/** A cell of a footer line: the name of the column that it stands under, or its number from 1. */
const cell = z.union([z.int().min(1), column], { error: 'must be the number of a cell, or a column' });

/** A line in which the statement says something of itself; amounts are written as everywhere else. */
const totals = z.strictObject({
  first_cell: words,
  currency: z.union([z.strictObject({ cell }), constant]).optional(),
  count: z.strictObject({ cell }).optional(),
  /** Its parts are added up, or taken off. */
  net: z
    .array(z.strictObject({ cell, minus: z.boolean().default(false) }))
    .min(1)
    .optional(),
  credits: z.strictObject({ cell }).optional(),
  debits: z.strictObject({ cell }).optional(),
  closing: z.strictObject({ cell }).optional(),
});

const delimiter = z.string().transform((text, context) => {
  const mark = delimiterOf(text);
  if (mark !== undefined) return mark;
  context.addIssue({ code: 'custom', message: 'must be one character, or comma, semicolon, tab or pipe' });
  return z.NEVER;
});

const plainName = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens');

const shape = z.strictObject({
  name: plainName,
  /** What the file is a statement of: what an acquirer owes, its payouts, or an account at a bank. */
  of: z.enum(SUBJECTS).default('balance'),
  /** Whose ids the lines have, where several kinds of files have the same; else every kind has its own. */
  source: plainName.optional(),

  /** Columns by which a file of this kind is known; its header has all of them. */
  recognise: z.array(column).default([]),
  /** Names of the columns where the file has no header. */
  columns: z.array(column).min(1).optional(),
  encoding: z
    .string()
    .refine(isEncoding, 'must be the label of an encoding, for example windows-1252')
    .default('utf-8'),
  /** Of several, the one that makes the header have the columns of `recognise`. */
  delimiter: z.union([delimiter.transform((mark) => [mark]), z.array(delimiter).min(1)]).default([',']),
  /** How many physical lines stand before the header; or everything up to it. */
  preamble: z.union([z.int().min(0).max(1000), z.literal('until header')]).default(0),
  /** The last records that are no lines; or all that begin with one of these words. */
  footer: z
    .union([z.strictObject({ records: z.int().min(1).max(100) }), z.strictObject({ first_cell: words })])
    .optional(),
  /** Records that begin like this are nobody's: `#*`. */
  comment: z.string().min(1).optional(),
  /** Records that are no movement, or not yet: those with one of the words in the column. */
  ignore: z.array(z.strictObject({ column, words })).default([]),

  amounts: z.enum(['decimal', 'minor']),
  decimal: z.enum(['dot', 'comma']).default('dot'),
  thousands: z.enum(['none', 'dot', 'comma', 'space']).default('none'),
  excess_zeros: z.boolean().default(false),
  direction,
  gross: amount,
  fee,
  net: amount,

  currency: z.union([z.strictObject({ column }), constant]),
  /** Of the gross, where it may differ: the gross of such a line is its net and fee, in the currency of the line. */
  gross_currency: column.optional(),
  kind: z.union([
    z.strictObject({ column, words: z.record(z.string(), kind), otherwise: kind.optional() }),
    z.strictObject({ constant: kind }),
  ]),

  dates: z.union([format.transform((text) => [text]), z.array(format).min(1)]).default(['iso']),
  booked: z.union([
    /** `unknown` lets the day be empty: the line has `''` then. */
    z.strictObject({ column, empty: z.literal('unknown').optional() }),
    constant,
  ]),
  valued: textColumn.optional(),

  /** The most exact first. */
  references: z.array(textColumn).default([]),
  /** Together they are the id of a line. */
  id: z.array(textColumn).default([]),
  group: textColumn.optional(),
  text: z.array(textColumn).default([]),
  account: constant.optional(),
  totals: z.array(totals).default([]),
});

export const mappingSchema = shape.superRefine((mapping, context) => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const derived = [mapping.gross, mapping.fee, mapping.net].filter(canBeDerived).length;
  if (derived > 1) refuse('gross', 'only one of gross, fee and net can be derived from the other two');
  if (mapping.gross_currency !== undefined && [mapping.fee, mapping.net].some(canBeDerived)) {
    refuse('gross_currency', 'needs a fee and a net that stand in the file');
  }
  if (mapping.direction !== 'signed' && [mapping.gross, mapping.net].some(isSummed)) {
    refuse('direction', 'must be signed where several columns are added up');
  }
  if (!isConsistent(mapping)) refuse('thousands', 'must differ from the decimal mark');
  if (mapping.columns === undefined && mapping.recognise.length === 0) {
    refuse(
      'recognise',
      'must name columns, unless the file has no header and columns says what its cells are',
    );
  }
  if (mapping.columns !== undefined && mapping.preamble === 'until header') {
    refuse('preamble', 'must be a number where the file has no header');
  }
  if ('constant' in mapping.currency && digitsOf(mapping.currency.constant) === undefined) {
    refuse('currency', 'must be an ISO 4217 code');
  }
  if ('constant' in mapping.booked && dayReader(['iso'])(mapping.booked.constant) === undefined) {
    refuse('booked', 'must be a day, YYYY-MM-DD');
  }
});

function canBeDerived(field: z.output<typeof amount> | z.output<typeof fee>): boolean {
  return field === 'derived' || (typeof field === 'object' && 'empty' in field && field.empty === 'derived');
}

function isSummed(field: z.output<typeof amount>): boolean {
  return typeof field === 'object' && 'columns' in field;
}

export type Mapping = z.output<typeof mappingSchema>;
export type MappingInput = z.input<typeof mappingSchema>;
export type AmountField = z.output<typeof amount>;
export type FeeField = z.output<typeof fee>;
export type Direction = z.output<typeof direction>;
export type TextColumn = z.output<typeof textColumn>;
export type TotalsLine = z.output<typeof totals>;

/**
 * A mapping as somebody wrote it.
 * @param yaml its text
 * @param file its name, for the message
 * @throws Unreadable that names every setting that cannot be used
 */
export function parseMapping(yaml: string, file: string): Mapping {
  const parsed = mappingSchema.safeParse(fromYaml(yaml, file));
  if (parsed.success) return parsed.data;
  throw new Unreadable(`${file} is no mapping: ${parsed.error.issues.flatMap(faultsIn).join('; ')}.`);
}

/** One of zod's issues in words: setting and fault. Of a choice without words of its own, what the form that was meant lacks. */
function faultsIn(issue: z.core.$ZodIssue): readonly string[] {
  const at = (path: readonly PropertyKey[]) => path.join('.') || 'the mapping';
  if (issue.code === 'invalid_union' && issue.message === 'Invalid input') {
    const meant = issue.errors.find(
      (branch) => !branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
    );
    if (meant !== undefined)
      return meant.flatMap((one) => faultsIn({ ...one, path: [...issue.path, ...one.path] }));
  }
  return [`${at(issue.path)}: ${issue.message}`];
}

function fromYaml(yaml: string, file: string): unknown {
  try {
    return parse(yaml);
  } catch (error) {
    throw new Unreadable(`${file} is no YAML: ${(error as Error).message}`);
  }
}
