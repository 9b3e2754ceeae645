/** When two submissions are the same, and the ids that follow from it. Contract, "The same file again". */
import { createHash } from 'node:crypto';
import type { Operation } from '../core/operation.ts';
import type { Submission } from './submission.ts';

/** Crockford's digits: no letter that is taken for a number, none that makes words. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 16 characters are 80 bits: no two files meet by chance. */
const ID_CHARACTERS = 16;

/** What an id of a batch looks like. */
export const BATCH_ID = new RegExp(`^B[${DIGITS}]{${ID_CHARACTERS}}$`);

/** Equal for the same bytes, environment, gateway, accounts, operation and reading options. */
export function samenessOf(
  sha256: string,
  submission: Submission,
  operation: Operation | 'mixed' | '',
  environment: string,
): string {
  const { encoding, delimiter, style } = submission.reading;
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
  ]).toString('hex');
}

/**
 * The id of the nth batch of the same submission. It follows from the content alone, so that an interrupted run and an
 * uninterrupted one write the same reports.
 */
export function batchIdOf(sameness: string, nth: number): string {
  const hash = sha256Of([sameness, nth]);
  let id = 'B';
  for (let at = 0; at < ID_CHARACTERS; at += 1) id += DIGITS[hash[at]! % DIGITS.length]!;
  return id;
}

function sha256Of(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
