/** How long a key may be relied upon. */
import type { StoredRemoteLine } from '../../ledger/remote.ts';
import type { RemoteExecutor } from '../executor.ts';

/**
 * Whether the gateway answers what is sent again under the key of this line, instead of executing it. What was promised
 * when it was sent counts, and what is promised now; and a clock that was set back makes nothing younger.
 * @param now epoch milliseconds
 */
export function isRemembered(
  { address, remembered, at }: Pick<StoredRemoteLine, 'address' | 'remembered' | 'at'>,
  executor: Pick<RemoteExecutor, 'address' | 'idempotentMs'>,
  now: number,
): boolean {
  const age = now - at;
  return address === executor.address && age >= 0 && age < Math.min(remembered, executor.idempotentMs);
}
