/** What the adapter needs to know besides the gateway that it serves. */
import type { Key } from '../wire/signature.ts';

/** An account whose requests are served. */
export interface Merchant {
  readonly merchantId: string;
  readonly accountId: string;
  /** The account's number in the ledger. */
  readonly accountNumber: number;
  /** Keys that are not revoked, oldest first: any of them verifies, the last one signs. */
  readonly keys: readonly Key[];
  /** Addresses and ranges from which it may query. */
  readonly allowIp: readonly string[];
  readonly timeZone: string;
}

export interface Merchants {
  find(merchantId: string, accountId: string): Promise<Merchant | undefined>;
}

/** First answers under idempotency keys, as the gateway has stored them. */
export interface StoredRequests {
  /** The hash of the first request under a key; undefined when there was none. */
  hashOf(accountNumber: number, operation: string, key: string): Promise<string | undefined>;
}
