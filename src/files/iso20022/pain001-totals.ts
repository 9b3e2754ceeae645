/** The control totals of a payment initiation: counts and sums that its sender states, of the file and of each part. */
import { quote } from '../../core/quote.ts';
import type { Difference, StatedTotals } from '../opened-file.ts';
import { Unreadable } from '../unreadable.ts';
import { countOf, type Decimal, parseDecimal } from './iso-values.ts';
import { all, type Element, rawText, textAt } from './xml.ts';

/** Sums add up numbers of all currencies; what they add is in units, with as many decimals as any may have. */
const DECIMALS = 20;

/** What transfers come to, added up as they are read. */
export class Found {
  count = 0;
  sum = 0n;
  /** Transfers without an amount that can be read: they are counted, and add nothing to the sum. */
  unread = 0;

  add(transfer: Element): void {
    const amount = amountOf(transfer);
    this.count += 1;
    if (amount === undefined) this.unread += 1;
    else this.sum += unitsOf(amount);
  }

  include({ count, sum, unread }: Found): void {
    this.count += count;
    this.sum += sum;
    this.unread += unread;
  }
}

/** How a part of a file is called in a message. @param number of the part, from 1 */
export function partName(payment: Element, number: number): string {
  const id = textAt(payment, 'PmtInfId');
  return id === undefined ? `PmtInf number ${number}` : `PmtInf ${quote(id)}`;
}

/**
 * What the group header states.
 * @param whole what all transfers come to
 * @param parts what the parts state otherwise than it is
 * @throws Unreadable when a figure is none, or the count is missing
 */
export function statedTotals(header: Element, whole: Found, parts: readonly Difference[]): StatedTotals {
  const count = textAt(header, 'NbOfTxs');
  if (count === undefined) {
    throw new Unreadable('It does not say how many transfers it holds (GrpHdr/NbOfTxs).');
  }
  return {
    rows: countOf(count),
    sum: textAt(header, 'CtrlSum'),
    differences: [...differencesOf(header, 'GrpHdr', whole), ...parts],
  };
}

/** What is stated otherwise than it is; nothing need be stated. @throws Unreadable when a figure is none */
export function differencesOf(stating: Element, who: string, found: Found): readonly Difference[] {
  const count = textAt(stating, 'NbOfTxs');
  const sum = textAt(stating, 'CtrlSum');
  const differences: Difference[] = [];
  if (count !== undefined && countOf(count) !== found.count) {
    differences.push({ what: `${who}/NbOfTxs`, stated: count, calculated: String(found.count) });
  }
  if (sum !== undefined && unitsOf(statedSum(who, sum)) !== found.sum) {
    differences.push({
      what: `${who}/CtrlSum`,
      stated: sum,
      calculated: written(found.sum) + without(found.unread),
    });
  }
  return differences;
}

function statedSum(who: string, text: string): Decimal {
  const decimal = parseDecimal(text);
  if (decimal !== undefined) return decimal;
  throw new Unreadable(`The sum ${quote(text)} in ${who} is no number.`);
}

function without(unread: number): string {
  if (unread === 0) return '';
  return `, without ${unread} ${unread === 1 ? 'transfer whose amount' : 'transfers whose amounts'} cannot be read`;
}

/** In whichever currency; undefined where there is none, or more than one. */
function amountOf(transfer: Element): Decimal | undefined {
  const amounts = all(transfer, 'Amt').flatMap((amount) => [
    ...all(amount, 'InstdAmt'),
    ...all(amount, 'EqvtAmt').flatMap((equivalent) => all(equivalent, 'Amt')),
  ]);
  return amounts.length === 1 ? parseDecimal(rawText(amounts[0]!).trim()) : undefined;
}

function unitsOf({ unscaled, decimals }: Decimal): bigint {
  return unscaled * 10n ** BigInt(DECIMALS - decimals);
}

/** With two decimals at least, and no zeros beyond. */
function written(sum: bigint): string {
  const text = String(sum).padStart(DECIMALS + 1, '0');
  const fraction = text.slice(-DECIMALS).replace(/0+$/, '').padEnd(2, '0');
  return `${text.slice(0, -DECIMALS)}.${fraction}`;
}
