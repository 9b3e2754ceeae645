/**
 * What an answer proves. There are three cases and no fourth: it is answered, by a message that can be believed; nothing
 * happened; or nobody knows. Contract, "HTTP"; F59, F62, F69.
 */
import { CODES, type Code, type Reason, reason } from '../core/code.ts';
import type { JsonFields } from '../wire/canonical.ts';
import { type AnsweredCheckout, readCheckoutPage } from '../wire/messages/checkout-answer.ts';
import { readVerdict } from '../wire/messages/verdict.ts';
import { errorAnswer } from '../wire/responses.ts';
import type { Key } from '../wire/signature.ts';
import { fieldsOf } from './fields.ts';
import { isSignedAnswer, type Profile } from './profile.ts';
import type { HttpAnswer, Unanswered } from './send.ts';

/** `again`: the same request may be sent once more, where that can do no harm. */
export type Verdict =
  | { readonly is: 'answered'; readonly answer: Answered }
  | {
      readonly is: 'nothing';
      readonly reason: Reason;
      readonly again: boolean;
      readonly status?: number;
      /** Signed by the gateway, and no passing trouble. */
      readonly isDecided?: true;
    }
  | { readonly is: 'unknown'; readonly reason: Reason; readonly again: boolean };

/** A message, or the page of a checkout. */
export type Answered =
  | { readonly fields: JsonFields }
  | { readonly page: string; readonly checkout: AnsweredCheckout };

/** What an answer must be to be believed. */
export interface Expectation {
  readonly merchantId: string;
  readonly accountId: string;
  readonly profile: Profile;
  /** Of the account. */
  readonly keys: readonly Key[];
  /** `page`: a page that carries the signature of the request. */
  readonly form: 'json' | 'xml' | 'page';
  /** Whether these fields need a signature. */
  readonly mustBeSigned: (fields: JsonFields) => boolean;
  /** The signature of the request. */
  readonly sent: string;
}

/** What it means that there is no whole answer. F58, F61 */
export function judgeSilence({ failure, why, isUntrusted = false }: Unanswered): Verdict {
  if (failure === 'no_answer') return unknown(why, true);
  const alarm = isUntrusted ? { alarm: true as const } : {};
  return { is: 'nothing', reason: reason('E0002', why, alarm), again: !isUntrusted };
}

export function judge(answer: HttpAnswer, expectation: Expectation): Verdict {
  const { status } = answer;
  if (status >= 200 && status < 400 && status !== 200)
    return unknown(`it answered ${status}, which no operation does`, false);
  if (status === 200 && expectation.form === 'page' && answer.contentType === 'text/html')
    return judgePage(answer.body, expectation);
  const fields = fieldsOf(answer);
  if (fields === undefined || fields.encryption_data === undefined || fields.encryption_data === '')
    return judgeUnsigned(answer, fields, expectation);
  if (!isSignedAnswer(expectation.profile, fields, expectation.keys))
    return forged('the signature of its answer is wrong');
  if (fields.merchant_id !== expectation.merchantId || fields.account_id !== expectation.accountId)
    return forged('its answer is for another account');
  if (status !== 200 || fields.return_status === '0') return judgeRefusal(status, fields);
  return formOf(answer) === expectation.form
    ? { is: 'answered', answer: { fields } }
    : unknown(`its answer has the type ${shown(answer.contentType)}`, false);
}

const FORMS: Readonly<Record<string, string>> = { 'application/json': 'json', 'application/xml': 'xml' };

function formOf({ contentType }: HttpAnswer): string | undefined {
  return FORMS[contentType];
}

/** A type from outside as messages show it. */
function shown(contentType: string): string {
  return /^[\w/+.-]{1,60}$/.test(contentType) ? contentType : 'of no known name';
}

/** Statuses by which a gateway, or what stands before it, refuses a request unread: nothing happened. */
const REFUSED_UNREAD: Readonly<Record<number, Code>> = {
  400: 'I0002',
  401: 'I0013',
  403: 'I0013',
  404: 'I0002',
  413: 'I0002',
  415: 'I0002',
  429: 'E0002',
};

/** Without a signature only that can be believed which would cost nothing if it were a lie. F62 */
function judgeUnsigned(
  answer: HttpAnswer,
  fields: JsonFields | undefined,
  expectation: Expectation,
): Verdict {
  const { status } = answer;
  if (status === 200) return judgeUnsignedSuccess(answer, fields, expectation);
  const code = REFUSED_UNREAD[status];
  const said = fields === undefined ? undefined : refusalIn(fields);
  if (code === undefined || said?.code === 'E0001')
    return unknown(`it answered ${status} without a signature`, status >= 500);
  // What it says is kept where it says more than the status, and not something else.
  const isFixed = code !== 'I0002';
  const told =
    said === undefined || (isFixed && said.code !== code) ? reason(code, `it answered ${status}`) : said;
  return { is: 'nothing', reason: told, again: status === 429, status };
}

function judgeUnsignedSuccess(
  answer: HttpAnswer,
  fields: JsonFields | undefined,
  expectation: Expectation,
): Verdict {
  if (fields === undefined || formOf(answer) !== expectation.form)
    return unknown(`its answer is no message (${shown(answer.contentType)})`, false);
  if (expectation.mustBeSigned(fields)) return forged('its answer has no signature');
  const { merchantId, accountId } = expectation;
  return fields.merchant_id === merchantId && fields.account_id === accountId
    ? { is: 'answered', answer: { fields } }
    : forged('its answer is for another account');
}

/** A refusal that is signed. Of failures only E0002 says that nothing happened. */
function judgeRefusal(status: number, fields: JsonFields): Verdict {
  const said = refusalIn(fields);
  if (said === undefined) {
    const code = REFUSED_UNREAD[status];
    return code === undefined
      ? unknown(`it answered ${status} with a message that cannot be read`, status >= 500)
      : { is: 'nothing', reason: reason(code, `it answered ${status}`), again: status === 429, status };
  }
  if (said.code === 'E0001' || said.code === 'I0062') return { is: 'unknown', reason: said, again: true };
  if (status >= 500 && !(status === 503 && said.code === 'E0002'))
    return unknown(`it answered ${status}: ${said.code}`, true);
  const again = status === 429 || status === 503;
  const isDecided = !again && said.code !== 'E0002' && said.code !== 'I0013';
  return { is: 'nothing', reason: said, again, status, ...(isDecided ? { isDecided } : {}) };
}

/** Why a whole request was refused, in the gateway's words. */
function refusalIn(fields: JsonFields): Reason | undefined {
  const parsed = errorAnswer.safeParse(fields);
  if (!parsed.success) return undefined;
  const { return_message, errors } = parsed.data;
  const said = readVerdict(return_message);
  const [first] = errors;
  if (said === undefined || first?.code !== said.code) return said;
  return {
    ...said,
    ...(first.hint === CODES[first.code].hint ? {} : { hint: first.hint }),
    ...(first.path === '' ? {} : { column: first.path }),
  };
}

function judgePage(page: string, { sent }: Expectation): Verdict {
  const checkout = readCheckoutPage(page);
  if ('fault' in checkout) return unknown(checkout.fault, false);
  if (checkout.signature === undefined) return forged('its page has no signature');
  return checkout.signature === sent
    ? { is: 'answered', answer: { page, checkout } }
    : forged('its page carries the signature of another request');
}

/** Nobody knows what became of the request. */
function unknown(why: string, again: boolean): Verdict {
  return { is: 'unknown', reason: reason('E0001', why), again };
}

/** Nothing of the answer is believed, and a person has to look. */
export function forged(why: string): Verdict & { readonly is: 'unknown' } {
  return { is: 'unknown', reason: reason('E0001', why, { alarm: true }), again: false };
}
