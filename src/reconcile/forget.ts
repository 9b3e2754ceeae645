/** Taking a loaded file back: it was the wrong one, or the wrong account's. What it explained is open again afterwards. */
import { appendAct } from '../ledger/audit.ts';
import type { Database } from '../ledger/database.ts';
import { loadedStatements, unload } from '../ledger/statements.ts';
import { dropUnfinished } from './load.ts';
import { countAllAgain } from './once.ts';

export interface Forgotten {
  readonly file: string;
  readonly statements: number;
}

/**
 * @param named the file's SHA-256, its beginning (8 characters at least), or the name under which it was loaded
 * @returns what was taken back; undefined when no such file is loaded, its names when several are
 */
export async function forgetStatements(
  context: { readonly database: Database; readonly actor: string; readonly now: number },
  books: number,
  named: string,
): Promise<Forgotten | { readonly several: readonly string[] } | undefined> {
  const { database, actor, now } = context;
  const all = await loadedStatements(database.reads, books);
  const meant = all.filter(
    ({ sha256, file }) => file === named || (named.length >= 8 && sha256.startsWith(named.toLowerCase())),
  );
  const hashes = [...new Set(meant.map(({ sha256 }) => sha256))];
  if (hashes.length > 1) return { several: hashes };
  const [first] = meant;
  if (first === undefined) return undefined;
  await database.write(async (statements) => {
    await countAllAgain(statements, all);
    await unload(
      statements,
      meant.map(({ number }) => number),
    );
    await appendAct(statements, {
      at: now,
      who: actor,
      act: 'statement.forget',
      subject: first.sha256,
      detail: JSON.stringify({ file: first.file, statements: meant.length }),
    });
  });
  await dropUnfinished(database);
  return { file: first.file, statements: meant.length };
}
