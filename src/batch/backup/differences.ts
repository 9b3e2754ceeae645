/** Two result files of one input, line by line. */
import { existsSync } from 'node:fs';
import { resultLines } from './result-file.ts';

/** A line that ended otherwise. */
export interface Difference {
  readonly line: string;
  /** Outcome and code, such as `refused V0006`. */
  readonly before: string;
  readonly after: string;
}

export interface Differences {
  readonly count: number;
  readonly first: readonly Difference[];
}

/** Lines that are named. */
const MOST_NAMED = 20;

/**
 * Compares the outcomes of two result files.
 * @returns undefined when one of them is not there
 */
export async function compareResults(
  before: string,
  after: string | null,
  delimiter: string | null,
): Promise<Differences | undefined> {
  if (after === null || !existsSync(before) || !existsSync(after)) return undefined;
  const named: Difference[] = [];
  let count = 0;
  const [olds, news] = [endings(before, delimiter), endings(after, delimiter)];
  for await (const old of olds) {
    const { value: fresh } = await news.next();
    if (fresh !== undefined && fresh.ending === old.ending) continue;
    count += 1;
    if (named.length < MOST_NAMED)
      named.push({ line: old.line, before: old.ending, after: fresh?.ending ?? 'no such line' });
  }
  return { count, first: named };
}

async function* endings(
  path: string,
  delimiter: string | null,
): AsyncGenerator<{ readonly line: string; readonly ending: string }> {
  for await (const { line, outcome, code } of resultLines(path, delimiter))
    yield { line, ending: `${outcome} ${code}`.trim() };
}
