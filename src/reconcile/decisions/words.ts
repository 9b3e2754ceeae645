/** What people write about breaks: bounded, on one line, and without card numbers. */
import { maskCards } from '../../files/card-data.ts';

/** A reason or comment, in characters. */
const MOST_TEXT = 4096;

/** A person's name. */
const MOST_NAME = 255;

/** How one says that nobody has to see to a break any more. */
export const NOBODY = 'nobody';

/** A text that can be kept, or what is wrong with it: a part of a sentence. */
export type Words = { readonly text: string } | { readonly fault: string };

/** A reason, or a comment. */
export function reasonIn(written: string): Words {
  return wordsIn(written, MOST_TEXT);
}

/** Who has to see to a break; an empty text is nobody. */
export function assigneeIn(written: string): Words {
  const words = wordsIn(written, MOST_NAME);
  return 'text' in words && words.text.toLowerCase() === NOBODY ? { text: '' } : words;
}

function wordsIn(written: string, most: number): Words {
  const text = written.trim();
  if (text === '') return { fault: 'is empty' };
  if (text.length > most) return { fault: `is longer than ${most} characters` };
  if (CONTROLS.test(text)) return { fault: 'has a line break or another control character in it' };
  return { text: maskCards(text) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
