/** One request on its way through the proxy: what came, what the gateway said of it, and the ways to spoil an answer. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { request as ask, type Dispatcher } from 'undici';
import type { JsonFields } from '../../src/wire/canonical.ts';

/** A whole answer: what a gateway says, or what stands in its place. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Half of the way is gone: the client before its request was whole, or the gateway before its answer was. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

export interface Road {
  /** Without a slash at the end. */
  readonly upstream: string;
  readonly dispatcher: Dispatcher;
  /** Of the client, for a request and its whole answer, milliseconds. */
  readonly deadlineMs: number;
  /** Ends when the proxy does. */
  readonly closing: AbortSignal;
}

/** No gateway of a test takes so long; without a bound a lost one would keep the request for ever. */
const UPSTREAM_MS = 30_000;

/** Past the client's deadline by so much, whatever its clock says. */
const GRACE_MS = 100;

const DRIP_MS = 5;

/** The client takes 8 MiB at most: this is more. */
const HUGE_BYTES = 9 * 1024 * 1024;
const BOMB_BYTES = 32 * 1024 * 1024;
const SLICE = Buffer.alloc(64 * 1024, ' ');

/** Of one connection, not of the message; the length is counted anew. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

export class Passage {
  /** How often the whole request has gone to the gateway. */
  sent = 0;
  /** How often it answered. */
  answered = 0;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #body: Buffer;
  readonly #road: Road;
  /** The client waits no more, or the proxy is closed. */
  readonly #over: AbortSignal;

  private constructor(request: IncomingMessage, response: ServerResponse, body: Buffer, road: Road) {
    this.#request = request;
    this.#response = response;
    this.#body = body;
    this.#road = road;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    if (response.destroyed) gone.abort();
    response.on('error', () => undefined);
    this.#over = AbortSignal.any([gone.signal, road.closing]);
  }

  /** Reads the whole request. @throws Lost where it breaks off */
  static async take(request: IncomingMessage, response: ServerResponse, road: Road): Promise<Passage> {
    const body = await buffer(request).catch(lost);
    return new Passage(request, response, body, road);
  }

  /** The message of the request; undefined for what is no JSON object. */
  get message(): JsonFields | undefined {
    return messageOf(this.#body);
  }

  /** Where the request would have gone. */
  get address(): string {
    return `${this.#road.upstream}${this.#request.url}`;
  }

  /** Brings the request to the gateway, byte for byte, and returns its answer. @throws Lost where there is none */
  async forward(): Promise<Answer> {
    const { dispatcher, closing } = this.#road;
    closing.throwIfAborted();
    this.sent += 1;
    const method = this.#request.method as Dispatcher.HttpMethod;
    const asked = ask(this.address, {
      method,
      headers: ofMessage(this.#request.headers),
      body: method === 'GET' || method === 'HEAD' ? null : this.#body,
      dispatcher,
      signal: AbortSignal.any([closing, AbortSignal.timeout(UPSTREAM_MS)]),
    });
    const response = await asked.catch(lost);
    const body = Buffer.from(await response.body.arrayBuffer().catch(lost));
    this.answered += 1;
    return { status: response.statusCode, headers: ofMessage(response.headers), body };
  }

  /** Waits, whether the client still does or not. Rejects when the proxy is closed. */
  async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#road.closing });
  }

  /** Gives the client a whole answer. */
  give({ status, headers, body }: Answer): void {
    this.#response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
  }

  /** Ends the connection as a machine does that has lost it: everybody who waits gets an error. */
  reset(): void {
    this.#request.socket.resetAndDestroy();
  }

  /**
   * The first half of an answer, and the end of the connection.
   * @param framed its whole length is announced; otherwise only the message itself shows that it is not whole
   */
  async giveHalf({ status, headers, body }: Answer, framed: boolean): Promise<void> {
    if (!framed) this.#response.removeHeader('transfer-encoding');
    const length = framed ? { 'content-length': body.length } : { connection: 'close' };
    this.#response.writeHead(status, { ...headers, ...length });
    await new Promise<void>((resolve) => {
      this.#response.write(body.subarray(0, body.length >> 1), () => resolve());
    });
    this.#request.socket.destroySoon();
  }

  /** Gives a whole answer when the client waits for it no more. */
  async giveLate(answer: Answer): Promise<void> {
    await this.#waitForClient(this.#road.deadlineMs + GRACE_MS);
    this.give(answer);
  }

  /** One byte at a time until the client's deadline has passed: never the last one. */
  async drip({ status, headers, body }: Answer): Promise<void> {
    const end = performance.now() + this.#road.deadlineMs + GRACE_MS;
    const pause = Math.max(DRIP_MS, Math.ceil((end - performance.now()) / body.length));
    this.#response.writeHead(status, { ...headers, 'content-length': body.length });
    for (let at = 0; at < body.length - 1 && performance.now() < end && !this.#over.aborted; at += 1) {
      this.#response.write(body.subarray(at, at + 1));
      await this.#waitForClient(pause);
    }
    await this.#waitForClient(Math.max(0, end - performance.now()));
    this.#request.socket.destroy();
  }

  /** The right answer behind more blanks than anybody should read. */
  async giveHuge({ status, headers, body }: Answer): Promise<void> {
    const slices = new Array<Buffer>(HUGE_BYTES / SLICE.length).fill(SLICE);
    this.#response.writeHead(status, { ...headers, 'content-length': HUGE_BYTES + body.length });
    // Nobody reads it to its end.
    await pipeline(Readable.from([...slices, body]), this.#response).catch(() => undefined);
  }

  /** The same, compressed so that it looks small, although the client asked for no compression. */
  giveBomb({ status, headers, body }: Answer): void {
    const packed = Buffer.concat([bomb(), gzipSync(body)]);
    this.give({ status, headers: { ...headers, 'content-encoding': 'gzip' }, body: packed });
  }

  async #waitForClient(ms: number): Promise<void> {
    // It ends early where there is nobody left to wait for, which is no fault.
    await sleep(ms, undefined, { signal: this.#over }).catch(() => undefined);
  }
}

function lost(cause: unknown): never {
  throw new Lost('the connection broke', { cause });
}

/** The message of a body; undefined for what is no JSON object. */
export function messageOf(body: Buffer): JsonFields | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonFields)
      : undefined;
  } catch {
    return undefined;
  }
}

function ofMessage(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(
    (header): header is [string, string | string[]] =>
      header[1] !== undefined && !OF_CONNECTION.has(header[0]),
  );
  return Object.fromEntries(kept);
}

let packedBlanks: Buffer | undefined;

/** Made once, by whoever needs it first. Several gzip members after one another are one text. */
function bomb(): Buffer {
  packedBlanks ??= gzipSync(Buffer.alloc(BOMB_BYTES, ' '));
  return packedBlanks;
}
