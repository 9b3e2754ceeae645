/** Ids that follow from what they name: the same content has the same id on every machine, at any time. */
import { createHash } from 'node:crypto';

/** Crockford's digits: no letter that is taken for a number, none that makes words. */
export const ID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 16 characters are 80 bits: no two contents meet by chance. */
export const ID_CHARACTERS = 16;

/** @param letter that tells what kind of thing it names */
export function contentId(letter: string, parts: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
  let id = letter;
  for (let at = 0; at < ID_CHARACTERS; at += 1) id += ID_DIGITS[hash[at]! % ID_DIGITS.length]!;
  return id;
}
