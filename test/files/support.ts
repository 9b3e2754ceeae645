import type { Reason } from '../../src/core/code.ts';
import type { Row } from '../../src/core/row.ts';
import { openSource } from '../../src/files/open.ts';
import type { OpenedFile, ReadOptions } from '../../src/files/opened-file.ts';
import { FileRejected } from '../../src/files/rejected.ts';
import type { Source } from '../../src/files/source.ts';

const KNOWN = new Set(
  'transaction_id order_no currency amount refund_amount refund_reason reference request_id payment_amount'
    .split(' ')
    .concat('beneficiary.first_name', 'beneficiary.bank_details.iban'),
);

/** Some fields of refunds and payouts. */
export function isKnown(name: string): boolean {
  return KNOWN.has(name) || /^beneficiary\.person_documents\.\d+\.(?:file_url|labels\.\d+)$/.test(name);
}

/** The bytes, in pieces of a given size. */
export function sourceOfBytes(content: string | Uint8Array, pieceSize = 65536): Source {
  const bytes = Buffer.from(content as Uint8Array);
  return async function* () {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
  };
}

export interface Opening extends ReadOptions {
  readonly name?: string;
  readonly pieceSize?: number;
}

export function open(content: string | Uint8Array, opening: Opening = {}): Promise<OpenedFile> {
  const { name = 'refund.csv', pieceSize, ...options } = opening;
  return openSource(sourceOfBytes(content, pieceSize), name, options, isKnown);
}

export async function rowsOf(opened: OpenedFile): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const block of opened.rows()) rows.push(...block);
  return rows;
}

/** Opens and reads all. */
export async function read(content: string | Uint8Array, opening: Opening = {}): Promise<Row[]> {
  return rowsOf(await open(content, opening));
}

/** Line and fields of every row. */
export async function fieldsOf(content: string | Uint8Array, opening: Opening = {}) {
  return (await read(content, opening)).map(({ line, fields }) => [line, fields] as const);
}

/** Why the file is rejected when all of it is read; empty when it is not. */
export async function rejection(
  content: string | Uint8Array,
  opening: Opening = {},
): Promise<readonly Reason[]> {
  return rejectionOf(read(content, opening));
}

export async function rejectionOf(reading: Promise<unknown>): Promise<readonly Reason[]> {
  try {
    await reading;
    return [];
  } catch (error) {
    if (error instanceof FileRejected) return error.reasons;
    throw error;
  }
}
