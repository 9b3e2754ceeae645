/** What separates the cells of a CSV file. */
import { splitCells } from './csv-cells.ts';

/** In the order of preference when a header fits several. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

const WORDS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  '\\t': '\t',
  pipe: '|',
};

/** The delimiter that `--delimiter` asks for: a word, or an ASCII character that is no letter, digit, quote or line end. */
export function delimiterOf(option: string): string | undefined {
  const character = /^[\t !#-/:-@[-`{-~]$/.test(option) ? option : undefined;
  return WORDS[option.toLowerCase()] ?? character;
}

/** The delimiter that Excel's first line `sep=;` names; undefined for any other line. */
export function delimiterOfSepLine(line: string): string | undefined {
  const named = /^"?sep=([^"])"?$/i.exec(line)?.[1];
  return named === undefined ? undefined : delimiterOf(named);
}

/**
 * The delimiter of a header record: the one that gives most known names, then most cells. csv-parse does the splitting,
 * so that delimiters in quoted names count for nothing.
 */
export function sniffDelimiter(header: Buffer, isKnown: (name: string) => boolean): string {
  let best = { delimiter: DELIMITERS[0] as string, known: -1, cells: 0 };
  for (const delimiter of DELIMITERS) {
    const names = namesIn(header, delimiter);
    const found = { delimiter, known: names.filter(isKnown).length, cells: names.length };
    if (found.known > best.known || (found.known === best.known && found.cells > best.cells)) best = found;
  }
  return best.delimiter;
}

/** The names in a header, none when its quotes make no sense with this delimiter. */
function namesIn(header: Buffer, delimiter: string): readonly string[] {
  try {
    return splitCells(header, delimiter)[0]?.map(columnName) ?? [];
  } catch {
    return [];
  }
}

/** The name that a column goes by, whatever case and spaces it is written with. */
export function columnName(cell: string): string {
  return cell.trim().toLowerCase();
}
