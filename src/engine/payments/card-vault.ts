/** Stored cards, encrypted: AES-256-GCM with a key that lies beside the database and never in it. */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Card } from '../../core/payment.ts';

const CIPHER = 'aes-256-gcm';

/** Length of a key in bytes. */
export const CARD_KEY_BYTES = 32;

/** As GCM wants it. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A card without its security code, which is never stored. */
export type StoredCard = Omit<Card, 'securityCode'>;

export class CardVault {
  readonly #key: () => Uint8Array;
  readonly #random: (bytes: number) => Uint8Array;

  /** @param key gives `CARD_KEY_BYTES` bytes; asked when a card is stored or used */
  constructor(key: () => Uint8Array, random: (bytes: number) => Uint8Array) {
    this.#key = key;
    this.#random = random;
  }

  /** The card as it may be stored, base64url. It opens only under its own token's id. */
  seal({ number, month, year }: StoredCard, tokenId: string): string {
    const nonce = this.#random(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key(), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(tokenId));
    const text = cipher.update(JSON.stringify([number, month, year]), 'utf8');
    return Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** @throws when the key is another one, or the text was changed */
  open(sealed: string, tokenId: string): StoredCard {
    const bytes = Buffer.from(sealed, 'base64url');
    const cipher = createDecipheriv(CIPHER, this.#key(), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(Buffer.from(tokenId));
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text =
      cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8');
    const [number, month, year] = JSON.parse(text) as [string, number, number];
    return { number, month, year };
  }
}
