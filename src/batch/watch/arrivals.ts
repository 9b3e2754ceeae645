/** Which files of an inbox are ready to be claimed, in the order in which they are to run. */
import type { Stats } from 'node:fs';
import { getOrSet } from '../../core/get-or-set.ts';
import { operationOfFileName } from '../../core/operation.ts';
import { CONTROL } from '../../files/inbox/names.ts';
import { codeOf, endsLine, type Left, scan, type Waiting } from '../../files/inbox/scan.ts';
import { type Readiness, Settling } from '../../files/inbox/settling.ts';
import { readControl } from '../control.ts';

/** What tells that a file is complete: nothing changes any more, or a marker or control file beside it. */
export type Completion = 'settle' | 'marker' | 'control';

export interface Arrivals {
  readonly ready: readonly Waiting[];
  /** How many more files are ready once they have been quiet for long enough. */
  readonly settling: number;
  /** How many wait for their marker or control file. */
  readonly unannounced: number;
  readonly left: readonly Left[];
  /** The folders that were looked into. */
  readonly folders: readonly string[];
}

type State = 'ready' | 'settling' | 'unannounced' | 'gone';

export class Lookout {
  readonly #inbox: string;
  readonly #settling: Settling;
  readonly #completionOf: (place: readonly string[]) => Completion;

  /** @param settle milliseconds without a change after which a file is complete */
  constructor(inbox: string, settle: number, completionOf: (place: readonly string[]) => Completion) {
    this.#inbox = inbox;
    this.#settling = new Settling(settle);
    this.#completionOf = completionOf;
  }

  /** @param now milliseconds of a monotonic clock */
  async look(now: number): Promise<Arrivals> {
    const { files, left, folders } = await scan(this.#inbox);
    const unreadable: Left[] = [];
    this.#settling.keepOnly(new Set(files.flatMap(({ path }) => [path, path + CONTROL])));
    const byState: Record<State, Waiting[]> = { ready: [], settling: [], unannounced: [], gone: [] };
    for (const file of files) {
      try {
        byState[await this.#stateOf(file, now)].push(file);
      } catch (error) {
        // What may not be read waits until somebody mends that.
        unreadable.push({ is: 'unreadable', path: file.path, why: codeOf(error) });
      }
    }
    const { ready, settling, unannounced } = byState;
    return {
      ready: await inOrder(ready),
      settling: settling.length,
      unannounced: unannounced.length,
      left: [...left, ...unreadable],
      folders,
    };
  }

  async #stateOf({ path, place, stats, hasMarker, control }: Waiting, now: number): Promise<State> {
    // A link, a pipe or a device never becomes a file by waiting; it is refused.
    if (!stats.isFile()) return 'ready';
    const readiness = this.#observe(path, stats, now);
    const ofControl = control === undefined ? 'settled' : this.#observe(path + CONTROL, control, now);
    const completion = this.#completionOf(place);
    if (completion === 'marker') return hasMarker ? readable(path) : 'unannounced';
    if (completion === 'control' && control === undefined) return 'unannounced';
    // A control file that is still being written would reject the file.
    if (readiness === 'changing' || ofControl === 'changing') return 'settling';
    if (completion === 'control' || stats.size === 0) return readable(path);
    const cutOff = await isCutOff(path);
    if (cutOff === undefined) return 'gone';
    return cutOff && readiness !== 'settled long ago' ? 'settling' : 'ready';
  }

  #observe(path: string, { size, mtimeMs, ino }: Stats, now: number): Readiness {
    return this.#settling.observe(path, { size, modified: mtimeMs, inode: ino }, now);
  }
}

async function readable(path: string): Promise<State> {
  return (await isCutOff(path)) === undefined ? 'gone' : 'ready';
}

/**
 * Whether the file has no final line end; undefined when it is gone, or no file any more.
 * @throws a system's error when it may not be read
 */
async function isCutOff(path: string): Promise<boolean | undefined> {
  try {
    return !(await endsLine(path));
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENXIO'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** By arrival; files of one folder and operation that their sender has numbered change places with each other. */
async function inOrder(ready: readonly Waiting[]): Promise<readonly Waiting[]> {
  const byArrival = [...ready].sort(
    (a, b) => a.stats.mtimeMs - b.stats.mtimeMs || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  const numbered = new Map<string, { readonly file: Waiting; readonly sequence: number }[]>();
  for (const file of byArrival) {
    const sequence = await sequenceOf(file);
    if (sequence === undefined) continue;
    getOrSet(numbered, seriesOf(file), () => []).push({ file, sequence });
  }
  const inSeries = new Set([...numbered.values()].flatMap((series) => series.map(({ file }) => file)));
  for (const series of numbered.values()) series.sort((a, b) => a.sequence - b.sequence);
  return byArrival.map((file) => (inSeries.has(file) ? numbered.get(seriesOf(file))!.shift()!.file : file));
}

/** Senders number per account and operation; other files may build on each other and keep their places. */
function seriesOf({ name, place }: Waiting): string {
  return [...place, operationOfFileName(name) ?? ''].join('/');
}

async function sequenceOf({ path, control }: Waiting): Promise<number | undefined> {
  if (control === undefined) return undefined;
  const stated = await readControl(path + CONTROL).catch(() => undefined);
  return stated !== undefined && 'sequence' in stated ? stated.sequence : undefined;
}
