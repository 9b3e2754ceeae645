/** `batchgate serve` as a process of its own, on a port that the system chooses. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/batchgate.js', import.meta.url));

/** It must listen within this time, on a machine that does other things too. */
const PATIENCE_MS = 30_000;

export class Served {
  readonly url: string;
  readonly #child: ChildProcess;
  /** Everything that it has logged. */
  readonly #log: readonly string[];

  private constructor(url: string, child: ChildProcess, log: readonly string[]) {
    this.url = url;
    this.#child = child;
    this.#log = log;
  }

  /** @param data a data directory */
  static async start(data: string): Promise<Served> {
    const args = [PROGRAM, 'serve', '--port', '0', '--data', data];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const log: string[] = [];
    const url = new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`serve is silent\n${log.join('')}`)), PATIENCE_MS);
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log.push(text);
        const found = /listening on (\S+)/.exec(log.join(''))?.[1];
        if (found === undefined) return;
        clearTimeout(late);
        resolve(found);
      });
      child.once('exit', (code) => reject(new Error(`serve ended with ${code}\n${log.join('')}`)));
    });
    return new Served(await url, child, log);
  }

  get log(): string {
    return this.#log.join('');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
