/** Networks of addresses: who may query, which proxies are believed, where notifications may go. */
import { BlockList, isIP } from 'node:net';

/** @param networks addresses, or networks as `ADDRESS/BITS`, whose form has been checked */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string | undefined];
    const family = familyOf(address)!;
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return list;
}

/** True when the text is an address in one of the networks. */
export function holds(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}
