/** Named statements on breaks. */
import type { Break, BreakKind, BreakState, FoundBreak, Side } from '../core/break.ts';
import { getOrSet } from '../core/get-or-set.ts';
import type { AuditRow } from './audit.ts';
import type { Statements } from './database.ts';

/** A break with what was compared: the account's books at a gateway. */
export type StoredBreak = Break & { readonly reconciliation: number };

type Cells = [
  id: string,
  state: BreakState,
  side: Side,
  kind: BreakKind,
  reference: string,
  currency: string | null,
  statementCurrency: string | null,
  ledger: string | null,
  statement: string | null,
  compared: 0 | 1,
  day: string,
  due: string | null,
  why: string,
  place: string | null,
  found: string,
  closed: string | null,
  assignee: string | null,
  resolution: string | null,
];

const COLUMNS = `id, state, side, kind, reference, currency, statement_currency, ledger, statement, compared, day, due,
  why, place, found, closed, assignee, resolution`;

const CELLS = `json_array(reconciliation, json_array(${COLUMNS}))`;

/** Those that have these ids; ids name a break whatever it belongs to. */
export function breaksNamed(
  statements: Pick<Statements, 'json'>,
  ids: readonly string[],
): Promise<readonly StoredBreak[]> {
  return read(statements, 'SELECT * FROM break WHERE id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(ids),
  ]);
}

/** Those in some states, in the order of ids, after an id. */
export function breaksAfter(
  statements: Pick<Statements, 'json'>,
  reconciliation: number,
  states: readonly BreakState[],
  after: string,
  limit: number,
): Promise<readonly StoredBreak[]> {
  return read(
    statements,
    `SELECT * FROM break WHERE reconciliation = ? AND id > ? AND state IN (SELECT value FROM json_each(?))
     ORDER BY id LIMIT ?`,
    [reconciliation, after, JSON.stringify(states), limit],
  );
}

/** What all of some breaks have in common; what is left out, or empty, may be anything. */
export interface BreakTraits {
  readonly states: readonly BreakState[];
  readonly kinds: readonly BreakKind[];
  readonly side: Side | undefined;
  /** Of either amount. */
  readonly currency: string | undefined;
  /** Null: nobody. */
  readonly assignee: string | null | undefined;
  /** A part of the reference, whatever its case. */
  readonly reference: string | undefined;
}

/** Those with these traits, in the order of ids, after an id. */
export function breaksWith(
  statements: Pick<Statements, 'json'>,
  reconciliation: number,
  { states, kinds, side, currency, assignee, reference }: BreakTraits,
  after: string,
  limit: number,
): Promise<readonly StoredBreak[]> {
  const isOneOf = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;
  const parts: readonly (readonly [sql: string, value: string | undefined])[] = [
    [isOneOf('state'), JSON.stringify(states)],
    [isOneOf('kind'), kinds.length === 0 ? undefined : JSON.stringify(kinds)],
    ['side = ?', side],
    ['? IN (currency, statement_currency)', currency],
    ['assignee IS ?', assignee ?? undefined],
    ['instr(lower(reference), lower(?)) > 0', reference],
  ];
  const given = parts.filter((part): part is readonly [string, string] => part[1] !== undefined);
  const nobody = assignee === null ? ' AND assignee IS NULL' : '';
  const where = given.map(([sql]) => ` AND ${sql}`).join('') + nobody;
  return read(
    statements,
    `SELECT * FROM break WHERE reconciliation = ? AND id > ?${where} ORDER BY id LIMIT ?`,
    [reconciliation, after, ...given.map(([, value]) => value), limit],
  );
}

/** What people did with breaks: the acts whose names begin with `break.`, by the break's id, oldest first. */
export async function actsOnBreaks(
  statements: Pick<Statements, 'all'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly AuditRow[]>> {
  const rows = await statements.all<AuditRow>(
    `SELECT * FROM audit WHERE act GLOB 'break.*' AND subject IN (SELECT value FROM json_each(?)) ORDER BY number`,
    [JSON.stringify(ids)],
  );
  const byId = new Map<string, AuditRow[]>();
  for (const row of rows) getOrSet(byId, row.subject, () => []).push(row);
  return byId;
}

/** A line of a statement, as it is kept; amounts in minor units. */
export interface NamedLine {
  readonly kind: string;
  readonly currency: string;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  readonly booked: string;
  readonly valued: string | null;
  readonly reference: string;
  readonly payout: string | null;
  readonly text: string;
}

/** What stands on a line of the files of this name; more than one where a name was used again. */
export function linesAt(
  statements: Pick<Statements, 'all'>,
  reconciliation: number,
  file: string,
  line: number,
): Promise<readonly NamedLine[]> {
  return statements.all<NamedLine>(
    `SELECT l.kind, l.currency, l.gross, l.fee, l.net, l.booked, l.valued, l.reference, l.payout, l.text
     FROM statement AS s JOIN statement_line AS l ON l.statement = s.number AND l.line = ?
     WHERE s.reconciliation = ? AND s.file = ? ORDER BY l.number`,
    [line, reconciliation, file],
  );
}

/** Writes breaks, new ones and known ones. */
export async function putBreaks(
  statements: Statements,
  reconciliation: number,
  breaks: readonly Break[],
): Promise<void> {
  if (breaks.length === 0) return;
  const values = Array.from({ length: 18 }, (_, index) => `value->>${index}`).join(', ');
  await statements.run(
    `INSERT OR REPLACE INTO break (reconciliation, ${COLUMNS}) SELECT ?, ${values} FROM json_each(?)`,
    [reconciliation, JSON.stringify(breaks.map(cellsOf))],
  );
}

/** Whether two say the same in every respect: then there is nothing to write. */
export function isSameBreak(one: Break, other: Break): boolean {
  return JSON.stringify(cellsOf(one)) === JSON.stringify(cellsOf(other));
}

async function read(
  statements: Pick<Statements, 'json'>,
  query: string,
  values: readonly (string | number)[],
): Promise<readonly StoredBreak[]> {
  const rows = await statements.json<[number, Cells][]>(
    `SELECT json_group_array(${CELLS}) AS json FROM (${query})`,
    values,
  );
  return rows.map(([reconciliation, cells]) => ({ ...breakOf(cells), reconciliation }));
}

function cellsOf(one: Break): Cells {
  return [
    one.id,
    one.state,
    one.side,
    one.kind,
    one.reference,
    one.currency,
    one.statementCurrency,
    textOf(one.ledger),
    textOf(one.statement),
    one.compared ? 1 : 0,
    one.day,
    one.due,
    one.why,
    one.place,
    one.found,
    one.closed,
    one.assignee,
    one.resolution,
  ];
}

function breakOf(cells: Cells): Break {
  const [id, state, side, kind, reference, currency, statementCurrency, ledger, statement] = cells;
  const [, , , , , , , , , compared, day, due, why, place, found, closed, assignee, resolution] = cells;
  const what: FoundBreak = {
    id,
    side,
    kind,
    reference,
    currency,
    statementCurrency,
    ledger: bigintOf(ledger),
    statement: bigintOf(statement),
    compared: compared === 1,
    day,
    due,
    why,
    place,
  };
  return { ...what, state, found, closed, assignee, resolution };
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : String(amount);
}

function bigintOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

/** Breaks that are said to be resolved although nobody has said so. */
export async function unsaidResolutions(
  statements: Pick<Statements, 'all'>,
): Promise<{ readonly resolved: number; readonly unsaid: readonly string[] }> {
  const rows = await statements.all<{ id: string; said: 0 | 1 }>(
    `SELECT id, id IN (SELECT subject FROM audit WHERE act = 'break.resolve') AS said
     FROM break WHERE state = 'resolved' ORDER BY id`,
  );
  return { resolved: rows.length, unsaid: rows.filter(({ said }) => said === 0).map(({ id }) => id) };
}
