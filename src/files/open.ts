/** A file of instructions → its shape and its rows. */

import { openCsv } from './csv.ts';
import { type Text, textOf } from './decode.ts';
import { openJson } from './json.ts';
import type { IsKnown, OpenedFile, ReadOptions } from './opened-file.ts';
import { type Source, sourceOf } from './source.ts';

export type { OpenedFile, ReadOptions } from './opened-file.ts';

/**
 * Reads the beginning of a file and finds out how to read all of it.
 * @param path where the bytes are; they must not change as long as the result is used
 * @param name the name that the user gave the file
 * @param isKnown whether a (dotted) field name means something
 * @throws FileRejected, here and while rows are read
 */
export function openFile(
  path: string,
  name: string,
  options: ReadOptions,
  isKnown: IsKnown,
): Promise<OpenedFile> {
  return openSource(sourceOf(path), name, options, isKnown);
}

/** The same for bytes from anywhere. */
export async function openSource(
  source: Source,
  name: string,
  options: ReadOptions,
  isKnown: IsKnown,
): Promise<OpenedFile> {
  const text = await textOf(source, options.encoding);
  const isJson =
    /\.(?:json|ndjson|jsonl)$/i.test(name) || (!/\.(?:csv|tsv)$/i.test(name) && (await looksLikeJson(text)));
  return isJson
    ? openJson(text, /\.(?:ndjson|jsonl)$/i.test(name), isKnown)
    : openCsv(text, options.delimiter, isKnown);
}

async function looksLikeJson(text: Text): Promise<boolean> {
  for await (const piece of text.pieces()) {
    const first = piece.toString().trimStart();
    if (first !== '') return first.startsWith('{') || first.startsWith('[');
  }
  return false;
}
