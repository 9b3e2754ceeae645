/** An application behind a real server on loopback, whose log goes nowhere. */
import { HttpMetrics } from '../../src/http/metrics.ts';
import { type RunningServer, startServer } from '../../src/http/server.ts';

type App = ReturnType<Parameters<typeof startServer>[0]['app']>;

/** @param timeoutMs for a whole request, and for its head */
export function serveApp(app: App, timeoutMs = 5000): Promise<RunningServer> {
  return startServer({
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    limits: { requestTimeoutMs: timeoutMs, headersTimeoutMs: timeoutMs },
    observation: {
      environment: 'sandbox',
      requestId: () => 'id',
      log: { request: () => undefined, error: () => undefined },
      metrics: new HttpMetrics(),
    },
    app: () => app,
  });
}
