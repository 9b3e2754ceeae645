/** The built program, loaded once and forked for every file that it is to execute under faults. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BatchDocument } from '../../../src/report/document.ts';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

/** A file that takes longer than this hangs. */
const MOST_SECONDS = 20;

/** One file to execute. */
export interface Job {
  /** The data directory. */
  readonly root: string;
  readonly path: string;
  /** What goes wrong, such as `eio@12,power@end` (shim.c); empty for nothing. */
  readonly plan: string;
  readonly seed: number;
  readonly concurrency: number;
  readonly now: number;
  /** Somebody else has the database open all the time. */
  readonly held: boolean;
}

/** How the program ended. */
export interface Ended {
  /** Undefined when it was killed. */
  readonly exit: number | undefined;
  /** It was killed for taking too long, or by something that no plan names. */
  readonly lost: string | undefined;
  /** Calls counted, and how many of them met a fault. */
  readonly calls: number;
  readonly met: number;
  /** The call that met the first fault, and on which file: `rename /work/B…/input`. */
  readonly what: string;
  readonly document: BatchDocument | undefined;
  /** What the user is told when there is no document. */
  readonly message: string | undefined;
}

const SIGKILL = 9;

export class Forked {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  /** Folder for what belongs to no data directory. */
  readonly #folder: string;

  private constructor(process: ChildProcess, reader: Interface, folder: string) {
    this.#process = process;
    this.#reader = reader;
    this.#lines = reader[Symbol.asyncIterator]();
    this.#folder = folder;
  }

  /**
   * @param dist folder of the build
   * @param folder one of its own, in the same file system as the data directories
   * @param warming executed once and thrown away, so that what follows is quick
   * @param script what is forked
   */
  static async start(
    library: string,
    dist: string,
    folder: string,
    warming: Job,
    script = CHILD,
  ): Promise<Forked> {
    const child = spawn(process.execPath, ['--single-threaded', script, dist], {
      env: { ...process.env, LD_PRELOAD: library },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const forked = new Forked(child, createInterface({ input: child.stdout! }), folder);
    const line = await forked.#send(warming);
    if (line !== 'warm') throw new Error(`the program cannot be loaded from ${dist}: ${line}`);
    return forked;
  }

  /** Executes a file in a process of its own. One at a time. */
  async run(job: Job): Promise<Ended> {
    const line = await this.#send(job);
    const [status, calls, met, ...what] = line.split(' ');
    const signal = Number(status) & 0x7f;
    const exit = Number(status) >> 8;
    const answer = signal === 0 ? this.#answer() : undefined;
    const isKilled = signal === SIGKILL && Number(met) > 0;
    return {
      exit: signal === 0 ? exit : undefined,
      lost: signal === 0 || isKilled ? undefined : `signal ${signal}`,
      calls: Number(calls),
      met: Number(met),
      what: what.join(' '),
      document: answer?.document,
      message: answer?.message,
    };
  }

  close(): void {
    this.#process.stdin!.end();
    this.#reader.close();
  }

  get #answerPath(): string {
    return `${this.#folder}/answer`;
  }

  #answer(): { readonly document?: BatchDocument; readonly message?: string } {
    const text = readFileSync(this.#answerPath, 'utf8');
    rmSync(this.#answerPath);
    return JSON.parse(text);
  }

  async #send(job: Job): Promise<string> {
    const given = { ...job, lost: this.#folder, seconds: MOST_SECONDS, answer: this.#answerPath };
    this.#process.stdin!.write(`${JSON.stringify(given)}\n`);
    const { value } = await this.#lines.next();
    if (value === undefined) throw new Error(`the program ended while it executed ${JSON.stringify(job)}`);
    return value;
  }
}
