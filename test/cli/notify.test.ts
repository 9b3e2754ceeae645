/** `batchgate notify …` as people and cron use it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { receiverOf } from '../../src/engine/notifications/address.ts';
import { Database } from '../../src/ledger/database.ts';
import { insertEvents } from '../../src/ledger/events.ts';
import { Receiver } from '../engine/notifications/support.ts';
import { type CliSandbox, makeSandbox } from '../support/cli.ts';

let made: CliSandbox;
let cli: CliSandbox;
let receiver: Receiver;

beforeAll(async () => {
  made = await makeSandbox();
  writeFileSync(join(made.data, 'batchgate.yaml'), 'notify:\n  allow: [127.0.0.0/8]\n');
});
afterAll(() => made.remove());

beforeEach(async () => {
  cli = made.copy();
  receiver = await Receiver.listening();
});
afterEach(async () => {
  cli.remove();
  await receiver.close();
});

async function tell(...urls: readonly string[]): Promise<void> {
  const database = await Database.open(join(cli.data, 'batchgate.db'));
  const events = urls.map((url) => ({
    accountNumber: 1,
    subject: { txn: 1 },
    url,
    receiver: receiverOf(1, url),
    kind: 'capture' as const,
    body: { event: 'capture' },
    dueAt: Date.now(),
  }));
  await database.write((statements) => insertEvents(statements, events, Date.now()));
  await database.close();
}

interface Listed {
  readonly counts: object;
  readonly events: readonly {
    readonly id: number;
    readonly state: string;
    readonly outcome: string | null;
  }[];
}

describe('notify run', () => {
  test('exits 0 when everything was delivered, and when nothing was due', async () => {
    await tell(receiver.url());
    expect(await cli.run('notify', 'run')).toMatchObject({ exit: 0, out: '1 notification delivered\n' });
    expect(receiver.received).toHaveLength(1);
    const again = await cli.json('notify', 'run');
    expect(again).toEqual({ environment: 'sandbox', exit: 0, delivered: 0, failed: 0, dead: 0, waiting: 0 });
  });

  test('exits 9 while some wait for another try, also when none of them is due', async () => {
    receiver.answer(500);
    await tell(receiver.url());
    expect(await cli.run('notify', 'run')).toMatchObject({
      exit: 9,
      out: '0 notifications delivered, 1 waiting for another try\n',
    });
    expect((await cli.run('notify', 'run')).exit).toBe(9);
    expect(receiver.received).toHaveLength(1);
  });

  test('exits 3 when some were given up, once', async () => {
    receiver.answer(410);
    await tell(receiver.url());
    const { exit, err } = await cli.run('notify', 'run');
    expect([exit, err]).toEqual([3, 'next: batchgate notify list --state dead\n']);
    expect((await cli.run('notify', 'run')).exit).toBe(0);
  });

  test('F89 private addresses are refused unless the configuration names them', async () => {
    writeFileSync(join(cli.data, 'batchgate.yaml'), 'notify:\n  allow: [10.0.0.0/8]\n');
    await tell(receiver.url());
    await cli.run('notify', 'run');
    const { events } = await cli.json<Listed>('notify', 'list');
    expect(events.map(({ outcome }) => outcome)).toEqual(['refused: 127.0.0.1 is not a public address']);
    expect(receiver.received).toHaveLength(0);
  });

  test('a configuration with what is no address is refused', async () => {
    writeFileSync(join(cli.data, 'batchgate.yaml'), 'notify:\n  allow: [localhost]\n');
    const { exit, err } = await cli.run('notify', 'run');
    expect(exit).toBe(2);
    expect(err).toContain('notify.allow.0');
  });

  test('F97 after rotate-key both keys sign, after revoke-key the new one alone', async () => {
    const { err } = await cli.run('account', 'rotate-key');
    const [, fingerprint] = /revoke-key (\w+)/.exec(err) ?? [];
    await tell(receiver.url());
    await cli.run('notify', 'run');
    await cli.run('account', 'revoke-key', fingerprint!);
    await tell(receiver.url());
    await cli.run('notify', 'run');
    const signatures = receiver.received.map(
      ({ headers }) => headers['webhook-signature']!.split(' ').length,
    );
    expect(signatures).toEqual([2, 1]);
  });
});

describe('notify list', () => {
  test('says what became of each, newest first', async () => {
    await tell(receiver.url('/first'), 'nonsense');
    await cli.run('notify', 'run');
    await tell(receiver.url('/third'));
    const { counts, events } = await cli.json<Listed>('notify', 'list');
    expect(counts).toEqual({ waiting: 1, delivered: 1, dead: 1 });
    expect(events.map(({ id, state, outcome }) => [id, state, outcome])).toEqual([
      [3, 'waiting', null],
      [2, 'dead', 'it is no http or https address'],
      [1, 'delivered', 'HTTP 200'],
    ]);
    const { out } = await cli.run('notify', 'list', '--state', 'dead');
    expect(out).toContain('nonsense');
    expect(out).not.toContain('/first');
    expect(out).toContain('1 waiting, 1 delivered, 1 dead');
  });

  test('says so when there is nothing', async () => {
    expect(await cli.run('notify', 'list')).toMatchObject({ exit: 0, err: 'no notification yet\n' });
    expect((await cli.run('notify', 'list', '--state', 'dead')).err).toBe('no notification is dead\n');
  });
});

describe('notify replay', () => {
  test('F94 sends a dead letter again, under its first id, and leaves an act', async () => {
    receiver.answer(410, 200);
    await tell(receiver.url());
    await cli.run('notify', 'run');
    const { exit, out } = await cli.run('notify', 'replay', '1', '--reason', 'the shop is back');
    expect([exit, out]).toEqual([0, '1 notification will be sent again\n']);
    expect((await cli.run('notify', 'run')).exit).toBe(0);
    expect(receiver.received[0]!.id).toBe(receiver.received[1]!.id);
    const database = await Database.open(join(cli.data, 'batchgate.db'));
    const acts = await database.reads.all<{ subject: string; detail: string }>(
      "SELECT subject, detail FROM audit WHERE act = 'notify.replay'",
    );
    await database.close();
    expect(acts).toEqual([{ subject: '1', detail: '{"reason":"the shop is back","notifications":1}' }]);
  });

  test('--dead takes all that were given up and nothing else', async () => {
    receiver.answer(500);
    await tell('nonsense', 'nonsense too', receiver.url());
    await cli.run('notify', 'run');
    expect(await cli.json('notify', 'replay', '--dead')).toEqual({ environment: 'sandbox', replayed: 2 });
    const { counts } = await cli.json<Listed>('notify', 'list');
    expect(counts).toEqual({ waiting: 3, delivered: 0, dead: 0 });
  });

  test.each([
    [[], 'say which: a number, or --dead'],
    [['1', '--dead'], 'a number or --dead, not both'],
    [['x'], 'x is no number of a notification'],
    [['7'], 'there is no notification 7'],
  ])('%j is refused', async (args, message) => {
    const { exit, err } = await cli.run('notify', 'replay', ...args);
    expect(exit).toBe(2);
    expect(err).toContain(message);
  });
});
