import type { Reason } from '../core/code.ts';

/** The whole file is refused and nothing of it is executed: the one expected exception of reading files. */
export class FileRejected extends Error {
  readonly reasons: readonly Reason[];

  constructor(reasons: readonly Reason[]) {
    super(reasons.map(({ code, message }) => `${code}: ${message}`).join(' '));
    this.name = 'FileRejected';
    this.reasons = reasons;
  }
}
