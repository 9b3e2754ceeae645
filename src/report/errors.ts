/** `errors.csv` and `errors.json`: why a file was rejected, for people and for programs. */
import { stringify } from 'csv-stringify/sync';
import { guard } from '../core/guard.ts';
import type { ReportError } from './document.ts';

const COLUMNS = ['line', 'column', 'code', 'message', 'hint'] as const;

export function errorsCsv(errors: readonly ReportError[]): string {
  const rows = errors.map((error) => COLUMNS.map((column) => guard(String(error[column] ?? ''))));
  return `\uFEFF${stringify([[...COLUMNS], ...rows])}`;
}

export function errorsJson(errors: readonly ReportError[]): string {
  return `${JSON.stringify({ errors }, undefined, 2)}\n`;
}
