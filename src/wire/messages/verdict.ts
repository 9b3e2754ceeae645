/** `CODE:sentence` read back, as error_message, refund_message, result_info and return_message have it. */
import { CODES, type Code, type Reason } from '../../core/code.ts';
import { maskNumbers } from '../card-number.ts';

/** More of what another gateway says is read by nobody. */
const LONGEST_SENTENCE = 1000;

/**
 * The reason that a verdict gives. A gateway of the same family may have codes that this one does not have: what it
 * says is kept in words, under the code of a refusal about which nothing more is known.
 * @returns undefined for a text that has no code
 */
export function readVerdict(text: string): Reason | undefined {
  const [, code, sentence] = /^([A-Z]\d{4}):(.+)$/s.exec(text) ?? [];
  if (code === undefined || sentence === undefined) return undefined;
  const message = maskNumbers(sentence.slice(0, LONGEST_SENTENCE));
  return isCode(code)
    ? { code, message }
    : { code: 'V0007', message: `The gateway refused it: ${code} ${message}` };
}

function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}
