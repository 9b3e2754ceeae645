/**
 * One cycle: a file is executed and disturbed, perhaps disturbed again while that is mended, then left in peace. After
 * each run it is asked what must hold at any time, and at the end whether everything is as if nothing had happened.
 */
import { readFileSync, rmSync } from 'node:fs';
import type { BatchDocument } from '../../../src/report/document.ts';
import { NOON } from '../../support/ledger.ts';
import type { Ended, Forked } from './forked.ts';
import { filesUnder, type Inspection, inspect, visibleReports } from './inspect.ts';
import { CARD, type Kind, type Reference, type Scene } from './scene.ts';

const HOUR = 60 * 60 * 1000;

export interface Cycle {
  readonly seed: number;
  readonly kind: Kind;
  readonly concurrency: number;
  /** What goes wrong in the first run, the second and so on (shim.c). */
  readonly plans: readonly string[];
}

/** What did not hold, and how: `document: …`. */
export type Breach = `${Invariant}: ${string}`;

export type Invariant =
  | keyof Inspection
  | 'end'
  | 'exit'
  | 'half a report'
  | 'acknowledged'
  | 'executed again'
  | 'card number';

export interface Cycled {
  readonly breaches: readonly Breach[];
  /** How each of the runs ended: of what, and where it met a fault. */
  readonly story: readonly string[];
  /** Whether the first run has met its fault. */
  readonly met: boolean;
}

/**
 * @param forked the program under test
 * @param reference what becomes of the file undisturbed
 */
export async function runCycle(
  scene: Scene,
  forked: Forked,
  reference: Reference,
  cycle: Cycle,
): Promise<Cycled> {
  const { kind, seed, concurrency, plans } = cycle;
  const root = scene.copy();
  const breaches: Breach[] = [];
  const story: string[] = [];
  let met = false;
  /** Whether somebody was told that the batch is complete. */
  let acknowledged = false;
  for (const [at, plan] of [...plans, ''].entries()) {
    const now = NOON + at * HOUR;
    const job = scene.job(root, kind, { plan, seed: seed + at, concurrency, now, held: seed % 2 === 0 });
    const ended = await forked.run(job);
    story.push(`${plan || 'in peace'} → ${tellOf(ended)}`);
    if (at === 0) met = ended.met > 0;
    // A machine that fails is temporary; everything else is the file's own exit code.
    const promised = plan === '' ? [reference.exit] : [reference.exit, 5];
    // Left in peace, it is compared as a whole.
    breaches.push(...atAnyTime(root, plan === '' ? undefined : reference, ended, promised));
    if (isComplete(ended, reference)) {
      if (acknowledged && ended.document?.repeat !== true && !isRejected(kind))
        breaches.push(`executed again: run ${at + 1} after it was complete`);
      acknowledged = true;
      if (plan !== '') breaches.push(...acknowledgedIsThere(root, reference));
    }
    if (plan === '' && ended.document !== undefined)
      breaches.push(...(await differences(root, reference, ended.document, kind)));
    if (breaches.length > 0) break;
  }
  rmSync(root, { recursive: true, force: true });
  return { breaches, story, met };
}

export function isRejected(kind: Kind): boolean {
  return kind === 'broken' || kind === 'cards';
}

export function tellOf({ exit, lost, met, what, message }: Ended): string {
  const end = lost ?? (exit === undefined ? 'killed' : `exit ${exit}`);
  return [end, met > 0 ? `at ${what}` : '', message ?? ''].filter((text) => text !== '').join(' ');
}

/** Says that the file is dealt with, as undisturbed. */
function isComplete({ exit, document }: Ended, reference: Reference): boolean {
  return exit === reference.exit && document !== undefined && document.status !== 'interrupted';
}

/**
 * What holds after every run, however it ended.
 * @param reference undefined where other files have reports in the folder, too
 * @param promised the exit codes that the program may end with, when it is not killed
 */
export function atAnyTime(
  root: string,
  reference: Reference | undefined,
  ended: Ended,
  promised: readonly number[],
): Breach[] {
  const breaches: Breach[] = [];
  if (ended.lost !== undefined) breaches.push(`end: ${ended.lost}`);
  if (ended.exit !== undefined && !promised.includes(ended.exit))
    breaches.push(`exit: ${ended.exit} instead of ${promised.join(' or ')}, ${ended.message}`);
  if (reference === undefined) return breaches;
  const whole = { ...reference.inspection['line files'], ...reference.inspection.reports };
  for (const [name, text] of Object.entries(visibleReports(root))) {
    if (whole[name] !== text) breaches.push(`half a report: ${name}, ${text.length} characters`);
  }
  return breaches;
}

/** Once it was said that a batch is complete, its reports are there, whatever happens to the power. */
function acknowledgedIsThere(root: string, reference: Reference): Breach[] {
  const there = visibleReports(root);
  const expected = { ...reference.inspection['line files'], ...reference.inspection.reports };
  return Object.keys(expected)
    .filter((name) => there[name] === undefined)
    .map((name) => `acknowledged: ${name} is gone` as const);
}

/** How the end differs from that of an undisturbed run. */
export async function differences(
  root: string,
  reference: Reference,
  document: BatchDocument,
  kind: Kind,
): Promise<Breach[]> {
  const found = await inspect(root, document);
  const breaches: Breach[] = [];
  // A file that is rejected twice is two batches; what matters is that nothing is executed.
  const compared: readonly (keyof Inspection)[] = isRejected(kind)
    ? ['ledger', 'verify', 'leftovers']
    : ['document', 'line files', 'reports', 'ledger', 'journal', 'verify', 'leftovers'];
  for (const name of compared) {
    const [is, was] = [JSON.stringify(found[name]), JSON.stringify(reference.inspection[name])];
    if (is !== was) breaches.push(`${name}: ${around(is, was)}`);
  }
  if (kind === 'cards') {
    const paths = filesUnder(root).filter((path) => readFileSync(path, 'latin1').includes(CARD));
    breaches.push(...paths.map((path) => `card number: in ${path.slice(root.length)}` as const));
  }
  return breaches;
}

/** The first place where two texts differ, with a little around it. */
function around(is: string, was: string): string {
  let at = 0;
  while (at < was.length && is[at] === was[at]) at += 1;
  const part = (text: string) => text.slice(Math.max(0, at - 40), at + 60);
  return `${part(is)} instead of ${part(was)}`;
}
