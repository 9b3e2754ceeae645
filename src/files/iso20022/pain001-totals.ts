/** The control totals of a payment initiation: counts and sums that its sender states, of the file and of each part. */
import { quote } from '../../core/quote.ts';
import { Unreadable } from '../unreadable.ts';
import { countOf, type Decimal, parseDecimal } from './iso-values.ts';
import { all, type Element, maybe, one, rawText, textAt } from './xml.ts';

/** Sums add up numbers of all currencies; what they add is in units, with as many decimals as any may have. */
const DECIMALS = 20;

/**
 * @param lines on which the transfers begin
 * @throws Unreadable with both figures when one differs
 */
export function checkTotals(body: Element, lines: readonly (number | undefined)[]): void {
  let first = 0;
  const sums = all(body, 'PmtInf').map((payment, index) => {
    const transfers = all(payment, 'CdtTrfTxInf');
    const sum = sumOf(transfers, (transfer) => lines[first + transfer]);
    first += transfers.length;
    const name = textAt(payment, 'PmtInfId');
    check(
      payment,
      `Payment information ${name === undefined ? index + 1 : quote(name)}`,
      transfers.length,
      sum,
    );
    return sum;
  });
  const header = one(body, 'GrpHdr');
  if (textAt(header, 'NbOfTxs') === undefined) {
    throw new Unreadable('It does not say how many transfers it holds (GrpHdr/NbOfTxs).');
  }
  check(
    header,
    'The group header',
    first,
    sums.reduce((total, sum) => total + sum, 0n),
  );
}

function check(stating: Element, who: string, count: number, sum: bigint): void {
  const statedCount = textAt(stating, 'NbOfTxs');
  if (statedCount !== undefined && countOf(statedCount) !== count) {
    throw new Unreadable(`${who} states ${statedCount} transfers, but there are ${count}.`, {
      hint: CHANGED,
    });
  }
  const statedSum = textAt(stating, 'CtrlSum');
  if (statedSum === undefined) return;
  const stated = parseDecimal(statedSum);
  if (stated === undefined)
    throw new Unreadable(`${who} states the sum ${quote(statedSum)}, which is no number.`);
  if (unitsOf(stated) !== sum) {
    throw new Unreadable(`${who} states the sum ${statedSum}, but the transfers add up to ${written(sum)}.`, {
      hint: CHANGED,
    });
  }
}

const CHANGED =
  'The file was changed after its totals were made, or it is not all there: have it made again.';

function sumOf(transfers: readonly Element[], lineOf: (index: number) => number | undefined): bigint {
  return transfers.reduce((sum, transfer, index) => {
    const amount = maybe(transfer, 'Amt');
    const element = maybe(amount, 'InstdAmt') ?? maybe(maybe(amount, 'EqvtAmt'), 'Amt');
    const text = element === undefined ? '' : rawText(element).trim();
    const read = parseDecimal(text);
    if (read !== undefined) return sum + unitsOf(read);
    const line = lineOf(index);
    const what =
      element === undefined ? 'A transfer has no amount.' : `The amount ${quote(text)} is no number.`;
    throw new Unreadable(what, line === undefined ? {} : { line });
  }, 0n);
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
