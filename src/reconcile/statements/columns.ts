/** The columns of one file: where the ones are that the mapping names, and which of them are missing. */
import type { Unreadable } from '../../files/unreadable.ts';
import type { TextColumn } from './mapping.ts';
import { unreadable } from './refuse.ts';
import type { TableHeader } from './table.ts';

export class Columns {
  readonly #file: string;
  readonly #header: TableHeader;
  readonly #missing = new Set<string>();
  readonly #doubled = new Set<string>();

  /** @param file its name, for messages */
  constructor(file: string, header: TableHeader) {
    this.#file = file;
    this.#header = header;
  }

  get count(): number {
    return this.#header.columns.length;
  }

  /** Where the column is. What is not there is remembered, for `check` to say all of it at once. */
  index(name: string): number {
    const index = this.#header.columns.indexOf(name);
    if (index === -1) this.#missing.add(name);
    else if (this.#header.columns.indexOf(name, index + 1) !== -1) this.#doubled.add(name);
    return index;
  }

  /** Where the columns are, without the optional ones that are not there. */
  indexes(columns: readonly TextColumn[]): readonly number[] {
    return columns
      .filter(({ column, optional }) => !optional || this.#header.columns.includes(column))
      .map(({ column }) => this.index(column));
  }

  /** @throws Unreadable when a column is missing, or there twice */
  check(): void {
    const { columns, line } = this.#header;
    const where = line === 0 ? {} : { line };
    const [missing] = this.#missing;
    if (missing !== undefined) {
      const all = [...this.#missing].map((name) => `"${name}"`).join(', ');
      throw unreadable(this.#file, `the mapping needs ${all}, but there is ${list(columns)}`, {
        ...where,
        column: missing,
      });
    }
    const [doubled] = this.#doubled;
    if (doubled !== undefined)
      throw unreadable(this.#file, 'there are two columns of this name', { ...where, column: doubled });
  }

  /** An error at a cell of a record. */
  fault(line: number, index: number, what: string, hint?: string): Unreadable {
    const column = this.#header.columns[index] || `${index + 1}`;
    return unreadable(this.#file, what, { line, column, ...(hint === undefined ? {} : { hint }) });
  }

  /** An error of a whole record. */
  recordFault(line: number, what: string): Unreadable {
    return unreadable(this.#file, what, { line });
  }
}

/** So many columns are listed: enough to see which file it is. */
const LISTED = 12;

function list(columns: readonly string[]): string {
  const names = columns.filter((name) => name !== '');
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  return `only ${names.slice(0, LISTED).join(', ')}${more}`;
}
