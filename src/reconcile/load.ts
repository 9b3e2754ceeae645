/**
 * A statement file → its lines in the database. A file is loaded whole or not at all: until its last line has been read
 * its statements do not count, and what is left of a file that could not be read is taken away.
 */
import { basename } from 'node:path';
import { maskCards } from '../files/card-data.ts';
import { hashOf } from '../files/hash.ts';
import { Unreadable } from '../files/unreadable.ts';
import { appendAct } from '../ledger/audit.ts';
import type { Database } from '../ledger/database.ts';
import {
  beginStatement,
  dropLines,
  endStatement,
  insertLines,
  type LineCells,
  loadedStatements,
  type StatementRow,
  setLoaded,
  unfinishedStatements,
} from '../ledger/statements.ts';
import { StatementCheck } from './checks.ts';
import { roleOf } from './roles.ts';
import type { StatementHeader, StatementLine, StatementPart, StatementReader } from './statement.ts';

/** Lines in a commit: a few megabytes, and a hundred commits for a million lines. */
const BLOCK = 10_000;

/** What of a line's text is kept for people; all of it stands in the file. */
const MOST_TEXT = 300;

export interface Loading {
  readonly database: Database;
  /** The books that the statement is of. */
  readonly books: number;
  readonly actor: string;
  readonly now: number;
  readonly onLines?: (lines: number) => void;
}

export interface Loaded {
  readonly sha256: string;
  /** Its statements were loaded before. */
  readonly repeat: boolean;
}

/**
 * Loads a file unless it was loaded before.
 * @throws Unreadable: then nothing of it is kept
 */
export async function loadStatements(
  loading: Loading,
  path: string,
  reader: StatementReader,
): Promise<Loaded> {
  const { database, books, actor, now } = loading;
  const sha256 = await hashOf(path);
  const before = await loadedStatements(database.reads, books);
  if (before.some((statement) => statement.sha256 === sha256)) return { sha256, repeat: true };
  const file = new StatementFile(loading, reader, basename(path), sha256);
  try {
    for await (const part of reader.read(path)) await file.take(part);
    if ((await hashOf(path)) !== sha256)
      throw new Unreadable(`${basename(path)}: the file changed while it was read.`, {
        hint: 'Wait until whoever writes it has finished, and load it again.',
      });
  } catch (error) {
    await file.end().catch(() => undefined);
    await dropUnfinished(database);
    throw error;
  }
  await database.write(async (statements) => {
    await setLoaded(statements, file.numbers, now);
    const detail = {
      file: basename(path),
      profile: reader.name,
      statements: file.numbers.length,
      lines: file.lines,
    };
    await appendAct(statements, {
      at: now,
      who: actor,
      act: 'statement.load',
      subject: sha256,
      detail: JSON.stringify(detail),
    });
  });
  return { sha256, repeat: false };
}

/** Takes away what a load that did not come to its end has left. */
export async function dropUnfinished(database: Database): Promise<void> {
  const numbers = await unfinishedStatements(database.reads);
  if (numbers.length > 0) await dropStatements(database, numbers);
}

/** In small commits, so that nobody waits long. */
export async function dropStatements(database: Database, numbers: readonly number[]): Promise<void> {
  while ((await database.write((statements) => dropLines(statements, numbers, BLOCK))) > 0);
}

/** A file in the course of being loaded. */
class StatementFile {
  readonly #loading: Loading;
  readonly #reader: StatementReader;
  readonly #file: string;
  readonly #sha256: string;
  readonly numbers: number[] = [];
  /** Of all its statements. */
  lines = 0;
  #ofStatement = 0;
  #booked: { first: string; last: string } | undefined;
  #check: StatementCheck | undefined;
  #header: StatementHeader | undefined;
  #waiting: LineCells[] = [];
  /** The block that is being written while the next one is read. */
  #written: Promise<void> = Promise.resolve();

  constructor(loading: Loading, reader: StatementReader, file: string, sha256: string) {
    this.#loading = loading;
    this.#reader = reader;
    this.#file = file;
    this.#sha256 = sha256;
  }

  async take(part: StatementPart): Promise<void> {
    switch (part.is) {
      case 'begin':
        return this.#begin(part.header);
      case 'lines':
        this.#check!.take(part.lines);
        for (const line of part.lines) {
          this.#note(line.booked);
          this.#waiting.push(this.#cellsOf(line));
        }
        if (this.#waiting.length >= BLOCK) await this.#flush();
        return;
      case 'end': {
        await this.#flush();
        await this.#written;
        const contradictions = JSON.stringify(this.#check!.end(part.end), (_, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        );
        const ending = {
          closing: part.end.closing ?? null,
          lines: this.#ofStatement,
          firstBooked: this.#booked?.first ?? null,
          lastBooked: this.#booked?.last ?? null,
          contradictions,
        };
        await this.#loading.database.write((statements) =>
          endStatement(statements, this.numbers.at(-1)!, ending),
        );
      }
    }
  }

  /** Waits for what is being written. */
  end(): Promise<void> {
    return this.#written;
  }

  async #begin(header: StatementHeader): Promise<void> {
    this.#header = header;
    this.#check = new StatementCheck(header);
    this.#ofStatement = 0;
    this.#booked = undefined;
    const row: StatementRow = {
      file: this.#file,
      sha256: this.#sha256,
      place: this.numbers.length + 1,
      profile: this.#reader.name,
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
    const { database, books } = this.#loading;
    this.numbers.push(await database.write((statements) => beginStatement(statements, books, row)));
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    const { database, books, onLines } = this.#loading;
    const statement = this.numbers.at(-1)!;
    await this.#written;
    this.#written = database.write((statements) => insertLines(statements, books, statement, lines));
    // Whoever waits for it gets the error; until then it must not end the process.
    this.#written.catch(() => undefined);
    this.#ofStatement += lines.length;
    this.lines += lines.length;
    onLines?.(this.lines);
  }

  #note(day: string): void {
    if (day === '') return;
    const { first, last } = this.#booked ?? { first: day, last: day };
    this.#booked = { first: day < first ? day : first, last: day > last ? day : last };
  }

  #cellsOf(line: StatementLine): LineCells {
    const [reference = '', ...others] = line.references;
    const text = line.text.length > MOST_TEXT ? `${line.text.slice(0, MOST_TEXT - 1)}…` : line.text;
    return [
      line.line,
      roleOf(this.#reader.of, line.kind),
      line.kind,
      line.currency,
      line.gross,
      line.fee,
      line.net,
      line.booked,
      line.valued ?? null,
      reference,
      others.length === 0 ? null : JSON.stringify(others),
      line.id === undefined ? null : this.#identityOf(line.id),
      line.group ?? null,
      text === '' ? '' : maskCards(text),
    ];
  }

  #identityOf(id: string): string {
    return [this.#reader.source, this.#header!.account ?? '', id].join('\n');
  }
}

/** In UTC, so that two can be compared; null for what is no time. */
function momentOf(text: string | undefined): string | null {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
