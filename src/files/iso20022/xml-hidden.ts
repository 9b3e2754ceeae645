/** Markup in which nothing is markup: comments, CDATA sections, processing instructions; and the XML declaration. */
import { cutOff, type Fault, hostile, notWellFormed } from './xml-refusal.ts';
import { nameFault } from './xml-tag.ts';

/** Characters. What a message needs of them is nothing at all. */
const LONGEST = 100_000;

/** Characters of the XML declaration: so much of it is read before the encoding is known. */
export const LONGEST_DECLARATION = 256;

const COMMENT = 'a comment';
const CDATA = 'a CDATA section';
const DOCTYPE = '<!DOCTYPE';

/** How each begins and ends, and its name. */
const KINDS = [
  ['<!--', '-->', COMMENT],
  ['<![CDATA[', ']]>', CDATA],
  ['<?', '?>', 'a processing instruction'],
] as const;

type Kind = (typeof KINDS)[number];

const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])1\.[0-9]+\1(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])[A-Za-z][\w.-]*\2)?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(["'])(?:yes|no)\3)?[ \t\r\n]*\?>$/;

/** A quote that is not closed would hide what follows from a parser that looks at quotes first. */
const CLOSED_QUOTES = /^[^"']*(?:(?:"[^"]*"|'[^']*')[^"']*)*$/;

export interface Hidden {
  /** Offset behind it. */
  readonly end: number;
  /** A CDATA section is text. */
  readonly isText: boolean;
}

/** @returns undefined where the markup that begins here is a tag */
export function hiddenAt(text: string, start: number): Hidden | Fault | undefined {
  const second = text[start + 1];
  if (second !== '!' && second !== '?') return undefined;
  const kind = KINDS.find(([begin]) => text.startsWith(begin, start));
  if (kind === undefined) return declarationFault(text, start);
  const [begin, mark, what] = kind;
  const found = text.indexOf(mark, start + begin.length);
  if (found < 0) return cutOff(`in the middle of ${what}`);
  const end = found + mark.length;
  if (end - start > LONGEST) return hostile(`It has ${what} of more than ${LONGEST} characters.`);
  return faultOf(kind, text.slice(start, end), isBeginning(text, start)) ?? { end, isText: what === CDATA };
}

/** A byte order mark may stand before it. */
function isBeginning(text: string, start: number): boolean {
  return start === 0 || (start === 1 && text.startsWith('\ufeff'));
}

function declarationFault(text: string, start: number): Fault {
  const rest = text.slice(start, start + DOCTYPE.length);
  if (start + rest.length === text.length && KINDS.some(([begin]) => begin.startsWith(rest))) {
    return cutOff('in the middle of a tag');
  }
  return hostile(
    rest.toUpperCase() === DOCTYPE
      ? 'It has a document type (DOCTYPE), which may hide entities.'
      : 'It has a declaration as only a DTD has.',
  );
}

function faultOf([, , what]: Kind, whole: string, isFirst: boolean): Fault | undefined {
  if (what === CDATA) return undefined;
  if (what === COMMENT) {
    return whole.indexOf('--', 4) === whole.length - 3
      ? undefined
      : notWellFormed('a comment has "--" in it');
  }
  const target = /^[^ \t\r\n?]*/.exec(whole.slice(2))![0];
  if (target.toLowerCase() === 'xml') return xmlDeclarationFault(whole, isFirst);
  const isWhole = CLOSED_QUOTES.test(whole);
  return nameFault(target) ?? (isWhole ? undefined : hostile('An instruction in it has an open quote.'));
}

function xmlDeclarationFault(whole: string, isFirst: boolean): Fault | undefined {
  if (!isFirst) return notWellFormed('its XML declaration does not stand at its beginning');
  if (whole.length > LONGEST_DECLARATION) {
    return hostile(`Its XML declaration is longer than ${LONGEST_DECLARATION} characters.`);
  }
  return DECLARATION.test(whole) ? undefined : notWellFormed('its XML declaration is malformed');
}
