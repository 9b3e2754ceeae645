/** Which reader reads a file: the only one that knows its beginning. */
import { basename } from 'node:path';
import { type Text, textOf } from '../../files/decode.ts';
import { FileRejected } from '../../files/rejected.ts';
import { type Source, sourceOf } from '../../files/source.ts';
import type { StatementReader } from '../statement.ts';
import { fromRejected, unreadable } from './refuse.ts';
import { beginningOf } from './table.ts';

/**
 * @param readers all that there are, each with a name of its own
 * @throws Unreadable when not exactly one knows the file
 */
export async function readerFor(path: string, readers: readonly StatementReader[]): Promise<StatementReader> {
  const file = basename(path);
  const beginning = await decodedBeginning(path, file);
  const knowing = readers.filter((reader) => reader.recognises(beginning));
  if (knowing.length === 1) return knowing[0]!;
  const hint = 'Say which one it is with --profile, or write a mapping for it.';
  throw knowing.length === 0
    ? unreadable(file, `it is no statement that is known; there are ${namesOf(readers)}`, { hint })
    : unreadable(file, `it could be any of ${namesOf(knowing)}`, { hint });
}

function namesOf(readers: readonly StatementReader[]): string {
  return readers.map(({ name }) => name).join(', ');
}

/** As UTF-8, or as its byte order mark says; where it is neither, as windows-1252, which every byte fits. */
async function decodedBeginning(path: string, file: string): Promise<string> {
  const source = sourceOf(path);
  try {
    return await beginningOf(await textOf(source));
  } catch (error) {
    if (!isNoUtf8(error)) throw fromRejected(file, error);
  }
  return beginningOf(await oneByteText(source));
}

function isNoUtf8(error: unknown): boolean {
  return error instanceof FileRejected && error.reasons[0]?.code === 'B0002';
}

function oneByteText(source: Source): Promise<Text> {
  return textOf(source, 'windows-1252');
}
