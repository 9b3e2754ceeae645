/**
 * The guard against formulas: a spreadsheet runs a cell that begins with `= + - @`, a tab or a carriage return (spaces
 * before it do not help). One `'` in front keeps it text. Writing adds exactly one and reading takes exactly one away,
 * also from cells that had some of their own, so for every text `unguard(guard(text)) === text`.
 */

const FORMULA = /^'*[ ]*[=+\-@\t\r]/;
const GUARDED = /^'+[ ]*[=+\-@\t\r]/;

/** The cell as it may be shown to a spreadsheet. */
export function guard(cell: string): string {
  return !beginsLikeWord(cell) && FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Most cells are empty or begin with a letter or a digit, as no formula does: this is cheaper than the expression. */
function beginsLikeWord(cell: string): boolean {
  const first = cell.charCodeAt(0);
  return cell === '' || first > 0x40 || (first >= 0x30 && first <= 0x39);
}

/** The cell as it was before `guard`. */
export function unguard(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}
