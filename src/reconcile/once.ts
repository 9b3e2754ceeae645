/**
 * What stands in several statements counts once: a statement that was delivered again, and lines that overlapping reports
 * share. Which one counts follows from the statements alone, never from the order in which they were loaded.
 */
import { getOrSet } from '../core/get-or-set.ts';
import type { Database, Statements } from '../ledger/database.ts';
import {
  collectiveEntries,
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
    if (identities.length === 0) break;
    after = identities.at(-1)!;
    const lines = await linesWithIdentity(database.reads, books, identities);
    const roles = rolesOf(lines, places);
    if (roles.length > 0) await database.write((tx) => setRoles(tx, roles));
  }
  const whole = await collectiveEntries(database.reads, books);
  if (whole.length > 0)
    await database.write((tx) =>
      setRoles(
        tx,
        whole.map((number) => [number, ROLES.elsewhere]),
      ),
    );
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
 * The same for all versions of a statement. An id alone is not enough: some banks begin again with 1 every year, and
 * nothing may be taken for a version that tells of other days.
 */
function versionsName(one: StoredStatement): string | undefined {
  if (one.id === null) return undefined;
  const { source, profile, whose, id, firstDay, lastDay, firstBooked, lastBooked, sequence, opening } = one;
  const days = [firstDay, lastDay, firstBooked, lastBooked];
  return JSON.stringify([source, profile, whose, id, ...days, sequence, opening]);
}

/** Of two that say the same was made later; where nobody says when, the choice is arbitrary, but always the same. */
function isNewer(one: StoredStatement, other: StoredStatement): boolean {
  const order = (statement: StoredStatement) => [
    statement.made ?? '',
    statement.lastDay ?? statement.lastBooked ?? '',
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
  const same = new Map<string, RepeatedLine[]>();
  for (const line of lines) {
    if (!places.has(line.statement)) continue;
    getOrSet(same, JSON.stringify([line.identity, ...whatItSays(line)]), () => []).push(line);
  }
  for (const group of same.values()) counting.add(countingLine(group, places).number);
  return lines
    .map((line) => {
      const subject = places.get(line.statement)?.subject;
      const counts = counting.has(line.number) && subject !== undefined;
      return { line, role: counts ? roleOf(subject, line.kind as LineKind) : ROLES.elsewhere };
    })
    .filter(({ line, role }) => line.role !== role)
    .map(({ line, role }) => [line.number, role] as const);
}

/** Of lines that are the same, one: that of the newest statement. */
function countingLine(
  group: readonly RepeatedLine[],
  places: ReadonlyMap<number, StoredStatement>,
): RepeatedLine {
  return group.reduce((one, other) =>
    isNewer(places.get(other.statement)!, places.get(one.statement)!) ? other : one,
  );
}

/** Lines with one id are the same only if they say the same: ids that begin again must not hide a movement. */
export function whatItSays({
  kind,
  currency,
  gross,
  fee,
  booked,
  reference,
}: Pick<RepeatedLine, 'kind' | 'currency' | 'gross' | 'fee' | 'booked' | 'reference'>): readonly (
  | string
  | number
)[] {
  return [kind, currency, gross, fee, booked, reference];
}
