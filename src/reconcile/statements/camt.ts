/**
 * Bank statements (camt.053) and notifications of debits and credits (camt.054) of ISO 20022. All versions since 2009 are
 * read by the same rules, which take an element where any of the versions has it; what does not fit is refused.
 */

import { type Element, type IsoDocument, readIsoFile } from '../../files/iso20022/xml.ts';
import type { Piece } from '../../files/iso20022/xml-pieces.ts';
import { Unreadable } from '../../files/unreadable.ts';
import type {
  StatementEnd,
  StatementHeader,
  StatementLine,
  StatementPart,
  StatementReader,
} from '../statement.ts';
import { type CamtEntry, type EntryStatus, readEntry } from './camt-entry.ts';
import { DistinctIds } from './camt-ids.ts';
import { EntryTally, endOf, headerOf } from './camt-statement.ts';

export interface CamtStatement {
  readonly header: StatementHeader;
  readonly lines: readonly StatementLine[];
  readonly end: StatementEnd;
  /** Entries that move no money, by their status: announced, planned, or for information. */
  readonly ignored: Readonly<Partial<Record<EntryStatus, number>>>;
}

/** How many lines are handed on at a time: so few that they are gone before memory is cleaned up. */
const BLOCK = 250;

/** Where each message has its statements. */
const MESSAGES = {
  'camt.053': { root: 'BkToCstmrStmt', statement: 'Stmt' },
  'camt.054': { root: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn' },
} as const;

type CamtMessage = keyof typeof MESSAGES;

export const CAMT_053: StatementReader = readerOf('camt.053');
export const CAMT_054: StatementReader = readerOf('camt.054');

function readerOf(name: CamtMessage): StatementReader {
  const namespace = new RegExp(
    `\\sxmlns(?::[\\w.-]+)?\\s*=\\s*["'][^"'<>]*\\b${name.replace('.', '\\.')}\\.\\d{3}\\.\\d{2}["']`,
  );
  return {
    name,
    of: 'bank',
    // The same entry may be notified (camt.054) and then stand in the statement (camt.053).
    source: 'camt',
    reading: '',
    recognises: (beginning) => namespace.test(beginning),
    read: async function* (path) {
      // What is not well-formed is refused before the first part; a wrong entry when its turn comes.
      yield* partsOf(await readIsoFile(path), name);
    },
  };
}

/** All statements of a document at once. @throws Unreadable */
export function readCamt(document: IsoDocument, name: CamtMessage): readonly CamtStatement[] {
  const statements: CamtStatement[] = [];
  let header: StatementHeader | undefined;
  let lines: StatementLine[] = [];
  for (const part of partsOf(document, name)) {
    if (part.is === 'begin') header = part.header;
    if (part.is === 'lines') lines = lines.concat(part.lines);
    if (part.is !== 'end') continue;
    statements.push({ header: header!, lines, end: part.end, ignored: part.ignored });
    lines = [];
  }
  return statements;
}

type CamtPart =
  | Exclude<StatementPart, { is: 'end' }>
  | (Extract<StatementPart, { is: 'end' }> & Pick<CamtStatement, 'ignored'>);

/** The statements of a document, an entry at a time: only a block of entries is ever parsed. @throws Unreadable */
function* partsOf(document: IsoDocument, name: CamtMessage): Generator<CamtPart> {
  const { root, statement } = MESSAGES[name];
  if (document.name !== name || document.root !== root) {
    throw new Unreadable(`It is ${document.name}.${document.version} (${document.root}), not ${name}.`);
  }
  const entries = new Numbering(document);
  let number = 0;
  for (const piece of document.skeletons(document.skeleton, statement)) {
    number++;
    try {
      yield* statementParts(document, piece.element, entries);
    } catch (error) {
      throw placed(error, `Statement ${number}`, document, piece);
    }
  }
  if (number === 0) throw new Unreadable(`It holds no statement (${statement}).`);
}

function* statementParts(
  document: IsoDocument,
  statement: Element,
  numbering: Numbering,
): Generator<CamtPart> {
  const header = headerOf(document.skeleton, statement);
  yield { is: 'begin', header };
  const tally = new EntryTally();
  const ids = new DistinctIds();
  let block: StatementLine[] = [];
  for (const piece of document.wholes(statement, 'Ntry')) {
    const entry = numbering.read(piece, statement, header.id);
    tally.add(entry);
    for (const line of entry.lines) {
      block.push(ids.take(line));
      if (block.length < BLOCK) continue;
      yield { is: 'lines', lines: block };
      block = [];
    }
  }
  if (block.length > 0) yield { is: 'lines', lines: block };
  yield { is: 'end', end: endOf(statement, tally), ignored: tally.ignored };
}

/** Numbers the entries of a file, whatever statement they are in, and the lines that they make. */
class Numbering {
  readonly #document: IsoDocument;
  #entries = 0;
  #lines = 0;

  constructor(document: IsoDocument) {
    this.#document = document;
  }

  read(piece: Piece, statement: Element, statementId: string | undefined): CamtEntry {
    this.#entries++;
    try {
      const entry = readEntry(piece.element, statement, {
        statementId,
        entry: this.#entries,
        line: this.#lines + 1,
      });
      this.#lines += Math.max(entry.lines.length, 1);
      return entry;
    } catch (error) {
      throw placed(error, `Entry ${this.#entries}`, this.#document, piece);
    }
  }
}

/** The error with where it arose, unless that is known. */
function placed(error: unknown, where: string, document: IsoDocument, piece: Piece): unknown {
  if (!(error instanceof Unreadable) || error.line !== undefined) return error;
  return new Unreadable(`${where}: ${error.message}`, {
    line: document.lineOf(piece),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}
