/** Courses of events in which something could happen twice, or be called what it is not. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveBatch, resolveByWord } from '../../../src/batch/resolve.ts';
import { verify } from '../../../src/batch/verify.ts';
import { reason } from '../../../src/core/code.ts';
import type { InstructionGateway } from '../../../src/core/gateway.ts';
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

const HOUR = 3_600_000;

let local: Sandbox;
let upstream: Sandbox;
let world: RemoteWorld;

beforeEach(async () => {
  local = await Sandbox.make();
  upstream = await Sandbox.make();
  world = new RemoteWorld(upstream);
  await upstream.given(
    ...['C1', 'C2'].map((id) => ({ id, state: 'captured' as const })),
    { id: 'C3', state: 'partially_refunded', refunded: 100 },
    { id: 'E1', state: 'captured', currency: 'EUR', amount: 100_000 },
  );
});

afterEach(async () => {
  expect(await wrong()).toEqual([]);
  await local.remove();
  await upstream.remove();
});

async function wrong(): Promise<readonly unknown[]> {
  return (await verify(local)).filter(({ ok }) => !ok).map(({ name, named }) => ({ name, named }));
}

const refunds = (...ids: readonly string[]) =>
  csv(`${ENTRY},refund_amount`, ...ids.map((id) => `${id},O-${id},USD,100.00,10.00`));

const PAYOUT =
  'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban,payment_date';
const payouts = (ids: readonly string[], day = '') =>
  csv(PAYOUT, ...ids.map((id) => `${id},SEPA,EUR,EUR,10.00,COMPANY,Acme,DE89370400440532013000,${day}`));

function run(name: string, content: string, context: ContextChange = world.context()) {
  return local.run(name, content, { gateway: REMOTE }, context);
}

async function resolve(document: BatchDocument, context: ContextChange = world.context()) {
  return documentOf(await resolveBatch(local.context(context), await local.record(document.batch), 'a test'));
}

async function say(document: BatchDocument, line: number, as: 'succeeded' | 'refused') {
  const record = await local.record(document.batch);
  return documentOf(
    await resolveByWord(local.context(world.context()), record, new Set([line]), as, 'a test'),
  );
}

function fates(by: Readonly<Record<number, Fate>>): void {
  world.fateOf = ({ at }) => by[at] ?? 'through';
}

/** The context with another answer to some requests. */
function answering(change: Partial<InstructionGateway>): ContextChange {
  const executor = world.context().executor!(REMOTE);
  if (executor.is !== 'remote') throw new Error('the world is not remote');
  return { executor: () => ({ ...executor, gateway: { ...world.gateway, ...change } }) };
}

const counts = ({ lines }: BatchDocument) =>
  Object.fromEntries(Object.entries(lines).filter(([name, count]) => count > 0 && name !== 'total'));

describe('a request of which a line was settled otherwise is not repeated under its key', () => {
  test('a person has said that it did not happen, and a retry has done it', async () => {
    fates({ 0: 'lost' });
    const lost = await run('refund.csv', refunds('C1', 'C2'));
    const retried = documentOf(await local.retry(await say(lost, 2, 'refused'), world.context()));
    expect(outcomes(retried)).toEqual(['succeeded', 'unknown E0001']);
    expect(outcomes(await resolve(retried))).toEqual(['succeeded', 'unknown E0001']);
    expect(await upstream.transfers()).toEqual(['C1 refund 1000']);
  });

  test('a person has done it by hand', async () => {
    fates({ 0: 'lost' });
    const said = await say(await run('refund.csv', refunds('C1', 'C2')), 2, 'succeeded');
    expect(outcomes(await resolve(said))).toEqual(['succeeded', 'unknown E0001']);
    expect(await upstream.transfers()).toEqual([]);
  });

  test('a query settles nothing that can still be asked for by its key', async () => {
    fates({ 0: 'lost', 1: 'down' });
    const lost = await run('refund.csv', refunds('C1', 'C3'));
    local.now += HOUR / 4;
    const asked = await resolve(lost);
    expect(outcomes(asked)).toEqual(['unknown E0001', 'unknown E0001']);
    expect(asked.errors.map(({ code }) => code)).toEqual(['E0001']);
    expect(outcomes(await resolve(asked))).toEqual(['succeeded', 'succeeded']);
    expect(await upstream.transfers()).toEqual(['C1 refund 1000', 'C3 refund 1000']);
  });
});

test('F63 a request that was answered in part is known there, and is asked for again', async () => {
  fates({ 0: 'lost' });
  const lost = await run('refund.csv', refunds('C1', 'C2'));
  const inPart = answering({
    refund: async (request, options) => {
      const answer = await world.gateway.refund(request, options);
      if ('failure' in answer) return answer;
      const [first] = answer.results;
      return {
        ...answer,
        results: [first!, { status: 'unknown', reason: reason('E0001', 'no entry for it') }],
      };
    },
  });
  const half = await resolve(lost, inPart);
  expect(outcomes(half)).toEqual(['succeeded', 'unknown E0001']);
  expect(outcomes(await resolve(half))).toEqual(['succeeded', 'succeeded']);
  expect(await upstream.transfers()).toEqual(['C1 refund 1000', 'C2 refund 1000']);
});

describe('what may still be on its way has not failed to happen', () => {
  test('because it was sent once more a moment ago', async () => {
    fates({ 0: 'killed before', 1: 'lost' });
    await expect(run('refund.csv', refunds('C1'))).rejects.toThrow(Killed);
    local.now += HOUR / 3;
    const sentAgain = await run('refund.csv', refunds('C1'));
    expect(world.asked).toHaveLength(2);
    const forgetful = world.context({ idempotentMs: 0 });
    expect(outcomes(await resolve(sentAgain, forgetful))).toEqual(['unknown E0001']);
    local.now += HOUR / 4;
    expect(outcomes(await resolve(sentAgain, forgetful))).toEqual(['refused E0002']);
  });

  test('because the gateway has taken it and decides later', async () => {
    const later = answering({
      refund: async ({ entries }) => ({
        results: entries.map(() => ({ status: 'pending', reference: 'R1', moved: [] })),
        at: 0,
      }),
    });
    const pending = await run('refund.csv', refunds('C1'), later);
    local.now += 2 * HOUR;
    expect(outcomes(await resolve(pending))).toEqual(['pending']);
  });
});

describe('a key is relied upon only', () => {
  test('as long as was promised when it was sent', async () => {
    fates({ 0: 'killed' });
    const forgetful = world.context({ idempotentMs: 0 });
    await expect(run('refund.csv', refunds('C1'), forgetful)).rejects.toThrow(Killed);
    const document = await run('refund.csv', refunds('C1'));
    expect([outcomes(document), world.asked.length]).toEqual([['unknown E0001'], 1]);
  });

  test('at the address to which it was sent', async () => {
    fates({ 0: 'killed' });
    await expect(run('refund.csv', refunds('C1'))).rejects.toThrow(Killed);
    const moved = world.context({ address: 'https://elsewhere.example' });
    const document = await run('refund.csv', refunds('C1'), moved);
    local.now += 2 * HOUR;
    expect(outcomes(await resolve(document, moved))).toEqual(['unknown E0001']);
    expect(world.asked).toHaveLength(1);
  });

  test('while the clock goes forward', async () => {
    const { now } = local;
    local.now = now + 72 * HOUR;
    fates({ 0: 'executed, nobody knows' });
    const document = await run('refund.csv', refunds('C1'));
    local.now = now + 48 * HOUR;
    await resolve(document);
    expect(world.asked).toHaveLength(1);
  });
});

test('a kept copy that has changed is never sent', async () => {
  fates({ 0: 'lost' });
  const document = await run('refund.csv', refunds('C1'));
  const folder = local.folders.workOf(document.batch);
  const path = join(folder, readdirSync(folder).find((name) => name.startsWith('input'))!);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.replace('10.00\n', '99.00\n'));
  const record = await local.record(document.batch);
  expect(await resolveBatch(local.context(world.context()), record, 'a test')).toEqual({
    refusal: 'its kept copy has changed (B0018)',
  });
  expect(await upstream.transfers()).toEqual([]);
  writeFileSync(path, whole);
});

describe('payouts sent in part', () => {
  test('stopping sends nothing that has not gone out', async () => {
    fates({ 1: 'executed, nobody knows', 2: 'down' });
    const first = await run('payout.csv', payouts(['P1', 'P2', 'P3', 'P4']));
    fates({});
    const stopped = documentOf(await local.stop(first, world.context()));
    expect(outcomes(stopped)).toEqual(['succeeded', 'succeeded', 'refused E0002', 'succeeded']);
    expect((await upstream.transfers()).filter((one) => one.startsWith('P3'))).toEqual([]);
  });

  test('one that the gateway refuses as a whole request is refused, and the others go on', async () => {
    fates({ 0: 'refused whole' });
    const ids = Array.from({ length: 60 }, (_, at) => `P${at + 1}`);
    const document = await run('payout.csv', payouts(ids));
    expect([document.status, counts(document)]).toEqual(['completed', { succeeded: 59, refused: 1 }]);
    expect(outcomes(document)[0]).toBe('refused I0002');
  });

  test('a pending one that a person calls succeeded keeps its reference and its money', async () => {
    const pending = await run('payout.csv', payouts(['P1'], '2026-11-25'));
    const [before] = results(pending);
    const said = await say(pending, 2, 'succeeded');
    expect(results(said)[0]).toMatchObject({
      outcome: 'succeeded',
      gateway_reference: before!.gateway_reference,
    });
    expect(said.breakdown[0]).toMatchObject({ moved_out: pending.breakdown[0]!.moved_out });
    expect(said.breakdown[0]!.moved_out).toBe('10.00');
  });
});

test('verify has nothing against a retry that was killed', async () => {
  fates({ 0: 'lost', 1: 'killed' });
  const refused = await say(await run('refund.csv', refunds('C1')), 2, 'refused');
  await expect(local.retry(refused, world.context())).rejects.toThrow(Killed);
  expect(await wrong()).toEqual([]);
});

describe('a batch that was stopped with unknown lines', () => {
  const IDS = Array.from({ length: 120 }, (_, at) => `X${at}`);
  const captures = csv(ENTRY, ...IDS.map((id) => `${id},O-${id},USD,100.00`));

  async function stopped(): Promise<BatchDocument> {
    await upstream.given(...IDS.map((id) => ({ id })));
    fates({ 0: 'lost', 1: 'down' });
    const document = documentOf(await local.stop(await run('capture.csv', captures), world.context()));
    expect([document.status, counts(document)]).toEqual(['unknown', { unknown: 50, not_sent: 70 }]);
    return document;
  }

  test('can be resumed', async () => {
    const resumed = documentOf(await local.resume(await stopped(), world.context()));
    expect(counts(resumed)).toEqual({ succeeded: 70, unknown: 50 });
  });

  test('stays stopped when resolving it is killed, and is gone on with', async () => {
    const document = await stopped();
    const dying: ContextChange = {
      ...world.context(),
      warnings: () => Promise.reject(new Killed('killed')),
    };
    await expect(resolve(document, dying)).rejects.toThrow(Killed);
    const finished = documentOf(await local.resume(document, world.context()));
    expect(counts(finished)).toEqual({ succeeded: 50, not_sent: 70 });
    expect(await upstream.transfers()).toHaveLength(50);
  });
});

test('a gateway that is not configured any more keeps nobody from saying what happened', async () => {
  fates({ 0: 'lost' });
  const document = await run('refund.csv', refunds('C1'));
  const gone: ContextChange = {
    executor: () => {
      throw new Error('there is no such gateway');
    },
  };
  const record = await local.record(document.batch);
  const said = await resolveByWord(local.context(gone), record, new Set([2]), 'refused', 'a test');
  expect(outcomes(documentOf(said))).toEqual(['refused E0002']);
});
