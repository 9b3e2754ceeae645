/** Errors of a statement file, which say the file, the line and the column. */
import { FileRejected } from '../../files/rejected.ts';
import { Unreadable } from '../../files/unreadable.ts';

/** Where in a file something is wrong. */
export interface Where {
  readonly line?: number;
  readonly column?: string;
  readonly hint?: string;
}

/**
 * @param file its name
 * @param what is wrong, in words that follow the place
 */
export function unreadable(file: string, what: string, where: Where = {}): Unreadable {
  const line = where.line === undefined ? '' : `, line ${where.line}`;
  const column = where.column === undefined ? '' : `, column "${where.column}"`;
  return new Unreadable(`${file}${line}${column}: ${what}.`, where);
}

/** The same for what decoding and splitting cells refuse; other errors are passed on as they are. */
export function fromRejected(file: string, error: unknown): unknown {
  if (!(error instanceof FileRejected)) return error;
  const { code, message, line, column } = error.reasons[0]!;
  return new Unreadable(`${file}: ${message}`, {
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column: String(column) }),
    ...(code === 'B0002'
      ? { hint: 'Say its encoding in the mapping, for example encoding: windows-1252.' }
      : {}),
  });
}
