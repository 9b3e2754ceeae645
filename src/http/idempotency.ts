/**
 * The header `Idempotency-Key`: the first answer under a key is kept by the gateway, in the commit of its effects, and
 * given again. Here stands what it takes to refuse before the gateway is asked. F77
 */
import { type Reason, reason } from '../core/code.ts';
import { CARD_FIELDS } from '../core/payment-message.ts';
import { canonicalJson, type JsonFields } from '../wire/canonical.ts';
import type { Merchant, StoredRequests } from './ports.ts';
import { type Refusal, refusal } from './refusal.ts';

const HEADER = 'Idempotency-Key';

/** Visible ASCII, as HTTP writes header values without quoting. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Keys of requests and keys under which files send their chunks never meet. */
const SPACE = 'api ';

export interface Keyed {
  /** The key as the gateway knows it. */
  readonly key: string;
  /** Tells whether two requests are the same. */
  readonly hash: string;
}

/** Card data takes no part: not even its hash is kept. */
const LEFT_OUT: ReadonlySet<string> = new Set([...CARD_FIELDS, 'encryption_data']);

/** The key of a request, which is kept as it stands, with the hash of its message; undefined when it has none. */
export function keyedRequest(
  header: string | undefined,
  message: JsonFields,
  keyedHash: (text: string) => string,
): Keyed | undefined | Refusal {
  if (header === undefined) return undefined;
  if (!KEY.test(header))
    return refusal(
      reason('I0002', `${HEADER} has other than 1 to 255 visible characters`, { column: HEADER }),
    );
  if (typeof message.card === 'string' && message.card !== '' && header.includes(message.card))
    return refusal(reason('I0002', `${HEADER} holds the number of the card`, { column: HEADER }));
  const kept = Object.fromEntries(Object.entries(message).filter(([name]) => !LEFT_OUT.has(name)));
  return { key: `${SPACE}${header}`, hash: keyedHash(canonicalJson(kept)) };
}

/** The keys whose first request has no answer yet. */
export class KeysInProgress {
  readonly #stored: StoredRequests;
  /** Hashes by account, operation and key. */
  readonly #hashes = new Map<string, string>();

  constructor(stored: StoredRequests) {
    this.#stored = stored;
  }

  /** Does `work` unless the key is in progress, or belongs to another request. */
  async during<T>(
    { accountNumber }: Merchant,
    operation: string,
    keyed: Keyed | undefined,
    work: () => Promise<T>,
  ): Promise<T | Refusal> {
    if (keyed === undefined) return work();
    const place = `${accountNumber}/${operation}/${keyed.key}`;
    const running = this.#hashes.get(place);
    if (running !== undefined) return refusal(running === keyed.hash ? inProgress() : otherRequest());
    this.#hashes.set(place, keyed.hash);
    try {
      const first = await this.#stored.hashOf(accountNumber, operation, keyed.key);
      return first === undefined || first === keyed.hash ? await work() : refusal(otherRequest());
    } finally {
      this.#hashes.delete(place);
    }
  }
}

function inProgress(): Reason {
  return reason('I0062', 'the first request under this key has no answer yet', {
    column: HEADER,
    hint: 'Send the same request under the same key again in a moment.',
  });
}

function otherRequest(): Reason {
  return reason('V0015', 'the idempotency key belongs to another request', { column: HEADER });
}
