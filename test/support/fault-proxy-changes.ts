/**
 * What becomes of an answer that somebody changes: a forger, who has no key, or a gateway that is careless and signs
 * what it should not. A change that an answer has no place for is undefined.
 */
import { CODES, type Code } from '../../src/core/code.ts';
import { type EntryOperation, OPERATIONS, operationOfList } from '../../src/core/operation.ts';
import type { JsonFields, JsonValue } from '../../src/wire/canonical.ts';
import type { Chance } from './chance.ts';

export type Change = (message: JsonFields, chance: Chance) => JsonFields | undefined;

/** The results in an answer to capture, cancel, review or refund. */
interface Results {
  readonly name: string;
  readonly operation: EntryOperation;
  readonly entries: readonly JsonFields[];
}

function resultsIn(message: JsonFields): Results | undefined {
  for (const [name, value] of Object.entries(message)) {
    const operation = operationOfList(name);
    if (operation !== undefined && Array.isArray(value) && value.length > 0)
      return { name, operation, entries: value as readonly JsonFields[] };
  }
  return undefined;
}

/** A change of the list of results. */
function ofResults(change: (results: Results, chance: Chance) => readonly JsonFields[] | undefined): Change {
  return (message, chance) => {
    const results = resultsIn(message);
    const changed = results === undefined ? undefined : change(results, chance);
    return results === undefined || changed === undefined
      ? undefined
      : { ...message, [results.name]: changed };
  };
}

/** A change of one result that chance picks; of the message itself where it is that of a payout. */
function ofOneResult(change: (fields: JsonFields, chance: Chance) => JsonFields | undefined): Change {
  return (message, chance) => {
    const results = resultsIn(message);
    if (results === undefined) return change(message, chance);
    const place = chance.below(results.entries.length);
    const changed = change(results.entries[place]!, chance);
    return changed && { ...message, [results.name]: results.entries.with(place, changed) };
  };
}

/** The same result with the opposite status, and the message that belongs to it. */
function flipped(entry: JsonFields, operation: EntryOperation): JsonFields {
  const { status } = OPERATIONS[operation];
  const said = operation === 'refund' ? 'refund_message' : 'error_message';
  const fine = operation === 'refund' ? 'V0000:OK' : '';
  return entry[status] === '1'
    ? { ...entry, [status]: '0', [said]: `V0007:${CODES.V0007.sentence}` }
    : { ...entry, [status]: '1', [said]: fine };
}

/** F63 */
export const dropEntry = ofResults(({ entries }, chance) =>
  entries.toSpliced(chance.below(entries.length), 1),
);

/** F64 */
export const addEntry = ofResults(({ entries }, chance) => {
  const stranger = { ...chance.pick(entries), transaction_id: 'T-nobody', order_no: 'O-nobody' };
  return entries.toSpliced(chance.below(entries.length + 1), 0, stranger);
});

/** F65 */
export const repeatEntry = ofResults(({ entries }, chance) => [...entries, chance.pick(entries)]);

/** F65 */
export const contradictEntry = ofResults(({ entries, operation }, chance) => [
  ...entries,
  flipped(chance.pick(entries), operation),
]);

/** F66: every entry stands in another place. */
export const reorderEntries = ofResults(({ entries }, chance) => {
  if (entries.length < 2) return undefined;
  const first = chance.between(1, entries.length - 1);
  return [...entries.slice(first), ...entries.slice(0, first)];
});

const AMOUNTS = ['amount', 'refund_amount', 'payment_amount', 'source_amount'];

/** F67: the last digit is another one. */
export const changeAmount = ofOneResult((fields, chance) => {
  const names = AMOUNTS.filter((name) => /\d$/.test(textOf(fields[name])));
  if (names.length === 0) return undefined;
  const name = chance.pick(names);
  const text = textOf(fields[name]);
  return { ...fields, [name]: `${text.slice(0, -1)}${(Number(text.at(-1)) + 1) % 10}` };
});

/** F67 */
export const changeCurrency = ofOneResult((fields, chance) => {
  const names = ['currency', 'payment_currency', 'source_currency'].filter(
    (name) => textOf(fields[name]) !== '',
  );
  if (names.length === 0) return undefined;
  const name = chance.pick(names);
  return { ...fields, [name]: fields[name] === 'EUR' ? 'USD' : 'EUR' };
});

/** F62: of one result, of a payout, or of the whole answer. */
export const changeStatus: Change = (message, chance) => {
  const ofEntry = ofResults(({ entries, operation }) => {
    const place = chance.below(entries.length);
    return entries.with(place, flipped(entries[place]!, operation));
  })(message, chance);
  if (ofEntry !== undefined) return ofEntry;
  if (message.status !== undefined)
    return { ...message, status: message.status === 'FAILED' ? 'COMPLETED' : 'FAILED' };
  return message.return_status === undefined
    ? undefined
    : { ...message, return_status: message.return_status === '1' ? '0' : '1' };
};

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Why a whole request is refused, as a gateway says it, but without its signature. */
export function unsignedRefusal(request: JsonFields | undefined, code: Code): JsonFields {
  return {
    merchant_id: request?.merchant_id ?? '',
    account_id: request?.account_id ?? '',
    return_status: '0',
    return_message: `${code}:${CODES[code].sentence}`,
    request_id: 'fault-proxy',
    errors: [],
  };
}
