/** Characters that cannot be seen, or that change how others are read, written out. F34, F99. */

/**
 * Controls, soft hyphen, marks of direction, joiners, separators, byte order mark, tags and lone surrogates: an
 * explicit list, because what Unicode counts as a format character depends on the version of Node.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code points are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}\p{Cs}]/gu;

/** The text with every such character as `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
