/** Where a request comes from, and who may be believed about it. F80 */
import { isIP } from 'node:net';
import type { Context } from 'hono';
import { holds, networkList } from '../wire/network.ts';
import type { HttpEnv } from './environment.ts';

/** Gives the address of a request's client; empty where the request does not come by a socket. */
export type ClientIp = (context: Pick<Context<HttpEnv>, 'env' | 'req'>) => string;

/**
 * `X-Forwarded-For` counts only when the connection comes from one of our own proxies; each proxy adds the address that
 * it saw at the end, so the client is the last one that is no proxy of ours. Whatever stands before it, the client wrote.
 * @param behindProxy addresses and ranges of the proxies
 */
export function clientIpBehind(behindProxy: readonly string[]): ClientIp {
  const proxies = networkList(behindProxy);
  return (context) => {
    const peer = plain(context.env?.incoming?.socket.remoteAddress ?? '');
    if (behindProxy.length === 0 || !holds(proxies, peer)) return peer;
    const forwarded = (context.req.header('x-forwarded-for') ?? '')
      .split(',')
      .map((one) => plain(one.trim()));
    const client = forwarded.findLast((address) => !holds(proxies, address));
    return client !== undefined && isIP(client) !== 0 ? client : peer;
  };
}

/** An IPv4 address as such, also where the socket shows it inside IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
