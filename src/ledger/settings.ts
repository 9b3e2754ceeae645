/** Named values that belong to the database itself, such as its environment. */
import type { Statements } from './database.ts';

export async function readSetting(
  statements: Pick<Statements, 'all'>,
  name: string,
): Promise<string | undefined> {
  const [row] = await statements.all<{ value: string }>('SELECT value FROM setting WHERE name = ?', [name]);
  return row?.value;
}

/** Sets a value once; it never changes afterwards. */
export async function fixSetting(statements: Statements, name: string, value: string): Promise<void> {
  await statements.run('INSERT INTO setting (name, value) VALUES (?, ?)', [name, value]);
}
