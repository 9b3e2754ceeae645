/** The key of stored cards: made when the first card is stored, in a file that only its owner can read. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Folders } from '../batch/folders.ts';
import { CARD_KEY_BYTES } from '../engine/payments/card-vault.ts';

export const CARD_KEY_FILE = 'card.key';

/** Gives the key; reads the file once. */
export function cardKeyOf({ keys }: Folders): () => Uint8Array {
  const path = join(keys, CARD_KEY_FILE);
  let key: Uint8Array | undefined;
  return () => {
    if (key !== undefined) return key;
    if (!existsSync(path)) make(keys, path);
    const read = readFileSync(path);
    if (read.length !== CARD_KEY_BYTES) throw new Error(`${path} does not hold ${CARD_KEY_BYTES} bytes`);
    key = read;
    return key;
  };
}

/** Durable and whole before it has its name; of two processes that make one, the first one's counts. */
function make(folder: string, path: string): void {
  const unfinished = `${path}.${randomUUID()}`;
  const file = openSync(unfinished, 'wx', 0o600);
  try {
    writeSync(file, randomBytes(CARD_KEY_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(unfinished);
  }
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
}
