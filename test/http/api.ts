/** The HTTP adapter on a throwaway ledger, and a merchant's developer who talks to it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { LedgerMerchants, storedRequests } from '../../src/cli/merchants.ts';
import { type AppOptions, createApp } from '../../src/http/app.ts';
import type { HttpEnv } from '../../src/http/environment.ts';
import { HttpMetrics } from '../../src/http/metrics.ts';
import type { RequestRecord } from '../../src/http/ports.ts';
import type { AccountSettings } from '../../src/ledger/accounts.ts';
import type { JsonFields, JsonValue } from '../../src/wire/canonical.ts';
import { fingerprint, type Key, parseKey, signMessage, verifySignature } from '../../src/wire/signature.ts';
import { Sandbox } from '../support/ledger.ts';

/** An answer: its message where it is JSON, else its text. */
export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Readonly<Record<string, JsonValue>>;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of the peer. */
  readonly ip?: string;
  readonly account?: string;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };

export class Api {
  readonly sandbox: Sandbox;
  readonly app: Hono<HttpEnv>;
  readonly merchants: LedgerMerchants;
  readonly records: RequestRecord[] = [];
  readonly errors: unknown[] = [];
  readonly #keys: Readonly<Record<string, Key>>;

  private constructor(sandbox: Sandbox, keys: Readonly<Record<string, Key>>, change: Partial<AppOptions>) {
    this.sandbox = sandbox;
    this.#keys = keys;
    const { database, folders } = sandbox;
    this.merchants = new LedgerMerchants(database, async (file) =>
      keyOf(readFileSync(join(folders.keys, file), 'utf8')),
    );
    const engine = sandbox.engine();
    let requests = 0;
    this.app = createApp({
      gateway: engine,
      hosted: engine,
      merchants: this.merchants,
      storedRequests: storedRequests(database),
      environment: 'sandbox',
      publicUrl: 'https://pay.example',
      behindProxy: [],
      rateLimit: undefined,
      log: {
        request: (record) => this.records.push(record),
        error: (_, error) => this.errors.push(error),
      },
      metrics: new HttpMetrics(),
      keyedHash: (text) => `keyed ${text}`,
      requestId: () => `request-${++requests}`,
      ready: async () => true,
      version: 'test',
      connector: 'simulator',
      ...change,
    });
  }

  /** @param accounts settings of M1/A1, M1/A2 and so on; each has one key */
  static async make(
    change: Partial<AppOptions> = {},
    accounts: readonly Partial<AccountSettings>[] = [{}],
  ): Promise<Api> {
    const sandbox = await Sandbox.make([]);
    const keys: Record<string, Key> = {};
    for (const [index, settings] of accounts.entries()) {
      const account = `A${index + 1}`;
      const { key, named } = makeKey(sandbox, `${account}.key`, `the key of account ${account} `.repeat(2));
      keys[account] = key;
      await sandbox.account({ keys: [named], ...settings });
    }
    return new Api(sandbox, keys, change);
  }

  /** Another adapter on the same ledger. */
  with(change: Partial<AppOptions>): Api {
    return new Api(this.sandbox, this.#keys, change);
  }

  remove(): Promise<void> {
    return this.sandbox.remove();
  }

  key(account = 'A1'): Key {
    return this.#keys[account]!;
  }

  /** The message with its envelope. */
  signed(fields: JsonFields, account = 'A1'): JsonFields {
    const message = { merchant_id: 'M1', account_id: account, ...fields };
    return { ...message, encryption_data: signMessage(message, this.key(account)) };
  }

  /** Sends a signed message as JSON. */
  send(path: string, fields: JsonFields, sending: Sending = {}): Promise<Got> {
    const body = JSON.stringify(this.signed(fields, sending.account));
    return this.post(path, body, { ...sending, headers: { ...JSON_TYPE, ...sending.headers } });
  }

  /** Sends a body as it is. */
  post(path: string, body: string | Uint8Array<ArrayBuffer>, sending: Sending = {}): Promise<Got> {
    return this.ask(path, { method: 'POST', body, headers: sending.headers ?? {} }, sending.ip);
  }

  async ask(path: string, init: RequestInit = {}, ip?: string): Promise<Got> {
    const request = new Request(`http://gateway.example${path}`, init);
    const response = await this.app.fetch(request, peerAt(ip, request));
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  /** Whether the answer is signed by the account's key. */
  isSigned({ json }: Pick<Got, 'json'>, account = 'A1'): boolean {
    return verifySignature(json, json.encryption_data, this.key(account));
  }

  capture(orders: readonly JsonFields[], sending?: Sending): Promise<Got> {
    return this.send('/v1/capture', { capture_orders: orders }, sending);
  }
}

/** What Node would hand over of a connection from this address. */
function peerAt(ip: string | undefined, request: Request): object {
  if (ip === undefined) return {};
  const iterator = async function* () {
    if (request.body !== null) yield* request.body;
  };
  return { incoming: { socket: { remoteAddress: ip }, iterator } };
}

/** Puts a key file into the data directory. */
export function makeKey({ folders }: Sandbox, file: string, text: string) {
  const path = join(folders.keys, file);
  writeFileSync(path, text);
  const key = keyOf(text);
  return { key, named: { file, fingerprint: fingerprint(key), revoked: false } };
}

function keyOf(text: string): Key {
  const parsed = parseKey(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.key;
}
