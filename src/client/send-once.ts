/** One request on a connection of its own, for whoever asks no second time. */
import { openConnections } from './connections.ts';
import { type HttpAnswer, send, type Unanswered } from './send.ts';

/**
 * Posts a body and reads the whole answer.
 * @param deadline milliseconds for everything
 */
export async function sendOnce(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  deadline: number,
): Promise<HttpAnswer | Unanswered> {
  const connections = openConnections({ connections: 1, deadlineMs: deadline });
  try {
    return await send(connections, url, headers, body, deadline);
  } finally {
    await connections.destroy();
  }
}
