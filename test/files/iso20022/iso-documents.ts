/** Small documents of ISO 20022 for tests, written from their parts. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REAL = fileURLToPath(new URL('../../../../shared/data/iso20022', import.meta.url));

/** Whether the files of real banks are here. */
export const HAS_REAL = existsSync(REAL);

export function realPath(file: string): string {
  return `${REAL}/${file}`;
}

export function realText(file: string): string {
  return readFileSync(realPath(file), 'utf8');
}

export function document(message: string, body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">${body}</Document>`;
}

export const ACCOUNT = '<Acct><Id><IBAN>FI2112345600000785</IBAN></Id><Ccy>EUR</Ccy></Acct>';

/** A statement of one account around its balances, totals and entries. */
export function camt053(inside: string, version = '001.08'): string {
  return document(
    `camt.053.${version}`,
    `<BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T06:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><CreDtTm>2026-11-20T06:00:00Z</CreDtTm>${ACCOUNT}${inside}</Stmt></BkToCstmrStmt>`,
  );
}

export function camt054(inside: string, version = '001.08'): string {
  return document(
    `camt.054.${version}`,
    `<BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T06:00:00Z</CreDtTm></GrpHdr>
<Ntfctn><Id>N1</Id><CreDtTm>2026-11-20T06:00:00Z</CreDtTm>${ACCOUNT}${inside}</Ntfctn></BkToCstmrDbtCdtNtfctn>`,
  );
}

export function balance(code: string, amount: string, sign = 'CRDT', day = '2026-11-19'): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>
<CdtDbtInd>${sign}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
}

export interface EntryParts {
  readonly amount?: string;
  readonly currency?: string;
  readonly sign?: string;
  readonly status?: string;
  readonly days?: string;
  readonly reference?: string;
  /** Elements between the sign and the details. */
  readonly more?: string;
  /** What NtryDtls holds. */
  readonly details?: string;
}

export function entry(parts: EntryParts = {}): string {
  const days =
    parts.days ??
    '<BookgDt><Dt>2026-11-19</Dt></BookgDt><ValDt><DtTm>2026-11-20T00:00:00+02:00</DtTm></ValDt>';
  const reference = parts.reference === undefined ? '' : `<AcctSvcrRef>${parts.reference}</AcctSvcrRef>`;
  return `<Ntry><Amt Ccy="${parts.currency ?? 'EUR'}">${parts.amount ?? '10.00'}</Amt>
<CdtDbtInd>${parts.sign ?? 'CRDT'}</CdtDbtInd>${parts.status ?? '<Sts><Cd>BOOK</Cd></Sts>'}${days}${reference}
${parts.more ?? ''}${parts.details === undefined ? '' : `<NtryDtls>${parts.details}</NtryDtls>`}</Ntry>`;
}

/** The same document with a prefix for its namespace. */
export function prefixed(text: string): string {
  return text.replace('xmlns=', 'xmlns:ns2=').replace(/<(\/?)([A-Z])/g, '<$1ns2:$2');
}
