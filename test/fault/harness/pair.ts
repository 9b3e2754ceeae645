/** Two processes at once on one ledger, each disturbed: the same file, or another with the same instructions. */
import { rmSync } from 'node:fs';
import type { BatchDocument } from '../../../src/report/document.ts';
import { Chance } from '../../support/chance.ts';
import { NOON } from '../../support/ledger.ts';
import { atAnyTime, type Breach, type Cycled, differences, tellOf } from './cycle.ts';
import type { Forked } from './forked.ts';
import { inspect } from './inspect.ts';
import { planOf } from './plans.ts';
import type { Kind, Reference, Scene } from './scene.ts';

/** Faults that leave the other process alone: the loss of power would take both. */
const MODES = ['kill', 'torn', 'eio', 'enospc'] as const;

/**
 * @param two one process each
 * @param references what becomes of either file undisturbed and alone
 */
export async function runPair(
  scene: Scene,
  two: readonly [Forked, Forked],
  references: Readonly<Record<'separate' | 'again', Reference>>,
  seed: number,
): Promise<Cycled> {
  const chance = new Chance(seed);
  const other: 'separate' | 'again' = chance.pick(['separate', 'again'] as const);
  const kinds = ['separate', other] as const;
  const root = scene.copy();
  // Mostly one of them is disturbed, and the other one lives on beside what is left.
  const plans = kinds.map((kind) =>
    chance.percent(60) ? planOf(chance.pick(MODES), chance.between(1, references[kind].calls)) : '',
  );
  const ends = await Promise.all(
    kinds.map((kind, at) => {
      const concurrency = chance.pick([1, 2, 8]);
      return two[at]!.run(scene.job(root, kind, { plan: plans[at]!, seed, concurrency }));
    }),
  );
  const breaches: Breach[] = [];
  const expected = other === 'separate' ? references.separate : undefined;
  // Two of the same file: the second may be told that the first is at it.
  for (const [at, ended] of ends.entries())
    breaches.push(...atAnyTime(root, expected, ended, [references[kinds[at]!].exit, 3, 5]));
  const story = ends.map((ended, at) => `${kinds[at]} ${plans[at] || 'in peace'} → ${tellOf(ended)}`);
  if (breaches.length === 0) breaches.push(...(await after(scene, two[0], references, root, kinds)));
  rmSync(root, { recursive: true, force: true });
  return { breaches, story, met: ends.some((ended) => ended.met > 0) };
}

/** Both files once more, in peace: every instruction has been executed once. */
async function after(
  scene: Scene,
  forked: Forked,
  references: Readonly<Record<'separate' | 'again', Reference>>,
  root: string,
  kinds: readonly ['separate', 'separate' | 'again'],
): Promise<Breach[]> {
  const documents: BatchDocument[] = [];
  for (const kind of new Set<Kind>(kinds)) {
    const ended = await forked.run(scene.job(root, kind, { now: NOON + 1000 }));
    if (ended.document === undefined) return [`end: ${kind} ${tellOf(ended)}`];
    documents.push(ended.document);
    if (kinds[1] === 'separate') return differences(root, references.separate, ended.document, kind);
  }
  const count = (outcome: 'succeeded' | 'duplicate') =>
    documents.reduce((sum, { lines }) => sum + lines[outcome], 0);
  const lines = documents[0]!.lines.total;
  const { verify, effects } = await inspect(root, documents[0]!);
  const breaches: Breach[] = [];
  if (verify !== '[]') breaches.push(`verify: ${verify}`);
  if (effects !== references.separate.inspection.effects)
    breaches.push(`ledger: ${effects} instead of ${references.separate.inspection.effects}`);
  if (count('succeeded') !== lines || count('duplicate') !== lines)
    breaches.push(`document: ${count('succeeded')} succeeded, ${count('duplicate')} duplicates of ${lines}`);
  return breaches;
}
