/** Lines to report on, and the whole text of a line file. */
import { type Code, reason } from '../../src/core/code.ts';
import type { LineOutcome, Outcome } from '../../src/core/outcome.ts';
import type { CsvShape, JsonObject, JsonShape, Row } from '../../src/core/row.ts';
import { lineWriter } from '../../src/report/line-files.ts';
import type { LineFile, Mask, ReportedLine } from '../../src/report/line-writer.ts';

export const BATCH = 'B1';

export function csvShape(header: readonly string[], dialect: Partial<CsvShape> = {}): CsvShape {
  const columns = header.map((name) => name.trim().toLowerCase());
  return { format: 'csv', encoding: 'utf-8', delimiter: ',', lineEnd: '\n', header, columns, ...dialect };
}

export function jsonShape(form: JsonShape['form'], rest: Partial<JsonShape> = {}): JsonShape {
  return { format: 'json', encoding: 'utf-8', form, list: undefined, envelope: undefined, ...rest };
}

/** A line of a CSV (cells) or a JSON file (an entry). */
export function line(
  number: number,
  content: readonly string[] | JsonObject,
  outcome: Outcome = 'succeeded',
  why?: Code | readonly [code: Code, detail: string],
  rest: Partial<LineOutcome> = {},
): ReportedLine {
  const cells = Array.isArray(content) ? content : [];
  const entry = Array.isArray(content) ? undefined : (content as JsonObject);
  const row: Row = { line: number, fields: {}, faults: [], cells, entry };
  const found =
    why === undefined ? undefined : typeof why === 'string' ? reason(why) : reason(why[0], why[1]);
  const executed = outcome === 'succeeded' || outcome === 'refused';
  return {
    row,
    outcome: {
      line: number,
      outcome,
      reason: found,
      chunk: executed ? 1 : undefined,
      attempt: executed ? 1 : undefined,
      reference: outcome === 'succeeded' ? `rf_${number}` : undefined,
      first: undefined,
      ...rest,
    },
  };
}

/** The text of one line file, made in two blocks. */
export function fileText(
  file: LineFile,
  shape: CsvShape | JsonShape,
  lines: readonly ReportedLine[],
  { extra = false, mask = (text) => text }: { extra?: boolean; mask?: Mask } = {},
): string {
  const writer = lineWriter(file, { shape, batch: BATCH, extra, mask });
  const half = Math.ceil(lines.length / 2);
  return writer.head + writer.block(lines.slice(0, half)) + writer.block(lines.slice(half)) + writer.tail;
}
