/** Where notifications may go. */
import { createServer, type Server } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { AddressRules, hostOf, receiverOf, webAddress } from '../../../src/engine/notifications/address.ts';
import { post } from '../../../src/engine/notifications/post.ts';
import { resolveByDns } from '../../../src/engine/notifications/resolve.ts';

const STRICT = new AddressRules([], true);
const LETTER = { body: '{}', headers: {} };

/** Hosts as they may stand in an address, by what they are. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  loopback: [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '①②⑦.0.0.1',
    '127.0.0.1.',
    '[::1]',
  ],
  'link-local': ['169.254.169.254', '[fe80::1]', '[fec0::1]'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', '[ff02::1]'],
  unspecified: ['0.0.0.0', '0', '[::]'],
  'reserved or for documentation': [
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.9',
    '240.0.0.1',
    '255.255.255.255',
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
  ],
  'unique local': ['[fc00::1]', '[fd12:3456::1]'],
  'IPv4 in IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
  ],
};

const cases = Object.entries(FORBIDDEN).flatMap(([kind, hosts]) =>
  hosts.map((host) => [kind, host] as const),
);

describe('F89', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  test.each(cases)('%s %s is blocked', async (_kind, host) => {
    const url = webAddress(`http://${host}/x`)!;
    expect(STRICT.fault('http:', [hostOf(url)])).toMatch(/is not a public address$/);
    const resolve = () => Promise.reject(new Error('an address is not looked up'));
    const signal = AbortSignal.timeout(5_000);
    expect(await post(url.href, LETTER, { rules: STRICT, resolve, signal })).toEqual({
      result: 'failed',
      outcome: `refused: ${hostOf(url)} is not a public address`,
    });
  });

  test('no connection is ever begun', async () => {
    let connections = 0;
    const listening = createServer(() => {
      connections += 1;
    });
    server = listening;
    const port = await new Promise<number>((resolve) =>
      listening.listen(0, '127.0.0.1', () => resolve((listening.address() as { port: number }).port)),
    );
    for (const host of [
      '127.0.0.1',
      '127.1',
      '①②⑦.0.0.1',
      '[::ffff:127.0.0.1]',
      'localhost',
      'shop.example',
    ]) {
      const options = {
        rules: STRICT,
        resolve: async () => ['127.0.0.1'],
        signal: AbortSignal.timeout(5_000),
      };
      const { outcome } = await post(`http://${host}:${port}/`, LETTER, options);
      expect(outcome).toMatch(/^refused: /);
    }
    expect(connections).toBe(0);
  });

  test('however an IPv4 address is written, it is judged as what it is', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const write = fc.constantFrom(
      (n: number, [a, b, c, d]: number[]) => `${a}.${b}.${c}.${d}${n % 2 === 0 ? '' : '.'}`,
      (n: number) => String(n),
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
      (_n: number, [a, b, c, d]: number[]) => `${a}.${(b! << 16) | (c! << 8) | d!}`,
      (_n: number, octets: number[]) => octets.map((one) => `0x${one.toString(16)}`).join('.'),
    );
    fc.assert(
      fc.property(octet, octet, octet, octet, write, (a, b, c, d, written) => {
        const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
        const host = hostOf(webAddress(`http://${written(number, [a, b, c, d])}/`)!);
        return host === `${a}.${b}.${c}.${d}`;
      }),
    );
  });
});

describe('F90', () => {
  test('one bad address among several blocks them all', () => {
    expect(STRICT.fault('https:', ['93.184.215.14', '2606:2800::1'])).toBeUndefined();
    expect(STRICT.fault('https:', ['93.184.215.14', '10.0.0.1'])).toBe('10.0.0.1 is not a public address');
    expect(STRICT.fault('https:', ['2606:2800::1', '::1'])).toBe('::1 is not a public address');
    expect(STRICT.fault('https:', [])).toBe('the host has no address');
    expect(STRICT.fault('https:', ['nonsense'])).toBe('nonsense is not a public address');
    expect(STRICT.fault('https:', ['fe80::1%eth0'])).toBe('fe80::1%eth0 is not a public address');
  });

  test('a name that means loopback by the second look leads to what was seen by the first', async () => {
    const looks: string[] = [];
    const resolve = async () => {
      looks.push('look');
      // Nothing answers there: it is kept for testing the speed of networks.
      return looks.length === 1 ? ['198.18.0.1'] : ['127.0.0.1'];
    };
    const seen: string[] = [];
    const server = createServer(() => seen.push('connection'));
    const port = await new Promise<number>((done) =>
      server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
    );
    const rules = new AddressRules(['198.18.0.1'], true);
    const { result } = await post(`http://rebinding.example:${port}/`, LETTER, {
      rules,
      resolve,
      signal: AbortSignal.timeout(300),
    });
    server.close();
    expect([result, looks.length, seen]).toEqual(['failed', 1, []]);
  });
});

describe('rules', () => {
  test('what the configuration names is reached, alone or by its network', () => {
    const rules = new AddressRules(['127.0.0.1', '10.1.0.0/16', 'fd00::/8'], false);
    expect(rules.fault('https:', ['127.0.0.1', '10.1.2.3', 'fd00::7'])).toBeUndefined();
    expect(rules.fault('https:', ['127.0.0.2'])).toBe('127.0.0.2 is not a public address');
    expect(rules.fault('https:', ['10.2.0.1'])).toBe('10.2.0.1 is not a public address');
  });

  test('http without TLS goes anywhere in a sandbox, else only to what the configuration names', () => {
    const live = new AddressRules(['10.1.0.0/16'], false);
    expect(STRICT.fault('http:', ['93.184.215.14'])).toBeUndefined();
    expect(live.fault('https:', ['93.184.215.14'])).toBeUndefined();
    expect(live.fault('http:', ['93.184.215.14'])).toBe('http without TLS goes to allowed addresses only');
    expect(live.fault('http:', ['10.1.0.1'])).toBeUndefined();
  });

  test.each([
    '',
    'shop.example',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://',
  ])('%j is no address of the web', async (text) => {
    expect(webAddress(text)).toBeUndefined();
    const options = { rules: STRICT, resolve: async () => [], signal: AbortSignal.timeout(1_000) };
    expect((await post(text, LETTER, options)).result).toBe('hopeless');
  });

  test('addresses of one host and port are one receiver of an account', () => {
    expect(receiverOf(1, 'https://Shop.example:443/a?b')).toBe('1 https://shop.example');
    expect(receiverOf(2, 'https://shop.example/c')).toBe('2 https://shop.example');
    expect(receiverOf(1, 'http://0x7f.1:8080/')).toBe('1 http://127.0.0.1:8080');
    expect(receiverOf(1, 'nonsense')).toBe('1 ');
  });

  test.each(['localhost', 'LOCALHOST.', 'db.localhost'])(
    '%s is this machine without asking anybody',
    async (name) => {
      expect(await resolveByDns(name)).toEqual(['127.0.0.1']);
    },
  );
});
