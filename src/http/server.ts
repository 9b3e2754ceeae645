/** The listening server: Node's own limits, and answers to what never becomes a request. F83, F84 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { bareAnswer, bareText } from './bare.ts';
import type { HttpEnv } from './environment.ts';
import type { Observation } from './observe.ts';
import type { RefusalStatus } from './refusal.ts';

export interface ServerLimits {
  /** A whole request must have arrived within this time. */
  readonly requestTimeoutMs: number;
  /** Its head within this one. */
  readonly headersTimeoutMs: number;
}

export interface Listening {
  readonly host: string;
  /** 0: one that the system chooses. */
  readonly port: number;
  /** PEM. */
  readonly tls: { readonly key: Buffer; readonly cert: Buffer } | undefined;
  readonly limits: ServerLimits;
  readonly observation: Observation;
  /** Makes the application, once it is known where it listens. */
  readonly app: (url: string) => Hono<HttpEnv>;
}

export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Accepts nothing more; resolves when every request has its answer, or `withinMs` have passed. */
  stop(withinMs: number): Promise<void>;
}

const LARGEST_HEAD = 16 * 1024;

/** How often Node looks for connections that are too slow. */
const SLOWNESS_CHECK_MS = 1000;

/** A connection may wait so long for its next request. */
const KEEP_ALIVE_MS = 5000;

/** How often connections that have become idle are closed while the server ends. */
const IDLE_CHECK_MS = 25;

/** Listens; rejects where that is not possible, for example because the port is taken. */
export function startServer(listening: Listening): Promise<RunningServer> {
  const { host, port, tls, observation } = listening;
  const limits = nodeLimits(listening.limits);
  const server = tls === undefined ? createServer(limits) : createTlsServer({ ...limits, ...tls });
  const answering = new WeakMap<object, ServerResponse>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerBroken(error, socket as Socket, answering.get(socket), observation),
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const url = urlOf(server.address() as AddressInfo, tls !== undefined);
      server.on('request', listener(listening.app(url), observation, answering));
      resolve({ url, stop: (withinMs) => stop(server, withinMs) });
    });
  });
}

function nodeLimits({ requestTimeoutMs, headersTimeoutMs }: ServerLimits): ServerOptions {
  return {
    requestTimeout: requestTimeoutMs,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.min(SLOWNESS_CHECK_MS, headersTimeoutMs),
    maxHeaderSize: LARGEST_HEAD,
    keepAliveTimeout: KEEP_ALIVE_MS,
    insecureHTTPParser: false,
    // Checked by the listener, with an answer like every other.
    requireHostHeader: false,
  };
}

function urlOf({ address, port, family }: AddressInfo, secure: boolean): string {
  return `${secure ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Ends the server: idle connections at once, the others when their request is answered, all of them in the end. */
async function stop(server: Server, withinMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const end = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearInterval(idle);
  clearTimeout(end);
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

function listener(
  app: Hono<HttpEnv>,
  observation: Observation,
  answering: WeakMap<object, ServerResponse>,
): Listener {
  const answer = getRequestListener(app.fetch, {
    errorHandler: () => {
      const { status, headers, text } = bareAnswer(
        400,
        'the address or the header Host is malformed',
        observation,
      );
      return new Response(text, { status, headers });
    },
  });
  return (incoming, outgoing) => {
    answering.set(incoming.socket, outgoing);
    if (hostsOf(incoming) === 1) {
      void answer(incoming, outgoing);
      return;
    }
    const { status, headers, text } = bareAnswer(400, 'there must be one header Host', observation);
    outgoing.writeHead(status, headers).end(text);
  };
}

/** Node keeps the first of several; a proxy in front of it may have gone by another. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
}

/** What Node could not read as a request, by the code of its error; everything else is 400. */
const BROKEN: Readonly<Record<string, readonly [RefusalStatus, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, `the head of the request is larger than ${LARGEST_HEAD} bytes`],
};

/**
 * Answers a broken request. Where the one before it on the same connection has no answer yet, or an answer has begun,
 * the connection only ends: what is written now would be taken for the other's answer.
 */
function answerBroken(
  error: NodeJS.ErrnoException,
  socket: Socket,
  answer: ServerResponse | undefined,
  observation: Observation,
): void {
  const isAnswering =
    answer !== undefined && !answer.writableFinished && (answer.headersSent || answer.req.complete);
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const [status, detail] = BROKEN[error.code ?? ''] ?? [400, 'the request is not valid HTTP'];
  socket.end(bareText(bareAnswer(status, detail, observation)), () => socket.destroy());
}
