/** A file of instructions → its shape and its rows. */

import { openCsv } from './csv.ts';
import { type Text, textOf } from './decode.ts';
import { openJson } from './json.ts';
import type { IsKnown, OpenedFile, ReadOptions } from './opened-file.ts';
import { looksLikeXml, openPain001 } from './pain001.ts';
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
  switch (await formatOf(source, text, name)) {
    case 'xml':
      return openPain001(source, options);
    case 'json':
      return openJson(text, /\.(?:ndjson|jsonl)$/i.test(name), isKnown);
    case 'csv':
      return openCsv(text, options.delimiter, isKnown);
  }
}

/** By the name, else by how it begins. A name that says XML is not believed of an empty file: that is no lines (F17). */
async function formatOf(source: Source, text: Text, name: string): Promise<'xml' | 'json' | 'csv'> {
  if (/\.(?:json|ndjson|jsonl)$/i.test(name)) return 'json';
  if (/\.(?:csv|tsv)$/i.test(name)) return 'csv';
  if (await looksLikeXml(source)) return 'xml';
  if (/\.xml$/i.test(name)) return (await beginningOf(text)) === '' ? 'csv' : 'xml';
  return (await looksLikeJson(text)) ? 'json' : 'csv';
}

async function looksLikeJson(text: Text): Promise<boolean> {
  const first = await beginningOf(text);
  return first.startsWith('{') || first.startsWith('[');
}

/** A piece of the text from its first character that is no blank; empty when there is none. */
async function beginningOf(text: Text): Promise<string> {
  for await (const piece of text.pieces()) {
    const first = piece.toString().trimStart();
    if (first !== '') return first;
  }
  return '';
}
