/** How the file was read, for somebody who wants to be sure that it was read right. */
import type { ReportDocument } from '../document.ts';
import { grouped } from './decimal.ts';
import { type Html, html, type Part } from './template.ts';
import { code, facts, given, section } from './words.ts';

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
};

export function reading({ file, sha256, read, operation, gateway }: ReportDocument): Html {
  return section(
    'reading',
    'How the file was read',
    facts([
      ['File', given(file)],
      ['SHA-256', code(sha256)],
      ['Rows', grouped(read.rows)],
      ['Encoding', read.encoding],
      ['Delimiter', read.delimiter === null ? undefined : delimiterName(read.delimiter)],
      ['Decimal mark', read.decimal],
      ['Operation', operation],
      ['Gateway', given(gateway)],
    ]),
  );
}

function delimiterName(delimiter: string): Part {
  const name = DELIMITERS[delimiter];
  if (name === undefined) return code(delimiter);
  return delimiter === '\t' ? name : html`${name} ${code(delimiter)}`;
}
