/** The fields of an answer, whatever form it has. */
import type { JsonFields } from '../wire/canonical.ts';
import { isFields } from '../wire/messages/values.ts';
import { parseStrictJson } from '../wire/strict-json.ts';
import { readXml } from '../wire/xml.ts';
import type { HttpAnswer } from './send.ts';

/** Root element of the results of payments; specification, "Direct payment result". */
const RESULT_ROOT = 'respon';

/** Undefined for what has none: another type, or a body that cannot be read. */
export function fieldsOf({ contentType, body }: HttpAnswer): JsonFields | undefined {
  if (contentType === 'application/xml') {
    const read = readXml(body, RESULT_ROOT);
    return 'fields' in read ? read.fields : undefined;
  }
  if (contentType !== 'application/json') return undefined;
  const parsed = parseStrictJson(body);
  return 'value' in parsed && isFields(parsed.value) ? parsed.value : undefined;
}
