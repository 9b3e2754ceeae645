/** The log of `serve`: JSON lines that hold what is listed here and nothing else. F87 */
import pino, { type Logger } from 'pino';
import type { RequestLog, RequestRecord } from '../http/ports.ts';
import { DatabaseBroken, DatabaseBusy } from '../ledger/sqlite.ts';
import { maskNumbers } from '../wire/card-number.ts';

export interface ServerLog extends RequestLog {
  /** An error of a task that runs beside the requests. */
  task(name: string, error: unknown): void;
}

/**
 * @param write takes a whole line with its line end
 */
export function serverLog(write: (line: string) => void): ServerLog {
  // Times as text: a number of 13 digits could be taken for a card number.
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => write(maskNumbers(line)) },
  );
  return {
    request: (record) => logRequest(logger, record),
    error: (requestId, error) =>
      logger.error({ request: requestId, ...described(error) }, 'unexpected error'),
    task: (name, error) => logger.error({ task: name, ...described(error) }, 'task failed'),
  };
}

function logRequest(logger: Logger, record: RequestRecord): void {
  logger.info({
    method: record.method,
    route: record.route,
    status: record.status,
    ms: record.milliseconds,
    request: record.requestId,
    merchant: record.merchantId,
    account: record.accountId,
    entries: record.entries,
    code: record.code,
  });
}

/** An error without its message, which may repeat what was sent; the database speaks of itself only. */
function described(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const isDatabase = error instanceof DatabaseBroken || error instanceof DatabaseBusy;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    error: error.constructor.name,
    detail: isDatabase ? error.message : undefined,
    stack: frames.map((line) => line.trim()).join(' < '),
  };
}
