/** Card data has no business in a file of instructions (F44, F100). */

import { isBlank } from '../core/blank.ts';
import { type Reason, reason } from '../core/code.ts';
import { JsonNumber, type JsonObject, type Row } from '../core/row.ts';
import { findCards, maskNumbers, namesNoText, SHORTEST_CARD } from '../wire/card-number.ts';
import { walk } from './flatten.ts';

/** A column holds card numbers when so many of its cells are one … */
const FEWEST = 3;
/** … and at least every second of the filled ones. */
const SHARE = 2;

/** Names of columns that say card data, without what separates their words. */
const CARD_NAMES: ReadonlySet<string> = new Set(
  (
    'card pan cvv cvc cvv2 cvc2 securitycode cardsecuritycode cardverificationcode cardverificationvalue ' +
    'cardnumber cardno cardnum cardpan cardcvv cardcvc pannumber primaryaccountnumber ' +
    'creditcard creditcardnumber creditcardno debitcard debitcardnumber debitcardno paymentcard paymentcardnumber ' +
    'ccnumber ccnum ccno kreditkarte kreditkartennummer kartennummer numerocarte numerotarjeta'
  ).split(' '),
);

/** So many names of JSON members are told apart; a file with more is not made of columns. */
const MOST_NAMES = 10_000;

/** What was seen of a column. */
interface Tally {
  readonly column: string;
  filled: number;
  cards: number;
}

/** Looks at every cell of a file for card numbers. */
export class CardScan {
  /** Columns whose name alone is enough. */
  readonly #named = new Set<string>();
  /** By name; undefined for those that are never tested. */
  readonly #tallies = new Map<string, Tally | undefined>();
  readonly #byPosition: readonly (Tally | undefined)[];
  /** For cells without a column of their own: tested, but not judged together. */
  readonly #others: Tally = { column: '', filled: 0, cards: 0 };

  /** @param columns of a CSV file, trimmed and in lower case; none for JSON, whose names come with the rows */
  constructor(columns: readonly string[]) {
    this.#byPosition = columns.map((column) => this.#tallyOf(column));
  }

  /** Looks at one row. @returns true when a cell of free text holds a card number: the line is B0012 then */
  add(row: Row): boolean {
    return row.entry === undefined ? this.#addCells(row.cells) : this.#addEntry(row.entry);
  }

  /** Why the file is to be rejected, as far as it has been read: the columns of card data in it. */
  verdict(): Reason | undefined {
    if (this.#named.size > 0) return cardColumns([...this.#named], 'named like card data');
    const full = [...this.#tallies.values()].filter((tally) => tally !== undefined && isCardColumn(tally));
    return full.length > 0
      ? cardColumns(
          full.map((tally) => tally!.column),
          'full of card numbers',
        )
      : undefined;
  }

  #addCells(cells: readonly string[]): boolean {
    let found = false;
    for (let index = 0; index < cells.length; index++) {
      const tally = index < this.#byPosition.length ? this.#byPosition[index] : this.#others;
      if (tally !== undefined && isCardCell(cells[index]!, tally)) found = true;
    }
    return found;
  }

  #addEntry(entry: JsonObject): boolean {
    let found = false;
    walk(entry, (name, value) => {
      const text = value instanceof JsonNumber ? value.text : value;
      const tally = typeof text === 'string' ? this.#tallyOf(name) : undefined;
      if (tally !== undefined && isCardCell(text as string, tally)) found = true;
      return true;
    });
    return found;
  }

  #tallyOf(column: string): Tally | undefined {
    if (this.#tallies.has(column)) return this.#tallies.get(column);
    if (isCardName(column.toLowerCase())) this.#named.add(column);
    if (this.#tallies.size >= MOST_NAMES) return this.#others;
    const tally = isTested(column) ? { column, filled: 0, cards: 0 } : undefined;
    this.#tallies.set(column, tally);
    return tally;
  }
}

/**
 * The text with every card number cut to its first six and last four digits.
 * @param column where it stands, in lower case or as the dotted name of a JSON member: ids and references stay whole
 */
export function maskCards(text: string, column = ''): string {
  return isTested(column) ? maskNumbers(text) : text;
}

function isTested(column: string): boolean {
  return !namesNoText(column);
}

/** `card`, `Card No.`, `payer.card.number`, but not `card_type`. */
function isCardName(column: string): boolean {
  const words = column.split('.').map((word) => word.replace(/[^a-z0-9]/g, ''));
  return CARD_NAMES.has(words.at(-1)!) || CARD_NAMES.has(words.slice(-2).join(''));
}

/** Whether the cell holds a card number; counts it in its column. */
function isCardCell(cell: string, tally: Tally): boolean {
  if (isBlank(cell)) return false;
  tally.filled++;
  const found = cell.length < SHORTEST_CARD ? [] : findCards(cell);
  const [first] = found;
  if (first === undefined) return false;
  if (first.end - first.start === cell.trim().length) tally.cards++;
  return true;
}

function isCardColumn({ filled, cards }: Tally): boolean {
  return cards >= FEWEST && cards * SHARE >= filled;
}

function cardColumns(columns: readonly string[], what: string): Reason {
  const named = columns.map((column) => JSON.stringify(column)).join(', ');
  const detail = columns.length === 1 ? `column ${named} is ${what}` : `columns ${named} are ${what}`;
  return reason('B0012', detail, { column: columns[0]! });
}
