/** Connections to one gateway, kept for its next request: TLS is verified, nothing is pipelined, no redirect followed. */
import { Agent, buildConnector } from 'undici';

/** A connection that never came to be: nothing of the request has left. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected';
  /** Name of the error, for people. */
  readonly code: string;
  /** The other side could not prove who it is. */
  readonly isUntrusted: boolean;

  constructor(cause: Error) {
    const code = 'code' in cause ? String(cause.code) : cause.name;
    super(`there is no connection (${code})`, { cause });
    this.code = code;
    this.isUntrusted = /^(ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_)/.test(code);
  }
}

export interface ConnectionOptions {
  /** Connections at once at most. */
  readonly connections: number;
  /** For a whole request, milliseconds: connecting may take half of it, and never more than ten seconds. */
  readonly deadlineMs: number;
  /** PEM of the authority that vouches for the gateway; without it, those that Node knows. */
  readonly ca?: string;
}

/**
 * An idle connection is closed so soon by this side that the other one has not yet done so: a request on a connection
 * that is just being closed would have an unknown outcome.
 */
const IDLE_MS = 1000;

const LONGEST_CONNECT_MS = 10_000;

/** Whoever opens them closes them. */
export function openConnections({ connections, deadlineMs, ca }: ConnectionOptions): Agent {
  const connect = buildConnector({
    // While it lasts nothing has been sent, which the deadline of the request could not say.
    timeout: Math.min(LONGEST_CONNECT_MS, Math.ceil(deadlineMs / 2)),
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  return new Agent({
    connections,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    connect: (options, callback) =>
      connect(options, (...given) => {
        if (given[0] === null) callback(null, given[1]);
        else callback(new NotConnected(given[0]), null);
      }),
  });
}
