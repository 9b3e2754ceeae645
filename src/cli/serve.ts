/** The server of `batchgate serve`, put together: it answers requests and does what falls due, until a signal comes. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../batch/exit.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { createApp } from '../http/app.ts';
import { HttpMetrics } from '../http/metrics.ts';
import { randomRequestId } from '../http/request-id.ts';
import { type RunningServer, startServer } from '../http/server.ts';
import { chargeAllDue, chargingContext } from './commands/recurring/charging.ts';
import { keyedHashOf, type Opened, readKey, servedEngine } from './compose.ts';
import { UsageError } from './errors.ts';
import { exampleMessages } from './example-messages.ts';
import { listenForInterruption } from './interruption.ts';
import { LedgerMerchants, storedRequests } from './merchants.ts';
import { notifierOf } from './notify.ts';
import { say } from './output.ts';
import { type ServerLog, serverLog } from './server-log.ts';
import { startUpkeep, type Task } from './upkeep.ts';
import { VERSION } from './version.ts';

/** What has begun may take so long once the server is to end. */
const LAST_MOMENT_MS = 5000;

const MINUTE = 60_000;

/** Serves until a signal comes; returns the exit code. */
export async function serve(config: Config, opened: Opened): Promise<number> {
  const engine = servedEngine(config, opened);
  const log = serverLog((line) => process.stderr.write(line));
  const server = await listen(config, opened, engine, log);
  const interruption = listenForInterruption(undefined, 'ending; requests that have begun are answered');
  say(`listening on ${server.url}`);
  const { publicUrl, behindProxy } = config.serve;
  if (publicUrl === undefined && behindProxy.length > 0)
    say(`note: shoppers are sent to ${server.url}; where the proxy has another address, set public_url`);
  const upkeep = startUpkeep(tasksOf(engine, opened, interruption.asked), (task, error) =>
    log.task(task, error),
  );
  const notifier = notifierOf(config, opened, { onError: (error) => log.task('notifications', error) });
  notifier.start();
  try {
    await aborted(interruption.asked);
    const ended = Promise.all([upkeep.stop(), notifier.stop()]);
    await Promise.all([
      server.stop(LAST_MOMENT_MS),
      Promise.race([ended, sleep(LAST_MOMENT_MS, undefined, { ref: false })]),
    ]);
    return interruption.code() ?? EXIT.terminated;
  } finally {
    interruption.end();
  }
}

async function listen(
  config: Config,
  opened: Opened,
  engine: Engine,
  log: ServerLog,
): Promise<RunningServer> {
  const { folders, database, environment } = opened;
  const { host, port, tls, limits, publicUrl, behindProxy, rateLimit } = config.serve;
  const observation = { environment, requestId: randomRequestId, log, metrics: new HttpMetrics() };
  const messages = await exampleMessages(opened);
  try {
    return await startServer({
      host,
      port,
      tls: tls === undefined ? undefined : { key: await readFile(tls.key), cert: await readFile(tls.cert) },
      limits,
      observation,
      app: (url) =>
        createApp({
          ...observation,
          gateway: engine,
          hosted: engine,
          merchants: new LedgerMerchants(database, (file) => readKey(folders, file)),
          storedRequests: storedRequests(database),
          keyedHash: keyedHashOf(folders),
          connector: 'simulator',
          publicUrl: publicUrl ?? url,
          behindProxy,
          rateLimit,
          ready: async () => (await database.reads.all('SELECT 1')).length === 1,
          version: VERSION,
          messages,
        }),
    });
  } catch (error) {
    throw listenFailure(error, host, port);
  }
}

const CANNOT_LISTEN: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'no permission',
  ENOTFOUND: 'there is no such host',
};

function listenFailure(error: unknown, host: string, port: number): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  const why = CANNOT_LISTEN[String(error.code)];
  return why === undefined || error.syscall === 'open'
    ? error
    : new UsageError(`cannot listen on ${host}:${port}: ${why}`, 'Choose another with --host and --port.');
}

/** @param charge charges the subscriptions that are due */
function tasksOf(engine: Engine, { database }: Opened, ended: AbortSignal): readonly Task[] {
  const charging = chargingContext(database, engine);
  return [
    {
      name: 'payments in doubt and due charges',
      everyMs: MINUTE,
      run: async () => {
        // What came of a payment in doubt decides what is due.
        await engine.resolveDoubts();
        await chargeAllDue(charging, () => !ended.aborted);
      },
    },
    { name: 'what has run out', everyMs: MINUTE, run: () => engine.writeOverdue() },
    { name: 'old answers', everyMs: 60 * MINUTE, run: () => engine.forgetAnswers() },
  ];
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
