/** Named statements on the lines of statements, for comparing them with the books. */
import type { Statements } from './database.ts';
import { ROLES } from './statements.ts';

type Reads = Pick<Statements, 'json'>;

/** What comparing looks at; amounts in minor units. */
export interface ComparedLine {
  readonly number: number;
  readonly reference: string;
  readonly statement: number;
  readonly line: number;
  readonly kind: string;
  readonly currency: string;
  readonly gross: number;
  readonly fee: number;
  readonly booked: string;
}

type Cells = [
  number: number,
  reference: string,
  statement: number,
  line: number,
  kind: string,
  currency: string,
  gross: number,
  fee: number,
  booked: string,
];

const CELLS = 'json_array(number, reference, statement, line, kind, currency, gross, fee, booked)';

const fromCells = ([
  number,
  reference,
  statement,
  line,
  kind,
  currency,
  gross,
  fee,
  booked,
]: Cells): ComparedLine => ({
  number,
  reference,
  statement,
  line,
  kind,
  currency,
  gross,
  fee,
  booked,
});

/** The statements of some books; their lines lie one behind the other, so that reading them jumps about nowhere. */
const OF_BOOKS = 'statement IN (SELECT number FROM statement WHERE reconciliation = ?1)';

/**
 * Sorts the lines that are compared with transactions by their references, for this connection alone, until it is asked
 * again. An index that is kept would cost far more where references come in no order: every line touches another page.
 */
export async function sortTraded(statements: Pick<Statements, 'all'>, books: number): Promise<void> {
  await statements.all('DROP TABLE IF EXISTS temp.traded');
  await statements.all(
    `CREATE TEMP TABLE traded (place INTEGER PRIMARY KEY, number INTEGER, reference TEXT, statement INTEGER, line INTEGER,
       kind TEXT, currency TEXT, gross INTEGER, fee INTEGER, booked TEXT)`,
  );
  await statements.all(
    `INSERT INTO temp.traded (number, reference, statement, line, kind, currency, gross, fee, booked)
     SELECT number, reference, statement, line, kind, currency, gross, fee, booked FROM statement_line
     WHERE ${OF_BOOKS} AND role = ${ROLES.traded} ORDER BY reference, number`,
    [books],
  );
}

/**
 * Sorted lines, after a place among them; each reference's are together.
 * @returns the last place of the block, undefined when there are no more
 */
export async function linesAfter(
  statements: Reads,
  place: number,
  limit: number,
): Promise<{ readonly last: number | undefined; readonly lines: readonly ComparedLine[] }> {
  const { last, lines } = await statements.json<{ last: number | null; lines: Cells[] }>(
    `SELECT json_object('last', max(place), 'lines', json_group_array(${CELLS})) AS json
     FROM (SELECT * FROM temp.traded WHERE place > ? ORDER BY place LIMIT ?)`,
    [place, limit],
  );
  return { last: last ?? undefined, lines: lines.map(fromCells) };
}

/** Lines by their numbers, in any order. */
export async function linesNumbered(
  statements: Reads,
  numbers: readonly number[],
): Promise<readonly ComparedLine[]> {
  const rows = await statements.json<Cells[]>(
    `SELECT json_group_array(${CELLS}) AS json FROM (
       SELECT l.* FROM json_each(?) AS n CROSS JOIN statement_line AS l ON l.number = n.value)`,
    [JSON.stringify(numbers)],
  );
  return rows.map(fromCells);
}

/** Numbers of the sorted lines whose reference is no transaction of the account, nor anything sent to the gateway. */
export function strangeLines(
  statements: Reads,
  account: number,
  address: string | null,
): Promise<readonly number[]> {
  const known =
    address === null
      ? 'SELECT 1 FROM txn WHERE account = ?1 AND transaction_id = l.reference AND ?2 IS NULL'
      : 'SELECT 1 FROM remote_line WHERE account = ?1 AND subject = l.reference AND address = ?2';
  return statements.json<number[]>(
    `SELECT json_group_array(number) AS json FROM temp.traded AS l WHERE NOT EXISTS (${known})`,
    [account, address],
  );
}

/** What else is known of lines. */
export interface LineNames {
  readonly number: number;
  readonly kind: string;
  readonly gross: number;
  /** The most exact first; none where there is none. */
  readonly references: readonly string[];
  readonly identity: string | null;
  readonly text: string;
}

export async function namesOfLines(
  statements: Reads,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, LineNames>> {
  const rows = await statements.json<
    [number, string, number, string, string | null, string | null, string][]
  >(
    `SELECT json_group_array(json_array(l.number, l.kind, l.gross, l.reference, l.other_references, l.identity,
       l.text)) AS json
     FROM json_each(?) AS n CROSS JOIN statement_line AS l ON l.number = n.value`,
    [JSON.stringify(numbers)],
  );
  return new Map(
    rows.map(([number, kind, gross, reference, others, identity, text]) => [
      number,
      { number, kind, gross, references: referencesOf(reference, others), identity, text },
    ]),
  );
}

/** The first one, which is empty where there is none, and the others as JSON. */
function referencesOf(first: string, others: string | null): readonly string[] {
  const more = others === null ? [] : (JSON.parse(others) as string[]);
  return first === '' ? more : [first, ...more];
}

/** Sums of the lines of one kind and currency, minor units. */
export interface KindSum {
  readonly kind: string;
  readonly currency: string;
  readonly lines: number;
  readonly gross: bigint;
  readonly fee: bigint;
  readonly net: bigint;
}

/** SQLite's sums are 64 bits wide and refuse to be more: millions and what is left of them are added up apart. */
const MILLION = 1_000_000;

const sumOf = (column: string) => `json_array(sum(${column} / ${MILLION}), sum(${column} % ${MILLION}))`;

type Halves = readonly [millions: number, rest: number];

const whole = ([millions, rest]: Halves): bigint => BigInt(millions) * BigInt(MILLION) + BigInt(rest);

/**
 * Sums by kind and currency of what acquirers say has happened, without what they paid out.
 * @param days booked from and to, both inclusive; lines without a day always count
 */
export async function sumsByKind(
  statements: Reads,
  books: number,
  days: { readonly from: string; readonly to: string },
): Promise<readonly KindSum[]> {
  const rows = await statements.json<[string, string, number, Halves, Halves, Halves][]>(
    `SELECT json_group_array(json_array(kind, currency, lines, json(gross), json(fee), json(net))) AS json FROM (
       SELECT kind, currency, count(*) AS lines, ${sumOf('gross')} AS gross, ${sumOf('fee')} AS fee,
         ${sumOf('net')} AS net
       FROM statement_line WHERE ${OF_BOOKS} AND role BETWEEN 1 AND 2 AND kind <> 'payout'
         AND (booked = '' OR booked BETWEEN ?2 AND ?3)
       GROUP BY kind, currency ORDER BY currency, kind)`,
    [books, days.from, days.to],
  );
  return rows.map(([kind, currency, lines, gross, fee, net]) => ({
    kind,
    currency,
    lines,
    gross: whole(gross),
    fee: whole(fee),
    net: whole(net),
  }));
}

/** Sums of the lines that an acquirer has put into a payout or batch. */
export interface PayoutSum {
  /** Whose payout: two acquirers may use one number. */
  readonly payer: string;
  readonly payout: string;
  readonly currency: string;
  readonly kind: string;
  readonly lines: number;
  readonly net: bigint;
}

/** Who pays out: the source of the statement, and its name of the merchant. */
const PAYER = "s.source || char(10) || ifnull(s.whose, '')";

/** Those of the lines that are no payouts themselves, by payout, currency and kind. */
export async function sumsByPayout(statements: Reads, books: number): Promise<readonly PayoutSum[]> {
  const rows = await statements.json<[string, string, string, string, number, Halves][]>(
    `SELECT json_group_array(json_array(payer, payout, currency, kind, lines, json(net))) AS json FROM (
       SELECT ${PAYER} AS payer, l.payout, l.currency, l.kind, count(*) AS lines, ${sumOf('l.net')} AS net
       FROM statement_line AS l JOIN statement AS s ON s.number = l.statement
       WHERE l.${OF_BOOKS} AND l.payout IS NOT NULL AND l.role BETWEEN 1 AND 2 AND l.kind <> 'payout'
       GROUP BY payer, l.payout, l.currency, l.kind)`,
    [books],
  );
  return rows.map(([payer, payout, currency, kind, lines, net]) => ({
    payer,
    payout,
    currency,
    kind,
    lines,
    net: whole(net),
  }));
}

/** An acquirer's line that says that it has paid out; what the merchant receives is above zero in a list of payouts. */
export interface PayoutLine {
  readonly payer: string;
  readonly payout: string | null;
  readonly references: readonly string[];
  readonly subject: 'balance' | 'payouts';
  readonly sha256: string;
  readonly file: string;
  readonly place: number;
  readonly line: number;
  readonly currency: string;
  readonly gross: number;
  readonly net: number;
  readonly booked: string;
  readonly valued: string | null;
}

export async function payoutLines(statements: Reads, books: number): Promise<readonly PayoutLine[]> {
  const rows = await statements.json<
    (Omit<PayoutLine, 'references'> & { readonly first: string; readonly others: string | null })[]
  >(
    `SELECT json_group_array(json_object('payer', ${PAYER}, 'payout', l.payout, 'first', l.reference,
       'others', l.other_references, 'subject', s.subject, 'sha256', s.sha256, 'file', s.file, 'place', s.place,
       'line', l.line, 'currency', l.currency, 'gross', l.gross, 'net', l.net, 'booked', l.booked, 'valued', l.valued)) AS json
     FROM statement_line AS l JOIN statement AS s ON s.number = l.statement
     WHERE l.reconciliation = ? AND l.role = 2 AND l.kind = 'payout'`,
    [books],
  );
  return rows.map(({ first, others, ...line }) => ({ ...line, references: referencesOf(first, others) }));
}

/** What a statement comes to, where it tells of no payouts or batches. */
export interface StatementNet {
  readonly statement: number;
  readonly currency: string;
  readonly net: bigint;
  readonly lastBooked: string;
}

/** Nets of the balance statements in which no line is a payout or in one. */
export async function netsOfStatements(statements: Reads, books: number): Promise<readonly StatementNet[]> {
  const rows = await statements.json<[number, string, Halves, string][]>(
    `SELECT json_group_array(json_array(statement, currency, json(net), last_booked)) AS json FROM (
       SELECT l.statement, l.currency, ${sumOf('l.net')} AS net, max(l.booked) AS last_booked
       FROM statement_line AS l JOIN statement AS s ON s.number = l.statement AND s.subject = 'balance'
       WHERE l.${OF_BOOKS} AND l.role BETWEEN 1 AND 2 AND NOT EXISTS (
         SELECT 1 FROM statement_line AS other WHERE other.statement = l.statement
         AND (other.payout IS NOT NULL OR other.kind = 'payout'))
       GROUP BY l.statement, l.currency)`,
    [books],
  );
  return rows.map(([statement, currency, net, lastBooked]) => ({
    statement,
    currency,
    net: whole(net),
    lastBooked,
  }));
}

/** A bank's line with all by which it can be known. */
export interface StoredBankLine {
  readonly number: number;
  readonly statement: number;
  readonly line: number;
  readonly references: readonly string[];
  readonly text: string;
  readonly identity: string | null;
  readonly kind: string;
  readonly currency: string;
  readonly gross: number;
  readonly fee: number;
  readonly booked: string;
}

export async function bankLines(statements: Reads, books: number): Promise<readonly StoredBankLine[]> {
  const rows = await statements.json<
    [
      number,
      number,
      number,
      string,
      string | null,
      string,
      string | null,
      string,
      string,
      number,
      number,
      string,
    ][]
  >(
    `SELECT json_group_array(json_array(number, statement, line, reference, other_references, text, identity, kind,
       currency, gross, fee, booked)) AS json
     FROM statement_line
     WHERE statement IN (SELECT number FROM statement WHERE reconciliation = ? AND subject = 'bank') AND role = 3`,
    [books],
  );
  return rows.map(
    ([number, statement, line, reference, others, text, identity, kind, currency, gross, fee, booked]) => ({
      number,
      statement,
      line,
      references: referencesOf(reference, others),
      text,
      identity,
      kind,
      currency,
      gross,
      fee,
      booked,
    }),
  );
}
