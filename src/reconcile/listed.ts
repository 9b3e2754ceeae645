/** A break as people read it: decimal amounts, age and severity. */
import { type Break, daysBetween, differenceOf, type SeverityTerms, severityOf } from '../core/break.ts';
import { digitsOf } from '../core/currency.ts';
import { formatAmount } from '../core/money.ts';
import type { ListedBreak } from '../report/reconciliation/document.ts';
import { MOST_DIGITS, scaledWeight } from './weight.ts';

/** @param today `YYYY-MM-DD`: ages are counted to it, or to the day on which the break went away */
export function listedBreak(one: Break, today: string, terms: SeverityTerms): ListedBreak {
  const age = daysBetween(one.day === '' ? one.found : one.day, one.closed ?? today);
  const digits = one.currency === null ? 0 : (digitsOf(one.currency) ?? 0);
  const stated = one.statementCurrency === null ? digits : (digitsOf(one.statementCurrency) ?? 0);
  return {
    id: one.id,
    state: one.state,
    side: one.side,
    kind: one.kind,
    reference: one.reference,
    currency: one.currency,
    ledger: decimal(one.ledger, digits),
    statement: decimal(one.statement, stated),
    statement_currency: one.statementCurrency,
    difference: decimal(differenceOf(one), digits),
    age_days: age,
    severity: severityOf(scaledWeight(one) ?? 0n, MOST_DIGITS, age, terms),
    day: one.day,
    found: one.found,
    due: one.due,
    closed: one.closed,
    place: one.place,
    why: one.why,
    assignee: one.assignee,
    resolution: one.resolution,
  };
}

function decimal(minor: bigint | null, digits: number): string | null {
  return minor === null ? null : formatAmount(minor, digits);
}
