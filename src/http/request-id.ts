/** Ids of requests: 26 random letters, 122 bits. Letters alone, so that nothing takes one for a card number. */
import { randomBytes } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LENGTH = 26;

/** The largest multiple of 26 in a byte: beyond it some letters would come up more often than others. */
const FAIR = 234;

export function randomRequestId(): string {
  let id = '';
  while (id.length < LENGTH) {
    for (const byte of randomBytes(LENGTH)) if (byte < FAIR && id.length < LENGTH) id += LETTERS[byte % 26];
  }
  return id;
}
