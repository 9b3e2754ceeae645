/** Payment initiations (pain.001) for tests, written from what matters of their transfers; and their answers, in short. */
import { readFileSync } from 'node:fs';
import { readPain002, type StatusReport } from '../../src/files/iso20022/pain002.ts';

const IBAN = 'DE89370400440532013000';

/** A transfer as tests write it down: 10.00 USD to Acme unless it says otherwise. */
export interface Transfer {
  readonly id?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly iban?: string;
  readonly bic?: string;
  readonly name?: string;
  readonly text?: string;
}

/** What the transfers of one PmtInf have in common. */
export interface Payment {
  readonly id?: string;
  /** Currency of the account that is debited. */
  readonly debtor?: string;
  readonly date?: string;
  readonly transfers: readonly Transfer[];
}

export interface Initiation {
  readonly id?: string;
  readonly message?: string;
  /** Where what the header states is not what is there. */
  readonly count?: number;
  readonly sum?: string;
  readonly encoding?: string;
}

function transferXml({ id = 'P1', amount = '10.00', currency = 'USD', ...rest }: Transfer): string {
  const { iban = IBAN, bic, name = 'Acme', text } = rest;
  const bank = bic === undefined ? '' : `<CdtrAgt><FinInstnId><BICFI>${bic}</BICFI></FinInstnId></CdtrAgt>`;
  const remittance = text === undefined ? '' : `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  return `<CdtTrfTxInf><PmtId><InstrId>I-${id}</InstrId><EndToEndId>${id}</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>${bank}<Cdtr>${name === '' ? '' : `<Nm>${name}</Nm>`}</Cdtr>
<CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct>${remittance}</CdtTrfTxInf>
`;
}

/** A file of several payments. */
export function initiationOf(payments: readonly Payment[], given: Initiation = {}): string {
  const { id = 'M1', message = 'pain.001.001.09', encoding = 'UTF-8' } = given;
  const { count = payments.flatMap(({ transfers }) => transfers).length, sum } = given;
  const parts = payments.map(
    ({ id: name = 'PI1', debtor = 'USD', date = '2026-11-20', transfers }) =>
      `<PmtInf><PmtInfId>${name}</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt><Dt>${date}</Dt></ReqdExctnDt>
<DbtrAcct><Ccy>${debtor}</Ccy></DbtrAcct>${transfers.map(transferXml).join('')}</PmtInf>`,
  );
  return `<?xml version="1.0" encoding="${encoding}"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>${id}</MsgId><NbOfTxs>${count}</NbOfTxs>${sum === undefined ? '' : `<CtrlSum>${sum}</CtrlSum>`}</GrpHdr>
${parts.join('\n')}
</CstmrCdtTrfInitn></Document>
`;
}

/** A file of one payment. */
export function initiation(...transfers: readonly Transfer[]): string {
  return initiationOf([{ transfers }]);
}

/** An answer, and of each transfer its id, its status and the code of the reason: `P1 RJCT AC01`. */
export function answerIn(path: string | undefined): StatusReport & { readonly statuses: readonly string[] } {
  const report = readPain002(readFileSync(path!, 'utf8'));
  const statuses = report.payments.flatMap(({ transfers }) =>
    transfers.map(({ endToEndId, status, reason }) => `${endToEndId} ${status} ${reason?.code ?? ''}`.trim()),
  );
  return { ...report, statuses };
}
