/** Which files of an inbox are ready to be claimed, in the order in which they are to run. */
import { existsSync } from 'node:fs';
import { CONTROL, MARKER } from '../../files/inbox/names.ts';
import { endsLine, scan, type Unreadable, type Waiting } from '../../files/inbox/scan.ts';
import { Settling } from '../../files/inbox/settling.ts';
import { readControl } from '../control.ts';

/** What tells that a file is complete: nothing changes any more, or a marker or control file beside it. */
export type Completion = 'settle' | 'marker' | 'control';

/** A file that can be claimed. */
export interface Arrival extends Waiting {
  /** It came without a final line end. */
  readonly cutOff: boolean;
}

export interface Look {
  readonly ready: readonly Arrival[];
  /** How many more files lie there and are not complete yet. */
  readonly unready: number;
  readonly unreadable: readonly Unreadable[];
}

export class Arrivals {
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
  async look(now: number): Promise<Look> {
    const { files, unreadable } = await scan(this.#inbox);
    const problems = [...unreadable];
    this.#settling.keepOnly(new Set(files.map(({ path }) => path)));
    const ready: Arrival[] = [];
    for (const file of files) {
      try {
        const cutOff = await this.#isCutOff(file, now);
        if (cutOff !== undefined) ready.push({ ...file, cutOff });
      } catch (error) {
        // It may be gone already; what may not be read waits until somebody mends that.
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        if (code !== 'ENOENT') problems.push({ path: file.path, why: code });
      }
    }
    const failed = problems.filter(({ path }) => files.some((file) => file.path === path)).length;
    return {
      ready: await inOrder(ready),
      unready: files.length - ready.length - failed,
      unreadable: problems,
    };
  }

  /** Undefined while the file is not complete. */
  async #isCutOff({ path, place, stats }: Waiting, now: number): Promise<boolean | undefined> {
    // A link, a pipe or a device never becomes a file by waiting; it is refused.
    if (!stats.isFile()) return false;
    const look = { size: stats.size, modified: stats.mtimeMs, inode: stats.ino };
    const readiness = this.#settling.observe(path, look, now);
    const completion = this.#completionOf(place);
    const beside = completion === 'marker' ? MARKER : CONTROL;
    if (completion !== 'settle' && !existsSync(path + beside)) return undefined;
    if (readiness === 'changing' && completion !== 'marker') return undefined;
    const cutOff = stats.size > 0 && !(await endsLine(path, stats.size));
    if (completion === 'settle' && cutOff && readiness !== 'settled long ago') return undefined;
    return cutOff;
  }
}

/** By sequence within a folder where senders number their files, else by arrival. */
async function inOrder(ready: readonly Arrival[]): Promise<readonly Arrival[]> {
  const sequenced = await Promise.all(
    ready.map(async (file) => {
      const control = await readControl(file.path + CONTROL).catch(() => undefined);
      return {
        file,
        sequence: control !== undefined && 'sequence' in control ? control.sequence : undefined,
      };
    }),
  );
  const byArrival = sequenced.sort(
    (a, b) => a.file.stats.mtimeMs - b.file.stats.mtimeMs || (a.file.name < b.file.name ? -1 : 1),
  );
  const numbered = byArrival.filter(({ sequence }) => sequence !== undefined);
  const bySequence = [...numbered].sort((a, b) => a.sequence! - b.sequence!);
  // Numbered files take the places of numbered files; the others keep theirs.
  return byArrival.map((one) => (one.sequence === undefined ? one : bySequence.shift()!).file);
}
