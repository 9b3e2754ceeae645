/** The last line of `watch` on a terminal: what is being done, how fast, and how much waits. Contract, "Command line". */
import type { Phase } from '../batch/context.ts';
import type { WatchEvent } from '../batch/watch/watcher.ts';
import type { ClaimedFile } from '../files/inbox/claim.ts';
import { printable } from './output.ts';

/** A look at one file at work. */
interface Look {
  readonly phase: Phase;
  readonly lines: number;
  readonly total: number | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: number;
}

interface AtWork {
  readonly name: string;
  readonly look: Look;
  /** Where the phase began. */
  readonly since: Look;
}

/** Of several files the one that is furthest from idle is shown. */
const RANK: readonly Phase[] = ['executing', 'reading', 'reporting'];

export class LiveLine {
  readonly #atWork = new Map<string, AtWork>();
  /** Claims that have not come to an end. */
  readonly #open = new Set<string>();
  #done = 0;

  take(event: WatchEvent): void {
    if (event.is === 'left') return;
    const { claim } = event.file;
    if (event.is === 'claimed') this.#open.add(claim);
    else this.#atWork.delete(claim);
    if (event.is !== 'over') return;
    this.#open.delete(claim);
    this.#done += 1;
  }

  progress({ claim, name }: ClaimedFile, look: Look): void {
    const before = this.#atWork.get(claim);
    const since = before?.look.phase === look.phase ? before.since : look;
    this.#atWork.set(claim, { name, look, since });
  }

  /** @param width characters at most */
  text(width: number): string {
    const files = [...this.#atWork.values()];
    const shown = RANK.flatMap((phase) => files.filter(({ look }) => look.phase === phase))[0];
    const waiting = this.#open.size - (shown === undefined ? 0 : 1);
    const counts = `${waiting > 0 ? `${waiting} waiting, ` : ''}${this.#done} done`;
    if (shown === undefined) return `${waiting > 0 ? '' : 'nothing to do; '}${counts}`.slice(0, width);
    const doing = ` ${doingOf(shown)}; ${counts}`;
    const name = printable(shown.name);
    const room = Math.max(8, width - doing.length);
    return `${name.length > room ? `${name.slice(0, room - 1)}…` : name}${doing}`.slice(0, width);
  }
}

function doingOf({ look, since }: AtWork): string {
  const { phase, lines, total, now } = look;
  const seconds = (now - since.now) / 1000;
  const perSecond = seconds > 0 ? (lines - since.lines) / seconds : 0;
  const of = total === undefined ? '' : ` of ${total}`;
  const rate = perSecond >= 1 ? `, ${Math.round(perSecond)}/s` : '';
  const left =
    total === undefined || perSecond < 1 ? '' : `, ${Math.ceil((total - lines) / perSecond)} s left`;
  return `${phase} ${lines}${of} lines${rate}${left}`;
}
