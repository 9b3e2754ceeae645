/**
 * What stands in several statements counts once: a statement that was delivered again, and lines that overlapping reports
 * share. Which one counts follows from the statements alone, never from the order in which they were loaded.
 */
import type { Database, Statements } from '../ledger/database.ts';
import {
  linesElsewhere,
  linesWithIdentity,
  loadedStatements,
  type RepeatedLine,
  ROLES,
  type Role,
  repeatedIdentities,
  type StoredStatement,
  setCounting,
  setElsewhere,
  setRoles,
} from '../ledger/statements.ts';
import { roleOf } from './roles.ts';
import { LINE_KINDS, type LineKind, SUBJECTS } from './statement.ts';

/** Identities that are looked at together. */
const BLOCK = 2_000;

/** Gives every line its role anew where statements overlap. */
export async function countOnce(database: Database, books: number): Promise<void> {
  const statements = await loadedStatements(database.reads, books);
  const replaced = replacedStatements(statements);
  await countStatements(database, books, statements, replaced);
  const places = new Map(
    statements.filter((one) => !replaced.has(one.number)).map((one) => [one.number, one]),
  );
  for (let after = ''; ; ) {
    const identities = await repeatedIdentities(database.reads, books, after, BLOCK);
    if (identities.length === 0) return;
    after = identities.at(-1)!;
    const lines = await linesWithIdentity(database.reads, books, identities);
    const roles = rolesOf(lines, places);
    if (roles.length > 0) await database.write((tx) => setRoles(tx, roles));
  }
}

/** Statements of which there is a newer version. */
export function replacedStatements(statements: readonly StoredStatement[]): ReadonlySet<number> {
  const newest = new Map<string, StoredStatement>();
  const replaced = new Set<number>();
  for (const one of statements) {
    const name = versionsName(one);
    if (name === undefined) continue;
    const other = newest.get(name);
    if (other === undefined || isNewer(one, other)) newest.set(name, one);
    if (other !== undefined) replaced.add((isNewer(one, other) ? other : one).number);
  }
  return replaced;
}

/**
 * The same for all versions of a statement. An id alone is not enough: some banks begin again with 1 every year.
 */
function versionsName(one: StoredStatement): string | undefined {
  if (one.id === null) return undefined;
  const { source, profile, whose, id, firstDay, lastDay, sequence, opening } = one;
  return JSON.stringify([source, profile, whose, id, firstDay, lastDay, sequence, opening]);
}

/** Of two that say the same was made later; where nobody says when, the choice is arbitrary, but always the same. */
function isNewer(one: StoredStatement, other: StoredStatement): boolean {
  const order = (statement: StoredStatement) => [
    statement.made ?? '',
    statement.lastDay ?? '',
    String(statement.sequence ?? 0).padStart(16, '0'),
    statement.sha256,
    String(statement.place).padStart(8, '0'),
  ];
  const [mine, others] = [order(one), order(other)];
  const place = mine.findIndex((text, index) => text !== others[index]);
  return place !== -1 && mine[place]! > others[place]!;
}

/** Only where something changes: most runs find everything as it was. */
async function countStatements(
  database: Database,
  books: number,
  statements: readonly StoredStatement[],
  replaced: ReadonlySet<number>,
): Promise<void> {
  const elsewhere = await linesElsewhere(database.reads, books);
  const gone = statements.filter(
    ({ number, lines }) => replaced.has(number) && (elsewhere.get(number) ?? 0) < lines,
  );
  if (gone.length > 0) await database.write((tx) => setElsewhere(tx, numbersOf(gone)));
}

/** Before something is taken away of which others may be the copies: every line counts again, until `countOnce`. */
export async function countAllAgain(tx: Statements, statements: readonly StoredStatement[]): Promise<void> {
  for (const subject of SUBJECTS) {
    const numbers = numbersOf(statements.filter((one) => one.subject === subject));
    for (const role of Object.values(ROLES)) {
      const kinds = LINE_KINDS.filter((kind) => roleOf(subject, kind) === role);
      if (kinds.length > 0 && numbers.length > 0) await setCounting(tx, numbers, kinds, role);
    }
  }
}

function numbersOf(statements: readonly StoredStatement[]): readonly number[] {
  return statements.map(({ number }) => number);
}

/** The roles that lines with common identities should have and do not. */
function rolesOf(
  lines: readonly RepeatedLine[],
  places: ReadonlyMap<number, StoredStatement>,
): readonly (readonly [number: number, role: Role])[] {
  const counting = new Set<number>();
  const byIdentity = new Map<string, RepeatedLine[]>();
  for (const line of lines) {
    if (!places.has(line.statement)) continue;
    const group = byIdentity.get(line.identity);
    if (group === undefined) byIdentity.set(line.identity, [line]);
    else group.push(line);
  }
  for (const group of byIdentity.values())
    for (const line of countingLines(group, places)) counting.add(line.number);
  return lines
    .map((line) => {
      const subject = places.get(line.statement)?.subject;
      const counts = counting.has(line.number) && subject !== undefined;
      return { line, role: counts ? roleOf(subject, line.kind as LineKind) : ROLES.elsewhere };
    })
    .filter(({ line, role }) => line.role !== role)
    .map(({ line, role }) => [line.number, role] as const);
}

/** The newest statement's; in it, lines that say different things are not the same although they share an id. */
function countingLines(
  group: readonly RepeatedLine[],
  places: ReadonlyMap<number, StoredStatement>,
): readonly RepeatedLine[] {
  const newest = group
    .map(({ statement }) => places.get(statement)!)
    .reduce((one, other) => (isNewer(other, one) ? other : one));
  const seen = new Set<string>();
  return group
    .filter(({ statement }) => statement === newest.number)
    .toSorted((a, b) => a.line - b.line)
    .filter((line) => {
      const says = JSON.stringify(whatItSays(line));
      return !seen.has(says) && seen.add(says);
    });
}

/** Lines of one statement and one identity are the same only if they say the same. */
export function whatItSays({
  kind,
  currency,
  gross,
  fee,
}: Pick<RepeatedLine, 'kind' | 'currency' | 'gross' | 'fee'>): readonly (string | number)[] {
  return [kind, currency, gross, fee];
}
