/**
 * One group of requests in one database transaction: load what they name, decide them one after the other in memory (a
 * later one sees the earlier one's effects), write with a few many-row statements, answer.
 */
import { createHash } from 'node:crypto';
import { type PackedResult, packResult, unpackResult } from '../core/answer.ts';
import { type Reason, reason } from '../core/code.ts';
import type { Answer, Result } from '../core/gateway.ts';
import { together } from '../core/together.ts';
import { AccountBook, readAccountsNamed } from '../ledger/accounts.ts';
import { findAnswers, insertAnswers, type StoredAnswer } from '../ledger/answers.ts';
import { applyBalanceChanges } from '../ledger/balances.ts';
import type { Statements } from '../ledger/database.ts';
import { insertEvents } from '../ledger/events.ts';
import { appendTransfers } from '../ledger/transactions.ts';
import { decideEntries } from './entries.ts';
import { decidePayoutRequest, withRecord } from './payouts.ts';
import type { GroupRequest, OpenRequest } from './request.ts';
import type { PayoutSchedule } from './terms.ts';
import { loadWorkspace, usualOf, type Workspace } from './workspace.ts';

/** Nothing moves until somebody continues it; what was answered before is answered again. */
export const PAUSED: Reason = reason('E0002', 'the account is paused');

/** Executes the requests in order inside the transaction of `statements`; one answer each. */
export async function executeGroup(
  statements: Statements,
  requests: readonly GroupRequest[],
  schedule: PayoutSchedule,
  now: number,
): Promise<readonly Answer[]> {
  const accounts = new AccountBook(await readAccountsNamed(statements, distinctAccounts(requests)));
  const known = requests.map((request) => {
    const account = accounts.find(request.request.merchantId, request.request.accountId);
    return account === undefined ? undefined : { ...request, account };
  });
  // Each wait costs a turn of a busy event loop, so what does not depend on one another goes to SQLite together.
  const [keyed, workspace] = await together([
    storedAnswers(statements, known),
    loadWorkspace(
      statements,
      known.filter((request) => request !== undefined),
      now,
    ),
  ]);
  const answers: Answer[] = [];
  const fresh: StoredAnswer[] = [];
  for (const request of known) {
    if (request === undefined) {
      answers.push({ failure: reason('I0013') });
      continue;
    }
    const stored = keyed.get(keyOf(request));
    if (stored !== undefined) {
      answers.push(replay(request, stored, workspace));
      continue;
    }
    if (request.account.paused) {
      answers.push({ failure: PAUSED });
      continue;
    }
    const results =
      request.operation === 'payout'
        ? [decidePayoutRequest(request, workspace, schedule)]
        : decideEntries(request, workspace);
    answers.push({ results, at: now });
    const { idempotencyKey } = request.options;
    if (idempotencyKey !== undefined) {
      const answer = newAnswer(request, idempotencyKey, results, now);
      fresh.push(answer);
      keyed.set(keyOf(request), answer);
    }
  }
  await together([
    workspace.writePayouts(statements),
    appendTransfers(statements, workspace.transfers, now),
    applyBalanceChanges(statements, workspace.balances),
    insertAnswers(statements, fresh),
    insertEvents(statements, workspace.events, now),
  ]);
  return answers;
}

function distinctAccounts(requests: readonly GroupRequest[]): { merchantId: string; accountId: string }[] {
  const distinct = new Map(
    requests.map(({ request: { merchantId, accountId } }) => [
      `${merchantId}\n${accountId}`,
      { merchantId, accountId },
    ]),
  );
  return [...distinct.values()];
}

/** Requests without a key never meet: their place here is their own. */
function keyOf(request: OpenRequest): string | object {
  const { account, operation } = request;
  const { idempotencyKey } = request.options;
  return idempotencyKey === undefined ? request : `${account.number}/${operation}/${idempotencyKey}`;
}

async function storedAnswers(
  statements: Statements,
  requests: readonly (OpenRequest | undefined)[],
): Promise<Map<string | object, StoredAnswer>> {
  const keys = requests.flatMap((request) =>
    request?.options.idempotencyKey === undefined
      ? []
      : [
          {
            accountNumber: request.account.number,
            operation: request.operation,
            key: request.options.idempotencyKey,
          },
        ],
  );
  const found = keys.length === 0 ? [] : await findAnswers(statements, keys);
  return new Map(
    found.map((answer) => [`${answer.accountNumber}/${answer.operation}/${answer.key}`, answer]),
  );
}

/** The first answer again, or a refusal when the same key comes with another request. */
function replay(request: OpenRequest, stored: StoredAnswer, workspace: Workspace): Answer {
  if (stored.requestHash !== hashOf(request)) {
    return { failure: reason('V0015', 'the idempotency key belongs to another request') };
  }
  const packed = JSON.parse(stored.answer) as PackedResult[];
  const results = packed.map((result, index) => unpackResult(result, usualOf(request, index)));
  return {
    results:
      request.operation === 'payout' ? results.map((one) => withRecord(one, request, workspace)) : results,
    at: stored.at,
  };
}

function newAnswer(request: OpenRequest, key: string, results: readonly Result[], at: number): StoredAnswer {
  const packed = results.map((result, index) => packResult(result, usualOf(request, index)));
  return {
    accountNumber: request.account.number,
    operation: request.operation,
    key,
    requestHash: hashOf(request),
    answer: JSON.stringify(packed),
    at,
  };
}

/** A request from a file needs no hash of its own: its key names the batch, which is named after its content. */
function hashOf({ request, options }: OpenRequest): string {
  if (request.origin !== undefined) return '';
  if (options.requestHash !== undefined) return options.requestHash;
  const content = 'entries' in request ? request.entries : request.payout;
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
