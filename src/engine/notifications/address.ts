/**
 * Where notifications may go. Merchants name the addresses, so the gateway must not be made to knock at doors inside its
 * own network: every address that a host has is judged, and only what the whole internet can reach passes. Engine
 * decisions, "Notifications".
 */
import { type BlockList, isIP, isIPv4 } from 'node:net';
import { networkList } from '../../wire/network.ts';

/** IPv4 ranges that are not the public internet (IANA's special-purpose registry, multicast, and what is reserved). */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/**
 * IPv6 has one range of public addresses. Everything outside is refused unnamed: loopback, link-local, unique local,
 * multicast, IPv4-mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96).
 */
const PUBLIC_V6 = ['2000::/3'] as const;

/** Inside it: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;

const notPublicV4 = networkList(NOT_PUBLIC_V4);
const publicV6 = networkList(PUBLIC_V6);
const notPublicV6 = networkList(NOT_PUBLIC_V6);

function isPublic(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4');
  return publicV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6');
}

export class AddressRules {
  readonly #allowed: BlockList;
  readonly #plain: boolean;

  /**
   * @param allowed addresses and networks (`ADDRESS/BITS`) that are reached whatever they are
   * @param plain whether http without TLS may go to public addresses, too: in a sandbox
   */
  constructor(allowed: readonly string[], plain: boolean) {
    this.#allowed = networkList(allowed);
    this.#plain = plain;
  }

  /**
   * Why a host is not spoken to, in words; undefined when it is.
   * @param addresses all that it has: one bad one among them spoils the rest, for a second look at a name may pick it
   */
  fault(protocol: string, addresses: readonly string[]): string | undefined {
    if (addresses.length === 0) return 'the host has no address';
    const named = (address: string) => this.#allowed.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
    const bad = addresses.find((address) => isIP(address) === 0 || !(named(address) || isPublic(address)));
    if (bad !== undefined) return `${bad} is not a public address`;
    const isPlain = protocol === 'http:' && !this.#plain && !addresses.every(named);
    return isPlain ? 'http without TLS goes to allowed addresses only' : undefined;
  }
}

/** The address as a URL; undefined when it is none, or none of the web. Any way to write an IP address ends as one here. */
export function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** The host as it is looked up: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Who answers at an address, per account: scheme, host and port. Addresses that are none share one place. */
export function receiverOf(accountNumber: number, text: string): string {
  return `${accountNumber} ${webAddress(text)?.origin ?? ''}`;
}
