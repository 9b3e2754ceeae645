/** The line files of CSV input: the input's own columns in its own dialect, then ours. Contract, "Reports of a batch". */
import { guard } from '../core/guard.ts';
import { AMOUNT_COLUMNS } from '../core/instruction.ts';
import type { CsvShape } from '../core/row.ts';
import { csvText } from './csv-text.ts';
import {
  hasCardData,
  type LineFile,
  type LineWriter,
  linesFor,
  type Mask,
  OUR_COLUMNS,
  type ReportedLine,
} from './line-writer.ts';

export interface CsvLinesInput {
  readonly shape: CsvShape;
  /** The batch's id. */
  readonly batch: string;
  /** Whether some row has more cells than the header: preflight knows, and the header is written first. */
  readonly extra: boolean;
  readonly mask: Mask;
}

const BOM = '\uFEFF';

/** In these a signed number is left to spreadsheets as a number. */
const NUMERIC_COLUMNS: ReadonlySet<string> = new Set([...AMOUNT_COLUMNS, 'line', 'chunk', 'attempt']);
const NUMBER = /^ *[+-]?[\d., ]+$/;

/** One column of a line file. */
interface Column {
  readonly header: string;
  /** The name the mask is told. */
  readonly name: string;
  readonly cell: (line: ReportedLine) => string;
}

/** The writer of one line file of a CSV input. */
export function csvLines(file: LineFile, input: CsvLinesInput): LineWriter {
  const { shape, mask } = input;
  const columns = columnsOf(file, input);
  const numeric = columns.map(({ name }) => NUMERIC_COLUMNS.has(name));

  const record = (line: ReportedLine): readonly string[] => {
    const masked = hasCardData(line);
    return columns.map(({ cell, name }, at) => {
      const text = masked ? mask(cell(line), name) : cell(line);
      const guarded = guard(text);
      return guarded !== text && numeric[at] === true && NUMBER.test(text) ? text : guarded;
    });
  };

  return {
    head: BOM + csvText([columns.map(({ header }) => guard(header))], shape),
    block: (lines) => csvText(linesFor(file, lines).map(record), shape),
    tail: '',
  };
}

function columnsOf(file: LineFile, { shape, batch, extra }: CsvLinesInput): readonly Column[] {
  const given = shape.columns.map((name, at) => ({
    name,
    header: shape.header[at]!,
    cell: ({ row }: ReportedLine) => row.cells[at] ?? '',
  }));
  const ours = OUR_COLUMNS[file].map(({ name, value }) => ({
    name,
    header: name,
    cell: (line: ReportedLine) => String(value(line, batch) ?? ''),
  }));
  const surplus = extra ? [surplusColumn(shape)] : [];
  if (file === 'result') {
    return [
      ...given,
      ...[...surplus, ...ours].map((column) => ({ ...column, header: freeName(column.name, shape) })),
    ];
  }
  // These go back to intake, which lets nameless columns stand at the end only and refuses lines that fill one: a line
  // with surplus cells stays invalid until somebody has put them where they belong.
  const kept = given.filter(({ name }) => !ours.some((our) => our.name === name && isAside(name)));
  return [
    ...kept.filter(({ name }) => name !== ''),
    ...ours.filter(({ name }) => !kept.some((column) => column.name === name)),
    ...kept.filter(({ name }) => name === ''),
    ...surplus,
  ];
}

/** Cells beyond the header, in one column, written as they would stand in the file. */
function surplusColumn(shape: CsvShape): Column {
  const beyond = shape.header.length;
  const cell = ({ row }: ReportedLine) =>
    row.cells.length > beyond ? csvText([row.cells.slice(beyond)], { ...shape, lineEnd: '' }) : '';
  return { name: '_extra', header: '', cell };
}

/** Columns that intake ignores. */
function isAside(name: string): boolean {
  return name.startsWith('_');
}

/** The name, or `batchgate_` in front of it when the input has a column of that name. */
function freeName(name: string, shape: CsvShape): string {
  return shape.columns.includes(name) ? freeName(`batchgate_${name}`, shape) : name;
}
