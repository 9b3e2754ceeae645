/** Words of any length in a field of lines (AddtlInf) that have a limit each. */

/** Characters of a line. */
const LINE = 105;

/** The lines of a text; blanks in a row are one. */
export function linesOfText(text: string): readonly string[] {
  const characters = [...text.trim().replace(/\s+/g, ' ')];
  const count = Math.ceil(characters.length / LINE);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * LINE, (index + 1) * LINE).join(''),
  );
}

/** The text of lines: a full line goes on in the next one, a shorter one is a sentence of its own. */
export function longText(lines: readonly string[]): string | undefined {
  const text = lines.reduce((before, line, index) => {
    const previous = lines[index - 1];
    const goesOn = previous === undefined || [...previous].length === LINE;
    return goesOn ? before + line : `${before} ${line}`;
  }, '');
  const trimmed = text.trim().replace(/\s+/g, ' ');
  return trimmed === '' ? undefined : trimmed;
}
