/**
 * Payment initiations (pain.001 of ISO 20022) as an input of payouts: each credit transfer becomes the fields of one. A
 * wrong transfer is refused by itself; figures that the sender states of the file are compared with it.
 */
import { type Reason, reason } from '../../core/code.ts';
import { type AmountStyle, DOT } from '../../core/money.ts';
import type { Difference, StatedTotals, TransferPlace } from '../opened-file.ts';
import { FileRejected } from '../rejected.ts';
import { Unreadable } from '../unreadable.ts';
import { hasCardNumber } from './pain001-cards.ts';
import { type GivenTerms, type PayoutTerms, termsOf } from './pain001-terms.ts';
import { differencesOf, Found, partName, statedTotals } from './pain001-totals.ts';
import { type ReadTransfer, readTransfer } from './pain001-transfer.ts';
import { type Element, type IsoDocument, one, readIso, textAt } from './xml.ts';

export interface InitiatedTransfer extends ReadTransfer {
  readonly place: TransferPlace;
}

/**
 * Reads a document as far as it says what it is.
 * @param text decoded; `decodeXml` gives it
 * @param style in which amounts are rewritten
 * @throws Unreadable when it is damaged; FileRejected B0012, B0015
 */
export function readPain001(
  text: string,
  terms: GivenTerms = {},
  style: AmountStyle = DOT,
): PaymentInitiation {
  const document = readIso(text);
  const { name, version, root, skeleton } = document;
  if (name !== 'pain.001' || root !== 'CstmrCdtTrfInitn') {
    throw new FileRejected([otherMessage(`${name}.${version} (${root})`)]);
  }
  const messageId = textAt(skeleton, 'GrpHdr', 'MsgId');
  if (messageId === undefined) throw new Unreadable('It has no id (GrpHdr/MsgId).');
  refuseCards(skeleton);
  return new PaymentInitiation(document, messageId, termsOf(terms), style);
}

export class PaymentInitiation {
  readonly messageId: string;
  /** For example `pain.001.001.03`: an answer names it. */
  readonly messageName: string;
  /** Set by the end of a pass over the transfers; undefined before. */
  stated: StatedTotals | undefined;
  readonly #document: IsoDocument;
  readonly #terms: PayoutTerms;
  readonly #style: AmountStyle;

  constructor(document: IsoDocument, messageId: string, terms: PayoutTerms, style: AmountStyle) {
    this.messageId = messageId;
    this.messageName = `${document.name}.${document.version}`;
    this.#document = document;
    this.#terms = terms;
    this.#style = style;
  }

  /**
   * In the order of the file, as often as called; only a block of them is ever parsed.
   * @throws Unreadable, FileRejected B0012 while iterating
   */
  *transfers(): Generator<InitiatedTransfer> {
    const document = this.#document;
    const whole = new Found();
    const differences: Difference[] = [];
    let number = 0;
    for (const { element: payment } of document.skeletons(document.skeleton, 'PmtInf')) {
      number += 1;
      refuseCards(payment);
      const found = new Found();
      for (const { element: transfer } of document.wholes(payment, 'CdtTrfTxInf')) {
        found.add(transfer);
        const line = whole.count + found.count;
        const read = readTransfer(payment, transfer, line, this.#terms, this.#style);
        yield { place: placeOf(payment, number, transfer), ...read };
      }
      whole.include(found);
      differences.push(...differencesOf(payment, partName(payment, number), found));
    }
    this.stated = statedTotals(one(document.skeleton, 'GrpHdr'), whole, differences);
  }
}

function otherMessage(found: string): Reason {
  return reason(
    'B0015',
    `it is ${found}, and only a payment initiation (pain.001.001.03 or later) says what is to be paid`,
    { hint: 'Send a pain.001, CSV or JSON; statements of a bank are for `batchgate reconcile`.' },
  );
}

/** A card number outside the transfers belongs to no line that could be invalid for it. */
function refuseCards(around: Element): void {
  if (hasCardNumber(around)) {
    throw new FileRejected([reason('B0012', 'the message around the transfers holds a card number')]);
  }
}

function placeOf(payment: Element, number: number, transfer: Element): TransferPlace {
  return {
    payment: number,
    paymentInformationId: textAt(payment, 'PmtInfId'),
    instructionId: textOrNothing(transfer, 'InstrId'),
    endToEndId: textOrNothing(transfer, 'EndToEndId'),
  };
}

/** Of an id that stands twice nobody knows which one is meant: the transfer is invalid for it. */
function textOrNothing(transfer: Element, name: string): string | undefined {
  try {
    return textAt(transfer, 'PmtId', name);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
