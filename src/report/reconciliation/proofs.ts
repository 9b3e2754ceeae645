/** The equations of a reconciliation, calculated again from the document's own figures: exact, and believing none of them. */
import { difference, grouped, isEqual, sum } from '../html/decimal.ts';
import { html, type Part } from '../html/template.ts';
import { byName, count, money } from '../html/words.ts';
import type {
  PayoutCheck,
  ReconciliationDocument,
  SideTotals,
  Waterfall,
  WaterfallStep,
} from './document.ts';
import { PART_NAMES } from './words.ts';

/** An equation in words, and whether it holds. */
export interface Proof {
  readonly what: Part;
  readonly holds: boolean;
  /** By how much it does not. */
  readonly whenNot: string;
}

/** Whether every sum of the report is what its parts add up to. */
export function isProven(document: ReconciliationDocument): boolean {
  return (
    overall(document).every(({ holds }) => holds) &&
    document.comparisons.every(({ ledger, statement }) => addsUp(ledger) && addsUp(statement)) &&
    document.waterfall.every(waterfallAddsUp) &&
    document.payouts.every(payoutAddsUp)
  );
}

/** What the parts of a side add up to: its total, if all is right. */
export function partSum(side: SideTotals): string {
  return sum(PART_NAMES.map((part) => side[part]));
}

function addsUp(side: SideTotals): boolean {
  return isEqual(partSum(side), side.total);
}

/** A step of a waterfall, and what the steps up to it add up to. */
export interface RunningStep {
  readonly step: WaterfallStep;
  readonly before: string;
  readonly after: string;
}

export function running({ steps }: Waterfall): readonly RunningStep[] {
  let before = '0';
  return steps.map((step) => {
    const after = step.is === 'part' ? sum([before, step.amount]) : before;
    const run = { step, before, after };
    before = after;
    return run;
  });
}

function waterfallAddsUp(waterfall: Waterfall): boolean {
  return running(waterfall).every(({ step, after }) => step.is === 'part' || isEqual(step.amount, after));
}

/** Its parts make what was calculated, and that with the residual what is stated. */
export function payoutAddsUp({ parts, calculated, stated, residual }: PayoutCheck): boolean {
  if (!isEqual(sum(Object.values(parts)), calculated)) return false;
  return stated === null || residual === null || isEqual(difference(stated, calculated), residual);
}

/** The equations that concern the whole reconciliation. */
export function overall(document: ReconciliationDocument): readonly Proof[] {
  return [...breakCounts(document), ...currencySums(document)];
}

function breakCounts({ counts, breaks, unlisted }: ReconciliationDocument): readonly Proof[] {
  const parts = (['open', 'expected', 'resolved'] as const).filter((state) => counts[state] > 0);
  const counted = counts.open + counts.expected + counts.resolved;
  const found = breaks.filter(({ state }) => state !== 'closed').length + unlisted;
  if (counted === 0 && found === 0) return [];
  const words = parts.map((state, at) => html` ${at === 0 ? '=' : '+'} ${grouped(counts[state])} ${state}`);
  return [
    {
      what: html`${count(found, 'break')}${words}`,
      holds: found === counted,
      whenNot: `differs by ${grouped(found - counted)}`,
    },
  ];
}

/** Each currency's totals are those of its first comparison. */
function currencySums({ totals, comparisons }: ReconciliationDocument): readonly Proof[] {
  return byName(totals).map(([currency, stated]) => {
    const of = comparisons.find((one) => one.currency === currency);
    const faults = [
      ...fault('sum of the ledger', stated.ledger, of?.ledger.total ?? '0'),
      ...fault('sum of statements', stated.statement, of?.statement.total ?? '0'),
      ...fault('what the ledger has matched', stated.matched, of?.ledger.matched ?? '0'),
      ...fault('what statements have matched', stated.matched, of?.statement.matched ?? '0'),
    ];
    return {
      what: html`${money(currency, stated.ledger)} in the ledger, ${grouped(stated.statement)} in statements, ${grouped(stated.matched)} matched on both sides, and open breaks of ${grouped(stated.open)} without signs, as in the tables`,
      holds: faults.length === 0,
      whenNot: faults.join(', '),
    };
  });
}

/** What is wrong, where something is. */
function fault(what: string, stated: string, found: string): readonly string[] {
  return isEqual(found, stated) ? [] : [`${what} differs by ${grouped(difference(found, stated))}`];
}
