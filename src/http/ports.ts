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
  /**
   * The account as it is now.
   * @param where `memory`: only what was found less than a second ago
   */
  find(merchantId: string, accountId: string, where?: 'memory'): Promise<Merchant | undefined>;
}

/** First answers under idempotency keys, as the gateway has stored them. */
export interface StoredRequests {
  /** The hash of the first request under a key; undefined when there was none. */
  hashOf(accountNumber: number, operation: string, key: string): Promise<string | undefined>;
}

/** What the log says of a request. Nothing else of it is ever written: no body, key, query string or session. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  /** One of a fixed set, never the path as it was sent. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The account whose signature held. */
  readonly merchantId?: string;
  readonly accountId?: string;
  /** Instructions in the request. */
  readonly entries?: number;
  /** Why the whole request was refused. */
  readonly code?: string;
}

export interface RequestLog {
  request(record: RequestRecord): void;
  /** An error that nobody expected. */
  error(requestId: string, error: unknown): void;
}
