/** Tables on the terminal. */
import Table from 'cli-table3';

/** A column's name; figures stand to the right. */
export type Column = string | readonly [name: string, align: 'right'];

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const made = new Table({
    head: columns.map((column) => (typeof column === 'string' ? column : column[0])),
    colAligns: columns.map((column) => (typeof column === 'string' ? 'left' : column[1])),
    style: { head: [], border: [], compact: true },
  });
  made.push(...rows.map((row) => [...row]));
  return made.toString();
}

/** Names and values under one another, the values in one column. */
export function listing(pairs: readonly (readonly [name: string, value: string])[], indent = 2): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs
    .map(([name, value]) => `${' '.repeat(indent)}${name.padEnd(width)}  ${value}`.trimEnd())
    .join('\n');
}
