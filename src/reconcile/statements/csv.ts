/** Reads a CSV statement by a mapping, a block of lines at a time: memory stays flat for any number of lines. */
import { basename } from 'node:path';
import { textOf } from '../../files/decode.ts';
import { sourceOf } from '../../files/source.ts';
import { contentId } from '../../wire/content-id.ts';
import type { StatementHeader, StatementLine, StatementPart, StatementReader } from '../statement.ts';
import { Columns } from './columns.ts';
import { lineMaker } from './line.ts';
import type { Mapping } from './mapping.ts';
import { fromRejected, unreadable } from './refuse.ts';
import { beginningOf, findHeader, lacks, recordsAfter, type TableHeader, type TableRecord } from './table.ts';
import { StatedTotals } from './totals.ts';
import { wordSet } from './words.ts';

/** The reader of the files that a mapping describes. */
export function csvReader(mapping: Mapping): StatementReader {
  return {
    name: mapping.name,
    of: mapping.of,
    source: mapping.source ?? mapping.name,
    reading: contentId('R', [mapping]),
    recognises: (beginning) => recognises(beginning, mapping),
    read: (path) => read(path, mapping),
  };
}

function recognises(beginning: string, mapping: Mapping): boolean {
  if (mapping.columns !== undefined) return false;
  const header = findHeader(beginning, mapping);
  return header !== undefined && lacks(header.columns, mapping).length === 0;
}

async function* read(path: string, mapping: Mapping): AsyncGenerator<StatementPart> {
  const file = basename(path);
  try {
    yield* partsOf(path, file, mapping);
  } catch (error) {
    throw fromRejected(file, error);
  }
}

async function* partsOf(path: string, file: string, mapping: Mapping): AsyncGenerator<StatementPart> {
  const text = await textOf(sourceOf(path), mapping.encoding);
  const header = findHeader(await beginningOf(text), mapping);
  if (header === undefined) throw noHeader(file, mapping);
  const columns = columnsOf(file, header, mapping);
  const toLine = lineMaker(mapping, columns);
  const totals = new StatedTotals(mapping, columns);
  const isFooter = footerTest(mapping);
  yield { is: 'begin', header: headerOf(mapping) };
  for await (const records of withoutLast(recordsAfter(text, header, mapping), mapping, totals)) {
    const lines: StatementLine[] = [];
    for (const record of records) {
      if (totals.take(record) || isFooter(record)) continue;
      const line = toLine(record);
      if (line !== undefined) lines.push(line);
    }
    if (lines.length > 0) yield { is: 'lines', lines };
  }
  yield { is: 'end', end: totals.end() };
}

/** Also the columns that must be there for the file to be what the mapping says. */
function columnsOf(file: string, header: TableHeader, mapping: Mapping): Columns {
  const columns = new Columns(file, header);
  if (mapping.columns === undefined) for (const name of mapping.recognise) columns.index(name);
  for (const { net, currency, count, credits, debits, closing } of mapping.totals) {
    const cells = [...(net ?? []), currency, count, credits, debits, closing];
    for (const one of cells) {
      if (one !== undefined && 'cell' in one && typeof one.cell === 'string') columns.index(one.cell);
    }
  }
  return columns;
}

function noHeader(file: string, { name, recognise }: Mapping) {
  const what = recognise.map((column) => `"${column}"`).join(', ');
  return unreadable(file, `there is no header with the columns of ${name}: ${what}`);
}

function headerOf({ account }: Mapping): StatementHeader {
  return {
    id: undefined,
    account: account?.constant,
    period: undefined,
    sequence: undefined,
    made: undefined,
    opening: undefined,
  };
}

function footerTest({ footer }: Mapping): (record: TableRecord) => boolean {
  if (footer === undefined || 'records' in footer) return () => false;
  const first = wordSet(footer.first_cell);
  return ({ cells }) => first.meaning(cells[0]!) === true;
}

/** Keeps back the last records where the mapping says that they are no lines; what they state is taken. */
async function* withoutLast(
  blocks: AsyncIterable<readonly TableRecord[]>,
  { footer }: Mapping,
  totals: StatedTotals,
): AsyncGenerator<readonly TableRecord[]> {
  if (footer === undefined || !('records' in footer)) {
    yield* blocks;
    return;
  }
  let held: readonly TableRecord[] = [];
  for await (const block of blocks) {
    const all = [...held, ...block];
    const kept = Math.max(all.length - footer.records, 0);
    yield all.slice(0, kept);
    held = all.slice(kept);
  }
  for (const record of held) totals.take(record);
}
