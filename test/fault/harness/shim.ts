/** Builds the library that spoils a process (shim.c), where that can be done. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('shim.c', import.meta.url));

/** Why it cannot be built here; undefined when it can. */
export function whyNoShim(): string | undefined {
  if (process.platform !== 'linux') return 'the fault harness needs Linux';
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'the fault harness needs a C compiler named cc';
  }
}

/** Builds it into a folder; returns its path. */
export function buildShim(folder: string): string {
  const library = join(folder, 'shim.so');
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-Wall', '-o', library, SOURCE, '-ldl', '-lpthread']);
  return library;
}
