import type { Code } from '../core/code.ts';

/** What is wrong with a JSON text, thrown while its line is not known yet; never leaves the reading of JSON. */
export class JsonFault extends Error {
  readonly code: Code;
  /** In words. */
  readonly detail: string;

  constructor(code: Code, detail: string) {
    super(detail);
    this.code = code;
    this.detail = detail;
  }
}
