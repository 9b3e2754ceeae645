/** Which way the chunks of a batch go. */
import { EMBEDDED, type Origin } from '../core/gateway.ts';
import type { BatchContext } from './context.ts';
import type { RemoteExecutor } from './executor.ts';
import { RemoteSender } from './remote/sender.ts';
import { type ChunkSender, EngineSender, type Which } from './send.ts';

/**
 * How one attempt of a batch reaches its gateway.
 * @param gateway as the batch names it
 */
export function senderTo(
  { database, clock, executor }: Pick<BatchContext, 'database' | 'clock' | 'executor'>,
  gateway: string,
  origin: Origin,
  which: Which,
): ChunkSender {
  if (gateway === EMBEDDED) return new EngineSender(executor(gateway).gateway, origin, database);
  const remote = (): RemoteExecutor => {
    const made = executor(gateway);
    if (made.is !== 'remote') throw new Error(`${gateway} is not the embedded engine`);
    return made;
  };
  return new RemoteSender(remote, origin, database, clock, which);
}
