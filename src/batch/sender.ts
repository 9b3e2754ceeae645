/** Which way the chunks of a batch go. */
import type { Origin } from '../core/gateway.ts';
import type { BatchContext } from './context.ts';
import type { Executor } from './executor.ts';
import { RemoteSender } from './remote/sender.ts';
import { type ChunkSender, EngineSender } from './send.ts';

/** How one attempt of a batch reaches its gateway. */
export function senderTo(
  executor: Executor,
  { database, clock }: Pick<BatchContext, 'database' | 'clock'>,
  origin: Origin,
): ChunkSender {
  return executor.is === 'engine'
    ? new EngineSender(executor.gateway, origin, database)
    : new RemoteSender(executor, origin, database, clock);
}
