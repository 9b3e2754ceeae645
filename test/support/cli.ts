/** The command line in tests: in this process, which is quick, or as a process of its own, which is the real thing. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { DEMO_FILES } from '../../src/cli/demo.ts';
import { failureOf } from '../../src/cli/failure.ts';
import { parseCommandLine } from '../../src/cli/program.ts';

export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process. */
export async function command(...args: readonly string[]): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const outSpy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => out.push(String(chunk)) > 0);
  const errSpy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => err.push(String(chunk)) > 0);
  try {
    const exit = await parseCommandLine(args).catch((error: unknown) => {
      const failure = failureOf(error);
      err.push([failure.message, failure.hint ?? ''].join('\n'));
      return failure.exit;
    });
    return { exit, out: out.join(''), err: err.join('') };
  } finally {
    outSpy.mockRestore();
    errSpy.mockRestore();
  }
}

const PROGRAM = fileURLToPath(new URL('../../bin/batchgate.js', import.meta.url));

/** Runs the built program as its own process. */
export async function batchgate(
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: options.cwd, stdio: 'pipe' });
  child.stdin.end(options.input ?? '');
  const exited = new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? -1));
  });
  const [out, err, exit] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { exit, out, err };
}

/** A folder of its own with a data directory in it. */
export class CliSandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'batchgate-cli-'));
  readonly data = join(this.folder, 'data');

  /** Runs a command on this data directory, in this process. */
  run(...args: readonly string[]): Promise<Ended> {
    return command(...args, '--data', this.data);
  }

  /** The same with --json, and its document. */
  async json<T>(...args: readonly string[]): Promise<T> {
    const { out, err } = await this.run(...args, '--json');
    if (out === '') throw new Error(err);
    return JSON.parse(out) as T;
  }

  sample(name: string): string {
    return join(this.data, 'samples', name);
  }

  /** A copy that can be damaged. */
  copy(): CliSandbox {
    const copied = new CliSandbox();
    cpSync(this.data, copied.data, { recursive: true, preserveTimestamps: true });
    return copied;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A data directory with account M1/A1, the 40 sample transactions and the sample files. */
export async function makeSandbox(): Promise<CliSandbox> {
  const sandbox = new CliSandbox();
  const { exit, err } = await sandbox.run('init', '--demo');
  if (exit !== 0) throw new Error(err);
  return sandbox;
}

/** The same with all sample files executed. */
export async function makeExecutedSandbox(): Promise<CliSandbox> {
  const sandbox = await makeSandbox();
  await sandbox.run('run', ...DEMO_FILES.map((name) => sandbox.sample(name)), '--quiet');
  return sandbox;
}
