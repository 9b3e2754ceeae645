/** The control file beside an instruction file: what its sender states about it. Contract, "Control totals". */
import { lstat, readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { ControlTotals } from './submission.ts';

const controlFile = z.strictObject({
  rows: z.int().nonnegative().optional(),
  totals: z.record(z.string(), z.string()).optional(),
  sha256: z.string().optional(),
  sequence: z.int().positive().optional(),
  environment: z.string().optional(),
});

/** A hundred times what a control file needs. */
const LARGEST_BYTES = 64 * 1024;

/**
 * Reads a control file.
 * @returns undefined when there is none, or what is wrong with it in words
 */
export async function readControl(
  path: string,
): Promise<ControlTotals | { readonly fault: string } | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  // Nobody waits for a pipe, and no link leads out of the folder.
  if (!stats.isFile()) return { fault: 'the control file is not a plain file' };
  if (stats.size > LARGEST_BYTES) return { fault: `the control file is larger than ${LARGEST_BYTES} bytes` };
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return { fault: 'the control file is not valid JSON' };
  }
  const parsed = controlFile.safeParse(content);
  if (parsed.success) return withoutUndefined(parsed.data);
  const [issue] = parsed.error.issues;
  return { fault: `the control file: ${issue!.path.join('.') || 'the whole'}: ${issue!.message}` };
}

function withoutUndefined(control: z.output<typeof controlFile>): ControlTotals {
  return Object.fromEntries(Object.entries(control).filter(([, value]) => value !== undefined));
}
