/** Progress on standard error: a bar with rate and time left on a terminal, else a line every few seconds. */
import { type GenericFormatter, Presets, SingleBar } from 'cli-progress';
import type { OnProgress, Phase } from '../batch/context.ts';

const LINE_EVERY_MS = 5_000;

const WORDS: Readonly<Record<Phase, string>> = {
  reading: 'reading',
  executing: 'executing',
  reporting: 'writing reports',
};

export interface Progress {
  readonly on: OnProgress;
  end(): void;
}

/** Progress for one file, or silence. */
export function progressFor(file: string, quiet: boolean): Progress {
  if (quiet) return { on: () => undefined, end: () => undefined };
  return process.stderr.isTTY ? bar(file) : lines(file);
}

function bar(file: string): Progress {
  let shown: SingleBar | undefined;
  let phase: Phase | undefined;
  const end = () => {
    shown?.stop();
    shown = undefined;
  };
  return {
    on(next, count, total) {
      if (next !== phase) {
        end();
        phase = next;
        shown = start(`${file}: ${WORDS[next]}`, total);
      }
      shown?.update(count);
    },
    end,
  };
}

function start(title: string, total: number | undefined): SingleBar {
  const format =
    total === undefined
      ? `${title} {value} lines, {seconds}`
      : `${title} {bar} {percentage}% | {value}/{total} | {rate}/s | {left} left`;
  const made = new SingleBar(
    { format: withRate(format), stream: process.stderr, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  made.start(total ?? 0, 0);
  return made;
}

/** cli-progress knows no rate; it is made from what it does know. */
function withRate(format: string): GenericFormatter {
  return (options, params) => {
    const seconds = Math.max(0.001, (Date.now() - params.startTime) / 1000);
    const size = options.barsize ?? 40;
    const filled = Math.round(Math.min(1, params.progress) * size);
    const bar =
      String(options.barCompleteString).slice(0, filled) +
      String(options.barIncompleteString).slice(0, size - filled);
    const left =
      params.total > 0 && params.value > 0
        ? ((params.total - params.value) * seconds) / params.value
        : Number.NaN;
    return format
      .replace('{bar}', bar)
      .replace('{percentage}', String(Math.floor(params.progress * 100)))
      .replaceAll('{value}', String(params.value))
      .replace('{total}', String(params.total))
      .replace('{rate}', String(Math.round(params.value / seconds)))
      .replace('{left}', Number.isNaN(left) ? '…' : `${Math.ceil(left)} s`)
      .replace('{seconds}', `${Math.round(seconds)} s`);
  };
}

function lines(file: string): Progress {
  const started = Date.now();
  let last = started;
  return {
    on(phase, count, total) {
      const now = Date.now();
      if (now - last < LINE_EVERY_MS) return;
      last = now;
      const of = total === undefined ? '' : ` of ${total}`;
      process.stderr.write(
        `${file}: ${WORDS[phase]}, ${count}${of} lines after ${Math.round((now - started) / 1000)} s\n`,
      );
    },
    end: () => undefined,
  };
}
