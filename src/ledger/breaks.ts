/** Named statements on breaks. */
import type { Break, BreakKind, BreakState, FoundBreak, Side } from '../core/break.ts';
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
