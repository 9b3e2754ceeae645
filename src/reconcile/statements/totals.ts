/** What the footer lines of a CSV statement say of it. */

import { digitsOf } from '../../core/currency.ts';
import type { Money } from '../../core/money.ts';
import { quote } from '../../core/quote.ts';
import type { StatementEnd } from '../statement.ts';
import { type AmountScale, amountFault, readSigned } from './amounts.ts';
import type { Columns } from './columns.ts';
import { scaleOf } from './figures.ts';
import type { Mapping, TotalsLine } from './mapping.ts';
import type { TableRecord } from './table.ts';
import { type Words, wordSet } from './words.ts';

type Cell = number | string;

/** Collects them; a currency that is stated in several sections has their sum. */
export class StatedTotals {
  readonly #lines: readonly { readonly first: Words<true>; readonly says: TotalsLine }[];
  readonly #columns: Columns;
  readonly #scale: AmountScale;
  readonly #totals = new Map<string, number>();
  readonly #credits = new Map<string, number>();
  readonly #debits = new Map<string, number>();
  readonly #closings: Money[] = [];
  #count: number | undefined;

  constructor(mapping: Mapping, columns: Columns) {
    this.#lines = mapping.totals.map((says) => ({ first: wordSet(says.first_cell), says }));
    this.#columns = columns;
    this.#scale = scaleOf(mapping);
  }

  /** True when the record states something of the whole; it is no line then. */
  take(record: TableRecord): boolean {
    const found = this.#lines.find(({ first }) => first.meaning(record.cells[0]!) === true);
    if (found !== undefined) this.#read(found.says, record);
    return found !== undefined;
  }

  end(): StatementEnd {
    return {
      // A format states one closing balance, or one for each currency, which is none of the whole.
      closing: this.#closings.length === 1 ? this.#closings[0] : undefined,
      count: this.#count,
      totals: listed(this.#totals),
      credits: listed(this.#credits),
      debits: listed(this.#debits),
    };
  }

  #read(says: TotalsLine, record: TableRecord): void {
    if (says.count !== undefined) this.#count = (this.#count ?? 0) + this.#countAt(record, says.count.cell);
    if ((says.net ?? says.credits ?? says.debits ?? says.closing) === undefined) return;
    const currency = this.#currency(says, record);
    const amountAt = (cell: Cell) => this.#amountAt(record, cell, currency);
    for (const { cell, minus } of says.net ?? [])
      add(this.#totals, currency, minus ? -amountAt(cell) : amountAt(cell));
    if (says.credits !== undefined) add(this.#credits, currency, Math.abs(amountAt(says.credits.cell)));
    if (says.debits !== undefined) add(this.#debits, currency, Math.abs(amountAt(says.debits.cell)));
    if (says.closing !== undefined) this.#closings.push({ currency, amount: amountAt(says.closing.cell) });
  }

  #currency({ currency }: TotalsLine, record: TableRecord): string {
    if (currency === undefined)
      throw this.#columns.recordFault(record.line, 'the mapping says no currency of its totals');
    if ('constant' in currency) return currency.constant;
    const { index, text } = this.#cell(record, currency.cell);
    const code = text.toUpperCase();
    if (digitsOf(code) !== undefined) return code;
    throw this.#columns.fault(
      record.line,
      index,
      `${quote(text)} is no active ISO 4217 currency with a minor unit`,
    );
  }

  #amountAt(record: TableRecord, cell: Cell, currency: string): number {
    const { index, text } = this.#cell(record, cell);
    const digits = digitsOf(currency)!;
    const minor = readSigned(text, digits, this.#scale);
    if (typeof minor === 'number') return minor;
    throw this.#columns.fault(record.line, index, amountFault(minor, text, currency, digits, this.#scale));
  }

  #countAt(record: TableRecord, cell: Cell): number {
    const { index, text } = this.#cell(record, cell);
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw this.#columns.fault(record.line, index, `${quote(text)} is no count`);
  }

  #cell(record: TableRecord, cell: Cell): { readonly index: number; readonly text: string } {
    const index = typeof cell === 'number' ? cell - 1 : this.#columns.index(cell);
    return { index, text: (record.cells[index] ?? '').trim() };
  }
}

function add(sums: Map<string, number>, currency: string, amount: number): void {
  sums.set(currency, (sums.get(currency) ?? 0) + amount);
}

function listed(sums: ReadonlyMap<string, number>): Money[] {
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}
