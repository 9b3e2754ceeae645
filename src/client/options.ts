/** What a client for a remote gateway needs to know, and what it assumes where nothing is said. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Key } from '../wire/signature.ts';
import type { BreakerOptions } from './breaker.ts';
import type { Profile } from './profile.ts';
import type { Timing } from './waiting.ts';

/** Keys of an account, oldest first: any of them verifies, the last one signs. Empty where there is none. */
export type KeysOf = (merchantId: string, accountId: string) => readonly Key[] | Promise<readonly Key[]>;

export interface GatewayClientOptions {
  /** Where the gateway is, such as `https://gateway.example`; the operations lie below it. */
  readonly url: string;
  readonly keysOf: KeysOf;
  /** How messages are signed; `hmac-sha256` unless told. */
  readonly profile?: Profile;
  /** Which answers must carry a signature: all messages, or those that the specification signs. */
  readonly signs?: 'everything' | 'specification';
  /** The gateway answers what is sent twice under one `Idempotency-Key` once: what is in doubt may be sent again. */
  readonly idempotent?: boolean;
  /** Requests on their way at once at most. */
  readonly concurrency?: number;
  /** How long a request and its whole answer may take, milliseconds. */
  readonly deadlineMs?: number;
  /** Times that one request is sent at most. */
  readonly attempts?: number;
  /** From the first sending of a request to the last, milliseconds. */
  readonly patienceMs?: number;
  readonly breaker?: BreakerOptions;
  /** PEM of the authority that vouches for the gateway; without it, those that Node knows. */
  readonly ca?: string;
  /** Plain http also to other machines than this one: everything can be read on the way. */
  readonly plainHttp?: boolean;
  readonly timing?: Timing;
}

export type ClientSettings = Required<Omit<GatewayClientOptions, 'url' | 'ca' | 'plainHttp'>> & {
  /** Ends without a slash. */
  readonly url: string;
  readonly ca: string | undefined;
};

const TIMING: Timing = {
  elapsed: () => performance.now(),
  clock: () => Date.now(),
  random: Math.random,
  sleep: (ms) => sleep(ms),
};

/** @throws TypeError for an address that nothing is ever sent to */
export function settingsOf(options: GatewayClientOptions): ClientSettings {
  const { url, plainHttp = false } = options;
  const fault = addressFault(url, plainHttp);
  if (fault !== undefined) throw new TypeError(`the address of the gateway ${fault}`);
  return {
    keysOf: options.keysOf,
    profile: options.profile ?? { name: 'hmac-sha256' },
    signs: options.signs ?? 'everything',
    idempotent: options.idempotent ?? false,
    concurrency: options.concurrency ?? 8,
    deadlineMs: options.deadlineMs ?? 30_000,
    attempts: options.attempts ?? 4,
    patienceMs: options.patienceMs ?? 120_000,
    breaker: options.breaker ?? { failures: 5, coolMs: 10_000, longestMs: 300_000 },
    timing: options.timing ?? TIMING,
    url: url.replace(/\/+$/, ''),
    ca: options.ca,
  };
}

/** What is wrong with the address of a gateway, in words; undefined for a sound one. */
export function addressFault(url: string, plainHttp: boolean): string | undefined {
  if (!URL.canParse(url)) return 'is no URL';
  const { protocol, hostname, username, password, search, hash } = new URL(url);
  if (username !== '' || password !== '') return 'must not hold a password';
  if (search !== '' || hash !== '') return 'ends with a path: operations lie below it';
  if (protocol === 'https:') return undefined;
  if (protocol !== 'http:') return 'is no http or https address';
  return plainHttp || isThisMachine(hostname) ? undefined : 'begins with http: only this machine is asked so';
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
