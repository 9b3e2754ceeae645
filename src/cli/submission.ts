/** From the options of a command line to a submission: the same for every command that reads instruction files. */
import { basename } from 'node:path';
import type { Submission } from '../batch/submission.ts';
import type { Config } from '../config.ts';
import { submitter } from './compose.ts';
import { readControlFile, STDIN } from './files.ts';
import { gatewayNamed } from './gateways.ts';
import { expectedTotals, type ReadingArgs, readingOptions } from './options.ts';

export interface SubmissionArgs extends ReadingArgs {
  readonly operation: Submission['operation'] | undefined;
  readonly merchant: string | undefined;
  readonly account: string | undefined;
  readonly policy: Submission['policy'];
  readonly repeats: Submission['repeats'];
  readonly gateway: string | undefined;
}

/** What the command line and the control file beside it say about the file at `path`. */
export async function submissionOf(args: SubmissionArgs, config: Config, path: string): Promise<Submission> {
  const control = [await readControlFile(path), expectedTotals(args)].filter((one) => one !== undefined);
  return {
    path,
    name: path === STDIN ? 'stdin' : basename(path),
    ...(args.merchant === undefined ? {} : { merchantId: args.merchant }),
    ...(args.account === undefined ? {} : { accountId: args.account }),
    ...(args.operation === undefined ? {} : { operation: args.operation }),
    reading: { ...readingOptions(args), pain001: config.pain001 },
    gateway: gatewayNamed(config, args.gateway),
    policy: args.policy,
    repeats: args.repeats,
    control,
    ...submitter(config),
  };
}
