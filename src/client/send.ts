/** One request to a gateway: a deadline for all of it, and a bound for its answer. F61, F68, F70 */
import { type Dispatcher, request } from 'undici';
import { NotConnected } from './connections.ts';

/** No answer of the API comes near it: a hundred records of a query are the longest. */
const MOST_BYTES = 8 * 1024 * 1024;

export interface HttpAnswer {
  readonly status: number;
  /** Without its parameters, in lower case. */
  readonly contentType: string;
  readonly requestId: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** `not_sent`: no connection, so nothing happened. `no_answer`: the gateway may have acted, and nobody knows. */
export interface Unanswered {
  readonly failure: 'not_sent' | 'no_answer';
  readonly why: string;
  /** The other side could not prove who it is. */
  readonly isUntrusted?: boolean;
}

/**
 * Posts a body and reads the whole answer. Whatever happens is told as a value.
 * @param deadline milliseconds for everything
 */
export async function send(
  dispatcher: Dispatcher,
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  deadline: number,
): Promise<HttpAnswer | Unanswered> {
  try {
    const signal = AbortSignal.timeout(deadline);
    const asked = { ...headers, 'accept-encoding': 'identity' };
    const response = await request(url, { method: 'POST', headers: asked, body, signal, dispatcher });
    return await readAnswer(response);
  } catch (error) {
    return unanswered(error, deadline);
  }
}

async function readAnswer(response: Dispatcher.ResponseData): Promise<HttpAnswer | Unanswered> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES)
      return { failure: 'no_answer', why: `its answer has more than ${MOST_BYTES} bytes` };
    chunks.push(chunk);
  }
  return {
    status: response.statusCode,
    contentType: (header(response, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase(),
    requestId: header(response, 'x-request-id'),
    retryAfter: header(response, 'retry-after'),
    // What is compressed although nobody asked for it is never unpacked: it is no text, and will not be understood.
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Only a connection that never came to be proves that nothing was sent; any other error may have come later. */
function unanswered(error: unknown, deadline: number): Unanswered {
  if (error instanceof NotConnected)
    return { failure: 'not_sent', why: error.message, isUntrusted: error.isUntrusted };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { failure: 'no_answer', why: `no whole answer within ${deadline} ms` };
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason';
  return { failure: 'no_answer', why: `the connection broke (${code})` };
}
