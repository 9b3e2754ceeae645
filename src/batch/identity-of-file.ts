/** When two submissions are the same, and the ids that follow from it. Contract, "The same file again". */
import { createHash } from 'node:crypto';
import { termsOf } from '../files/iso20022/pain001-terms.ts';
import { contentId, ID_CHARACTERS, ID_DIGITS } from '../wire/content-id.ts';
import type { Preflight } from './preflight.ts';
import type { Submission } from './submission.ts';

/** What an id of a batch looks like. */
export const BATCH_ID = new RegExp(`^B[${ID_DIGITS}]{${ID_CHARACTERS}}$`);

/** Equal for the same bytes, environment, gateway, accounts, operation and reading options. */
export function samenessOf(
  sha256: string,
  submission: Submission,
  { operation, shape }: Pick<Preflight, 'operation' | 'shape'>,
  environment: string,
): string {
  const { encoding, delimiter, style, pain001 } = submission.reading;
  return sha256Of([
    sha256,
    environment,
    submission.gateway,
    submission.merchantId ?? null,
    submission.accountId ?? null,
    operation,
    encoding ?? null,
    delimiter ?? null,
    style.decimal,
    style.thousands,
    ...(shape?.format === 'pain001' ? [termsOf(pain001)] : []),
  ]).toString('hex');
}

/**
 * The id of the nth batch of the same submission. It follows from the content alone, so that an interrupted run and an
 * uninterrupted one write the same reports.
 */
export function batchIdOf(sameness: string, nth: number): string {
  return contentId('B', [sameness, nth]);
}

function sha256Of(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
