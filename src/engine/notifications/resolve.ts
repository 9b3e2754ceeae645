/**
 * Names to addresses, asked of DNS itself: the system's own lookup waits on threads that SQLite needs, and a merchant
 * whose name server is slow would hold them all. Names in /etc/hosts are therefore not known here.
 */
import { Resolver } from 'node:dns/promises';

/** All addresses of a host, IPv4 and IPv6; none when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** One question waits this long, and is asked twice. */
const PATIENCE = { timeout: 2_000, tries: 2 };

/** `localhost` and names below it are this machine, whatever a server says (RFC 6761). */
const LOCAL = /^(?:.+\.)?localhost\.?$/i;

/** Asks both kinds of addresses; a name that has one kind only is a good name. */
export const resolveByDns: Resolve = async (host) => {
  if (LOCAL.test(host)) return ['127.0.0.1'];
  const resolver = new Resolver(PATIENCE);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};
