/** CSV statements of a test: written to a folder of their own, read whole. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Unreadable } from '../../../src/files/unreadable.ts';
import type {
  StatementEnd,
  StatementHeader,
  StatementLine,
  StatementReader,
} from '../../../src/reconcile/statement.ts';
import { csvReader } from '../../../src/reconcile/statements/csv.ts';
import { type MappingInput, mappingSchema } from '../../../src/reconcile/statements/mapping.ts';

const folder = mkdtempSync(join(tmpdir(), 'batchgate-statement-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The path of a file with this content. */
export function written(content: string | Buffer, name = 'statement.csv'): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

export interface WholeStatement {
  readonly header: StatementHeader;
  readonly lines: readonly StatementLine[];
  readonly end: StatementEnd;
}

/** The only statement of a file. */
export async function readWhole(path: string, reader: StatementReader): Promise<WholeStatement> {
  const headers: StatementHeader[] = [];
  const lines: StatementLine[] = [];
  const ends: StatementEnd[] = [];
  for await (const part of reader.read(path)) {
    if (part.is === 'begin') headers.push(part.header);
    if (part.is === 'lines') lines.push(...part.lines);
    if (part.is === 'end') ends.push(part.end);
  }
  if (headers.length !== 1 || ends.length !== 1) throw new Error('not one statement');
  return { header: headers[0]!, lines, end: ends[0]! };
}

/** A mapping of the columns that most tests have, with what a test says otherwise. */
export function mapped(changes: Partial<MappingInput> = {}): StatementReader {
  return csvReader(
    mappingSchema.parse({
      name: 'test',
      recognise: ['gross', 'currency'],
      amounts: 'decimal',
      direction: 'signed',
      gross: { column: 'gross' },
      fee: 'none',
      net: 'derived',
      currency: { column: 'currency' },
      kind: { constant: 'payment' },
      booked: { column: 'day' },
      references: [{ column: 'ref', optional: true }],
      ...changes,
    }),
  );
}

export function read(content: string | Buffer, changes: Partial<MappingInput> = {}): Promise<WholeStatement> {
  return readWhole(written(content), mapped(changes));
}

/** The error that the file gives. */
export async function refusal(
  content: string | Buffer,
  changes: Partial<MappingInput> = {},
): Promise<Unreadable> {
  try {
    await read(content, changes);
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
  throw new Error('the file was read');
}
