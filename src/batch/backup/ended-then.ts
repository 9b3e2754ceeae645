/** How the lines of a batch ended that a remote gateway has executed, as its result said then. */
import type { usualMovement } from '../../core/answer.ts';
import { CODES, type Code, type Reason, reason } from '../../core/code.ts';
import type { Result } from '../../core/gateway.ts';
import { type ResultCells, resultLines } from './result-file.ts';

/**
 * How a line ended that holds its identity now. What is not proved not to have happened is unknown: that it is nobody's
 * repeat now, but was one then, means that what it repeats is lost.
 */
export function endedAs(old: ResultCells | undefined, moved: ReturnType<typeof usualMovement>): Result {
  switch (old?.outcome) {
    case 'succeeded':
      return { status: 'done', reference: old.gateway_reference, moved };
    case 'pending':
      return { status: 'pending', reference: old.gateway_reference, moved };
    case 'refused':
    case 'invalid':
      return { status: 'refused', reason: reasonOf(old) };
    case 'not_sent':
      return { status: 'refused', reason: reason('E0002', 'it was not sent then') };
    case 'unknown':
      return { status: 'unknown', reason: reasonOf(old) };
    case 'duplicate':
      return { status: 'unknown', reason: reason('E0001', `then it said: ${old.message}`) };
    default:
      return { status: 'unknown', reason: reason('E0001', 'the result of then does not say') };
  }
}

function reasonOf({ code, message, hint }: ResultCells): Reason {
  if (!isCode(code)) return reason('E0001', message === '' ? undefined : message);
  return { code, message, ...(hint === '' || hint === CODES[code].hint ? {} : { hint }) };
}

function isCode(code: string): code is Code {
  return Object.hasOwn(CODES, code);
}

/** The result of then, read as far as the chunks need it. */
export class Results {
  readonly #lines: AsyncGenerator<ResultCells>;
  /** Read, and of no chunk yet. */
  readonly #waiting = new Map<number, ResultCells>();
  #last = 0;

  /** @param path of the result, which can be read to its end */
  constructor(path: string) {
    this.#lines = resultLines(path, null);
  }

  /** What the result says of each of these lines, in ascending order; each line is asked for once. */
  async take(lines: readonly number[]): Promise<readonly (ResultCells | undefined)[]> {
    await this.#readTo(lines.at(-1) ?? 0);
    return lines.map((line) => {
      const cells = this.#waiting.get(line);
      this.#waiting.delete(line);
      return cells;
    });
  }

  async #readTo(line: number): Promise<void> {
    while (this.#last < line) {
      const { value, done } = await this.#lines.next();
      if (done === true) return;
      this.#last = Number(value.line);
      if (SENT_OR_NOT.has(value.outcome) || value.code === 'B0014') this.#waiting.set(this.#last, value);
    }
  }
}

/** Outcomes of lines that can stand in a chunk; an invalid line does where only the ledger could say so. */
const SENT_OR_NOT: ReadonlySet<string> = new Set([
  'succeeded',
  'pending',
  'refused',
  'unknown',
  'duplicate',
  'not_sent',
]);
