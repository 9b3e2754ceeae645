/** Characters that XML has, and where in a text one stands that it has not. */
import { fitsXml } from '../../wire/xml.ts';

/** Characters that are looked at together, until the bad one is among them. */
const PART = 4096;

/** @returns offset of the first character that XML does not have; undefined in a good text */
export function badCharacterAt(text: string): number | undefined {
  if (fitsXml(text)) return undefined;
  let from = 0;
  for (let next = partEnd(text, PART); fitsXml(text.slice(from, next)); next = partEnd(text, from + PART)) {
    from = next;
  }
  for (const character of text.slice(from)) {
    if (!fitsXml(character)) break;
    from += character.length;
  }
  return from;
}

/** Not between the two halves of a character. */
function partEnd(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at;
}
