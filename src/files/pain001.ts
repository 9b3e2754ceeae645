/** A payment initiation → rows: its transfers as the lines of a CSV file of payouts. */
import type { Reason } from '../core/code.ts';
import type { InitiationShape, Row } from '../core/row.ts';
import { encodingOf as byMark } from './encoding.ts';
import { type PaymentInitiation, readPain001 } from './iso20022/pain001.ts';
import { decodeXml } from './iso20022/xml-bytes.ts';
import {
  BLOCK_ROWS,
  type Counts,
  type InitiationParts,
  type OpenedFile,
  type ReadOptions,
  type TransferPlace,
} from './opened-file.ts';
import { payoutTable, rowOf } from './pain001-table.ts';
import { FileRejected } from './rejected.ts';
import { firstBytes, type Source } from './source.ts';
import { Unreadable } from './unreadable.ts';

/**
 * Largest file, some 35,000 transfers: more than banks take at once. Its text and its answer are held in memory, so that
 * executing it takes about 450 MB.
 */
const LARGEST = 32 * 1024 * 1024;

/** So many bytes show whether a file is XML. */
const HEAD_BYTES = 256;

/** Whether a file begins like XML, in whichever encoding: with a tag, or with the declaration. */
export async function looksLikeXml(source: Source): Promise<boolean> {
  const head = (await firstBytes(source, HEAD_BYTES)).toString('latin1');
  return /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*<[\w?!]/.test(head.replaceAll('\0', ''));
}

/**
 * Reads a file as far as it says what it is; its text stays in memory as long as the result is used.
 * @throws FileRejected B0011, B0012, B0015, here and while rows are read
 */
export async function openPain001(source: Source, options: ReadOptions): Promise<OpenedFile> {
  try {
    const bytes = await allBytes(source);
    const text = await decodeXml(bytes);
    const read = readPain001(text, options.pain001, options.style);
    return new Pain001File(read, encodingOf(text, bytes), options);
  } catch (error) {
    throw rejected(error);
  }
}

class Pain001File implements OpenedFile {
  readonly shape: InitiationShape;
  counts: Counts | undefined;
  readonly #read: PaymentInitiation;
  #places: TransferPlace[] = [];

  constructor(read: PaymentInitiation, encoding: string, { delimiter }: ReadOptions) {
    const { messageId, messageName } = read;
    const table = payoutTable(delimiter);
    this.shape = { format: 'pain001', encoding, messageId, messageName, table };
    this.#read = read;
  }

  get initiation(): InitiationParts {
    return { stated: this.#read.stated, transfers: this.#places };
  }

  async *rows(): AsyncGenerator<readonly Row[]> {
    const places: TransferPlace[] = [];
    this.#places = places;
    let rows: Row[] = [];
    for (const transfer of asFile(this.#read.transfers())) {
      places.push(transfer.place);
      rows.push(rowOf(transfer, places.length));
      if (rows.length < BLOCK_ROWS) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
    this.counts = { rows: places.length, blank: 0 };
  }
}

/** The same, where what cannot be read rejects the file. */
function* asFile<Item>(items: Iterable<Item>): Generator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw rejected(error);
  }
}

function rejected(error: unknown): unknown {
  return error instanceof Unreadable ? new FileRejected([notValid(error)]) : error;
}

async function allBytes(source: Source): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of source()) {
    pieces.push(piece);
    length += piece.length;
    if (length > LARGEST) {
      throw new Unreadable(`It is larger than ${LARGEST / 1024 / 1024} MiB.`, {
        hint: 'Have the payments made as several files.',
      });
    }
  }
  return Buffer.concat(pieces);
}

/** What the declaration names, else what a byte order mark says. */
function encodingOf(text: string, bytes: Buffer): string {
  const declared = /^\s*<\?xml\s[^<>]*?\sencoding\s*=\s*["']([^"'<>]+)["']/.exec(text)?.[1];
  return declared?.toLowerCase() ?? byMark(bytes, undefined).label;
}

/** B0011 stands for both languages in which files nest. */
function notValid({ message, line, hint }: Unreadable): Reason {
  const detail = message.charAt(0).toLowerCase() + message.slice(1);
  return {
    code: 'B0011',
    message: `The XML cannot be read: ${detail}`,
    hint: hint ?? 'Have the file made again, and send it as it comes from the program that makes it.',
    ...(line === undefined ? {} : { line }),
  };
}
