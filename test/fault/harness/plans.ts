/** Which faults meet which runs: each point one after the other, or by chance. */
import { Chance } from '../../support/chance.ts';
import type { Cycle } from './cycle.ts';
import { KINDS, type Kind } from './scene.ts';

/** How one call can go wrong (shim.c); `+` means from then on. */
export const MODES = ['kill', 'torn', 'power', 'eio', 'eio+', 'enospc', 'enospc+'] as const;

export type Mode = (typeof MODES)[number];

/** The plan in which the nth call, counted from 1, goes wrong. */
export function planOf(mode: Mode, call: number): string {
  return mode.endsWith('+') ? `${mode.slice(0, -1)}@${call}+` : `${mode}@${call}`;
}

/** A cycle by chance: the same seed gives the same one. */
export function cycleOf(seed: number, callsOf: (kind: Kind) => number): Cycle {
  const chance = new Chance(seed);
  const kind = chance.pick([...KINDS, 'mixed', 'mixed', 'json'] as const);
  const plans = [disturbance(chance, callsOf(kind))];
  // What comes next goes wrong while the first fault is mended.
  while (chance.percent(35) && plans.length < 4) plans.push(disturbance(chance, callsOf(kind)));
  return { seed, kind, concurrency: chance.pick([1, 2, 8]), plans };
}

/** @param calls how many an undisturbed run makes; a few more may be needed when another was disturbed before */
function disturbance(chance: Chance, calls: number): string {
  const mode = chance.pick(MODES);
  const plan = planOf(mode, chance.between(1, calls + 3));
  // What a failed sync leaves behind shows when the power goes.
  return (mode.startsWith('eio') || mode.startsWith('enospc')) && chance.percent(40)
    ? `${plan},power@end`
    : plan;
}
