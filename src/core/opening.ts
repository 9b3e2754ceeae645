/** A transaction that comes in from elsewhere: its figures, and whether they agree with the state it is said to have. */
import * as z from 'zod';
import { type Reason, reason } from './code.ts';
import { digitsOf } from './currency.ts';
import { DOT, formatAmount, parseAmount } from './money.ts';
import { isState, type State } from './state.ts';
import { decimal, id } from './text.ts';

/** Columns of an import file, in order. */
const openingFields = z.strictObject({
  merchant_id: id,
  account_id: id,
  transaction_id: id,
  order_no: id,
  currency: id,
  amount: decimal,
  state: id,
  captured: decimal.optional(),
  refunded: decimal.optional(),
  cancelled: decimal.optional(),
  authorised_at: id.optional(),
});

export const OPENING_COLUMNS: readonly string[] = Object.keys(openingFields.shape);
export const REQUIRED_OPENING_COLUMNS = [
  'merchant_id',
  'account_id',
  'transaction_id',
  'order_no',
  'currency',
  'amount',
  'state',
];

export interface ParsedOpening {
  readonly merchantId: string;
  readonly accountId: string;
  readonly transactionId: string;
  readonly orderNo: string;
  readonly currency: string;
  readonly state: State;
  readonly amount: number;
  readonly captured: number;
  readonly refunded: number;
  readonly cancelled: number;
  /** Epoch milliseconds; undefined means now. */
  readonly authorisedAt: number | undefined;
}

/** Parses one row of an import file: amounts become minor units, absent figures what the state implies. */
export function parseOpening(fields: Readonly<Record<string, string>>): ParsedOpening | Reason {
  const parsed = openingFields.safeParse(fields);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const column = issue!.path.join('.');
    return fields[column] === undefined
      ? reason('I0001', column, { column })
      : reason('I0002', `${column}: ${issue!.message}`, { column });
  }
  const row = parsed.data;
  const digits = digitsOf(row.currency);
  if (digits === undefined)
    return reason('I0022', `${row.currency} is no active ISO 4217 currency with a minor unit`, {
      column: 'currency',
    });
  if (!isState(row.state)) return reason('I0002', `state ${row.state} is not known`, { column: 'state' });
  const amount = parseAmount(row.amount, digits);
  if (typeof amount !== 'number') return reason('I0021', `amount is ${row.amount}`, { column: 'amount' });
  const figures = figuresOf(row, row.state, amount, digits);
  if ('code' in figures) return figures;
  const authorisedAt = row.authorised_at === undefined ? undefined : parseTime(row.authorised_at);
  if (Number.isNaN(authorisedAt))
    return reason('I0002', `authorised_at is ${row.authorised_at}; expected 2026-11-20T08:02:03Z`, {
      column: 'authorised_at',
    });
  const fault = contradiction(row.state, amount, figures);
  if (fault !== undefined)
    return reason('I0002', `${row.state} contradicts the figures: ${fault}`, { column: 'state' });
  return {
    merchantId: row.merchant_id,
    accountId: row.account_id,
    transactionId: row.transaction_id,
    orderNo: row.order_no,
    currency: row.currency,
    state: row.state,
    amount,
    ...figures,
    authorisedAt,
  };
}

interface Figures {
  readonly captured: number;
  readonly refunded: number;
  readonly cancelled: number;
}

const CLOSED: ReadonlySet<State> = new Set(['captured', 'partially_refunded', 'refunded']);

/** The three figures, absent ones by default: contract, `import`. */
function figuresOf(
  row: { captured?: string | undefined; refunded?: string | undefined; cancelled?: string | undefined },
  state: State,
  amount: number,
  digits: number,
): Figures | Reason {
  const given: Record<'captured' | 'refunded' | 'cancelled', number | undefined> = {
    captured: undefined,
    refunded: undefined,
    cancelled: undefined,
  };
  for (const name of ['captured', 'refunded', 'cancelled'] as const) {
    const text = row[name];
    if (text === undefined) continue;
    const minor = /^0+(\.0*)?$/.test(text) ? 0 : parseAmount(text, digits, DOT);
    if (typeof minor !== 'number') return reason('I0021', `${name} is ${text}`, { column: name });
    given[name] = minor;
  }
  const captured = given.captured ?? (CLOSED.has(state) ? amount : 0);
  // A remainder that was not captured by the end must have been given back.
  const implied = state === 'cancelled' ? amount : CLOSED.has(state) ? Math.max(0, amount - captured) : 0;
  return {
    captured,
    refunded: given.refunded ?? (state === 'refunded' ? captured : 0),
    cancelled: given.cancelled ?? implied,
  };
}

/** What does not fit together, in words, or undefined. */
function contradiction(
  state: State,
  amount: number,
  { captured, refunded, cancelled }: Figures,
): string | undefined {
  if (captured + cancelled > amount) return 'captured and cancelled are more than the amount';
  if (refunded > captured) return 'refunded is more than captured';
  const whole = captured + cancelled === amount;
  switch (state) {
    case 'partially_captured':
      return captured > 0 && captured < amount && cancelled === 0
        ? undefined
        : 'a part, and not all, must be captured and nothing cancelled';
    case 'captured':
      return captured > 0 && whole && refunded === 0
        ? undefined
        : 'all that is not cancelled must be captured and nothing refunded';
    case 'partially_refunded':
      return captured > 0 && whole && refunded > 0 && refunded < captured
        ? undefined
        : 'a part of what is captured must be refunded';
    case 'refunded':
      return captured > 0 && whole && refunded === captured
        ? undefined
        : 'all that is captured must be refunded';
    case 'cancelled':
      return captured === 0 && cancelled === amount
        ? undefined
        : 'nothing may be captured and all must be cancelled';
    default:
      return captured + refunded + cancelled === 0
        ? undefined
        : 'nothing can be captured, refunded or cancelled';
  }
}

/** Epoch milliseconds of an ISO 8601 time with a zone, NaN for anything else. */
function parseTime(text: string): number {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}

/** The opening in one line, for messages about rows that differ. */
export function describeOpening(
  opening: Pick<ParsedOpening, 'orderNo' | 'currency' | 'amount' | 'captured' | 'refunded'> & {
    readonly state: string;
  },
): string {
  const digits = digitsOf(opening.currency) ?? 0;
  return `${opening.orderNo}, ${formatAmount(opening.amount, digits)} ${opening.currency}, ${opening.state}`;
}
