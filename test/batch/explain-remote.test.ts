/** The story of a line that a remote gateway has executed, or may have executed. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainLine, type LineStory } from '../../src/batch/explain.ts';
import { resolveBatch, resolveByWord } from '../../src/batch/resolve.ts';
import { lineText } from '../../src/cli/explain-text.ts';
import { colorsOf } from '../../src/cli/summary.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import { csv, DAY, ENTRY, NOON, Sandbox } from '../support/ledger.ts';
import { REMOTE, RemoteWorld } from '../support/remote.ts';

let local: Sandbox;
let upstream: Sandbox;
let world: RemoteWorld;

beforeEach(async () => {
  local = await Sandbox.make();
  upstream = await Sandbox.make();
  world = new RemoteWorld(upstream);
  await upstream.given({ id: 'T1' }, { id: 'T2' }, { id: 'C1', state: 'captured' });
  // One of the same name, which is another one.
  await local.given({ id: 'T1' });
});

afterEach(async () => {
  await local.remove();
  await upstream.remove();
});

const LINES = csv(
  `${ENTRY},operation,refund_amount`,
  'T1,O-T1,USD,100.00,capture,',
  'T2,O-T2,USD,100.01,capture,',
  'C1,O-C1,USD,100.00,refund,10.00',
  'T1,O-T1,USD,100.00,capture,',
  'T2,O-T2,USD,1e2,capture,',
);

function run(content = LINES): Promise<BatchDocument> {
  return local.run('lines.csv', content, { gateway: REMOTE }, world.context());
}

async function story({ batch }: BatchDocument, line: number): Promise<LineStory> {
  const told = await explainLine(local.context(), await local.record(batch), line);
  if ('is' in told) throw new Error(told.is);
  return told;
}

async function told(document: BatchDocument, line: number): Promise<string> {
  return lineText(await story(document, line), colorsOf(false)).replaceAll(/ {2,}/g, '  ');
}

const SENT = new Date(NOON).toISOString();

describe('a line', () => {
  test.each<[string, number, Partial<LineStory>, readonly string[]]>([
    [
      'that succeeded, whatever the gateway calls it',
      2,
      { outcome: 'succeeded', sent_at: SENT, transaction: null, settled: null },
      [`gateway  ${REMOTE}, sent at ${SENT}`, 'outcome  succeeded\n', 'nothing in this ledger: what '],
    ],
    [
      'that was refused: nothing of it is held',
      3,
      { outcome: 'refused', sent_at: null },
      [`gateway  ${REMOTE}\n`, 'refused by the gateway, V0005'],
    ],
    [
      'that the gateway has named',
      4,
      { outcome: 'succeeded', sent_at: SENT },
      ['succeeded; the gateway calls it C1-1\n'],
    ],
    [
      'that was a repeat',
      5,
      { outcome: 'duplicate', sent_at: null },
      ['it was not sent there', 'it repeats B'],
    ],
    ['that was invalid', 6, { outcome: 'invalid', sent_at: null }, ['it was not sent there']],
  ])('%s', async (_, line, expected, words) => {
    const document = await run();
    expect(await story(document, line)).toMatchObject({ gateway: REMOTE, ...expected });
    const text = await told(document, line);
    for (const word of words) expect(text).toContain(word);
    expect(text).not.toContain('transaction T1  ');
  });

  test('of the embedded engine says nothing of gateways', async () => {
    const document = await local.run('capture.csv', csv(ENTRY, 'T1,O-T1,USD,100.00'));
    expect(await story(document, 2)).toMatchObject({ gateway: 'engine', sent_at: null, settled: null });
    const text = await told(document, 2);
    expect(text).not.toContain('gateway  ');
    expect(text).toContain(`succeeded; the gateway calls it ${document.batch}-2`);
  });
});

describe('F71 a line of which nobody knows the end', () => {
  let document: BatchDocument;
  beforeEach(async () => {
    world.fateOf = () => 'executed, nobody knows';
    document = await run(csv(`${ENTRY},operation`, 'T1,O-T1,USD,100.00,capture'));
    world.fateOf = () => 'through';
  });

  test('says so, and what to do', async () => {
    expect(await story(document, 2)).toMatchObject({ outcome: 'unknown', sent_at: SENT });
    const text = await told(document, 2);
    expect(text).toContain('unknown: nobody knows yet whether it happened, E0001');
    expect(text).toContain(`batchgate batch resolve ${document.batch} asks ${REMOTE}`);
    expect(text).toContain(
      `batchgate batch resolve ${document.batch} --line 2 --as succeeded|refused --reason TEXT`,
    );
  });

  test('and that was found out later: when, by whom and why', async () => {
    local.now += DAY / 48;
    await resolveBatch(local.context(world.context()), await local.record(document.batch), 'monthly look');
    const at = new Date(local.now).toISOString();
    const settled = { at, who: 'test', reason: 'monthly look', as: null };
    expect(await story(document, 2)).toMatchObject({ outcome: 'succeeded', settled, sent_at: SENT });
    const text = await told(document, 2);
    expect(text).toContain('attempt 1  sent in chunk 1: unknown');
    expect(text).toContain('outcome  succeeded\n');
    expect(text).toContain(`settled  ${at}, by test: the gateway was asked; monthly look`);
    expect(text).not.toContain('never sent afresh');
  });

  test.each([
    ['succeeded', 'succeeded, as a person has said', SENT],
    ['refused', 'refused, as a person has said, E0002', null],
  ] as const)('and of which a person has said %s', async (as, words, sent_at) => {
    const record = await local.record(document.batch);
    await resolveByWord(local.context(world.context()), record, new Set([2]), as, 'seen in their console');
    expect(await story(document, 2)).toMatchObject({ outcome: as, sent_at, settled: { as, who: 'test' } });
    const text = await told(document, 2);
    expect(text).toContain(words);
    expect(text).toContain(`by test: a person has said ${as}; seen in their console`);
  });
});
