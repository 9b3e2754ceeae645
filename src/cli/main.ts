/** The entry point: parses the command line, runs one command and sets the exit code, here and nowhere else. */
import { EXIT } from '../batch/exit.ts';
import { failureOf } from './failure.ts';
import { parseCommandLine } from './program.ts';

/** Runs the program with these arguments (without node and script). */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that closes the pipe early, such as `head`, is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.done);
    throw error;
  });
  try {
    process.exitCode = await parseCommandLine(argv);
  } catch (error) {
    process.exitCode = explain(error);
  }
}

/** Tells the user what went wrong, and returns the exit code for it. */
function explain(error: unknown): number {
  const { exit, message, hint } = failureOf(error);
  process.stderr.write(`batchgate: ${message}\n`);
  if (hint !== undefined) process.stderr.write(`${hint}\n`);
  return exit;
}
