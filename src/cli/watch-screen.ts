/** What `watch` shows: a line for each file that came or ended, and on a terminal a last line that is always new. */
import { clearLine, cursorTo } from 'node:readline';
import type { OnProgress } from '../batch/context.ts';
import type { Folders } from '../batch/folders.ts';
import type { WatchEvent } from '../batch/watch/watcher.ts';
import type { Config } from '../config.ts';
import type { ClaimedFile } from '../files/inbox/claim.ts';
import { failureOf } from './failure.ts';
import { printable, quoted, say, showsColor } from './output.ts';
import { batchLine, colorsOf } from './summary.ts';
import { LiveLine } from './watch-line.ts';

/** The live line is drawn anew this often at most. */
const DRAW_EVERY_MS = 200;

interface ScreenArgs {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly once: boolean;
}

export class WatchScreen {
  readonly #args: ScreenArgs;
  readonly #colors: ReturnType<typeof colorsOf>;
  #isLive: boolean;
  readonly #line = new LiveLine();
  /** What was said last of a file that stays claimed, so that it is said once and not at every try. */
  readonly #said = new Map<string, string>();
  #drawn = 0;

  constructor(args: ScreenArgs, config: Config, folders: Folders) {
    this.#args = args;
    this.#colors = colorsOf(showsColor(config.color));
    this.#isLive = !args.quiet && process.stderr.isTTY === true;
    if (!args.quiet) say(`watching ${folders.inbox}; results go to ${folders.outbox}`);
    this.#draw();
  }

  show(event: WatchEvent): void {
    this.#clear();
    this.#line.take(event);
    this.#tell(event);
    this.#draw();
  }

  /** Progress of one file, for the live line. */
  progressOf(file: ClaimedFile): OnProgress {
    return (phase, lines, total) => {
      const now = performance.now();
      this.#line.progress(file, { phase, lines, total, now });
      if (now - this.#drawn >= DRAW_EVERY_MS) this.#draw();
    };
  }

  /** Shows no live line any more. */
  end(): void {
    this.#clear();
    this.#isLive = false;
  }

  #tell(event: WatchEvent): void {
    const { json, quiet, once } = this.#args;
    switch (event.is) {
      case 'claimed':
        if (!quiet) say(`claimed ${shown(event.file)}`);
        return;
      case 'over':
        this.#said.delete(event.file.claim);
        if (json && !once) process.stdout.write(`${JSON.stringify(event.document)}\n`);
        else if (!json)
          process.stdout.write(`${batchLine(event.document, this.#colors, shownName(event.file))}\n`);
        return;
      case 'interrupted': {
        const why = event.document.errors.map(
          ({ code, message, hint = '' }) => `${code}: ${message} ${hint}`,
        );
        this.#sayStays(event.file, printable(why.join(' ')) || 'it goes on with the next watcher');
        return;
      }
      case 'trouble': {
        const { message, hint = '' } = failureOf(event.why);
        this.#sayStays(event.file, `${message} ${hint}`);
        return;
      }
      case 'postponed':
        this.#sayStays(event.file, `it waits for ${shown(event.behind)}`);
        return;
      case 'left':
        say(`${quoted(printable(event.left.path))} is left where it is: ${event.left.why}`);
    }
  }

  #sayStays(file: ClaimedFile, why: string): void {
    if (this.#said.get(file.claim) === why) return;
    this.#said.set(file.claim, why);
    say(`${shown(file)} stays claimed: ${why.trim()}`);
  }

  #draw(): void {
    if (!this.#isLive) return;
    this.#clear();
    const width = (process.stderr.columns ?? 80) - 1;
    process.stderr.write(this.#colors.dim(this.#line.text(width)));
    this.#drawn = performance.now();
  }

  #clear(): void {
    if (!this.#isLive) return;
    cursorTo(process.stderr, 0);
    clearLine(process.stderr, 0);
  }
}

function shown(file: ClaimedFile): string {
  return printable(shownName(file));
}

function shownName({ place, name }: ClaimedFile): string {
  return [...place, name].join('/');
}
