/** Answers as bytes: signed where the account is known. Contract, "HTTP". */
import { randomBytes } from 'node:crypto';
import type { JsonFields } from '../wire/canonical.ts';
import { type Key, signMessage } from '../wire/signature.ts';
import { writeXml } from '../wire/xml.ts';
import { redirectHeaders, redirectPage } from './hosted/redirect-page.ts';
import { type Refusal, refusalFields } from './refusal.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const XML_TYPE = 'application/xml; charset=utf-8';

export function jsonResponse(
  status: number,
  fields: JsonFields,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(fields), { status, headers: { 'Content-Type': JSON_TYPE, ...headers } });
}

/**
 * The message as an XML document.
 * @throws when XML cannot carry it, which whoever reads requests has made sure of
 */
export function xmlResponse(root: string, fields: JsonFields): Response {
  const written = writeXml(root, fields);
  if ('fault' in written) throw new Error(`an answer cannot be written: ${written.fault}`);
  return new Response(written.xml, { headers: { 'Content-Type': XML_TYPE } });
}

/** The page that takes the shopper's browser to `action`, with these hidden inputs. */
export async function redirectResponse(
  action: string,
  inputs: readonly (readonly [name: string, value: string])[],
): Promise<Response> {
  const form = { action, inputs, nonce: randomBytes(16).toString('base64') };
  const page = String(await redirectPage(form));
  return new Response(page, { headers: { 'Content-Type': HTML_TYPE, ...redirectHeaders(form) } });
}

/** The message with its signature; without a key there is none. */
export function signed(fields: JsonFields, key: Key | undefined): JsonFields {
  return key === undefined ? fields : { ...fields, encryption_data: signMessage(fields, key) };
}

/** @param key of the account, once it is known */
export function refusalResponse(
  refused: Refusal,
  ids: { readonly merchantId: string; readonly accountId: string },
  requestId: string,
  key: Key | undefined,
): Response {
  return jsonResponse(
    refused.status,
    signed(refusalFields(refused, ids, requestId), key),
    retryHeader(refused),
  );
}

function retryHeader({ retryAfter }: Refusal): Readonly<Record<string, string>> {
  return retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
}
