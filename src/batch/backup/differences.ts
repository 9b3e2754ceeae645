/** Two result files of one input, line by line. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { FileShape, Row } from '../../core/row.ts';
import { type OpenedFile, openFile } from '../../files/open.ts';

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

/** What is read of a result file; an input's own column of that name moves ours to the second name. */
const OURS = ['line', 'outcome', 'code'] as const;
const OTHER_NAME = 'batchgate_';

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
  const [olds, news] = [endings(await opened(before, delimiter)), endings(await opened(after, delimiter))];
  for await (const old of olds) {
    const { value: fresh } = await news.next();
    if (fresh !== undefined && fresh.ending === old.ending) continue;
    count += 1;
    if (named.length < MOST_NAMED)
      named.push({ line: old.line, before: old.ending, after: fresh?.ending ?? 'no such line' });
  }
  return { count, first: named };
}

function opened(path: string, delimiter: string | null): Promise<OpenedFile> {
  const isOurs = (name: string) => OURS.some((own) => name === own || name === OTHER_NAME + own);
  return openFile(path, basename(path), delimiter === null ? {} : { delimiter }, isOurs);
}

async function* endings(
  file: OpenedFile,
): AsyncGenerator<{ readonly line: string; readonly ending: string }> {
  const cell = cellOf(file.shape);
  for await (const rows of file.rows()) {
    for (const row of rows)
      yield { line: cell(row, 'line'), ending: `${cell(row, 'outcome')} ${cell(row, 'code')}`.trim() };
  }
}

/** Where our part of a row stands: in our columns, or in the member `_result` of a JSON entry. */
function cellOf(shape: FileShape): (row: Row, name: (typeof OURS)[number]) => string {
  if (shape.format === 'json') {
    return ({ entry }, name) => {
      const result = entry?.get('_result');
      const value =
        result !== null && typeof result === 'object' && 'get' in result ? result.get(name) : undefined;
      if (typeof value === 'string') return value;
      return value !== null && typeof value === 'object' && 'text' in value ? value.text : '';
    };
  }
  return ({ fields }, name) =>
    (shape.columns.includes(OTHER_NAME + name) ? fields[OTHER_NAME + name] : fields[name]) ?? '';
}
