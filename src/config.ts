/**
 * The configuration: flags, then environment variables (`BATCHGATE_*`), then `batchgate.yaml` in the data directory. The
 * only reader of process.env. Secrets are never among them: keys are files.
 */
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { digitsOf } from './core/currency.ts';
import { parseAmount } from './core/money.ts';

/** Chunks in flight at most: two full commits of the embedded engine, so that one is read while the other is written. */
const DEFAULT_CONCURRENCY = 400;

export const CONFIG_FILE = 'batchgate.yaml';

const feeRule = z
  .strictObject({
    method: z.string().optional(),
    swift_charge_option: z.string().optional(),
    fee_paid_by: z.enum(['PAYER', 'BENEFICIARY', 'SHARED']).optional(),
    currency: z.string().refine((code) => digitsOf(code) !== undefined, 'must be an ISO 4217 code'),
    amount: z.string(),
  })
  .transform((rule, context) => {
    const fee = parseAmount(rule.amount, digitsOf(rule.currency) ?? 0);
    if (typeof fee === 'number') return { ...rule, fee };
    context.addIssue({
      code: 'custom',
      path: ['amount'],
      message: 'must be a decimal amount of the currency, for example "0.25"',
    });
    return z.NEVER;
  });

const fileSchema = z.strictObject({
  concurrency: z.int().min(1).max(10_000).optional(),
  payout_fees: z.array(feeRule).default([]),
});

export interface Config {
  /** Absolute path of the data directory. */
  readonly data: string;
  readonly concurrency: number;
  readonly payoutFees: z.output<typeof fileSchema>['payout_fees'];
  readonly color: boolean;
  readonly user: string;
}

/** A configuration that cannot be used: which setting, and why. */
export class BadConfig extends Error {}

export interface ConfigFlags {
  readonly data?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly color?: boolean | undefined;
}

/** Puts the three sources together; the first that says something counts. */
export function loadConfig(flags: ConfigFlags): Config {
  const { env } = process;
  const data = resolve(flags.data ?? env.BATCHGATE_DATA ?? 'batchgate-data');
  const file = readConfigFile(join(data, CONFIG_FILE));
  return {
    data,
    concurrency:
      wholeNumber('--concurrency', flags.concurrency) ??
      wholeNumber('BATCHGATE_CONCURRENCY', env.BATCHGATE_CONCURRENCY) ??
      file.concurrency ??
      DEFAULT_CONCURRENCY,
    payoutFees: file.payout_fees,
    color: wantsColor(flags.color),
    user: userName(),
  };
}

/** Colours unless --no-color or NO_COLOR (https://no-color.org) says otherwise; whether there is a terminal is not asked here. */
export function wantsColor(flag: boolean | undefined): boolean {
  const { NO_COLOR } = process.env;
  return (flag ?? true) && (NO_COLOR === undefined || NO_COLOR === '');
}

/** Who acts, for the audit: the person behind sudo, else the owner of the process. */
function userName(): string {
  const { SUDO_USER, USER, LOGNAME } = process.env;
  if (SUDO_USER !== undefined) return SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return USER ?? LOGNAME ?? 'unknown';
  }
}

function readConfigFile(path: string): z.output<typeof fileSchema> {
  if (!existsSync(path)) return fileSchema.parse({});
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    throw new BadConfig(
      `${path} is no valid YAML: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = fileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BadConfig(`${path}: ${issue!.path.join('.') || 'the file'}: ${issue!.message}`);
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new BadConfig(`${name} must be a whole number from 1 to 99999`);
  return Number(text);
}
