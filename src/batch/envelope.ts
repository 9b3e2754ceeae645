/** A signed envelope is verified against the account's keys before any of its entries counts. Contract, "JSON". */
import { readFile, stat } from 'node:fs/promises';
import { reason } from '../core/code.ts';
import { writeJson } from '../core/json-node.ts';
import type { FileShape, Row } from '../core/row.ts';
import { FileRejected } from '../files/rejected.ts';
import type { AccountBook, KnownAccount } from '../ledger/accounts.ts';
import type { JsonFields, JsonValue } from '../wire/canonical.ts';
import { type Key, verifySignature } from '../wire/signature.ts';
import { parseStrictJson } from '../wire/strict-json.ts';

/** The account's valid keys, read from their files. */
export type KeysOf = (account: KnownAccount) => Promise<readonly Key[]>;

const SIGNATURE = 'encryption_data';

/** A signature covers the whole message, which is held in memory for it. */
const LARGEST_SIGNED = 1024 * 1024;

/** Verifies the signatures of one file; the keys of an account are read once. */
export class Signatures {
  readonly #accounts: AccountBook;
  readonly #keysOf: KeysOf;
  readonly #keys = new Map<number, Promise<readonly Key[]>>();

  constructor(accounts: AccountBook, keysOf: KeysOf) {
    this.#accounts = accounts;
    this.#keysOf = keysOf;
  }

  /** Throws FileRejected when the envelope of the file at `path` carries a signature that is not the account's. */
  async checkEnvelope(shape: FileShape, path: string): Promise<void> {
    if (shape.format !== 'json' || shape.envelope?.get(SIGNATURE) === undefined) return;
    const fault =
      (await stat(path)).size > LARGEST_SIGNED
        ? 'a signed file may have at most 1 MiB'
        : await this.#fault(new TextDecoder(shape.encoding).decode(await readFile(path)));
    if (fault !== undefined) throw new FileRejected([reason('B0016', fault)]);
  }

  /** The same for a payout, which is a whole request of the API by itself. */
  async checkPayout({ line, entry }: Row): Promise<void> {
    if (entry?.get(SIGNATURE) === undefined) return;
    const fault = await this.#fault(writeJson(entry));
    if (fault !== undefined) throw new FileRejected([reason('B0016', fault, { line, column: SIGNATURE })]);
  }

  /** What is wrong with a signed message, in words. */
  async #fault(text: string): Promise<string | undefined> {
    const parsed = parseStrictJson(text);
    if ('fault' in parsed) return parsed.fault;
    const message = parsed.value;
    if (!isFields(message)) return 'the message is not an object';
    const { merchant_id, account_id, encryption_data } = message;
    if (typeof encryption_data !== 'string') return `${SIGNATURE} is not text`;
    const named = typeof merchant_id === 'string' && typeof account_id === 'string';
    const account = named ? this.#accounts.find(merchant_id, account_id) : undefined;
    if (account === undefined) return 'the account that should have signed it is unknown';
    const holds = (await this.#keysFor(account)).some((key) =>
      verifySignature(message, encryption_data, key),
    );
    return holds ? undefined : 'it does not match any valid key of the account';
  }

  #keysFor(account: KnownAccount): Promise<readonly Key[]> {
    let keys = this.#keys.get(account.number);
    if (keys === undefined) {
      keys = this.#keysOf(account);
      this.#keys.set(account.number, keys);
    }
    return keys;
  }
}

function isFields(value: JsonValue): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
