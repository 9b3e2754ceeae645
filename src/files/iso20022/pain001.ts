/**
 * Payment initiations (pain.001 of ISO 20022) as an input of payouts: each credit transfer becomes the message of one
 * payout. The sender's own totals are checked first; one that differs refuses the file, a wrong transfer only itself.
 */
import type { PayoutMessage } from '../../core/payout-message.ts';
import { Unreadable } from '../unreadable.ts';
import { checkTotals } from './pain001-totals.ts';
import { messageOf, type PayoutTerms } from './pain001-transfer.ts';
import { all, type Element, readIso, textAt } from './xml.ts';

/** Where a transfer stands in its file. */
export interface TransferPlace {
  /** Number of its CdtTrfTxInf among all of the file, from 1. */
  readonly number: number;
  /** Physical line on which it begins. */
  readonly line: number | undefined;
  readonly paymentInformationId: string | undefined;
  readonly instructionId: string | undefined;
  readonly endToEndId: string | undefined;
}

export interface InitiatedPayout extends TransferPlace {
  readonly message: PayoutMessage;
}

/** A transfer that is not paid, and why: all reasons. */
export interface InvalidTransfer extends TransferPlace {
  readonly faults: readonly string[];
}

export interface PaymentInitiation {
  readonly messageId: string;
  /** For example `pain.001.001.03`: an answer names it. */
  readonly messageName: string;
  readonly payouts: readonly InitiatedPayout[];
  readonly faults: readonly InvalidTransfer[];
}

/** As in the gateway's own example of a payout; merchant API, "Payouts". */
const USUAL_TERMS: PayoutTerms = { payment_method: 'SWIFT', entity_type: 'COMPANY' };

/**
 * Reads a document.
 * @param text decoded; `decodeXml` or `readXmlFile` give it
 * @throws Unreadable when it is no pain.001, or its stated counts or sums are not those of its transfers
 */
export function readPain001(text: string, terms: PayoutTerms = USUAL_TERMS): PaymentInitiation {
  const { name, version, root, body, linesOf } = readIso(text);
  if (name !== 'pain.001' || root !== 'CstmrCdtTrfInitn') {
    throw new Unreadable(`It is ${name}.${version} (${root}), not pain.001.`);
  }
  const messageId = textAt(body, 'GrpHdr', 'MsgId');
  if (messageId === undefined) throw new Unreadable('It has no id (GrpHdr/MsgId).');
  const lines = linesOf('CdtTrfTxInf');
  checkTotals(body, lines);
  const payouts: InitiatedPayout[] = [];
  const faults: InvalidTransfer[] = [];
  for (const [index, [payment, transfer]] of transfersOf(body).entries()) {
    const place = placeOf(payment, transfer, index + 1, lines[index]);
    const read = messageOf(payment, transfer, terms);
    if ('message' in read) payouts.push({ ...place, ...read });
    else faults.push({ ...place, ...read });
  }
  return { messageId, messageName: `${name}.${version}`, payouts, faults };
}

function transfersOf(body: Element): readonly (readonly [payment: Element, transfer: Element])[] {
  return all(body, 'PmtInf').flatMap((payment) =>
    all(payment, 'CdtTrfTxInf').map((transfer) => [payment, transfer] as const),
  );
}

function placeOf(
  payment: Element,
  transfer: Element,
  number: number,
  line: number | undefined,
): TransferPlace {
  return {
    number,
    line,
    paymentInformationId: textAt(payment, 'PmtInfId'),
    instructionId: textAt(transfer, 'PmtId', 'InstrId'),
    endToEndId: textAt(transfer, 'PmtId', 'EndToEndId'),
  };
}
