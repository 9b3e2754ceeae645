/**
 * Writes a payment status report, in the version of pain.002 that banks and programs have read longest (001.03): the
 * answer to a payment initiation. Elements stand in the order of its schema.
 */
import { XMLBuilder } from 'fast-xml-parser';
import { fitsXml } from '../../wire/xml.ts';
import type { PaymentStatus, StatusReason, StatusReport, TransferStatus, Verdict } from './pain002.ts';
import { linesOfText } from './pain002-text.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.03';

/** Stands where the schema wants an identifier and there is none. */
const NO_IDENTIFIER = 'NOTPROVIDED';

/** Characters of a reference, as the schema limits it. */
const LONGEST_REFERENCE = 35;

/** What may stand in the code of a reason; codes of our own are longer, and proprietary. */
const EXTERNAL_CODE = /^[A-Z0-9]{1,4}$/;

/** From the one that is decided last: where transfers differ, the whole is as far as the last of them. */
const PROGRESS = ['PDNG', 'RCVD', 'ACTC', 'ACCP', 'ACWC', 'ACSP', 'ACSC'];

const builder = new XMLBuilder({
  processEntities: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@_',
  suppressEmptyNode: false,
  format: true,
});

interface Fields {
  readonly [name: string]: string | Fields | readonly (string | Fields)[];
}

/**
 * @param report where the whole has no verdict, it follows from its transfers
 * @returns the document, or in words why XML cannot carry it
 */
export function writePain002(report: StatusReport): { readonly xml: string } | { readonly fault: string } {
  const transfers = report.payments.flatMap((payment) => payment.transfers);
  const group = report.group ?? groupOf(transfers);
  const body: Fields = {
    GrpHdr: { MsgId: report.messageId, CreDtTm: report.created },
    OrgnlGrpInfAndSts: {
      OrgnlMsgId: report.originalMessageId,
      OrgnlMsgNmId: report.originalMessageName,
      ...(group === undefined ? {} : { GrpSts: group.status, ...reasonFields(group.reason) }),
      ...counts(transfers),
    },
    ...(report.payments.length === 0 ? {} : { OrgnlPmtInfAndSts: report.payments.map(paymentFields) }),
  };
  if (!textsOf(body).every(fitsXml)) return { fault: 'a text has a character that XML does not have' };
  const document = builder.build({ Document: { '@_xmlns': NAMESPACE, CstmrPmtStsRpt: body } });
  return { xml: `<?xml version="1.0" encoding="UTF-8"?>\n${document}` };
}

function paymentFields({ paymentInformationId, verdict, transfers }: PaymentStatus): Fields {
  return {
    OrgnlPmtInfId: paymentInformationId ?? NO_IDENTIFIER,
    ...(verdict === undefined ? {} : { PmtInfSts: verdict.status, ...reasonFields(verdict.reason) }),
    ...(transfers.length === 0 ? {} : { TxInfAndSts: transfers.map(transferFields) }),
  };
}

function transferFields({ instructionId, endToEndId, status, reason, reference }: TransferStatus): Fields {
  return {
    ...(instructionId === undefined ? {} : { OrgnlInstrId: instructionId }),
    OrgnlEndToEndId: endToEndId ?? NO_IDENTIFIER,
    TxSts: status,
    ...reasonFields(reason),
    // A longer one would be another one.
    ...(reference === undefined || [...reference].length > LONGEST_REFERENCE
      ? {}
      : { AcctSvcrRef: reference }),
  };
}

function reasonFields(reason: StatusReason | undefined): Fields {
  if (reason === undefined) return {};
  const { code } = reason;
  const lines = linesOfText(reason.text ?? '');
  const named = code === undefined ? {} : { Rsn: EXTERNAL_CODE.test(code) ? { Cd: code } : { Prtry: code } };
  return { StsRsnInf: { ...named, ...(lines.length === 0 ? {} : { AddtlInf: lines }) } };
}

/** How many transfers there are of each status. */
function counts(transfers: readonly TransferStatus[]): Fields {
  const byStatus = new Map<string, number>();
  for (const { status } of transfers) byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  const fields = [...byStatus].map(([status, count]) => ({ DtldNbOfTxs: String(count), DtldSts: status }));
  return fields.length === 0 ? {} : { NbOfTxsPerSts: fields };
}

function groupOf(transfers: readonly TransferStatus[]): Verdict | undefined {
  const statuses = new Set(transfers.map(({ status }) => status));
  const [first] = statuses;
  if (first === undefined) return undefined;
  if (statuses.size === 1) return { status: first, reason: undefined };
  if (statuses.has('RJCT')) return { status: 'PART', reason: undefined };
  const last = PROGRESS.find((status) => statuses.has(status));
  return last === undefined ? undefined : { status: last, reason: undefined };
}

function textsOf(value: Fields[string]): readonly string[] {
  if (typeof value === 'string') return [value];
  const inner: readonly Fields[string][] = Array.isArray(value) ? value : Object.values(value);
  return inner.flatMap(textsOf);
}
