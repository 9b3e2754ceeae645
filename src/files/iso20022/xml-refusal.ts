/** How a text is refused: what is wrong, on which line, and what to do about it. */
import { Unreadable } from '../unreadable.ts';

const LINE_FEED = 0x0a;

/** Why something is refused, before it is known where. */
export interface Fault {
  /** A sentence. */
  readonly fault: string;
  readonly hint: string;
}

/** What is not as a program writes it: the file is not the one that was sent. */
export function damaged(fault: string): Fault {
  return {
    fault,
    hint: 'Fetch the file again, or ask the sender for it: it was cut off or changed on its way.',
  };
}

/** What no message has: sizes that it does not need, and means that only an attack needs. */
export function hostile(fault: string): Fault {
  return {
    fault,
    hint: 'No bank writes such a file. Find out where it comes from before anything of it is used.',
  };
}

export function notWellFormed(why: string): Fault {
  return damaged(`It is not well-formed XML: ${why}.`);
}

/** @param where it ends: `in the middle of a tag` */
export function cutOff(where: string): Fault {
  return damaged(`It ends ${where}: it was cut off.`);
}

/** @param offset first character of what is wrong */
export function refusedAt(text: string, offset: number, { fault, hint }: Fault): Unreadable {
  return new Unreadable(fault, { line: lineAt(text, offset), hint });
}

/** Physical line (from 1) in which a character of the text stands. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at++) if (text.charCodeAt(at) === LINE_FEED) line++;
  return line;
}
