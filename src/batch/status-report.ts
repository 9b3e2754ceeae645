/**
 * The answer to a payment initiation (pain.002 of ISO 20022): what became of each of its transfers, in the words of banks.
 * What it says comes from the journal and the kept input, as in every other report.
 */
import type { Code, Reason } from '../core/code.ts';
import type { LineOutcome, Outcome } from '../core/outcome.ts';
import type { InitiationShape } from '../core/row.ts';
import type { PaymentStatus, StatusReason, StatusReport } from '../files/iso20022/pain002.ts';
import { writePain002 } from '../files/iso20022/pain002-write.ts';
import type { TransferPlace } from '../files/opened-file.ts';
import { type Written, writeWhole } from '../report/atomic.ts';
import { visible } from '../report/visible.ts';
import { fitsXml } from '../wire/xml.ts';

/** Settled, accepted and in process, not known yet, refused. A duplicate is refused: what it repeats has an answer of its own. */
const STATUSES: Readonly<Record<Outcome, string>> = {
  succeeded: 'ACSC',
  pending: 'ACSP',
  unknown: 'PDNG',
  refused: 'RJCT',
  invalid: 'RJCT',
  duplicate: 'RJCT',
  not_sent: 'RJCT',
};

/** Codes of ISO's external list that say the same as ours. */
const ISO_CODES: Readonly<Partial<Record<Code, string>>> = {
  I0001: 'CH21',
  I0021: 'AM12',
  I0022: 'CH20',
  V0003: 'AM03',
  V0011: 'AM04',
  V0013: 'AC01',
  V0015: 'DU04',
  B0001: 'AM05',
  B0014: 'DU04',
};

/** More exactly, by what the reason is about. */
const ISO_CODES_OF: Readonly<Record<string, string>> = {
  'I0002 payment_date': 'DT01',
  'I0022 source_currency': 'AM11',
  'I0022 payment_currency': 'AM11',
  'V0013 beneficiary.bank_details.swift_code': 'RC01',
  'B0009 CtrlSum': 'AM10',
  'B0009 NbOfTxs': 'AM18',
};

/** The code that says: in words. */
const IN_WORDS = 'NARR';

/** So many reasons of a rejected file are named. */
const MOST_REASONS = 10;

/** Which message answers, and when it was made. */
export interface Answering {
  readonly batch: string;
  readonly revision: number;
  /** Time with its offset. */
  readonly created: string;
}

/**
 * @param transfers where the transfers stand, in the order of the file
 * @param outcomes of the same transfers
 */
export function statusReport(
  answering: Answering,
  shape: InitiationShape,
  transfers: readonly TransferPlace[],
  outcomes: readonly LineOutcome[],
): StatusReport {
  const payments: { number: number; status: PaymentStatus & { transfers: TransferStatuses } }[] = [];
  for (const [index, place] of transfers.entries()) {
    const { payment, paymentInformationId, instructionId, endToEndId } = place;
    if (payments.at(-1)?.number !== payment) {
      payments.push({ number: payment, status: { paymentInformationId, verdict: undefined, transfers: [] } });
    }
    const { outcome, reason, reference } = outcomes[index]!;
    payments.at(-1)!.status.transfers.push({
      instructionId,
      endToEndId,
      status: STATUSES[outcome],
      reason: reasonOf(outcome, reason),
      reference: reference !== undefined && fitsXml(reference) ? reference : undefined,
    });
  }
  return { ...head(answering, shape), group: undefined, payments: payments.map(({ status }) => status) };
}

type TransferStatuses = PaymentStatus['transfers'][number][];

/** Of a file that was rejected as a whole. */
export function rejectionReport(
  answering: Answering,
  shape: InitiationShape,
  reasons: readonly Reason[],
): StatusReport {
  const [first] = reasons;
  const reason: StatusReason = {
    code: first === undefined ? IN_WORDS : isoCode(first),
    text: reasons.slice(0, MOST_REASONS).map(inWords).join(' '),
  };
  return { ...head(answering, shape), group: { status: 'RJCT', reason }, payments: [] };
}

export function writeStatusReport(path: string, report: StatusReport): Promise<Written> {
  const document = writePain002(report);
  if ('fault' in document) throw new Error(`${path}: ${document.fault}`);
  return writeWhole(path, (sink) => sink.write(document.xml));
}

function head({ batch, revision, created }: Answering, { messageId, messageName }: InitiationShape) {
  return {
    messageId: revision > 1 ? `${batch}-r${revision}` : batch,
    created,
    originalMessageId: messageId,
    originalMessageName: messageName,
  };
}

function reasonOf(outcome: Outcome, why: Reason | undefined): StatusReason | undefined {
  if (why !== undefined) return { code: isoCode(why), text: inWords(why) };
  return outcome === 'not_sent' ? { code: IN_WORDS, text: 'It was not sent.' } : undefined;
}

function isoCode({ code, column }: Reason): string {
  return ISO_CODES_OF[`${code} ${column}`] ?? ISO_CODES[code] ?? IN_WORDS;
}

/** With our own code, and without a character that XML does not have: a gateway may have put anything into its message. */
function inWords({ code, message }: Reason): string {
  return `${code}: ${[...visible(message)].filter(fitsXml).join('')}`;
}
