/** One file through a bad network: run, killed, run again, stopped, resolved, retried; looked at after every step. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RemoteExecutor } from '../../src/batch/executor.ts';
import { resolveBatch } from '../../src/batch/resolve.ts';
import { getOrSet } from '../../src/core/get-or-set.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import type { Chance } from '../support/chance.ts';
import { FAULT_NAMES, FaultProxy } from '../support/fault-proxy.ts';
import { type ContextChange, NOON, results } from '../support/ledger.ts';
import { Killed, REMOTE } from '../support/remote.ts';
import { type Line, type RemoteFile, randomFile, written } from './remote-lines.ts';
import { type BothEnds, type Death, Life } from './remote-world.ts';

const MINUTE = 60_000;
const SETTLED_MS = 15 * MINUTE;
const REMEMBERED_MS = 60 * MINUTE;

/** In a calm network nothing is late, however busy the machine is. */
const CALM_MS = 20_000;

/** After so many lives nobody kills the process any more, and after twice as many the network is calm. */
const LIVES = 5;

export interface Figures {
  lines: number;
  lives: number;
  kills: number;
  faults: number;
  'unknown with keys': number;
  'of those left': number;
  'unknown without keys': number;
  'of those left without keys': number;
  retried: number;
}

interface Batch {
  readonly document: BatchDocument;
  readonly lines: readonly Line[];
  /** Of each line. */
  readonly outcomes: readonly string[];
}

/** What is done to a batch, by a process that may be killed meanwhile. */
type Act = (change: ContextChange) => Promise<BatchDocument | 'nothing to do'>;

export class RemoteRun {
  readonly figures: Figures = {
    lines: 0,
    lives: 0,
    kills: 0,
    faults: 0,
    'unknown with keys': 0,
    'of those left': 0,
    'unknown without keys': 0,
    'of those left without keys': 0,
    retried: 0,
  };
  /** What has happened, in words. */
  readonly story: string[] = [];
  readonly #world: BothEnds;
  readonly #chance: Chance;
  readonly #name: string;
  readonly #seed: number;
  readonly #file: RemoteFile;
  /** Batches that have come to an end, with the last that was said of their lines. */
  readonly #batches = new Map<string, Batch>();
  /** The gateway remembers the keys of its requests. */
  readonly #knowsKeys: boolean;
  readonly #concurrency: number;
  #proxy: FaultProxy | undefined;
  #now = NOON;

  constructor(world: BothEnds, seed: number, chance: Chance) {
    this.#world = world;
    this.#seed = seed;
    this.#chance = chance;
    this.#name = `s${seed}`;
    this.#file = randomFile(chance, this.#name);
    this.#knowsKeys = chance.percent(60);
    this.#concurrency = chance.between(1, 4);
  }

  async execute(): Promise<void> {
    const chance = this.#chance;
    const rate = chance.below(81) / 100;
    const deadlineMs = chance.between(200, 300);
    // A gateway without keys does twice what the network delivers twice, and nobody can help that.
    const only = this.#knowsKeys ? FAULT_NAMES : FAULT_NAMES.filter((fault) => fault !== 'send-twice');
    const weights = chance.percent(30) ? { 'refuse-429': 20 } : {};
    const { url, keysOf } = this.#world;
    this.#proxy = await FaultProxy.start({
      upstream: url,
      keysOf,
      seed: this.#seed,
      rate,
      deadlineMs,
      only,
      weights,
    });
    this.#tell(
      `${this.#file.lines.length} lines, keys ${this.#knowsKeys}, ${this.#concurrency} at once, rate ${rate}`,
    );
    try {
      await this.#world.upstream.given(...this.#file.given);
      await this.#through({ deadlineMs, attempts: chance.between(1, 3) });
    } finally {
      this.figures.faults = this.#proxy.faults.filter(({ fault }) => fault !== 'none').length;
      await this.#proxy.close();
    }
  }

  async #through(network: Network): Promise<void> {
    const chance = this.#chance;
    const { lines } = this.#file;
    await this.#finished('first', lines, network);
    // The same once more, in another order: whatever may have happened is held.
    if (chance.percent(25)) await this.#finished('second', chance.shuffled(lines), network);
    for (const { document } of this.#batches.values()) this.#count('unknown', document);
    for (const { document } of this.#batches.values())
      if (document.lines.unknown > 0 && chance.percent(40)) await this.#resolved(document, network);
    await this.#settled();
    await this.#compareLedger();
    // What is settled by now never will happen; and a key that may be forgotten is not used again.
    if (!this.#knowsKeys || chance.percent(20)) this.#pass(chance.percent(20) ? REMEMBERED_MS : SETTLED_MS);
    for (const { document } of this.#batches.values()) {
      const resolved = await this.#resolved(document, undefined);
      this.#count('left', resolved);
      const retried = await this.#retried(resolved, chance.percent(50) ? network : undefined);
      if (retried === undefined) continue;
      this.figures.retried += 1;
      await this.#settled();
      await this.#compareLedger();
      if (!this.#knowsKeys) this.#pass(SETTLED_MS);
      await this.#resolved(retried, undefined);
    }
  }

  /** A file, run until it is through. */
  async #finished(name: string, lines: readonly Line[], network: Network): Promise<void> {
    const { local } = this.#world;
    const chance = this.#chance;
    const content = written(lines);
    this.figures.lines += lines.length;
    const run: Act = (change) => local.run(`${name}-${this.#name}.csv`, content, { gateway: REMOTE }, change);
    let go = run;
    let stopped: BatchDocument | undefined;
    for (;;) {
      const document = await this.#live('run', go, network, stopped);
      if (document === undefined) {
        if (chance.percent(15)) await this.#late();
        continue;
      }
      this.#compareCounts(document, lines);
      if (document.status !== 'interrupted') {
        await this.#compare(document, lines);
        if (document.status !== 'stopped' || document === stopped || chance.percent(40)) return;
        stopped = document;
      } else {
        await this.#compareSoFar(document);
        if (!chance.percent(15)) continue;
        const stop: Act = async (change) => asked(await local.stop(document, change));
        const after = await this.#live('stop', stop, network);
        if (after === undefined || after.status === 'interrupted') continue;
        await this.#compare(after, lines);
        stopped = after;
      }
      // What was stopped goes on when a person says so; run again, the file is read afresh.
      const { batch } = stopped;
      const again: Act = async (change) => asked(await local.resume({ ...document, batch }, change));
      go = chance.percent(60) ? again : run;
    }
  }

  async #resolved(document: BatchDocument, network: Network | undefined): Promise<BatchDocument> {
    const { local } = this.#world;
    const act: Act = async (change) =>
      asked(await resolveBatch(local.context(change), await local.record(document.batch), 'a test'));
    let resolved: BatchDocument | undefined;
    while (resolved === undefined) resolved = await this.#live('resolve', act, network, document);
    await this.#compare(resolved, this.#batches.get(document.batch)!.lines);
    const left = resolved.lines.unknown;
    if (network === undefined && this.#knowsKeys && this.#now - NOON < REMEMBERED_MS)
      expect(left, 'nobody has to be asked twice who remembers everything').toBe(0);
    return resolved;
  }

  async #retried(document: BatchDocument, network: Network | undefined): Promise<BatchDocument | undefined> {
    const { local } = this.#world;
    let go: Act = async (change) => asked(await local.retry(document, change));
    for (;;) {
      const retried = await this.#live('retry', go, network, document);
      if (retried === document) return undefined;
      if (retried !== undefined) {
        const { lines } = this.#batches.get(document.batch)!;
        this.#compareCounts(retried, lines);
        if (retried.status !== 'interrupted') {
          await this.#compare(retried, lines);
          return retried;
        }
      }
      const { status } = await local.record(document.batch);
      if (status === 'interrupted' || status === 'running')
        go = async (change) => asked(await local.resume(document, change));
    }
  }

  /**
   * One process does something.
   * @param network none: it asks the gateway directly
   * @returns undefined where it was killed
   */
  async #live(
    what: string,
    act: Act,
    network: Network | undefined,
    otherwise?: BatchDocument,
  ): Promise<BatchDocument | undefined> {
    const chance = this.#chance;
    this.figures.lives += 1;
    if (this.figures.lives > 4 * LIVES) this.#proxy!.calm();
    if (this.figures.lives > 10 * LIVES) throw new Error('it never comes to an end');
    const death =
      network !== undefined && this.figures.kills < LIVES && chance.percent(45) ? this.#death() : undefined;
    const breaker = chance.percent(10) ? { failures: 2, coolMs: 1000, longestMs: 5000 } : NEVER_OPEN;
    const life = new Life({
      url: network === undefined ? this.#world.url : this.#proxy!.url,
      keysOf: this.#world.keysOf,
      idempotent: this.#knowsKeys,
      keys: this.#knowsKeys,
      concurrency: this.#concurrency,
      breaker,
      deadlineMs: CALM_MS,
      attempts: 1,
      ...network,
      death,
    });
    const ends = network !== undefined && chance.percent(10) ? chance.below(4) : Number.POSITIVE_INFINITY;
    const executor: RemoteExecutor = {
      is: 'remote',
      gateway: life.gateway,
      address: REMOTE,
      idempotentMs: this.#knowsKeys ? REMEMBERED_MS : 0,
      settledMs: SETTLED_MS,
      concurrency: this.#concurrency,
    };
    try {
      const done = await act({
        executor: () => executor,
        clock: () => this.#now,
        interruption: () => (life.asked >= ends ? 143 : undefined),
      });
      if (done === 'nothing to do') {
        this.#tell(`${what}: nothing to do`);
        return otherwise;
      }
      this.#tell(`${what}: ${done.status}, exit ${done.exit}, ${JSON.stringify(done.lines)}`);
      return done;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.figures.kills += 1;
      this.#tell(`${what}: killed at request ${death!.at}, ${death!.how}`);
      return undefined;
    } finally {
      if (chance.percent(50)) await life.end();
      else this.#leftOver.push(life.end());
    }
  }

  readonly #leftOver: Promise<void>[] = [];

  #death(): Death {
    const chance = this.#chance;
    return {
      at: chance.below(chance.pick([1, 3, 10])),
      how: chance.pick(['before', 'under way', 'after']),
      afterMs: chance.below(40),
    };
  }

  /** Nothing that was sent is still under way. */
  async #settled(): Promise<void> {
    await Promise.all(this.#leftOver.splice(0));
    await sleep(20);
    await this.#proxy!.settled();
  }

  /** The process is started again much later. */
  async #late(): Promise<void> {
    await this.#settled();
    this.#pass(SETTLED_MS);
  }

  #pass(ms: number): void {
    this.#now += ms;
    this.#tell(`${ms / MINUTE} minutes pass`);
  }

  #tell(what: string): void {
    this.story.push(what);
  }

  #count(when: 'unknown' | 'left', { lines }: BatchDocument): void {
    const name = when === 'unknown' ? 'unknown' : 'of those left';
    if (this.#knowsKeys) this.figures[name === 'unknown' ? 'unknown with keys' : name] += lines.unknown;
    else this.figures[`${name} without keys`] += lines.unknown;
  }

  /** The figures of a document, finished or not, agree with each other. */
  #compareCounts(document: BatchDocument, { length }: readonly Line[]): void {
    const { total, ...rest } = document.lines;
    const { unknown } = rest;
    expect([total, Object.values(rest).reduce((sum, one) => sum + one, 0)]).toEqual([length, length]);
    expect(document.exit === 7, `exit ${document.exit} with ${unknown} unknown lines`).toBe(unknown > 0);
  }

  /** Every line is in the result once, as the document counts it, and what is said of it is so over there. */
  async #compare(document: BatchDocument, lines: readonly Line[]): Promise<void> {
    this.#compareCounts(document, lines);
    const said = results(document);
    expect(said.map(({ line }) => Number(line))).toEqual(lines.map((_, at) => at + 2));
    const outcomes = said.map(({ outcome }) => outcome!);
    const counts = Object.fromEntries(
      Object.keys(document.lines).map((name) => [name, outcomes.filter((one) => one === name).length]),
    );
    expect({ ...counts, total: lines.length }).toEqual(document.lines);
    this.#batches.set(document.batch, { document, lines, outcomes });
    await this.#compareLedger();
  }

  /** What is not through yet has done at least what it says. */
  async #compareSoFar({ batch, lines: { succeeded, pending } }: BatchDocument): Promise<void> {
    const others = [...this.#batches.values()].filter(({ document }) => document.batch !== batch);
    const said = others.flatMap(({ outcomes }) => outcomes.filter((one) => HAPPENED.has(one))).length;
    const done = [...(await this.#world.effects(this.#name)).values()].reduce((sum, one) => sum + one, 0);
    expect(done).toBeGreaterThanOrEqual(said + succeeded + pending);
  }

  /** What succeeded, and no more than what may have; and nothing twice that two lines do not tell apart. */
  async #compareLedger(): Promise<void> {
    const done = await this.#world.effects(this.#name);
    const said = new Map<string, { least: number; most: number; references: Set<string> }>();
    for (const { lines, outcomes } of this.#batches.values()) {
      for (const [at, { effect, fields }] of lines.entries()) {
        const one = getOrSet(said, effect, () => ({ least: 0, most: 0, references: new Set<string>() }));
        if (HAPPENED.has(outcomes[at]!)) one.least += 1;
        if (HAPPENED.has(outcomes[at]!) || outcomes[at] === 'unknown') one.most += 1;
        if (fields.reference !== undefined) one.references.add(fields.reference);
      }
    }
    const wrong = [...new Set([...done.keys(), ...said.keys()])].flatMap((effect) => {
      const times = done.get(effect) ?? 0;
      const { least, most, references } = said.get(effect) ?? NOTHING_SAID;
      const bound = Math.min(most, Math.max(1, references.size));
      return least <= times && times <= bound ? [] : [`${effect}: ${times} times, not ${least} to ${bound}`];
    });
    expect(wrong.join('\n')).toBe('');
  }
}

const HAPPENED: ReadonlySet<string> = new Set(['succeeded', 'pending']);

const NOTHING_SAID = { least: 0, most: 0, references: new Set<string>() };

type Network = { readonly deadlineMs: number; readonly attempts: number };

const NEVER_OPEN = { failures: Number.POSITIVE_INFINITY, coolMs: 1, longestMs: 1 };

function asked(result: unknown): BatchDocument | 'nothing to do' {
  if (typeof result === 'object' && result !== null && 'batch' in result) return result as BatchDocument;
  if (typeof result === 'object' && result !== null && 'refusal' in result) return 'nothing to do';
  throw new Error(`it is ${String(result)}`);
}
