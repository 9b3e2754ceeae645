/** Files against a remote gateway: what is known, what is not, and that nothing is ever executed twice. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveBatch, resolveByWord } from '../../../src/batch/resolve.ts';
import { verify } from '../../../src/batch/verify.ts';
import type { BatchDocument } from '../../../src/report/document.ts';
import {
  type ContextChange,
  csv,
  documentOf,
  ENTRY,
  outcomes,
  results,
  Sandbox,
} from '../../support/ledger.ts';
import { type Fate, Killed, REMOTE, RemoteWorld } from '../../support/remote.ts';

let local: Sandbox;
let upstream: Sandbox;
let world: RemoteWorld;

beforeEach(async () => {
  local = await Sandbox.make();
  upstream = await Sandbox.make();
  world = new RemoteWorld(upstream);
  await upstream.given(
    ...IDS.map((id) => ({ id })),
    { id: 'C1', state: 'captured' },
    { id: 'R1', state: 'in_review' },
  );
});

afterEach(async () => {
  // Whatever happened, what is written down agrees with itself.
  const findings = await verify(local);
  expect(findings.filter(({ ok }) => !ok).map(({ name, named }) => ({ name, named }))).toEqual([]);
  await local.remove();
  await upstream.remove();
});

const IDS = Array.from({ length: 120 }, (_, index) => `T${index + 1}`);
const capture = (...ids: readonly string[]) => csv(ENTRY, ...ids.map((id) => `${id},O-${id},USD,100.00`));
const REFUND = `${ENTRY},refund_amount`;
const refund = (amount = '100.00') => csv(REFUND, `C1,O-C1,USD,100.00,${amount}`);

/** A gateway that knows keys, and one that does not. */
const IDEMPOTENT = {};
const FORGETFUL = { idempotentMs: 0 };

function run(name: string, content: string, change: Parameters<RemoteWorld['context']>[0] = IDEMPOTENT) {
  return local.run(name, content, { gateway: REMOTE }, world.context(change));
}

/** The same file again after the process was killed; like the same command. */
async function killed(name: string, content: string, change = IDEMPOTENT): Promise<void> {
  await expect(run(name, content, change)).rejects.toThrow(Killed);
}

async function resolve(document: BatchDocument, change: ContextChange = world.context()) {
  return documentOf(await resolveBatch(local.context(change), await local.record(document.batch), 'a test'));
}

async function say(document: BatchDocument, lines: readonly number[], as: 'succeeded' | 'refused') {
  const record = await local.record(document.batch);
  return resolveByWord(local.context(world.context()), record, new Set(lines), as, 'seen in their console');
}

/** This fate for the requests with these places, and all others go through. */
function fates(by: Readonly<Record<number, Fate>>): void {
  world.fateOf = ({ at }) => by[at] ?? 'through';
}

const counts = ({ lines }: BatchDocument) =>
  Object.fromEntries(Object.entries(lines).filter(([name, count]) => count > 0 && name !== 'total'));

describe('a gateway that answers', () => {
  test('executes every chunk once, in chunks of fifty', async () => {
    const document = await run('capture.csv', capture(...IDS));
    expect([document.status, document.exit, counts(document)]).toEqual(['completed', 0, { succeeded: 120 }]);
    expect(world.asked.map(({ request }) => 'entries' in request && request.entries.length)).toEqual([
      50, 50, 20,
    ]);
    expect(await upstream.transfers()).toEqual(IDS.map((id) => `${id} capture 10000`));
    expect(await local.transfers()).toEqual([]);
  });

  test('its refusals are the lines’, and hold no identity', async () => {
    const document = await run('capture.csv', csv(ENTRY, 'T1,O-T1,USD,100.01', 'T2,O-T2,USD,100.00'));
    expect(outcomes(document)).toEqual(['refused V0005', 'succeeded']);
    const again = await run('capture-2.csv', csv(ENTRY, 'T1,O-T1,USD,100.01'));
    expect(outcomes(again)).toEqual(['refused V0005']);
  });

  test('F29 the same file again sends nothing', async () => {
    const first = await run('capture.csv', capture('T1', 'T2'));
    const again = await run('capture.csv', capture('T1', 'T2'));
    expect(again).toEqual({ ...first, repeat: true });
    expect(world.asked).toHaveLength(1);
  });

  test('F28 a repeat is held, in the file and of another file, and runs when a person releases it', async () => {
    const first = await run('refund-1.csv', refund('10.00'));
    const second = await run(
      'refund-2.csv',
      csv(REFUND, 'C1,O-C1,USD,100.0,10.0', 'C1,O-C1,USD,100.00,5.00', 'C1,O-C1,USD,100.00,5.00'),
    );
    expect(outcomes(second)).toEqual(['duplicate B0001', 'succeeded', 'duplicate B0001']);
    expect(results(second)[0]!.message).toContain(`${first.batch}:2`);
    const released = await local.release(second, [2], world.context());
    expect(outcomes(documentOf(released))).toEqual(['succeeded', 'succeeded', 'duplicate B0001']);
    expect(await upstream.transfers()).toEqual(['C1 refund 1000', 'C1 refund 500', 'C1 refund 1000']);
  });

  test('F102 the embedded engine is another world', async () => {
    await local.given({ id: 'T1' });
    const here = await local.run('capture.csv', capture('T1'));
    const there = await run('capture.csv', capture('T1'));
    expect([here, there].map(outcomes)).toEqual([['succeeded'], ['succeeded']]);
    expect(here.batch).not.toBe(there.batch);
  });

  test('a pause keeps requests from going out', async () => {
    await local.database.write((statements) =>
      statements.run("INSERT INTO pause VALUES (0, 1, 'test', 'stop')"),
    );
    const document = await run('capture.csv', capture('T1'));
    expect([document.exit, counts(document)]).toEqual([5, { not_sent: 1 }]);
    expect(world.asked).toEqual([]);
  });
});

describe('nothing happened, and that is known', () => {
  test('F72 a gateway that is down: not sent, exit 5, and the same command goes on', async () => {
    fates({ 1: 'down' });
    const document = await run('capture.csv', capture(...IDS));
    expect([document.status, document.exit]).toEqual(['interrupted', 5]);
    expect(counts(document)).toEqual({ succeeded: 50, not_sent: 70 });
    fates({});
    const again = await run('capture.csv', capture(...IDS));
    expect([again.status, counts(again)]).toEqual(['completed', { succeeded: 120 }]);
    expect(await upstream.transfers()).toHaveLength(120);
  });

  test('F62 credentials that are refused: not sent, exit 4', async () => {
    fates({ 0: 'forbidden' });
    const document = await run('capture.csv', capture('T1'));
    expect([document.status, document.exit, counts(document)]).toEqual(['interrupted', 4, { not_sent: 1 }]);
    expect(document.errors[0]!.code).toBe('I0013');
  });

  test('lines that were not sent hold no identity', async () => {
    fates({ 0: 'down' });
    await run('capture.csv', capture('T1'));
    const other = await run('capture-other.csv', capture('T1', 'T2'));
    expect(outcomes(other)).toEqual(['succeeded', 'succeeded']);
  });
});

describe('F58 nobody knows what became of a chunk', () => {
  test.for<[what: string, fate: Fate, upstreamHas: number]>([
    ['it was executed', 'executed, nobody knows', 50],
    ['it was lost', 'lost', 0],
  ])(
    '%s: its lines are unknown, the others run, and resolving under the same key tells',
    async ([, fate, has]) => {
      fates({ 0: fate });
      const document = await run('capture.csv', capture(...IDS));
      expect([document.status, document.exit]).toEqual(['unknown', 7]);
      expect(counts(document)).toEqual({ succeeded: 70, unknown: 50 });
      expect(await upstream.transfers()).toHaveLength(70 + has);
      const resolved = await resolve(document);
      expect([resolved.status, resolved.exit, resolved.revision]).toEqual(['completed', 0, 2]);
      expect(counts(resolved)).toEqual({ succeeded: 120 });
      expect(await upstream.transfers()).toHaveLength(120);
      const keys = world.asked.map(({ options }) => options.idempotencyKey);
      expect(keys[3]).toBe(keys[0]);
      expect(world.asked[3]!.options.sentBefore).toBe(true);
    },
  );

  test('an unknown line holds its identity: the same instruction of another file is a duplicate', async () => {
    fates({ 0: 'lost' });
    await run('capture.csv', capture('T1'));
    const other = await run('capture-other.csv', capture('T1', 'T2'));
    expect(outcomes(other)).toEqual(['duplicate B0001', 'succeeded']);
  });

  test('a key that the gateway may have forgotten is never sent again', async () => {
    fates({ 0: 'lost' });
    const document = await run('refund.csv', refund());
    local.now += 3_600_001;
    const resolved = await resolve(document);
    // A query shows, an hour later, that nothing of it has happened.
    expect(outcomes(resolved)).toEqual(['refused E0002']);
    expect(world.asked).toHaveLength(1);
  });

  test('what resolving cannot prove stays unknown, with exit 7', async () => {
    fates({ 0: 'lost', 1: 'lost' });
    const document = await run('capture.csv', capture('T1'));
    world.queryFails = 'E0002';
    const resolved = await resolve(document);
    expect([resolved.revision, resolved.exit, counts(resolved)]).toEqual([1, 7, { unknown: 1 }]);
  });

  test('a line that did not happen is retried, once, and the report says so', async () => {
    fates({ 0: 'lost' });
    const document = await run('capture.csv', capture('T1', 'T2'), FORGETFUL);
    local.now += 900_000;
    const resolved = await resolve(document, world.context(FORGETFUL));
    expect(outcomes(resolved)).toEqual(['refused E0002', 'refused E0002']);
    const retried = documentOf(await local.retry(resolved, world.context(FORGETFUL)));
    expect([retried.revision, outcomes(retried)]).toEqual([3, ['succeeded', 'succeeded']]);
    expect(await upstream.transfers()).toEqual(['T1 capture 10000', 'T2 capture 10000']);
  });

  test('a retry whose outcome is unknown again is resolved again', async () => {
    fates({ 0: 'lost', 1: 'executed, nobody knows' });
    const document = await run('capture.csv', capture('T1'), FORGETFUL);
    local.now += 900_000;
    const refused = await resolve(document, world.context(FORGETFUL));
    const retried = documentOf(await local.retry(refused, world.context(FORGETFUL)));
    expect([retried.exit, outcomes(retried)]).toEqual([7, ['unknown E0001']]);
    const resolved = await resolve(retried, world.context(FORGETFUL));
    expect([resolved.revision, outcomes(resolved)]).toEqual([4, ['succeeded']]);
  });

  test('a person decides where nothing is proved', async () => {
    fates({ 0: 'executed, nobody knows' });
    const document = await run('capture.csv', capture('T1', 'T2', 'T3'));
    expect(await say(document, [2, 9], 'succeeded')).toEqual({ refusal: 'the file has no line 9' });
    const some = documentOf(await say(document, [2, 3], 'succeeded'));
    expect([some.exit, outcomes(some)]).toEqual([7, ['succeeded', 'succeeded', 'unknown E0001']]);
    const all = documentOf(await say(some, [4], 'refused'));
    expect([all.exit, all.revision, outcomes(all)]).toEqual([
      3,
      3,
      ['succeeded', 'succeeded', 'refused E0002'],
    ]);
    expect(results(all)[2]!.message).toContain('a person has decided: seen in their console');
    expect(await say(all, [4], 'succeeded')).toEqual({
      refusal: 'line 4 is refused; a person decides on unknown and pending lines',
    });
  });
});

describe('F71 killed between sending and recording', () => {
  test.for<[Fate]>([['killed'], ['killed before']])(
    '%s: a gateway that knows keys is asked again under the same one',
    async ([fate]) => {
      fates({ 1: fate });
      await killed('capture.csv', capture(...IDS));
      fates({});
      const document = await run('capture.csv', capture(...IDS));
      expect([document.status, counts(document)]).toEqual(['completed', { succeeded: 120 }]);
      expect(await upstream.transfers()).toHaveLength(120);
      const [, before, after] = world.asked;
      expect(after!.options).toEqual({ ...before!.options, sentBefore: true });
    },
  );

  test.for<[Fate, upstreamHas: number]>([
    ['killed', 120],
    ['killed before', 70],
  ])('%s: of any other nobody knows, and nothing is sent afresh', async ([fate, has]) => {
    fates({ 1: fate });
    await killed('capture.csv', capture(...IDS), FORGETFUL);
    fates({});
    const document = await run('capture.csv', capture(...IDS), FORGETFUL);
    expect([document.status, document.exit]).toEqual(['unknown', 7]);
    expect(counts(document)).toEqual({ succeeded: 70, unknown: 50 });
    expect(await upstream.transfers()).toHaveLength(has);
    local.now += 900_000;
    const resolved = await resolve(document, world.context(FORGETFUL));
    expect(counts(resolved)).toEqual(fate === 'killed' ? { succeeded: 120 } : { succeeded: 70, refused: 50 });
  });

  test('killed again while that is mended', async () => {
    fates({ 0: 'killed', 1: 'killed', 2: 'killed' });
    for (const _ of [1, 2, 3]) await killed('capture.csv', capture(...IDS));
    const document = await run('capture.csv', capture(...IDS));
    expect(counts(document)).toEqual({ succeeded: 120 });
    expect(await upstream.transfers()).toHaveLength(120);
  });

  test('a batch that is stopped then has no line that was sent and is called not sent', async () => {
    fates({ 1: 'killed' });
    await killed('capture.csv', capture(...IDS));
    fates({});
    const [batch] = await local.batches();
    const stopped = documentOf(await local.stop({ batch: batch!.id } as BatchDocument, world.context()));
    expect([stopped.status, counts(stopped)]).toEqual(['stopped', { succeeded: 100, not_sent: 20 }]);
    expect(await upstream.transfers()).toHaveLength(100);
    const resumed = documentOf(await local.resume(stopped, world.context()));
    expect(counts(resumed)).toEqual({ succeeded: 120 });
  });

  test('a repeat that was held when its chunk was sent stays held, and the chunk stays the same', async () => {
    fates({ 0: 'lost', 1: 'killed before' });
    const first = await run('refund-1.csv', refund('10.00'), FORGETFUL);
    const second = csv(REFUND, 'C1,O-C1,USD,100.00,10.00', 'T1,O-T1,USD,100.00,1.00');
    await killed('refund-2.csv', second);
    documentOf(await say(first, [2], 'refused'));
    const document = await run('refund-2.csv', second);
    expect(outcomes(document)).toEqual(['duplicate B0001', 'refused V0007']);
    const [, before, after] = world.asked;
    expect(after!.request).toEqual(before!.request);
  });
});

describe('states before and after, of a gateway that knows no keys', () => {
  test('are asked for before each chunk, and prove what happened at once', async () => {
    fates({ 0: 'executed, nobody knows' });
    const document = await run('refund.csv', refund('30.00'), FORGETFUL);
    expect([world.queries, counts(document)]).toEqual([1, { unknown: 1 }]);
    const resolved = await resolve(document, world.context(FORGETFUL));
    expect(outcomes(resolved)).toEqual(['succeeded']);
  });

  test('prove nothing that has not happened yet: it may be on its way', async () => {
    fates({ 0: 'lost' });
    const document = await run('refund.csv', refund('30.00'), FORGETFUL);
    expect(outcomes(await resolve(document, world.context(FORGETFUL)))).toEqual(['unknown E0001']);
  });

  test('prove nothing when another line was sent for the same transaction since', async () => {
    fates({ 0: 'lost' });
    const document = await run('refund.csv', refund('30.00'), FORGETFUL);
    await run('refund-other.csv', refund('20.00'), FORGETFUL);
    local.now += 900_000;
    expect(outcomes(await resolve(document, world.context(FORGETFUL)))).toEqual(['unknown E0001']);
  });

  test('where the gateway refuses queries, lines are sent all the same', async () => {
    world.queryFails = 'I0013';
    const document = await run('capture.csv', capture(...IDS), FORGETFUL);
    expect([world.queries, counts(document)]).toEqual([1, { succeeded: 120 }]);
  });
});

describe('payouts, one request each', () => {
  const HEADER =
    'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
  const payouts = (...ids: readonly string[]) =>
    csv(HEADER, ...ids.map((id) => `${id},SEPA,EUR,EUR,10.00,COMPANY,Acme,DE89370400440532013000`));

  beforeEach(async () => {
    await upstream.given({ id: 'E1', state: 'captured', currency: 'EUR', amount: 100_000 });
  });

  test('F71 some answered, one lost, one refused as down: only what did not happen is sent another time', async () => {
    fates({ 1: 'executed, nobody knows', 2: 'down' });
    const file = payouts('P1', 'P2', 'P3', 'P4');
    const first = await run('payout.csv', file);
    expect([first.status, first.exit]).toEqual(['interrupted', 7]);
    expect(counts(first)).toEqual({ succeeded: 2, unknown: 1, not_sent: 1 });
    fates({});
    const document = await run('payout.csv', file);
    expect([document.status, counts(document)]).toEqual(['completed', { succeeded: 4 }]);
    const asked = world.asked.slice(4).map(({ request }) => 'payout' in request && request.payout.requestId);
    expect(asked.sort()).toEqual(['P2', 'P3']);
    expect((await upstream.transfers()).filter((one) => one.includes('payout'))).toHaveLength(4);
  });

  test('a request_id is unique for ever, whoever sends it', async () => {
    await run('payout.csv', payouts('P1'));
    const other = await run('payout-2.csv', payouts('P2', 'P1'));
    expect(outcomes(other)).toEqual(['succeeded', 'duplicate B0001']);
    const changed = await run('payout-3.csv', payouts('P1').replace('10.00', '11.00'));
    expect(outcomes(changed)).toEqual(['invalid B0014']);
  });
});
