/** One request to a gateway: a deadline for all of it, a bound for its answer, and no redirect followed. */
import { Agent, type Dispatcher, request } from 'undici';

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
export type Unanswered = { readonly failure: 'not_sent' | 'no_answer'; readonly why: string };

/**
 * Posts a body and reads the whole answer.
 * @param deadline milliseconds for everything
 */
export async function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  deadline: number,
): Promise<HttpAnswer | Unanswered> {
  const agent = new Agent({ pipelining: 0 });
  try {
    const signal = AbortSignal.timeout(deadline);
    const response = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent });
    return await readAnswer(response);
  } catch (error) {
    return unanswered(error, deadline);
  } finally {
    await agent.destroy();
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
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Errors of a connection that never came to be. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function unanswered(error: unknown, deadline: number): Unanswered {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  if (error.name === 'TimeoutError')
    return { failure: 'no_answer', why: `no whole answer within ${deadline} ms` };
  const code = String(error.code);
  return NO_CONNECTION.has(code)
    ? { failure: 'not_sent', why: `there is no connection (${code})` }
    : { failure: 'no_answer', why: `the connection broke (${code})` };
}
