/**
 * One request to a merchant's address. Its host is looked up once, all addresses found are judged, and the connection
 * goes to these and no others: a name that means something else a moment later leads nowhere.
 */
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { Client } from 'undici';
import { resultOfStatus, type TryResult } from '../../core/notification.ts';
import { type AddressRules, hostOf, webAddress } from './address.ts';
import type { Letter } from './letter.ts';
import type { Resolve } from './resolve.ts';

/** How much of an answer is read, bytes: only its status counts, and reading it lets the receiver end in peace. */
const MOST_ANSWER = 16 * 1024;

export interface Posted {
  readonly result: TryResult;
  /** What was answered, or why nothing was: for people. Nothing of it was written by the receiver. */
  readonly outcome: string;
}

export interface PostOptions {
  readonly rules: AddressRules;
  readonly resolve: Resolve;
  /** Aborted when the time for the whole try is over, or when the process is to end. */
  readonly signal: AbortSignal;
}

/** Sends a letter to an address. Redirections are not followed: they would lead around the judgement. */
export async function post(
  address: string,
  letter: Letter,
  { rules, resolve, signal }: PostOptions,
): Promise<Posted> {
  const url = webAddress(address);
  if (url === undefined) return { result: 'hopeless', outcome: 'it is no http or https address' };
  try {
    const addresses = await orAborted(addressesOf(hostOf(url), resolve), signal);
    const fault = rules.fault(url.protocol, addresses);
    if (fault !== undefined) return { result: 'failed', outcome: `refused: ${fault}` };
    const status = await request(url, addresses, letter, signal);
    return { result: resultOfStatus(status), outcome: `HTTP ${status}` };
  } catch (error) {
    return { result: 'failed', outcome: signal.aborted ? 'no answer in time' : faultOf(error) };
  }
}

/** An address that is written as one is not looked up, neither here nor by whatever connects. */
async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  return isIP(host) === 0 ? resolve(host) : [host];
}

/** Resolves with the status of the answer. */
async function request(
  url: URL,
  addresses: readonly string[],
  { headers, body }: Letter,
  signal: AbortSignal,
): Promise<number> {
  // A client of its own: a connection kept from before would not be judged again.
  const client = new Client(url.origin, { connect: { lookup: pinnedTo(addresses) } });
  try {
    const answer = await client.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: { ...headers, connection: 'close' },
      body,
      signal,
    });
    await answer.body.dump({ limit: MOST_ANSWER, signal }).catch(() => undefined);
    return answer.statusCode;
  } finally {
    await client.destroy();
  }
}

/** A lookup that knows only these addresses. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    if (options.all === true) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };
}

/** What a lookup cannot be told to stop is no longer waited for. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The name of the error and nothing else: messages may quote what was sent or received. */
function faultOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`;
}
