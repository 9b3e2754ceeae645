/** Sending notifications: tries, ends, restarts, and who waits for whom. */
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TRY_AFTER } from '../../../src/core/notification.ts';
import { AddressRules } from '../../../src/engine/notifications/address.ts';
import { Database } from '../../../src/ledger/database.ts';
import { countByState, newestEvents, reviveEvents } from '../../../src/ledger/deliveries.ts';
import { eventCount } from '../../../src/ledger/events.ts';
import { Ownership } from '../../../src/ledger/owner.ts';
import { DAY, Sandbox } from '../../support/ledger.ts';
import { type Answering, newKey, notifierOf, Receiver, standings, tell } from './support.ts';

const KEY = newKey();
const hang = () => undefined;

let sandbox: Sandbox;
const receivers: Receiver[] = [];

beforeEach(async () => {
  sandbox = await Sandbox.make();
});

afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await sandbox.remove();
});

async function listening(...answers: readonly Answering[]): Promise<Receiver> {
  const receiver = await Receiver.listening(...answers);
  receivers.push(receiver);
  return receiver;
}

/** Moves the clock to just after the next try of everything that failed, and sends. */
async function nextTry(wait: number, notifier = notifierOf(sandbox, [KEY])) {
  sandbox.now += wait;
  return notifier.runOnce();
}

describe('a try', () => {
  test('F91 a redirection is a failure and is not followed', async () => {
    const elsewhere = await listening();
    const redirect = (status: number) => (response: ServerResponse) =>
      response.writeHead(status, { location: elsewhere.url('/stolen') }).end();
    const receiver = await listening(redirect(301), redirect(307), redirect(308));
    await tell(sandbox, receiver.url());
    expect(await notifierOf(sandbox, [KEY]).runOnce()).toEqual({ delivered: 0, failed: 1, dead: 0 });
    await nextTry(TRY_AFTER[1]!);
    await nextTry(TRY_AFTER[2]!);
    expect(await standings(sandbox)).toEqual(['waiting 3 HTTP 308']);
    expect(elsewhere.received).toEqual([]);
  });

  test('F92 a hanging receiver fails at the deadline, whatever it hangs in', async () => {
    const silent = await listening(hang);
    const dripping = await listening((response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '1000' }).write('a');
    });
    const nameless = 'http://slow-name-server.example/';
    await tell(sandbox, silent.url(), dripping.url(), nameless);
    const resolve = () => new Promise<never>(hang);
    const notifier = notifierOf(sandbox, [KEY], { deadline: 300, resolve });
    const begun = performance.now();
    await notifier.runOnce();
    expect(performance.now() - begun).toBeLessThan(3_000);
    // A status was answered: what comes after it changes nothing.
    expect(await standings(sandbox)).toEqual([
      'waiting 1 no answer in time',
      'delivered 1 HTTP 200',
      'waiting 1 no answer in time',
    ]);
  });

  test('F92 hanging receivers delay no other, however many events wait for them', async () => {
    const slow = await listening(hang);
    const quick = await listening();
    const backlog = Array.from({ length: 500 }, (_, index) => slow.url(`/${index}`));
    await tell(sandbox, ...backlog, quick.url());
    const notifier = notifierOf(sandbox, [KEY], { deadline: 60_000 });
    notifier.start();
    await expect.poll(() => quick.received.length, { timeout: 5_000 }).toBe(1);
    expect(slow.received.length).toBeLessThanOrEqual(4);
    // What is still in flight when the process ends is given up, and was not tried as far as the ledger knows.
    const stopping = notifier.stop();
    await slow.close();
    await stopping;
    receivers.splice(receivers.indexOf(slow), 1);
    const rows = await standings(sandbox);
    expect(rows.at(-1)).toBe('delivered 1 HTTP 200');
  });

  test('F92 one account cannot take every slot, with however many receivers', async () => {
    await sandbox.account();
    const slow = await Promise.all(Array.from({ length: 20 }, () => listening(hang)));
    const quick = await listening();
    await tell(sandbox, ...slow.flatMap((one) => [one.url(), one.url(), one.url(), one.url()]));
    await tell(sandbox, quick.url());
    await sandbox.database.write(async (statements) => {
      await statements.run("UPDATE event SET account = 2, receiver = '2 ' || url WHERE url = ?", [
        quick.url(),
      ]);
    });
    const notifier = notifierOf(sandbox, [KEY], { deadline: 60_000 });
    notifier.start();
    await expect.poll(() => quick.received.length, { timeout: 5_000 }).toBe(1);
    expect(slow.reduce((sum, one) => sum + one.received.length, 0)).toBeLessThanOrEqual(16);
    const stopping = notifier.stop();
    await Promise.all(slow.map((one) => one.close()));
    await stopping;
    receivers.splice(0, slow.length);
  });

  test('an answer without end is not read to its end', async () => {
    const endless = await listening((response: ServerResponse) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        response.once('drain', more);
      };
      more();
    });
    await tell(sandbox, endless.url());
    const begun = performance.now();
    await notifierOf(sandbox, [KEY]).runOnce();
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(await standings(sandbox)).toEqual(['delivered 1 HTTP 200']);
  });

  test('what went wrong is named without a word of the receiver', async () => {
    const closing = await listening((response: ServerResponse) => response.socket!.destroy());
    const gone = await Receiver.listening();
    const refusing = gone.url();
    await gone.close();
    await tell(sandbox, closing.url(), refusing, 'nonsense', 'http://10.0.0.1/', 'http://nowhere.example/');
    await notifierOf(sandbox, [KEY], { resolve: async () => [] }).runOnce();
    expect(await standings(sandbox)).toEqual([
      'waiting 1 the connection failed (UND_ERR_SOCKET)',
      'waiting 1 the connection failed (ECONNREFUSED)',
      'dead 1 it is no http or https address',
      'waiting 1 refused: 10.0.0.1 is not a public address',
      'waiting 1 refused: the host has no address',
    ]);
  });

  test('TLS is asked for by the name of the host, though the connection is to its checked address', async () => {
    const names: string[] = [];
    const server = createServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(new Error('no certificate'));
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await tell(sandbox, `https://shop.example:${port}/notify`);
    await notifierOf(sandbox, [KEY], { deadline: 2_000 }).runOnce();
    server.close();
    expect(names).toEqual(['shop.example']);
    expect(await standings(sandbox)).toEqual([expect.stringMatching(/^waiting 1 the connection failed/)]);
  });

  test('an account without a key waits for one, and delays no other', async () => {
    const receiver = await listening();
    await tell(sandbox, receiver.url());
    const errors: unknown[] = [];
    const keysOf = () => Promise.reject(new Error('no such file'));
    await notifierOf(sandbox, [], { keysOf, onError: (error) => errors.push(error) }).runOnce();
    expect(await standings(sandbox)).toEqual(['waiting 1 the account has no key to sign with']);
    expect(errors).toHaveLength(1);
    await nextTry(TRY_AFTER[1]!);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('tries', () => {
  test('F93 500 nine times, then 200: delivered once, every time under the same id', async () => {
    const receiver = await listening(...Array.from({ length: 9 }, () => 500), 200);
    await tell(sandbox, receiver.url());
    await notifierOf(sandbox, [KEY]).runOnce();
    for (const wait of TRY_AFTER.slice(1)) await nextTry(wait);
    expect(await standings(sandbox)).toEqual(['delivered 10 HTTP 200']);
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    await nextTry(30 * DAY);
    expect(receiver.received).toHaveLength(10);
  });

  test('nothing is sent before its time', async () => {
    const receiver = await listening(500, 200);
    await tell(sandbox, receiver.url());
    await notifierOf(sandbox, [KEY], { chance: () => 1 }).runOnce();
    await nextTry(TRY_AFTER[1]!);
    expect(receiver.received).toHaveLength(1);
    await nextTry(TRY_AFTER[1]! / 10);
    expect(receiver.received).toHaveLength(2);
  });

  test('F94 ten failures make a dead letter, which is sent again when a person wants it', async () => {
    const receiver = await listening(500);
    await tell(sandbox, receiver.url());
    await notifierOf(sandbox, [KEY]).runOnce();
    for (const wait of TRY_AFTER.slice(1)) await nextTry(wait);
    expect(await standings(sandbox)).toEqual(['dead 10 HTTP 500']);
    await nextTry(30 * DAY);
    expect(receiver.received).toHaveLength(10);
    receiver.answer(200);
    expect(await sandbox.database.write((s) => reviveEvents(s, 'dead', sandbox.now))).toBe(1);
    await notifierOf(sandbox, [KEY]).runOnce();
    expect(await standings(sandbox)).toEqual(['delivered 1 HTTP 200']);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  test('F94 410 turns this address off, for this account, until a person has something sent there again', async () => {
    const receiver = await listening(410);
    const other = receiver.url('/other');
    await tell(sandbox, receiver.url());
    expect(await notifierOf(sandbox, [KEY]).runOnce()).toEqual({ delivered: 0, failed: 0, dead: 1 });
    receiver.answer(200);
    await tell(sandbox, receiver.url(), other);
    await notifierOf(sandbox, [KEY]).runOnce();
    expect(await standings(sandbox)).toEqual([
      'dead 1 HTTP 410',
      'dead 0 the address is turned off: it answered 410 before',
      'delivered 1 HTTP 200',
    ]);
    expect(receiver.received).toHaveLength(2);
    await sandbox.database.write((s) => reviveEvents(s, { number: 2 }, sandbox.now));
    await tell(sandbox, receiver.url());
    await notifierOf(sandbox, [KEY]).runOnce();
    expect(await countByState(sandbox.database.reads)).toEqual({ dead: 1, delivered: 3 });
  });
});

describe('restarts', () => {
  test('F95 what was committed and not sent is sent after the restart', async () => {
    const receiver = await listening();
    await tell(sandbox, receiver.url(), receiver.url());
    // Another process, with connections of its own, finds what the first one has committed.
    const database = await Database.open(sandbox.folders.database);
    await notifierOf(sandbox, [KEY], { database }).runOnce();
    expect(receiver.received).toHaveLength(2);
    await notifierOf(sandbox, [KEY], { database }).runOnce();
    expect(receiver.received).toHaveLength(2);
    await database.close();
  });

  test('F95 what was sent and not written down is sent again under the same id', async () => {
    const receiver = await listening();
    await tell(sandbox, receiver.url());
    let writes = 0;
    const broken = new Proxy(sandbox.database, {
      get: (database, name) => {
        if (name === 'reads') return database.reads;
        return (work: Parameters<typeof database.write>[0]) => {
          writes += 1;
          // The first write takes old bodies away, the second one would record the try.
          return writes === 2 ? Promise.reject(new Error('disk full')) : database.write(work);
        };
      },
    });
    await expect(notifierOf(sandbox, [KEY], { database: broken }).runOnce()).rejects.toThrow('disk full');
    expect(receiver.received).toHaveLength(1);
    expect(await standings(sandbox)).toEqual(['waiting 0 -']);
    await notifierOf(sandbox, [KEY]).runOnce();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[0]!.id).toBe(receiver.received[1]!.id);
  });

  test('one process sends at a time, and the next takes over as soon as the first has ended', async () => {
    const receiver = await listening();
    await tell(sandbox, receiver.url());
    const other = await Ownership.take(`${sandbox.folders.work}/notify.db`);
    expect(await notifierOf(sandbox, [KEY]).runOnce()).toBeUndefined();
    const serving = notifierOf(sandbox, [KEY]);
    serving.start();
    await sleep(150);
    expect(receiver.received).toHaveLength(0);
    await other!.release();
    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1);
    await serving.stop();
  });

  test('a server sends what is written while it runs, and stops at once when there is nothing to do', async () => {
    const receiver = await listening();
    const tried: string[] = [];
    const notifier = notifierOf(sandbox, [KEY], { onTry: ({ outcome }) => tried.push(outcome) });
    notifier.start();
    await sleep(100);
    await tell(sandbox, receiver.url());
    await expect.poll(() => tried, { timeout: 5_000 }).toEqual(['HTTP 200']);
    const begun = performance.now();
    await notifier.stop();
    expect(performance.now() - begun).toBeLessThan(500);
  });

  test('a server that is to end gives up what hangs, and the next process sends it', async () => {
    const receiver = await listening(hang, 200);
    await tell(sandbox, receiver.url());
    const notifier = notifierOf(sandbox, [KEY]);
    notifier.start();
    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1);
    const begun = performance.now();
    await notifier.stop();
    expect(performance.now() - begun).toBeLessThan(6_000);
    expect(await standings(sandbox)).toEqual(['waiting 0 -']);
    await notifierOf(sandbox, [KEY]).runOnce();
    expect(await standings(sandbox)).toEqual(['delivered 1 HTTP 200']);
    expect(receiver.received[0]!.id).toBe(receiver.received[1]!.id);
  });

  test('a server that cannot write down what it sent does not send it again', async () => {
    const receiver = await listening();
    await tell(sandbox, receiver.url());
    const errors: unknown[] = [];
    const broken = new Proxy(sandbox.database, {
      get: (database, name) =>
        name === 'reads' ? database.reads : () => Promise.reject(new Error('the disk is full')),
    });
    const notifier = notifierOf(sandbox, [KEY], { database: broken, onError: (error) => errors.push(error) });
    notifier.start();
    await expect.poll(() => errors.length, { timeout: 10_000 }).toBeGreaterThan(2);
    await notifier.stop();
    expect(receiver.received).toHaveLength(1);
  });
});

test('F96 events overtake one another, and the sequence in the body says how they were meant', async () => {
  const receiver = await listening(500, 200);
  await tell(sandbox, receiver.url('/same'));
  await notifierOf(sandbox, [KEY]).runOnce();
  await tell(sandbox, receiver.url('/same'));
  await notifierOf(sandbox, [KEY]).runOnce();
  await nextTry(TRY_AFTER[1]!);
  const arrived = receiver.received.map(({ body }) => body.sequence);
  expect(arrived).toEqual([1, 2, 1]);
  expect(receiver.received.map(({ body }) => body.environment)).toEqual(['sandbox', 'sandbox', 'sandbox']);
});

test('a long backlog goes to many receivers, each event once', async () => {
  const many = await Promise.all(Array.from({ length: 40 }, () => listening()));
  await tell(sandbox, ...Array.from({ length: 400 }, (_, index) => many[index % 40]!.url(`/${index}`)));
  expect(await notifierOf(sandbox, [KEY]).runOnce()).toEqual({ delivered: 400, failed: 0, dead: 0 });
  expect(many.map(({ received }) => received.length)).toEqual(many.map(() => 10));
});

test('bodies of what was delivered go after 30 days, the rows stay', async () => {
  const receiver = await listening(200, 500);
  await tell(sandbox, receiver.url(), 'nonsense');
  await notifierOf(sandbox, [KEY]).runOnce();
  sandbox.now += 31 * DAY;
  await notifierOf(sandbox, [KEY], { rules: new AddressRules([], true) }).runOnce();
  const bodies = await sandbox.database.reads.all<{ body: string | null }>(
    'SELECT body FROM event ORDER BY number',
  );
  expect(bodies.map(({ body }) => body !== null)).toEqual([false, true]);
  expect(await eventCount(sandbox.database.reads)).toBe(2);
  expect(await sandbox.database.write((s) => reviveEvents(s, { number: 1 }, sandbox.now))).toBe(0);
  await tell(sandbox, receiver.url());
  const [newest] = await newestEvents(sandbox.database.reads, undefined, 1);
  expect(newest?.number).toBe(3);
});
