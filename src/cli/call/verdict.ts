/** What an answer of a gateway means to whoever asked: whether it can be believed, and the exit code. */
import { EXIT } from '../../batch/exit.ts';
import type { HttpAnswer } from '../../client/send.ts';
import type { JsonFields, JsonValue } from '../../wire/canonical.ts';
import { type Key, verifySignature } from '../../wire/signature.ts';

/** `none`: the answer carries no signature. */
export type SignatureState = 'right' | 'wrong' | 'none';

/**
 * Whether `encryption_data` is the signature of the answer's fields. A page has no fields: it carries the signature of
 * the request as `signInfo`; specification, "Authentication".
 * @param sent the signature of the request
 */
export function signatureOf(
  { contentType, body }: HttpAnswer,
  fields: JsonFields | undefined,
  key: Key,
  sent: string,
): SignatureState {
  if (contentType === 'text/html') {
    const carried = /name="signInfo" value="([^"]*)"/.exec(body)?.[1];
    return carried === undefined ? 'none' : carried === sent ? 'right' : 'wrong';
  }
  if (fields?.encryption_data === undefined) return 'none';
  return verifySignature(fields, fields.encryption_data, key) ? 'right' : 'wrong';
}

/**
 * The exit code of an answer. What only the gateway can know is believed when it is signed; a success that is not, and
 * a failure that does not say that nothing happened, leave the outcome unknown.
 */
export function exitOfAnswer(
  { status }: HttpAnswer,
  fields: JsonFields | undefined,
  signature: SignatureState,
): number {
  if (status === 401 || status === 403) return EXIT.credentials;
  if (status === 429) return EXIT.temporary;
  if (status >= 200 && status < 300) return signature === 'right' ? exitOfFields(fields) : EXIT.unknown;
  if (status >= 400 && status < 500) return EXIT.someFailed;
  return signature === 'right' && saysNothingHappened(fields) ? EXIT.temporary : EXIT.unknown;
}

function saysNothingHappened(fields: JsonFields | undefined): boolean {
  return /^E000[23]:/.test(String(fields?.return_message));
}

/** Every field of an answer that says how something ended. */
const STATUS_FIELD = /^(return|order|capture|cancel|review|refund)_status$/;

function exitOfFields(fields: JsonFields | undefined): number {
  const statuses = statusesIn(fields);
  if (statuses.some((status) => status === '0' || status === 'FAILED')) return EXIT.someFailed;
  const waits = statuses.some(
    (status) => status === '2' || status === 'SCHEDULED' || status === 'PROCESSING',
  );
  return waits ? EXIT.pending : EXIT.done;
}

/** Of the answer and of the entries of its lists. */
function statusesIn(fields: JsonFields | undefined): readonly JsonValue[] {
  return Object.entries(fields ?? {}).flatMap(([name, value]) => {
    if (Array.isArray(value) && name.endsWith('_orders')) return value.flatMap(statusesIn);
    return STATUS_FIELD.test(name) || name === 'status' ? [value] : [];
  });
}
