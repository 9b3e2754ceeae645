/** Named statements on the statements of acquirers and banks. */
import { getOrSet } from '../core/get-or-set.ts';
import type { Money } from '../core/money.ts';
import type { Statements } from './database.ts';

/** What is done with a line; migration 008 says what the numbers mean. */
export const ROLES = { elsewhere: 0, traded: 1, own: 2, bank: 3, repeated: 4 } as const;

export type Role = (typeof ROLES)[keyof typeof ROLES];

/** A statement as it was read. */
export interface StatementRow {
  readonly file: string;
  readonly sha256: string;
  /** Which one of the file, from 1. */
  readonly place: number;
  readonly profile: string;
  readonly reading: string;
  readonly subject: 'balance' | 'payouts' | 'bank';
  readonly source: string;
  readonly id: string | null;
  readonly whose: string | null;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly sequence: number | null;
  /** ISO 8601, UTC. */
  readonly made: string | null;
  readonly opening: Money | null;
}

/** What is known of it when its last line was read. */
export interface StatementEnding {
  readonly closing: Money | null;
  readonly lines: number;
  /** Days of its first and last line; null where no line has one. */
  readonly firstBooked: string | null;
  readonly lastBooked: string | null;
  /** What it says of itself that is not so, as JSON. */
  readonly contradictions: string;
}

export type StoredStatement = StatementRow & StatementEnding & { readonly number: number };

/** A line as it is stored; amounts in minor units. */
export type LineCells = [
  line: number,
  role: Role,
  kind: string,
  currency: string,
  gross: number,
  fee: number,
  net: number,
  booked: string,
  valued: string | null,
  /** The most exact of its references, empty where it has none; the others as a JSON list. */
  reference: string,
  otherReferences: string | null,
  /** By which it is known in other statements of its source. */
  identity: string | null,
  payout: string | null,
  text: string,
];

/** The number of an account's books at a gateway; they are known from the first time on that somebody asks. */
export async function booksOf(statements: Statements, account: number, gateway: string): Promise<number> {
  await statements.run('INSERT OR IGNORE INTO reconciliation (account, gateway) VALUES (?, ?)', [
    account,
    gateway,
  ]);
  const [row] = await statements.all<{ number: number }>(
    'SELECT number FROM reconciliation WHERE account = ? AND gateway = ?',
    [account, gateway],
  );
  return row!.number;
}

/** Whose books those numbers are. */
export function allBooks(
  statements: Pick<Statements, 'all'>,
): Promise<{ readonly number: number; readonly account: number; readonly gateway: string }[]> {
  return statements.all('SELECT number, account, gateway FROM reconciliation ORDER BY number');
}

export async function beginStatement(
  statements: Statements,
  books: number,
  row: StatementRow,
): Promise<number> {
  await statements.run(
    `INSERT INTO statement (reconciliation, file, sha256, place, profile, reading, subject, source, id, whose,
       first_day, last_day, sequence, made, opening) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      books,
      row.file,
      row.sha256,
      row.place,
      row.profile,
      row.reading,
      row.subject,
      row.source,
      row.id,
      row.whose,
      row.firstDay,
      row.lastDay,
      row.sequence,
      row.made,
      row.opening && JSON.stringify(row.opening),
    ],
  );
  const [found] = await statements.all<{ number: number }>('SELECT last_insert_rowid() AS number');
  return found!.number;
}

const LINE_COLUMNS = [
  ...['line', 'role', 'kind', 'currency', 'gross', 'fee', 'net', 'booked', 'valued', 'reference'],
  ...['other_references', 'identity', 'payout', 'text'],
] as const;

/**
 * Writes lines. Taking a value out of JSON is what costs, so what all lines of a kind and currency have in common (often
 * their day, and what is empty) travels once: a million lines with few different days are written twice as fast.
 */
export async function insertLines(
  statements: Statements,
  books: number,
  statement: number,
  lines: readonly LineCells[],
): Promise<void> {
  const alike = new Map<string, LineCells[]>();
  for (const line of lines) getOrSet(alike, `${line[1]} ${line[2]} ${line[3]}`, () => []).push(line);
  for (const group of alike.values()) {
    const [first] = group;
    const isCommon = first!.map((value, column) => group.every((line) => line[column] === value));
    const common = isCommon.flatMap((is, column) => (is ? [first![column] as string | number | null] : []));
    const values = isCommon.map((is, column) => {
      const before = isCommon.slice(0, column).filter((one) => one === is).length;
      return is ? `?${before + 3}` : `value->>${before}`;
    });
    await statements.run(
      `INSERT INTO statement_line (reconciliation, statement, ${LINE_COLUMNS.join(', ')})
       SELECT ?1, ?2, ${values.join(', ')} FROM json_each(?${common.length + 3})`,
      [
        books,
        statement,
        ...common,
        JSON.stringify(group.map((line) => line.filter((_, column) => !isCommon[column]))),
      ],
    );
  }
}

export async function endStatement(
  statements: Statements,
  number: number,
  { closing, lines, firstBooked, lastBooked, contradictions }: StatementEnding,
): Promise<void> {
  await statements.run(
    'UPDATE statement SET closing = ?, lines = ?, first_booked = ?, last_booked = ?, contradictions = ? WHERE number = ?',
    [closing && JSON.stringify(closing), lines, firstBooked, lastBooked, contradictions, number],
  );
}

/** Stands behind the identity of a line that its statement has said before, with the number of times. */
export const AGAIN = '\n#';

/** What the statement says again was meant once. */
export async function setRepeated(statements: Statements, statement: number): Promise<void> {
  await statements.run(
    `UPDATE statement_line SET role = ${ROLES.repeated}, identity = NULL
     WHERE statement = ? AND role <> ${ROLES.own} AND instr(identity, ?) > 0`,
    [statement, AGAIN],
  );
}

/** From now on these statements count. */
export async function setLoaded(
  statements: Statements,
  numbers: readonly number[],
  at: number,
): Promise<void> {
  await statements.run(
    'UPDATE statement SET loaded_at = ? WHERE number IN (SELECT value FROM json_each(?))',
    [at, JSON.stringify(numbers)],
  );
}

/** These statements count no more; their lines are still there. */
export async function unload(statements: Statements, numbers: readonly number[]): Promise<void> {
  await statements.run(
    'UPDATE statement SET loaded_at = NULL WHERE number IN (SELECT value FROM json_each(?))',
    [JSON.stringify(numbers)],
  );
}

/** Numbers of the statements that somebody began to load, and did not finish. */
export async function unfinishedStatements(statements: Pick<Statements, 'all'>): Promise<readonly number[]> {
  const rows = await statements.all<{ number: number }>(
    'SELECT number FROM statement WHERE loaded_at IS NULL',
  );
  return rows.map(({ number }) => number);
}

/** Takes away up to so many lines of these statements, and the statements themselves once they have none. Returns how many. */
export async function dropLines(
  statements: Statements,
  numbers: readonly number[],
  limit: number,
): Promise<number> {
  const these = JSON.stringify(numbers);
  const gone = await statements.run(
    `DELETE FROM statement_line WHERE number IN (SELECT number FROM statement_line
       WHERE statement IN (SELECT value FROM json_each(?)) LIMIT ?)`,
    [these, limit],
  );
  if (gone === 0)
    await statements.run('DELETE FROM statement WHERE number IN (SELECT value FROM json_each(?))', [these]);
  return gone;
}

interface StoredRow {
  readonly number: number;
  readonly file: string;
  readonly sha256: string;
  readonly place: number;
  readonly profile: string;
  readonly reading: string;
  readonly subject: StatementRow['subject'];
  readonly source: string;
  readonly id: string | null;
  readonly whose: string | null;
  readonly first_day: string | null;
  readonly last_day: string | null;
  readonly first_booked: string | null;
  readonly last_booked: string | null;
  readonly sequence: number | null;
  readonly made: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly lines: number;
  readonly contradictions: string;
}

/** All statements that count, in an order that has nothing to do with when they came. */
export async function loadedStatements(
  statements: Pick<Statements, 'all'>,
  books: number,
): Promise<readonly StoredStatement[]> {
  const rows = await statements.all<StoredRow>(
    'SELECT * FROM statement WHERE reconciliation = ? AND loaded_at IS NOT NULL ORDER BY sha256, place',
    [books],
  );
  return rows.map(({ first_day, last_day, first_booked, last_booked, opening, closing, ...row }) => ({
    ...row,
    firstDay: first_day,
    lastDay: last_day,
    firstBooked: first_booked,
    lastBooked: last_booked,
    opening: opening === null ? null : (JSON.parse(opening) as Money),
    closing: closing === null ? null : (JSON.parse(closing) as Money),
  }));
}

/** How many lines of each statement count elsewhere. */
export async function linesElsewhere(
  statements: Pick<Statements, 'all'>,
  books: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await statements.all<{ statement: number; lines: number }>(
    `SELECT statement, count(*) AS lines FROM statement_line WHERE reconciliation = ? AND role = ${ROLES.elsewhere}
     GROUP BY statement`,
    [books],
  );
  return new Map(rows.map(({ statement, lines }) => [statement, lines]));
}

/** The lines of these statements count elsewhere. */
export async function setElsewhere(statements: Statements, numbers: readonly number[]): Promise<void> {
  await statements.run(
    `UPDATE statement_line SET role = ${ROLES.elsewhere} WHERE statement IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(numbers)],
  );
}

/** The lines of some kinds that count elsewhere in these statements do not any more. */
export async function setCounting(
  statements: Statements,
  numbers: readonly number[],
  kinds: readonly string[],
  role: Role,
): Promise<void> {
  await statements.run(
    `UPDATE statement_line SET role = ?1 WHERE role = ${ROLES.elsewhere}
     AND statement IN (SELECT value FROM json_each(?2)) AND kind IN (SELECT value FROM json_each(?3))`,
    [role, JSON.stringify(numbers), JSON.stringify(kinds)],
  );
}

/** A line of which there is another one with the same identity. */
export interface RepeatedLine {
  readonly number: number;
  readonly statement: number;
  readonly line: number;
  readonly role: Role;
  readonly kind: string;
  readonly currency: string;
  readonly gross: number;
  readonly fee: number;
  readonly booked: string;
  readonly reference: string;
  readonly identity: string;
}

/** Identities that several lines of loaded statements have, in their order, after one. */
export async function repeatedIdentities(
  statements: Pick<Statements, 'all'>,
  books: number,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await statements.all<{ identity: string }>(
    `SELECT identity FROM statement_line WHERE reconciliation = ? AND identity > ?
     GROUP BY identity HAVING count(*) > 1 ORDER BY identity LIMIT ?`,
    [books, after, limit],
  );
  return rows.map(({ identity }) => identity);
}

export function linesWithIdentity(
  statements: Pick<Statements, 'all'>,
  books: number,
  identities: readonly string[],
): Promise<RepeatedLine[]> {
  return statements.all<RepeatedLine>(
    `SELECT number, statement, line, role, kind, currency, gross, fee, booked, reference, identity
     FROM statement_line
     WHERE reconciliation = ? AND identity IN (SELECT value FROM json_each(?))`,
    [books, JSON.stringify(identities)],
  );
}

/**
 * A bank's entry as a whole, of which another statement has the details: they are in the entry of that id, and add up to
 * it. Both would be counted.
 */
export async function collectiveEntries(
  statements: Pick<Statements, 'all'>,
  books: number,
): Promise<readonly number[]> {
  const rows = await statements.all<{ number: number }>(
    `SELECT entry.number FROM (
       SELECT l.statement, l.currency, s.source || char(10) || ifnull(s.whose, '') || char(10) || l.payout AS identity,
         sum(l.gross) AS gross
       FROM statement_line AS l JOIN statement AS s ON s.number = l.statement
       WHERE l.statement IN (SELECT number FROM statement WHERE reconciliation = ?1 AND subject = 'bank')
         AND l.role = ${ROLES.bank} AND l.payout IS NOT NULL
       GROUP BY l.statement, l.currency, l.payout) AS details
     JOIN statement_line AS entry ON entry.reconciliation = ?1 AND entry.identity = details.identity
       AND entry.role = ${ROLES.bank} AND entry.statement <> details.statement AND entry.currency = details.currency
       AND entry.gross = details.gross`,
    [books],
  );
  return rows.map(({ number }) => number);
}

export async function setRoles(
  statements: Statements,
  roles: readonly (readonly [number: number, role: Role])[],
): Promise<void> {
  await statements.run(
    `UPDATE statement_line SET role = r.value->>1 FROM json_each(?) AS r WHERE statement_line.number = r.value->>0`,
    [JSON.stringify(roles)],
  );
}

/** Every statement that counts, with the lines that it said it had and those that are there; for verifying. */
export function linesOfStatements(
  statements: Pick<Statements, 'all'>,
): Promise<
  { readonly file: string; readonly place: number; readonly said: number; readonly there: number }[]
> {
  return statements.all(
    `SELECT s.file, s.place, s.lines AS said,
       (SELECT count(*) FROM statement_line AS l WHERE l.statement = s.number) AS there
     FROM statement AS s WHERE s.loaded_at IS NOT NULL ORDER BY s.number`,
  );
}
