/** Payment status reports (pain.002 of ISO 20022): the answer to a payment initiation, read in any version. */
import { quote } from '../../core/quote.ts';
import { Unreadable } from '../unreadable.ts';
import { identifier } from './iso-values.ts';
import { longText } from './pain002-text.ts';
import { all, type Element, one, rawText, readIso, textAt } from './xml.ts';

/** Why, as the bank says it: a code of the external code list or its own, and words. */
export interface StatusReason {
  readonly code: string | undefined;
  readonly text: string | undefined;
}

/** What became of something. */
export interface Verdict {
  /** Settled ACSC, on its way ACSP, not yet decided PDNG, refused RJCT; others of the standard when reading. */
  readonly status: string;
  readonly reason: StatusReason | undefined;
}

export interface TransferStatus extends Verdict {
  readonly endToEndId: string | undefined;
  readonly instructionId: string | undefined;
  /** Of whoever executes it. */
  readonly reference?: string | undefined;
}

/** What became of a part of the initiation (its PmtInf), as a whole where that is stated, and of transfers in it. */
export interface PaymentStatus {
  readonly paymentInformationId: string | undefined;
  readonly verdict: Verdict | undefined;
  readonly transfers: readonly TransferStatus[];
}

export interface StatusReport {
  /** Of the report itself. */
  readonly messageId: string;
  /** When it was made, `2026-11-20T10:30:00Z`. */
  readonly created: string;
  /** Of the initiation that it answers. */
  readonly originalMessageId: string;
  /** For example `pain.001.001.03`. */
  readonly originalMessageName: string;
  /** Of the whole initiation, where that is stated: it holds for transfers that are not named. */
  readonly group: Verdict | undefined;
  readonly payments: readonly PaymentStatus[];
}

/** What a status means for the payout. */
export type StatusMeaning = 'succeeded' | 'pending' | 'refused' | 'unknown';

const MEANINGS: Readonly<Record<string, StatusMeaning>> = {
  ACSC: 'succeeded',
  ACCC: 'succeeded',
  ACSP: 'pending',
  ACTC: 'pending',
  ACCP: 'pending',
  ACWC: 'pending',
  ACFC: 'pending',
  RCVD: 'pending',
  PDNG: 'pending',
  RJCT: 'refused',
  CANC: 'refused',
};

export function meaningOf(status: string): StatusMeaning {
  return Object.hasOwn(MEANINGS, status) ? MEANINGS[status]! : 'unknown';
}

/** @throws Unreadable when it is no pain.002, or says of a transfer nothing */
export function readPain002(text: string): StatusReport {
  const { name, version, root, body } = readIso(text);
  if (name !== 'pain.002' || root !== 'CstmrPmtStsRpt') {
    throw new Unreadable(`It is ${name}.${version} (${root}), not pain.002.`);
  }
  const original = one(body, 'OrgnlGrpInfAndSts');
  const status = textAt(original, 'GrpSts');
  const group = status === undefined ? undefined : { status, reason: reasonOf(original) };
  return {
    messageId: required(body, 'GrpHdr', 'MsgId'),
    created: required(body, 'GrpHdr', 'CreDtTm'),
    originalMessageId: required(original, 'OrgnlMsgId'),
    originalMessageName: required(original, 'OrgnlMsgNmId'),
    group,
    payments: all(body, 'OrgnlPmtInfAndSts').map((payment) => paymentOf(payment, group)),
  };
}

function required(element: Element, ...path: readonly string[]): string {
  const text = textAt(element, ...path);
  if (text === undefined) throw new Unreadable(`It lacks ${path.join('/')}.`);
  return text;
}

/** What is not said of a transfer is said of the part that it stands in, or of the whole. */
function paymentOf(payment: Element, group: Verdict | undefined): PaymentStatus {
  const own = textAt(payment, 'PmtInfSts');
  const verdict = own === undefined ? undefined : { status: own, reason: reasonOf(payment) };
  return {
    paymentInformationId: identifier(textAt(payment, 'OrgnlPmtInfId')),
    verdict,
    transfers: all(payment, 'TxInfAndSts').map((transfer) => transferOf(transfer, verdict ?? group)),
  };
}

function transferOf(transfer: Element, inherited: Verdict | undefined): TransferStatus {
  const status = textAt(transfer, 'TxSts') ?? inherited?.status;
  const endToEndId = identifier(textAt(transfer, 'OrgnlEndToEndId'));
  if (status === undefined) {
    throw new Unreadable(`It does not say what became of the transfer ${quote(endToEndId ?? '')}.`);
  }
  return {
    endToEndId,
    instructionId: identifier(textAt(transfer, 'OrgnlInstrId')),
    status,
    reason: reasonOf(transfer) ?? inherited?.reason,
    reference: textAt(transfer, 'AcctSvcrRef'),
  };
}

/** The first code of several, and all words. */
function reasonOf(element: Element): StatusReason | undefined {
  const reasons = all(element, 'StsRsnInf');
  const codes = reasons.map((one) => textAt(one, 'Rsn', 'Cd') ?? textAt(one, 'Rsn', 'Prtry'));
  const code = codes.find((one) => one !== undefined);
  const text = longText(reasons.flatMap((one) => all(one, 'AddtlInf').map(rawText)));
  return code === undefined && text === undefined ? undefined : { code, text };
}
