/** Stopping and continuing all movement of money, in one account or in all. Contract, `pause` and `continue`. */
import type { KnownAccount } from '../ledger/accounts.ts';
import { appendAct } from '../ledger/audit.ts';
import type { Statements } from '../ledger/database.ts';
import { ALL_ACCOUNTS, deletePause, insertPause } from '../ledger/pauses.ts';
import { nameOf } from './accounts.ts';
import type { BatchContext } from './context.ts';
import type { Refusal } from './refusal.ts';

type Acting = Pick<BatchContext, 'database' | 'clock' | 'actor'>;

/** @param account undefined for all, also those that are added later */
export function pause(
  context: Acting,
  account: KnownAccount | undefined,
  why: string,
): Promise<Refusal | undefined> {
  const { database, clock, actor } = context;
  return database.write(async (statements) => {
    const number = account?.number ?? ALL_ACCOUNTS;
    const isNew = await insertPause(statements, { account: number, at: clock(), who: actor, reason: why });
    if (!isNew) return { refusal: `${subjectOf(account)} is paused already` };
    await audit(context, statements, 'pause', account, why);
    return undefined;
  });
}

export function unpause(
  context: Acting,
  account: KnownAccount | undefined,
  why: string,
): Promise<Refusal | undefined> {
  return context.database.write(async (statements) => {
    if (!(await deletePause(statements, account?.number ?? ALL_ACCOUNTS)))
      return { refusal: `${subjectOf(account)} is not paused` };
    await audit(context, statements, 'continue', account, why);
    return undefined;
  });
}

/** Who is paused or not, in words. */
export function subjectOf(account: KnownAccount | undefined): string {
  return account === undefined ? 'everything' : `account ${nameOf(account)}`;
}

function audit(
  { clock, actor }: Acting,
  statements: Statements,
  act: string,
  account: KnownAccount | undefined,
  why: string,
): Promise<void> {
  return appendAct(statements, {
    at: clock(),
    who: actor,
    act,
    subject: account === undefined ? 'all accounts' : nameOf(account),
    detail: JSON.stringify({ reason: why }),
  });
}
