/** Writes instructions as somebody's file: in any of the formats and dialects that are accepted. */
import type { Style } from '../model/reading.ts';
import type { Chance } from './chance.ts';

/** One line as somebody writes it: fields by column name, and what stands in the file's own column. */
export interface Draft {
  readonly fields: Readonly<Record<string, string>>;
  readonly own: string;
  /** CSV: a record with a cell too few or too many. */
  readonly shape: 'whole' | 'short' | 'long';
}

/** What says more about all lines than they say themselves. */
export interface Frame {
  readonly operation: string | undefined;
  readonly merchantId: string | undefined;
  readonly accountId: string | undefined;
}

export type Format = 'csv' | 'array' | 'envelope' | 'ndjson';

export interface InstructionFile {
  readonly name: string;
  readonly drafts: readonly Draft[];
  readonly bytes: Buffer;
  readonly format: Format;
  readonly style: Style;
  readonly frame: Frame;
  /** The delimiter of a CSV file. */
  readonly delimiter: string;
  /** Where each draft stands: its first physical line, or the number of its entry. */
  readonly lines: readonly number[];
  /** The header of a CSV file, and the cells of each draft as they are meant. */
  readonly header: readonly string[];
  readonly cells: readonly (readonly string[])[];
  /** JSON: the entries as they are meant. */
  readonly entries: readonly object[];
}

/** Columns that a file of one operation must have whatever its lines fill in. */
export const NEEDED: Readonly<Record<string, readonly string[]>> = {
  capture: ['transaction_id', 'order_no', 'currency', 'amount'],
  cancel: ['transaction_id', 'order_no', 'currency', 'amount'],
  review: ['transaction_id', 'order_no', 'currency', 'amount', 'review_flag'],
  refund: ['transaction_id', 'order_no', 'currency', 'amount', 'refund_amount'],
  payout: [
    'request_id',
    'payment_method',
    'source_currency',
    'payment_currency',
    'source_amount',
    'payment_amount',
    'beneficiary.entity_type',
    'beneficiary.company_name',
    'beneficiary.bank_details.iban',
  ],
};

interface Given {
  readonly drafts: readonly Draft[];
  readonly frame: Frame;
  readonly style: Style;
  readonly format: Format;
  /** Part of the name that makes it different from others; may be empty. */
  readonly suffix: string;
}

export function writeInstructions(given: Given, chance: Chance): InstructionFile {
  return given.format === 'csv' ? writeCsv(given, chance) : writeJson(given, chance);
}

/** The first word of the name says the operation, or nothing at all. */
function stem({ frame, suffix }: Given, chance: Chance): string {
  const word =
    frame.operation === undefined ? 'lines' : chance.percent(50) ? frame.operation : `${frame.operation}s`;
  return `${word}${suffix}`;
}

const OWN = 'Kommentar';

function writeCsv(given: Given, chance: Chance): InstructionFile {
  const { drafts, frame, style } = given;
  const used = new Set([
    ...(NEEDED[frame.operation ?? ''] ?? []),
    ...(frame.operation === undefined ? ['operation'] : []),
    ...(frame.merchantId === undefined ? ['merchant_id'] : []),
    ...(frame.accountId === undefined ? ['account_id'] : []),
    ...drafts.flatMap(({ fields }) => Object.keys(fields)),
  ]);
  const columns = chance.shuffled([...used]);
  const own = chance.pick([OWN, OWN, 'chunk', '_aside']);
  const place = chance.below(columns.length + 1);
  const header = [...columns.slice(0, place), own, ...columns.slice(place)];
  const cells = drafts.map((draft) => {
    const whole = header.map((column) => (column === own ? draft.own : (draft.fields[column] ?? '')));
    if (draft.shape === 'long') return [...whole, 'surplus'];
    return draft.shape === 'short' ? whole.slice(0, -1) : whole;
  });
  const delimiter = chance.pick([',', ';', '\t', '|']);
  const written = csvText(given, header, cells, delimiter, chance);
  return {
    name: `${stem(given, chance)}.csv`,
    drafts,
    bytes: encoded(written.text, chance),
    format: 'csv',
    style,
    frame,
    delimiter,
    lines: written.lines,
    header,
    cells,
    entries: [],
  };
}

function csvText(
  given: Given,
  header: readonly string[],
  cells: readonly (readonly string[])[],
  delimiter: string,
  chance: Chance,
): { text: string; lines: number[] } {
  const end = chance.pick(['\n', '\r\n', '\r']);
  const mixed = chance.percent(10);
  let text = '';
  let line = 1;
  const add = (record: string) => {
    const written = record + (mixed ? chance.pick(['\n', '\r\n']) : end);
    text += written;
    line += written.match(/\r\n|\r|\n/g)!.length;
  };
  if (chance.percent(10)) add(`sep=${delimiter}`);
  const spelt = (name: string) =>
    chance.percent(5) ? ` ${name.toUpperCase()} ` : chance.percent(5) ? `"${name}"` : name;
  add(header.map((name) => (given.frame.operation === undefined ? name : spelt(name))).join(delimiter));
  const quoting = chance.pick([0, 0, 20, 100]);
  const lines: number[] = [];
  for (const record of cells) {
    if (chance.percent(2)) add('');
    if (chance.percent(2)) add(header.map(() => '').join(delimiter));
    lines.push(line);
    add(record.map((cell) => csvCell(cell, delimiter, chance.percent(quoting), chance)).join(delimiter));
  }
  // A last line end is not needed, unless the file ends with blank cells only.
  const chopped = chance.percent(10) && text.endsWith(end) ? text.slice(0, -end.length) : text;
  return { text: chopped, lines };
}

/** A spreadsheet would calculate it. */
const FORMULA = /^ *[=+\-@\t\r]/;
/** It would lose its first apostrophe at intake. */
const LOOKS_GUARDED = /^'+ *[=+\-@\t\r]/;

function csvCell(cell: string, delimiter: string, quote: boolean, chance: Chance): string {
  const guard = LOOKS_GUARDED.test(cell) || (FORMULA.test(cell) && chance.percent(50));
  const text = guard ? `'${cell}` : cell;
  const needed = /["\r\n]/.test(text) || text.includes(delimiter);
  return needed || (quote && text !== '') ? `"${text.replaceAll('"', '""')}"` : text;
}

function encoded(text: string, chance: Chance): Buffer {
  switch (chance.pick(['plain', 'plain', 'plain', 'mark', 'little', 'big'])) {
    case 'mark':
      return Buffer.from(`\uFEFF${text}`, 'utf8');
    case 'little':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'big':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    default:
      return Buffer.from(text, 'utf8');
  }
}

function writeJson(given: Given, chance: Chance): InstructionFile {
  const { drafts, frame, style, format } = given;
  const entries = drafts.map(({ fields, own }) => nested({ ...fields, [OWN]: own }));
  const lines: number[] = [];
  let text = '';
  if (format === 'ndjson') {
    let line = 1;
    for (const entry of entries) {
      if (chance.percent(3)) {
        text += '\n';
        line += 1;
      }
      lines.push(line);
      text += `${json(entry, chance)}\n`;
      line += 1;
    }
  } else {
    lines.push(...entries.map((_, index) => index + 1));
    const list = `[${entries.map((entry) => json(entry, chance)).join(chance.pick([',', ',\n', ' , ']))}]`;
    text = format === 'array' ? list : envelope(frame, list, chance);
  }
  const extension = format === 'ndjson' ? chance.pick(['ndjson', 'jsonl']) : 'json';
  const bytes = chance.percent(20) ? Buffer.from(`\uFEFF${text}`) : Buffer.from(text);
  const name = `${stem(given, chance)}.${extension}`;
  return { name, drafts, bytes, format, style, frame, delimiter: '', lines, header: [], cells: [], entries };
}

function envelope({ operation, merchantId, accountId }: Frame, list: string, chance: Chance): string {
  const members = [
    ...(merchantId === undefined ? [] : [`"merchant_id":${JSON.stringify(merchantId)}`]),
    ...(accountId === undefined ? [] : [`"account_id":${JSON.stringify(accountId)}`]),
    `"${operation}_orders":${list}`,
  ];
  return `{${(chance.percent(50) ? members : members.reverse()).join(', ')}}`;
}

/** Dotted names as objects in objects. */
function nested(fields: Readonly<Record<string, string>>): object {
  const root: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const path = name.split('.');
    let at = root;
    for (const key of path.slice(0, -1)) {
      at[key] ??= {};
      at = at[key] as Record<string, unknown>;
    }
    at[path.at(-1)!] = value;
  }
  return root;
}

/** Any way of writing the same: white space, escapes. */
function json(entry: object, chance: Chance): string {
  const text = JSON.stringify(entry);
  if (!chance.percent(20)) return text;
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
