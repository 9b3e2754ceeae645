/** Why a message is refused as a whole: its reasons, with names from the message but never a value of it. */
import { type Reason, reason } from '../../core/code.ts';
import { nearest } from '../../core/distance.ts';
import { quote } from '../../core/quote.ts';

/** A message that is not acted on. */
export interface Refused {
  /** At least one, at most `MOST_REASONS`. */
  readonly reasons: readonly Reason[];
}

/** Nobody reads more of them, and a message of a megabyte could give a hundred thousand. */
export const MOST_REASONS = 20;

/**
 * I0002 for a field that the message does not have.
 * @param name as it was sent
 * @param known names that could have been meant in its place
 * @param path of the object in which it stands, empty for the message itself
 */
export function unknownField(name: string, known: readonly string[], path = ''): Reason {
  const before = path === '' ? '' : `${path}.`;
  const shown = shownName(name);
  const meant = nearest(name, known);
  const column = `${before}${shown}`;
  if (meant === undefined) return reason('I0002', `${column} does not belong to this operation`, { column });
  return reason('I0002', `${column} does not belong to this operation, ${before}${meant} does`, {
    column,
    hint: `Rename the field to ${meant}.`,
  });
}

/** A name from outside as messages show it: short, printable, and without anything that could be a card number. */
export function shownName(name: string): string {
  const plain = /^[\w .[\]-]{1,40}$/.test(name) ? name : quote(name);
  return plain.replace(/\d(?:[ -]?\d){11,}/g, '…');
}

/** The first of those with the lowest code: a missing field before a malformed one before an amount. */
export function leastOf(reasons: readonly Reason[]): Reason {
  return reasons.reduce((least, next) => (next.code < least.code ? next : least));
}

/** Ordered as codes are checked, and no more than anybody reads. */
export function refusedFor(reasons: readonly Reason[]): Refused {
  const ordered = [...reasons].sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
  return { reasons: ordered.slice(0, MOST_REASONS) };
}

/** Hints of the core are about files. */
export function withoutHint({ hint: _, ...rest }: Reason): Reason {
  return rest;
}
