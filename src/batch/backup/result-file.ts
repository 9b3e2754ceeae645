/** Result files as they were written: what they say of each line, whatever the input's own columns are called. */
import { basename } from 'node:path';
import { type FileShape, type Row, tableOf } from '../../core/row.ts';
import { type OpenedFile, openFile } from '../../files/open.ts';
import { FileRejected } from '../../files/rejected.ts';

/** What is read of a result file. */
const OURS = ['line', 'outcome', 'code', 'message', 'hint', 'attempt', 'gateway_reference'] as const;

type OurName = (typeof OURS)[number];

/** Our part of a line: a cell that says nothing is empty. */
export type ResultCells = Readonly<Record<OurName, string>>;

/** In front of our name, as often as the input has a column of the name already. */
const ELSEWHERE = 'batchgate_';

/**
 * The lines of a result file in their order.
 * @param delimiter of CSV, where it is known; else the header tells it
 * @throws FileRejected for a file that is none
 */
export async function* resultLines(path: string, delimiter: string | null): AsyncGenerator<ResultCells> {
  const file = await opened(path, delimiter);
  const cell = cellOf(file.shape);
  for await (const rows of file.rows()) {
    for (const row of rows)
      yield Object.fromEntries(OURS.map((name) => [name, cell(row, name)])) as Record<OurName, string>;
  }
}

/** Why a result file cannot be read to its end; undefined when it can. */
export async function unreadable(path: string): Promise<string | undefined> {
  try {
    let before = 0;
    for await (const { line, outcome } of resultLines(path, null)) {
      if (!(Number(line) > before) || outcome === '') return `after line ${before} it is no result file`;
      before = Number(line);
    }
    return undefined;
  } catch (error) {
    if (error instanceof FileRejected) return error.message;
    throw error;
  }
}

function opened(path: string, delimiter: string | null): Promise<OpenedFile> {
  const isOurs = (name: string) => OURS.some((own) => own === withoutPrefix(name));
  return openFile(path, basename(path), delimiter === null ? {} : { delimiter }, isOurs);
}

function withoutPrefix(name: string): string {
  return name.replace(new RegExp(`^(?:${ELSEWHERE})+`), '');
}

/** Where our part of a row stands: in our columns, or in the member `_result` of a JSON entry. */
function cellOf(shape: FileShape): (row: Row, name: OurName) => string {
  if (shape.format === 'json') {
    return ({ entry }, name) => {
      const result = entry?.get('_result');
      const value =
        result !== null && typeof result === 'object' && 'get' in result ? result.get(name) : undefined;
      if (typeof value === 'string') return value;
      return value !== null && typeof value === 'object' && 'text' in value ? value.text : '';
    };
  }
  const { columns } = tableOf(shape);
  const names = new Map(OURS.map((name) => [name, lastOf(columns, name)]));
  return ({ fields }, name) => fields[names.get(name)!] ?? '';
}

/** The input's own columns of the name come first. */
function lastOf(columns: readonly string[], name: OurName): string {
  return columns.findLast((column) => withoutPrefix(column) === name) ?? name;
}
