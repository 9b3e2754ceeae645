/** Answers to what never becomes a request of the application: they look like every other refusal. */
import { STATUS_CODES } from 'node:http';
import { reason } from '../core/code.ts';
import { commonHeaders, type Observation } from './observe.ts';
import { type RefusalStatus, refusalFields, refusalWith } from './refusal.ts';

export interface BareAnswer {
  readonly status: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Makes such an answer, and writes it into the log. */
export function bareAnswer(
  status: RefusalStatus,
  detail: string,
  { environment, requestId, log }: Observation,
): BareAnswer {
  const id = requestId();
  const why = reason('I0002', detail);
  log.request({ requestId: id, method: 'other', route: 'none', status, milliseconds: 0, code: why.code });
  const text = JSON.stringify(refusalFields(refusalWith(status, why), { merchantId: '', accountId: '' }, id));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
    ...commonHeaders(environment, id),
  };
  return { status, headers, text };
}

/** The answer as it goes onto a connection that has no response of Node's. */
export function bareText({ status, headers, text }: BareAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}
