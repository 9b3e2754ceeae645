/** Accounts as the HTTP adapter needs them: from the ledger and the key files, remembered for a moment. */

import type { Merchant, Merchants, StoredRequests } from '../http/ports.ts';
import type { KnownAccount } from '../ledger/accounts.ts';
import { readAccountsNamed } from '../ledger/accounts.ts';
import { findAnswers } from '../ledger/answers.ts';
import type { Database } from '../ledger/database.ts';
import type { Key } from '../wire/signature.ts';

/** A revoked key stops working at the latest after this time. */
const REMEMBERED_MS = 1000;

interface Remembered {
  readonly merchant: Merchant;
  /** By `performance.now()`. */
  readonly until: number;
}

export class LedgerMerchants implements Merchants {
  readonly #database: Database;
  readonly #keyOf: (file: string) => Promise<Key>;
  /** Only accounts that exist: nobody may fill the memory with invented ids. */
  readonly #remembered = new Map<string, Remembered>();
  /** Keys by file and fingerprint: a file of that name whose content is another has another fingerprint. */
  readonly #keys = new Map<string, Promise<Key>>();

  /** @param keyOf reads a key file of keys/ */
  constructor(database: Database, keyOf: (file: string) => Promise<Key>) {
    this.#database = database;
    this.#keyOf = keyOf;
  }

  async find(merchantId: string, accountId: string, where?: 'memory'): Promise<Merchant | undefined> {
    const ids = JSON.stringify([merchantId, accountId]);
    if (where === 'memory') {
      const remembered = this.#remembered.get(ids);
      return remembered !== undefined && performance.now() < remembered.until
        ? remembered.merchant
        : undefined;
    }
    const asked = performance.now();
    const merchant = await this.#read(merchantId, accountId);
    if (merchant !== undefined) this.#remembered.set(ids, { merchant, until: asked + REMEMBERED_MS });
    return merchant;
  }

  /** From memory, else from the ledger. */
  async recall(merchantId: string, accountId: string): Promise<Merchant | undefined> {
    return (await this.find(merchantId, accountId, 'memory')) ?? (await this.find(merchantId, accountId));
  }

  async #read(merchantId: string, accountId: string): Promise<Merchant | undefined> {
    const [account] = await readAccountsNamed(this.#database.reads, [{ merchantId, accountId }]);
    if (account === undefined) return undefined;
    const { settings, number } = account;
    return {
      merchantId,
      accountId,
      accountNumber: number,
      keys: await this.#keysOf(account),
      allowIp: settings.allow_ip,
      timeZone: settings.time_zone,
    };
  }

  #keysOf({ settings }: KnownAccount): Promise<readonly Key[]> {
    const valid = settings.keys.filter(({ revoked }) => !revoked);
    return Promise.all(valid.map(({ file, fingerprint }) => this.#key(file, fingerprint)));
  }

  #key(file: string, fingerprint: string): Promise<Key> {
    const name = `${file} ${fingerprint}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = this.#keyOf(file);
    this.#keys.set(name, key);
    key.catch(() => this.#keys.delete(name));
    return key;
  }
}

/** The keys that the ledger keeps with the first answers. */
export function storedRequests(database: Database): StoredRequests {
  return {
    async hashOf(accountNumber, operation, key) {
      const [answer] = await findAnswers(database.reads, [{ accountNumber, operation, key }]);
      return answer?.requestHash;
    },
  };
}
