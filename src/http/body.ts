/**
 * The body of a request: bounded while it is read, then decoded by its media type. Contract, "HTTP": JSON; JSON-shaped
 * or true form fields under application/x-www-form-urlencoded; XML where the operation takes it.
 */
import type { Context } from 'hono';
import { reason } from '../core/code.ts';
import { type JsonFields, jsonFault } from '../wire/canonical.ts';
import { readForm } from '../wire/form.ts';
import { isFields } from '../wire/messages/values.ts';
import { parseStrictJson } from '../wire/strict-json.ts';
import { readXml } from '../wire/xml.ts';
import type { HttpEnv } from './environment.ts';
import { type Refusal, refusal, refusalWith } from './refusal.ts';

/** 1 MiB: ten times the largest message that the specification's limits allow. */
export const LARGEST_BODY = 1024 * 1024;

const TOO_LARGE = refusalWith(
  413,
  reason('I0002', `the body is larger than ${LARGEST_BODY} bytes`, { hint: 'Split the request.' }),
);

/** Root element of a request in XML. */
const XML_ROOT = 'request';

export type BodyForm = 'json' | 'form' | 'xml';

/** Refuses by its headers what need not be read; else says in which form the body comes. F74, F75 */
export function announcedForm(context: Context<HttpEnv>, takesXml: boolean): BodyForm | Refusal {
  const length = context.req.header('content-length');
  if (length !== undefined && Number(length) > LARGEST_BODY) return TOO_LARGE;
  const form = formOf(context.req.header('content-type') ?? '', context.req.header('content-encoding'));
  if (form !== undefined && (form !== 'xml' || takesXml)) return form;
  const others = takesXml
    ? 'application/x-www-form-urlencoded or application/xml'
    : 'application/x-www-form-urlencoded';
  const hint = `Send application/json, ${others}, in UTF-8 and not compressed.`;
  return refusalWith(
    415,
    reason('I0002', 'the media type is not supported', { column: 'Content-Type', hint }),
  );
}

const FORMS: Readonly<Record<string, BodyForm>> = {
  'application/json': 'json',
  'application/x-www-form-urlencoded': 'form',
  'application/xml': 'xml',
};

function formOf(contentType: string, encoding: string | undefined): BodyForm | undefined {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return undefined;
  const [media, ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  return isUtf8 ? FORMS[media!.trim()] : undefined;
}

/** Reads the body to its end, or until it is too large. */
export async function readBody(context: Context<HttpEnv>): Promise<Uint8Array | Refusal> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of bodyOf(context)) {
      size += piece.byteLength;
      if (size > LARGEST_BODY) return TOO_LARGE;
      pieces.push(piece);
    }
  } catch {
    // The client has gone, or was too slow and has been told so already.
    return refusalWith(400, reason('I0002', 'the body broke off'));
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** The pieces of the body. Leaving Node's stream early must not end the connection: the answer has yet to go out on it. */
function bodyOf(context: Context<HttpEnv>): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const incoming = context.env?.incoming;
  if (incoming !== undefined) return incoming.iterator({ destroyOnReturn: false });
  return context.req.raw.body ?? [];
}

/** The fields of the message: whatever the form, they have a canonical text that can be signed. F73, F88 */
export function parseBody(bytes: Uint8Array, form: BodyForm): JsonFields | Refusal {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refusal(reason('I0002', 'the body is not UTF-8'));
  }
  switch (form) {
    case 'json':
      return parseJsonFields(text);
    case 'form':
      return text.startsWith('{') ? parseJsonFields(text) : parsed(readForm(text));
    case 'xml':
      return parsed(readXml(text, XML_ROOT));
  }
}

function parseJsonFields(text: string): JsonFields | Refusal {
  const read = parseStrictJson(text);
  if ('fault' in read) return refusal(reason('I0002', read.fault));
  return isFields(read.value) ? read.value : refusal(reason('I0002', 'the message is not one JSON object'));
}

function parsed(read: { readonly fields: JsonFields } | { readonly fault: string }): JsonFields | Refusal {
  const fault = 'fault' in read ? read.fault : jsonFault(read.fields);
  return 'fault' in read || fault !== undefined ? refusal(reason('I0002', fault)) : read.fields;
}
