/** A statement file in the course of being loaded: its lines go to the database in blocks, while it is checked. */
import { maskCards } from '../files/card-data.ts';
import type { Database } from '../ledger/database.ts';
import {
  AGAIN,
  beginStatement,
  endStatement,
  insertLines,
  type LineCells,
  ROLES,
  type Role,
  type StatementRow,
  setRepeated,
} from '../ledger/statements.ts';
import { type Contradiction, StatementCheck } from './checks.ts';
import { whatItSays } from './once.ts';
import { roleOf } from './roles.ts';
import type {
  StatementEnd,
  StatementHeader,
  StatementLine,
  StatementPart,
  StatementReader,
} from './statement.ts';

/** Lines in a commit: a few megabytes, and a hundred commits for a million lines. */
export const BLOCK = 10_000;

/** What of a line's text is kept for people; all of it stands in the file. */
const MOST_TEXT = 300;

/** Where lines go. */
export interface Destination {
  readonly database: Database;
  /** The books that the statement is of. */
  readonly books: number;
  readonly onLines?: (lines: number) => void;
}
export class StatementFile {
  readonly #destination: Destination;
  readonly #reader: StatementReader;
  readonly #file: string;
  readonly #sha256: string;
  readonly numbers: number[] = [];
  /** Of all its statements. */
  lines = 0;
  #ofStatement = 0;
  #booked: { first: string; last: string } | undefined;
  /** What the statement says of itself, with what it says again, and without. */
  #all: StatementCheck | undefined;
  #once: StatementCheck | undefined;
  /** How often each line that has an id was said. */
  readonly #said = new Map<string, number>();
  #header: StatementHeader | undefined;
  #waiting: LineCells[] = [];
  /** The block that is being written while the next one is read. */
  #written: Promise<void> = Promise.resolve();

  constructor(destination: Destination, reader: StatementReader, file: string, sha256: string) {
    this.#destination = destination;
    this.#reader = reader;
    this.#file = file;
    this.#sha256 = sha256;
  }

  async take(part: StatementPart): Promise<void> {
    switch (part.is) {
      case 'begin':
        return this.#begin(part.header);
      case 'lines':
        this.#all!.take(part.lines);
        this.#once!.take(part.lines.filter((line) => this.#take(line)));
        if (this.#waiting.length >= BLOCK) await this.#flush();
        return;
      case 'end': {
        await this.#flush();
        await this.#written;
        const { contradictions, isOnce } = this.#verdict(part.end);
        const ending = {
          closing: part.end.closing ?? null,
          lines: this.#ofStatement,
          firstBooked: this.#booked?.first ?? null,
          lastBooked: this.#booked?.last ?? null,
          contradictions: JSON.stringify(contradictions, (_, value: unknown) =>
            typeof value === 'bigint' ? String(value) : value,
          ),
        };
        const number = this.numbers.at(-1)!;
        await this.#destination.database.write(async (statements) => {
          if (isOnce) await setRepeated(statements, number);
          await endStatement(statements, number, ending);
        });
      }
    }
  }

  /** Waits for what is being written. */
  end(): Promise<void> {
    return this.#written;
  }

  async #begin(header: StatementHeader): Promise<void> {
    this.#header = header;
    this.#all = new StatementCheck(header);
    this.#once = new StatementCheck(header);
    this.#said.clear();
    this.#ofStatement = 0;
    this.#booked = undefined;
    const row: StatementRow = {
      file: this.#file,
      sha256: this.#sha256,
      place: this.numbers.length + 1,
      profile: this.#reader.name,
      reading: this.#reader.reading,
      subject: this.#reader.of,
      source: this.#reader.source,
      id: header.id ?? null,
      whose: header.account ?? null,
      firstDay: header.period?.[0] ?? null,
      lastDay: header.period?.[1] ?? null,
      sequence: header.sequence ?? null,
      made: momentOf(header.made),
      opening: header.opening ?? null,
    };
    const { database, books } = this.#destination;
    this.numbers.push(await database.write((statements) => beginStatement(statements, books, row)));
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    const { database, books, onLines } = this.#destination;
    const statement = this.numbers.at(-1)!;
    await this.#written;
    this.#written = database.write((statements) => insertLines(statements, books, statement, lines));
    // Whoever waits for it gets the error; until then it must not end the process.
    this.#written.catch(() => undefined);
    this.#ofStatement += lines.length;
    this.lines += lines.length;
    onLines?.(this.lines);
  }

  /**
   * An entry that a statement says twice under one id is one, unless the statement's own figures prove that both are meant.
   */
  #verdict(end: StatementEnd): {
    readonly contradictions: readonly Contradiction[];
    readonly isOnce: boolean;
  } {
    const all = this.#all!.end(end);
    const isRepeated = [...this.#said.values()].some((times) => times > 1);
    const hasBalances = end.closing !== undefined && this.#header!.opening !== undefined;
    const states = end.count !== undefined || end.totals.length > 0 || hasBalances;
    if (!isRepeated || (states && all.length === 0)) return { contradictions: all, isOnce: false };
    return { contradictions: this.#once!.end(end), isOnce: true };
  }

  /** @returns whether it is said for the first time */
  #take(line: StatementLine): boolean {
    this.#note(line.booked);
    const role = roleOf(this.#reader.of, line.kind);
    const times = line.id === undefined ? 1 : this.#timesSaid(line);
    this.#waiting.push(this.#cellsOf(line, role, times));
    // An acquirer's fees have the id of what they are for, and may be alike.
    return times === 1 || role === ROLES.own;
  }

  #timesSaid(line: StatementLine): number {
    const says = [line.id, ...whatItSays({ ...line, reference: line.references[0] ?? '' })].join('\n');
    const times = (this.#said.get(says) ?? 0) + 1;
    this.#said.set(says, times);
    return times;
  }

  #note(day: string): void {
    if (day === '') return;
    const { first, last } = this.#booked ?? { first: day, last: day };
    this.#booked = { first: day < first ? day : first, last: day > last ? day : last };
  }

  #cellsOf(line: StatementLine, role: Role, times: number): LineCells {
    const [reference = '', ...others] = line.references;
    const text = line.text.length > MOST_TEXT ? `${line.text.slice(0, MOST_TEXT - 1)}…` : line.text;
    return [
      line.line,
      role,
      line.kind,
      line.currency,
      line.gross,
      line.fee,
      line.net,
      line.booked,
      line.valued ?? null,
      reference,
      others.length === 0 ? null : JSON.stringify(others),
      line.id === undefined ? null : this.#identityOf(line.id, times),
      line.group ?? null,
      text === '' ? '' : maskCards(text),
    ];
  }

  #identityOf(id: string, times: number): string {
    const identity = [this.#reader.source, this.#header!.account ?? '', id].join('\n');
    return times === 1 ? identity : identity + AGAIN + times;
  }
}

/** In UTC, so that two can be compared; a time that says no offset is taken for UTC. Null for what is no time. */
function momentOf(text: string | undefined): string | null {
  const hasOffset = text !== undefined && /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const at =
    text === undefined ? Number.NaN : Date.parse(hasOffset || !text.includes('T') ? text : `${text}Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
