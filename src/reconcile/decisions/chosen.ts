/** One decision on several breaks: on those that are named, or on all that a filter finds. */
import type { Decision } from '../decide.ts';
import type { Orders } from './carry-out.ts';
import { type BreakFilter, findBreaks } from './find.ts';

/** On each of these ids, however often it is named. */
export function onNamed(ids: readonly string[], decision: Decision): Orders {
  const orders = [...new Set(ids)].map((id) => ({ id, decisions: [decision] }));
  return { make: async () => orders, origin: () => ({}) };
}

/** On what the filter finds when it is done, the weightiest first. */
export function onFound(filter: BreakFilter, decision: Decision): Orders {
  return {
    make: async (statements, all) => {
      const found = await findBreaks(statements, all, filter);
      return found.map(({ id }) => ({ id, decisions: [decision] }));
    },
    origin: (_, digest) => ({ together: digest }),
  };
}
