/** A reconciliation as its document: every sum as decimal text, every equation checked before anybody reads it. */
import type { SeverityTerms, Side } from '../core/break.ts';
import { digitsOf } from '../core/currency.ts';
import { formatAmount } from '../core/money.ts';
import { sumsByKind } from '../ledger/compared-lines.ts';
import type { Statements } from '../ledger/database.ts';
import { linesElsewhere, type StoredStatement } from '../ledger/statements.ts';
import type {
  Comparison,
  CurrencyTotals,
  PayoutCheck,
  ReconciliationDocument,
  RuleCount,
  SideTotals,
  StatementSummary,
  UnusableStatement,
} from '../report/reconciliation/document.ts';
import type { Rule } from './group.ts';
import { listedBreak } from './listed.ts';
import { type PaidOutCheck, residualOf } from './payouts.ts';
import { hasDay } from './period.ts';
import type { Reconciled, UnusableFile } from './reconcile.ts';
import { type BreakSums, sumBreaks, sumKey } from './sums.ts';
import type { Compared } from './tally.ts';
import { type PaidStep, waterfalls } from './waterfall.ts';

/** Breaks and payouts that a document lists; reconciliation.csv has all breaks. */
const MOST_BREAKS = 10_000;
const MOST_PAYOUTS = 1_000;

/** Everything but where the reports lie and how the command ends. */
export type DocumentBody = Omit<
  ReconciliationDocument,
  'environment' | 'merchant' | 'account' | 'gateway' | 'reports' | 'program_version' | 'exit'
>;

/** @param asked the period as it was asked for */
export async function documentBody(
  reads: Pick<Statements, 'all' | 'json'>,
  reconciled: Reconciled,
  asked: ReconciliationDocument['period'],
  severity: SeverityTerms,
): Promise<DocumentBody> {
  const { books, today, period, tally, checks, bank, changes } = reconciled;
  const sums = await sumBreaks(reads, books, period, MOST_BREAKS);
  const left = sums.counts.open + sums.counts.expected + sums.counts.resolved;
  const comparisons = tally.compared.map(({ side, currency, sums: compared }) =>
    comparison(side, currency, compared, sums),
  );
  return {
    schema_version: 1,
    day: today,
    period: asked,
    statements: await summaries(reads, reconciled),
    errors: reconciled.unusable.map(unusable),
    totals: totalsOf(comparisons, sums.open),
    comparisons,
    waterfall: waterfalls(await sumsByKind(reads, books, period), paidSteps(reconciled)),
    rules: tally.rules.map((one): RuleCount => ({ ...one, meaning: RULES[one.rule as AnyRule] })),
    payouts: checks
      .filter(({ day }) => hasDay(period, day))
      .map((check) => payoutCheck(check, bank?.credited))
      .toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0))
      .slice(0, MOST_PAYOUTS),
    breaks: sums.first.map((one) => listedBreak(one, today, severity)),
    unlisted: left - sums.first.length,
    counts: { ...sums.counts, closed: changes.closed },
  };
}

type AnyRule = Rule | 'amount and day';

const RULES: Readonly<Record<AnyRule, string>> = {
  reference: 'One line names one movement: same reference, currency and amount.',
  'entries add up': 'Several movements under one reference add up to one line.',
  'lines add up': 'Several lines under one reference add up to one movement.',
  'amount and day': 'No name helps; amount, currency and day fit, and nothing else could be meant.',
};

/** @throws when an equation does not hold: a report that does not add up is a bug, and is not written */
function comparison(side: Side, currency: string, compared: Compared, sums: BreakSums): Comparison {
  const breaks = sums.amounts.get(sumKey(side, currency)) ?? { ledger: NOTHING, statement: NOTHING };
  const matched = compared.matched.value;
  const digits = digitsOf(currency) ?? 0;
  const totals = (total: bigint, { open, expected, resolved }: typeof NOTHING, count: number): SideTotals => {
    if (total !== matched + open + expected + resolved)
      throw new Error(
        `${side} ${currency}: ${total} is not ${matched} matched + ${open} open + ${expected} expected + ${resolved} resolved`,
      );
    const text = (amount: bigint) => formatAmount(amount, digits);
    return {
      total: text(total),
      matched: text(matched),
      open: text(open),
      expected: text(expected),
      resolved: text(resolved),
      count,
    };
  };
  return {
    side,
    currency,
    ledger: totals(compared.ledger.value, breaks.ledger, compared.entries),
    statement: totals(compared.statement.value, breaks.statement, compared.lines),
  };
}

const NOTHING = { open: 0n, expected: 0n, resolved: 0n };

/**
 * Of one comparison each: the acquirer's, else the bank's. Both would count the same money twice. `open` is what differs
 * in open breaks of either, all added up: two that cancel out are open all the same.
 */
function totalsOf(
  comparisons: readonly Comparison[],
  open: BreakSums['open'],
): Readonly<Record<string, CurrencyTotals>> {
  const first = new Map<string, Comparison>();
  for (const one of comparisons) if (!first.has(one.currency)) first.set(one.currency, one);
  const currencies = [...first.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  return Object.fromEntries(
    currencies.map(({ currency, ledger, statement }) => [
      currency,
      {
        ledger: ledger.total,
        statement: statement.total,
        matched: ledger.matched,
        open: formatAmount(open.get(currency) ?? 0n, digitsOf(currency) ?? 0),
      },
    ]),
  );
}

/** Of the files that were named; of all that are loaded when none was. */
async function summaries(
  reads: Pick<Statements, 'all'>,
  { books, statements, loaded, unusable }: Reconciled,
): Promise<readonly StatementSummary[]> {
  const elsewhere = await linesElsewhere(reads, books);
  const repeats = new Map(loaded.map(({ sha256, repeat }) => [sha256, repeat]));
  const isTold = ({ sha256 }: StoredStatement) =>
    repeats.has(sha256) || loaded.length + unusable.length === 0;
  return statements.filter(isTold).map((one) => {
    const from = one.firstDay ?? one.firstBooked;
    const to = one.lastDay ?? one.lastBooked;
    return {
      file: one.file,
      profile: one.profile,
      of: one.subject,
      id: one.id,
      lines: one.lines,
      period: from === null || to === null ? null : [from, to],
      sha256: one.sha256,
      repeat: repeats.get(one.sha256) ?? true,
      counted_elsewhere: elsewhere.get(one.number) ?? 0,
    };
  });
}

/** Of the period; a whole statement is on its way to the bank only when there is a bank to look at. */
function paidSteps({ checks, bank, period }: Reconciled): readonly PaidStep[] {
  const stated = checks.filter(({ day, stated }) => stated !== undefined && hasDay(period, day));
  const whole = (bank?.whole ?? []).filter(({ day }) => hasDay(period, day));
  return [
    ...stated.map(({ key, currency, stated, received }) => ({
      currency,
      taken: stated!,
      received,
      isCredited: bank?.credited.has(key),
    })),
    ...whole.map(({ name, currency, amount }) => ({
      currency,
      taken: BigInt(amount),
      received: BigInt(amount),
      isCredited: bank?.credited.has(name),
    })),
  ];
}

function unusable({ file, error }: UnusableFile): UnusableStatement {
  const { message, hint, line, column } = error;
  return {
    file,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

function payoutCheck(check: PaidOutCheck, credited: ReadonlyMap<string, string> | undefined): PayoutCheck {
  const { name, currency, day, lines, parts, calculated, stated } = check;
  const text = (amount: bigint) => formatAmount(amount, digitsOf(currency) ?? 0);
  const residual = residualOf(check);
  return {
    reference: name,
    currency,
    day,
    lines,
    parts: Object.fromEntries([...parts].map(([kind, net]) => [kind, text(net)])),
    calculated: text(calculated),
    stated: stated === undefined ? null : text(stated),
    residual: residual === undefined ? null : text(residual),
    credited: credited?.get(check.key) ?? null,
  };
}
