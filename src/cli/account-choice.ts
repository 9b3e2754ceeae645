/** Naming an account on the command line: by its ids, or not at all where there is only one. */
import type { Argv } from 'yargs';
import { nameOf } from '../batch/accounts.ts';
import { type KnownAccount, readAccounts } from '../ledger/accounts.ts';
import type { Opened } from './compose.ts';
import { UsageError } from './errors.ts';

export interface AccountArgs {
  readonly merchant: string | undefined;
  readonly account: string | undefined;
}

export function withAccount<T>(yargs: Argv<T>) {
  return yargs
    .option('merchant', {
      type: 'string',
      requiresArg: true,
      describe: 'merchant id; not needed where one account fits',
    })
    .option('account', {
      type: 'string',
      requiresArg: true,
      describe: 'account id; not needed where one account fits',
    });
}

/** The accounts that the arguments do not exclude. */
export async function fittingAccounts(
  { database }: Opened,
  { merchant, account }: AccountArgs,
): Promise<readonly KnownAccount[]> {
  const all = await readAccounts(database.reads);
  if (all.length === 0) {
    throw new UsageError(
      'there is no account yet',
      'Add one: batchgate account add --merchant M1 --account A1 --currency USD',
    );
  }
  const fitting = all.filter(
    ({ merchantId, accountId }) =>
      merchantId === (merchant ?? merchantId) && accountId === (account ?? accountId),
  );
  if (fitting.length > 0) return fitting;
  throw new UsageError(
    `there is no account ${merchant ?? '…'}/${account ?? '…'}`,
    'See: batchgate account list',
  );
}

/** The one account that fits. */
export async function chosenAccount(opened: Opened, args: AccountArgs): Promise<KnownAccount> {
  const [only, ...others] = await fittingAccounts(opened, args);
  if (others.length === 0) return only!;
  const names = [only!, ...others].slice(0, 5).map(nameOf).join(', ');
  throw new UsageError(
    `${others.length + 1} accounts fit: ${names}`,
    'Name one with --merchant and --account.',
  );
}
