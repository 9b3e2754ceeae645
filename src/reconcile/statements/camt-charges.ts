/** What a bank keeps for its services: on an entry of its own, or out of a payment. Only what is certain is called so. */
import type { Money } from '../../core/money.ts';
import { moneyOf } from '../../files/iso20022/iso-values.ts';
import { all, attribute, type Element, maybe, textAt } from '../../files/iso20022/xml.ts';

/** Codes of sub-families (external code list "bank transaction code") that are charges in every family. */
const CHARGES: ReadonlySet<string> = new Set(['CHRG', 'COMM', 'COME', 'COMI', 'COMT', 'FEES']);

/**
 * True for a debit that is nothing but charges: by its code, or because its charges are the whole of it and it has no
 * other party.
 * @param entry which gives the code where a detail has none of its own
 * @param elements that are the line, the most exact first: the entry alone, its only detail and it, or one detail of many
 */
export function isCharge(entry: Element, elements: readonly Element[], { amount, currency }: Money): boolean {
  if (amount >= 0) return false;
  const code = firstOf([...elements, entry], subFamily);
  if (code !== undefined) return CHARGES.has(code);
  const isUntold = elements[0] === entry && all(entry, 'NtryDtls').length > 0;
  const hasParties = elements.some((element) => maybe(element, 'RltdPties') !== undefined);
  return !isUntold && !hasParties && firstOf(elements, (element) => chargesIn(element, currency)) === -amount;
}

function firstOf<Value>(elements: readonly Element[], of: (element: Element) => Value): Value | undefined {
  for (const element of elements) {
    const value = of(element);
    if (value !== undefined) return value;
  }
  return undefined;
}

function subFamily(element: Element): string | undefined {
  return textAt(element, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd');
}

/**
 * The amount before charges and the charges, where both are stated and explain the amount booked: 1000.00 less 5.00 is
 * 995.00. Otherwise all of it is gross.
 * @param elements that are the line, the most exact first
 */
export function chargedOf(
  elements: readonly Element[],
  { amount: net, currency }: Money,
): { readonly gross: number; readonly fee: number; readonly net: number } {
  const fee = firstOf(elements, (element) => chargesIn(element, currency)) ?? 0;
  const gross = net + fee;
  const stated = elements.flatMap((element) =>
    ORIGINAL.map((path) => path.reduce<Element | undefined>(maybe, element)),
  );
  const isStated = stated.some(
    (amount) => amount !== undefined && isIn(amount, currency) && moneyOf(amount).amount === Math.abs(gross),
  );
  return fee > 0 && isStated ? { gross, fee, net } : { gross: net, fee: 0, net };
}

const ORIGINAL: readonly (readonly string[])[] = [
  ['AmtDtls', 'InstdAmt', 'Amt'],
  ['AmtDtls', 'TxAmt', 'Amt'],
];

/** The sum of the charges that are in the amount, undefined without any or in another currency. Until version 03 a charge is a record itself. */
function chargesIn(element: Element, currency: string): number | undefined {
  const charges = all(element, 'Chrgs').flatMap((one) => {
    const records = all(one, 'Rcrd');
    return records.length > 0 ? records : maybe(one, 'Amt') === undefined ? [] : [one];
  });
  if (charges.length === 0) return undefined;
  let sum = 0;
  for (const charge of charges) {
    const amount = maybe(charge, 'Amt');
    const apart = textAt(charge, 'CdtDbtInd') === 'CRDT' || textAt(charge, 'ChrgInclInd') === 'false';
    if (amount === undefined || apart || !isIn(amount, currency)) return undefined;
    sum += moneyOf(amount).amount;
  }
  return sum;
}

function isIn(amount: Element, currency: string): boolean {
  return attribute(amount, 'Ccy') === currency;
}
