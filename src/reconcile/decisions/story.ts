/** Everything that is known of one break: both sides, who did what with it, and what to do next. */
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import type { AuditRow } from '../../ledger/audit.ts';
import { actsOnBreaks, breaksNamed, linesAt, type NamedLine, type StoredBreak } from '../../ledger/breaks.ts';
import type { Statements } from '../../ledger/database.ts';
import { adviceFor } from './advice.ts';
import type { AllBooks } from './books.ts';
import { type AccountBreak, listed } from './find.ts';
import { type LedgerSide, ledgerSide } from './ledger-side.ts';

/** The statement's line. */
export interface StatementSide {
  readonly kind: string;
  /** Decimal. */
  readonly gross: string;
  readonly fee: string;
  readonly net: string;
  readonly currency: string;
  readonly booked: string;
  readonly valued: string | null;
  readonly reference: string;
  readonly payout: string | null;
  readonly text: string;
}

export interface BreakAct {
  readonly at: string;
  readonly who: string;
  /** For example `break.resolve`. */
  readonly act: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export type BreakStory = AccountBreak & {
  /** What stands at `place`; several where two files have that name. */
  readonly lines: readonly StatementSide[];
  /** Null where the books know nothing of the reference. */
  readonly books: LedgerSide | null;
  readonly acts: readonly BreakAct[];
  /** What to do next, in a sentence. */
  readonly advice: string;
};

type Reads = Pick<Statements, 'all' | 'json'>;

/** The stories of these breaks, in the order of their ids here, without those that there are not. */
export async function storiesOf(
  statements: Reads,
  all: AllBooks,
  ids: readonly string[],
): Promise<readonly BreakStory[]> {
  const breaks = new Map((await breaksNamed(statements, ids)).map((one) => [one.id, one]));
  const acts = await actsOnBreaks(statements, ids);
  const stories: BreakStory[] = [];
  for (const id of ids) {
    const one = breaks.get(id);
    if (one !== undefined) stories.push(await storyOf(statements, all, one, acts.get(id) ?? []));
  }
  return stories;
}

async function storyOf(
  statements: Reads,
  all: AllBooks,
  one: StoredBreak,
  acts: readonly AuditRow[],
): Promise<BreakStory> {
  return {
    ...listed(one, all),
    lines: (await linesOf(statements, one)).map(statementSide),
    books: await ledgerSide(statements, all.get(one.reconciliation)!, one.reference),
    acts: acts.map(({ at, who, act, detail }) => ({
      at: new Date(at).toISOString(),
      who,
      act,
      detail: JSON.parse(detail) as BreakAct['detail'],
    })),
    advice: adviceFor(one),
  };
}

/** Lines are named as FILE:LINE, and a file's name may have colons. */
async function linesOf(statements: Reads, { reconciliation, place }: StoredBreak) {
  const [, file, line] = /^(.+):(\d{1,9})$/s.exec(place ?? '') ?? [];
  return file === undefined ? [] : linesAt(statements, reconciliation, file, Number(line));
}

function statementSide({ currency, gross, fee, net, ...line }: NamedLine): StatementSide {
  const decimal = (minor: number) => formatAmount(minor, digitsOf(currency) ?? 0);
  return { currency, gross: decimal(gross), fee: decimal(fee), net: decimal(net), ...line };
}
