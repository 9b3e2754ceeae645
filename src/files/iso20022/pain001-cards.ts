/** Card numbers in the texts of a payment initiation, also in those that no payout has a field for (F44). */
import { findCards, namesNoText, SHORTEST_CARD } from '../../wire/card-number.ts';
import type { Element } from './xml.ts';

/** Children that are no text: attributes, and the payments or transfers that are looked at one by one. */
const NO_TEXT = /^(?:@_.*|PmtInf|CdtTrfTxInf)$/;

/** Amounts and phone numbers; and the remittance text, which is a payout's reference and stays whole as such. */
const UNTESTED = /(?:Amt|Sum|Nb|Ustrd)$/;

/** Whether a text in the element holds a card number; ids, accounts and references are never taken for one. */
export function hasCardNumber(element: Element, name = ''): boolean {
  if (typeof element === 'string') {
    return element.length >= SHORTEST_CARD && isTested(name) && findCards(element).length > 0;
  }
  return Object.entries(element).some(([child, inner]) => {
    if (NO_TEXT.test(child)) return false;
    // Text beside attributes stands under a name that no element can have.
    const named = child.startsWith('#') ? name : child;
    const elements: readonly Element[] = Array.isArray(inner) ? inner : [inner as Element];
    return elements.some((one) => hasCardNumber(one, named));
  });
}

/** `EndToEndId` is an id as `end_to_end_id` is. */
function isTested(name: string): boolean {
  return !UNTESTED.test(name) && !namesNoText(name.replace(/([a-z])(?=[A-Z])/g, '$1_'));
}
