/** Unknown transaction ids that look like a known one which a spreadsheet has changed (F45). */

import { type Reason, reason } from '../core/code.ts';
import { getOrSet } from '../core/get-or-set.ts';
import { together } from '../core/together.ts';
import type { Statements } from '../ledger/database.ts';
import { knownByFirstDigits, knownByLeadingZeros, type Lookalike } from '../ledger/lookalikes.ts';
import type { OpenRequest } from './request.ts';

/** Excel keeps 15 digits of a number and writes zeros for the others. */
const EXCEL_DIGITS = 15;

/** What happened to unknown ids, by account number and id. */
export type Damages = ReadonlyMap<number, ReadonlyMap<string, Reason>>;

/** Looks for the ids of lines that the accounts do not have, all of a group together: a file may name the wrong account throughout. */
export async function spreadsheetDamages(
  statements: Pick<Statements, 'all'>,
  requests: readonly OpenRequest[],
  isKnown: (accountNumber: number, transactionId: string) => boolean,
): Promise<Damages> {
  const unknown = new Map<number, Set<string>>();
  for (const request of requests) {
    const { account, operation } = request;
    if (operation === 'payout' || request.request.origin === undefined) continue;
    for (const { transactionId } of request.request.entries) {
      // Only a number without leading zeros can be what a spreadsheet made of an id.
      if (!isKnown(account.number, transactionId) && /^[1-9]\d*$/.test(transactionId)) {
        getOrSet(unknown, account.number, () => new Set<string>()).add(transactionId);
      }
    }
  }
  const found = new Map<number, ReadonlyMap<string, Reason>>();
  for (const [accountNumber, ids] of unknown)
    found.set(accountNumber, await damagesOf(statements, accountNumber, [...ids]));
  return found;
}

async function damagesOf(
  statements: Pick<Statements, 'all'>,
  accountNumber: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Reason>> {
  const rounded = ids.filter((id) => id.length > EXCEL_DIGITS && id.endsWith('0'));
  const [cut, bare] = await together([
    knownByFirstDigits(statements, accountNumber, rounded, EXCEL_DIGITS),
    knownByLeadingZeros(statements, accountNumber, ids),
  ]);
  return new Map([
    ...bare.map((one) => damaged(one, 'its leading zeros were dropped')),
    ...cut.map((one) => damaged(one, `only its first ${EXCEL_DIGITS} digits were kept`)),
  ]);
}

function damaged({ unknown, known }: Lookalike, what: string): [string, Reason] {
  return [
    unknown,
    reason('B0013', `${unknown} is unknown, but ${known} is known: ${what}`, { column: 'transaction_id' }),
  ];
}
