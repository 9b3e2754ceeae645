/** A document that cannot be read as what it is meant to be, or a part of it: nothing of it is used. */
export class Unreadable extends Error {
  /** First physical line, where it is known. */
  readonly line: number | undefined;
  readonly column: string | undefined;
  readonly hint: string | undefined;
  constructor(
    message: string,
    where: { readonly line?: number; readonly column?: string; readonly hint?: string } = {},
  ) {
    super(message);
    this.line = where.line;
    this.column = where.column;
    this.hint = where.hint;
  }
}
