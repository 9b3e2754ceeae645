/** Transactions of a remote gateway, by query. */
import type { Reason } from '../../core/code.ts';
import type { Account, Gateway } from '../../core/gateway.ts';
import { MOST_QUERIED, type QueriedTransaction } from '../../core/query.ts';

/** What the gateway knows of each transaction that was named. */
export type Found = ReadonlyMap<string, QueriedTransaction | 'missing'>;

/** Asks for transactions by their ids, a hundred at a time; one that the answer does not name is not in the map. */
export async function statesOf(
  gateway: Pick<Gateway, 'query'>,
  { merchantId, accountId }: Account,
  transactionIds: readonly string[],
): Promise<Found | { readonly failure: Reason }> {
  const found = new Map<string, QueriedTransaction | 'missing'>();
  for (let at = 0; at < transactionIds.length; at += MOST_QUERIED) {
    const named = transactionIds.slice(at, at + MOST_QUERIED);
    const selection = { by: 'name', orderNos: [], transactionIds: named } as const;
    const answer = await gateway.query({ merchantId, accountId, selection });
    if ('failure' in answer) return answer;
    for (const record of answer.records) {
      if ('found' in record) found.set(record.found.transactionId, record.found);
      else if (record.missing.transactionId !== undefined) found.set(record.missing.transactionId, 'missing');
    }
  }
  return found;
}
