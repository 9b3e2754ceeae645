/** Whether the records of a query are about what was asked for. */
import type { QueryRecord, Selection } from '../core/query.ts';

export function namesNothing(selection: Selection): boolean {
  return selection.by === 'name' && selection.orderNos.length + selection.transactionIds.length === 0;
}

/** In words what an answer names although nobody asked for it; undefined where there is nothing of the kind. F64 */
export function strangerIn(records: readonly QueryRecord[], selection: Selection): string | undefined {
  if (selection.by !== 'name') {
    return records.some((record) => 'missing' in record) ? 'a transaction that nobody asked for' : undefined;
  }
  const orderNos = new Set(selection.orderNos);
  const transactionIds = new Set(selection.transactionIds);
  const isAsked = (record: QueryRecord) => {
    const { orderNo, transactionId } = 'found' in record ? record.found : record.missing;
    return (
      (orderNo !== undefined && orderNos.has(orderNo)) ||
      (transactionId !== undefined && transactionIds.has(transactionId))
    );
  };
  return records.every(isAsked) ? undefined : 'a transaction that nobody asked for';
}
