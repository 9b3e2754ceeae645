/**
 * Bank statements (camt.053) and notifications of debits and credits (camt.054) of ISO 20022. All versions since 2009 are
 * read by the same rules, which take an element where any of the versions has it; what does not fit is refused.
 */

import { all, type Element, type IsoDocument, readIsoFile } from '../../files/iso20022/xml.ts';
import { Unreadable } from '../../files/unreadable.ts';
import type {
  StatementEnd,
  StatementHeader,
  StatementLine,
  StatementPart,
  StatementReader,
} from '../statement.ts';
import { type CamtEntry, type EntryStatus, readEntry } from './camt-entry.ts';
import { distinctIds } from './camt-ids.ts';
import { endOf, headerOf } from './camt-statement.ts';

export interface CamtStatement {
  readonly header: StatementHeader;
  readonly lines: readonly StatementLine[];
  readonly end: StatementEnd;
  /** Entries that move no money, by their status: announced, planned, or for information. */
  readonly ignored: Readonly<Partial<Record<EntryStatus, number>>>;
}

/** How many lines are handed on at a time. */
const BLOCK = 1000;

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
    recognises: (beginning) => namespace.test(beginning),
    read: async function* (path) {
      // All of them first: a fault in the last statement must keep the first from being used.
      const statements = readCamt(await readIsoFile(path), name);
      for (const statement of statements) yield* partsOf(statement);
    },
  };
}

function* partsOf({ header, lines, end }: CamtStatement): Generator<StatementPart> {
  yield { is: 'begin', header };
  for (let from = 0; from < lines.length; from += BLOCK) {
    yield { is: 'lines', lines: lines.slice(from, from + BLOCK) };
  }
  yield { is: 'end', end };
}

/** All statements of a document. @throws Unreadable */
export function readCamt(document: IsoDocument, name: CamtMessage): readonly CamtStatement[] {
  const { root, statement } = MESSAGES[name];
  if (document.name !== name || document.root !== root) {
    throw new Unreadable(`It is ${document.name}.${document.version} (${document.root}), not ${name}.`);
  }
  const statements = all(document.body, statement);
  if (statements.length === 0) throw new Unreadable(`It holds no statement (${statement}).`);
  const entries = new Numbering(document);
  return statements.map((element, index) => {
    try {
      return readStatement(document.body, element, entries);
    } catch (error) {
      throw placed(error, `Statement ${index + 1}`, document.linesOf(statement)[index]);
    }
  });
}

function readStatement(body: Element, statement: Element, numbering: Numbering): CamtStatement {
  const header = headerOf(body, statement);
  const entries = all(statement, 'Ntry').map((element) => numbering.read(element, statement, header.id));
  const lines = distinctIds(entries.flatMap((entry) => entry.lines));
  const ignored: Partial<Record<EntryStatus, number>> = {};
  for (const { status } of entries) if (status !== 'BOOK') ignored[status] = (ignored[status] ?? 0) + 1;
  return { header, lines, end: endOf(statement, entries), ignored };
}

/** Numbers the entries of a file, whatever statement they are in, and the lines that they make. */
class Numbering {
  readonly #document: IsoDocument;
  #entries = 0;
  #lines = 0;

  constructor(document: IsoDocument) {
    this.#document = document;
  }

  read(element: Element, statement: Element, statementId: string | undefined): CamtEntry {
    this.#entries++;
    try {
      const entry = readEntry(element, statement, {
        statementId,
        entry: this.#entries,
        line: this.#lines + 1,
      });
      this.#lines += Math.max(entry.lines.length, 1);
      return entry;
    } catch (error) {
      throw placed(error, `Entry ${this.#entries}`, this.#document.linesOf('Ntry')[this.#entries - 1]);
    }
  }
}

/** The error with where it arose, unless that is known. */
function placed(error: unknown, where: string, line: number | undefined): unknown {
  if (!(error instanceof Unreadable) || error.line !== undefined) return error;
  return new Unreadable(`${where}: ${error.message}`, {
    ...(line === undefined ? {} : { line }),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}
