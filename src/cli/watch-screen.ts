/** What `watch` shows: a line for each file that came or ended, and on a terminal a last line that is always new. */
import { clearLine, cursorTo } from 'node:readline';
import type { OnProgress } from '../batch/context.ts';
import type { Folders } from '../batch/folders.ts';
import type { WatchEvent } from '../batch/watch/watcher.ts';
import type { Config } from '../config.ts';
import type { ClaimedFile } from '../files/inbox/claim.ts';
import { failureOf } from './failure.ts';
import { counted, printable, quoted, say, showsColor } from './output.ts';
import { batchLine, colorsOf } from './summary.ts';

/** The live line is drawn anew this often at most. */
const DRAW_EVERY_MS = 200;

export class WatchScreen {
  readonly #args: { readonly json: boolean; readonly quiet: boolean; readonly once: boolean };
  readonly #colors: ReturnType<typeof colorsOf>;
  readonly #isLive: boolean;
  #waiting = 0;
  #over = 0;
  #current = '';
  #drawn = 0;

  constructor(
    args: { readonly json: boolean; readonly quiet: boolean; readonly once: boolean },
    config: Config,
    folders: Folders,
  ) {
    this.#args = args;
    this.#colors = colorsOf(showsColor(config.color));
    this.#isLive = !args.quiet && process.stderr.isTTY === true;
    if (!args.quiet) say(`watching ${folders.inbox}; results go to ${folders.outbox}`);
  }

  show(event: WatchEvent): void {
    this.#clear();
    if (event.is === 'claimed' || event.is === 'over') this.#waiting = event.waiting;
    if (event.is === 'over') {
      this.#over += 1;
      this.#current = '';
    }
    this.#tell(event);
    this.#draw();
  }

  /** Progress of one file, for the live line. */
  progressOf(file: ClaimedFile): OnProgress {
    const begun = performance.now();
    return (phase, lines, total) => {
      const seconds = Math.max(0.001, (performance.now() - begun) / 1000);
      const of = total === undefined ? '' : ` of ${total}`;
      this.#current = `${printable(file.name)}: ${phase} ${lines}${of} lines, ${Math.round(lines / seconds)}/s`;
      if (performance.now() - this.#drawn >= DRAW_EVERY_MS) this.#draw();
    };
  }

  end(): void {
    this.#clear();
  }

  #tell(event: WatchEvent): void {
    const { json, quiet, once } = this.#args;
    switch (event.is) {
      case 'claimed':
        if (!quiet) say(`claimed ${shown(event.file)}`);
        return;
      case 'over':
        if (json && !once) process.stdout.write(`${JSON.stringify(event.document)}\n`);
        else if (!json) process.stdout.write(`${batchLine(event.document, this.#colors, event.file.name)}\n`);
        return;
      case 'trouble': {
        const { message, hint } = failureOf(event.why);
        say(`${shown(event.file)} stays claimed: ${message}${hint === undefined ? '' : ` ${hint}`}`);
        return;
      }
      case 'unreadable':
        say(`${quoted(printable(event.path))} is left where it is: ${event.why}`);
    }
  }

  #draw(): void {
    if (!this.#isLive) return;
    this.#clear();
    const idle = this.#waiting === 0 ? 'nothing to do' : '';
    const waiting = this.#waiting === 0 ? '' : `, ${counted(this.#waiting, 'file')} waiting`;
    process.stderr.write(
      this.#colors
        .dim(`${this.#current || idle}${waiting}, ${this.#over} done`)
        .slice(0, process.stderr.columns),
    );
    this.#drawn = performance.now();
  }

  #clear(): void {
    if (!this.#isLive) return;
    cursorTo(process.stderr, 0);
    clearLine(process.stderr, 0);
  }
}

function shown({ place, name }: ClaimedFile): string {
  return printable([...place, name].join('/'));
}
