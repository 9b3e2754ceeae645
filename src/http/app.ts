/** The HTTP adapter: /v1, the hosted pages, the documentation and what operators ask for, as one application. */
import { Hono } from 'hono';
import { reason } from '../core/code.ts';
import type { HostedPayments } from '../core/hosted.ts';
import { clientIpBehind } from './client-ip.ts';
import { type DocumentationOptions, documentation } from './documentation/documentation.ts';
import type { HttpEnv } from './environment.ts';
import { type ExchangeOptions, exchanges } from './exchange.ts';
import { hostedPages } from './hosted/pages.ts';
import { type Observation, observed } from './observe.ts';
import { type RateLimit, requestCounter } from './rate-limit.ts';
import { type Refusal, refusal, refusalWith } from './refusal.ts';
import { refusalResponse } from './respond.ts';
import { ROUTES } from './v1.ts';

export interface AppOptions
  extends Observation,
    Omit<ExchangeOptions, 'clientIp' | 'countRequest' | 'log' | 'metrics'> {
  readonly hosted: HostedPayments;
  /** Addresses and ranges whose `X-Forwarded-For` counts. */
  readonly behindProxy: readonly string[];
  readonly rateLimit: RateLimit | undefined;
  /** Whether requests can be executed: the database answers. */
  readonly ready: () => Promise<boolean>;
  readonly version: string;
  /** What the documentation shows as examples. */
  readonly messages?: DocumentationOptions['messages'];
}

/** What is served beside /v1, as it stands in figures and log. */
const OTHER_ROUTES = ['/hosted', '/docs', '/openapi.json', '/healthz', '/readyz', '/metrics'];

const NO_SUCH_PATH = refusalWith(404, reason('I0002', 'there is no such path'));
const ONLY_POST = refusalWith(405, reason('I0002', 'every operation is asked for by POST'));

export function createApp(options: AppOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const clientIp = clientIpBehind(options.behindProxy);
  app.use(observed(options, [...ROUTES.map(({ path }) => path), ...OTHER_ROUTES]));

  const exchange = exchanges({ ...options, clientIp, countRequest: requestCounter(options.rateLimit) });
  for (const route of ROUTES) {
    app.post(route.path, exchange(route));
    app.all(route.path, (context) => bare(ONLY_POST, context.get('requestId'), { Allow: 'POST' }));
  }
  app.route('/hosted', hostedPages({ ...options, clientIp }));
  app.route('/', documentation(options));

  app.get('/healthz', (context) => context.text('ok\n'));
  app.get('/readyz', async (context) => {
    const ready = await options.ready().catch(() => false);
    return context.text(ready ? 'ready\n' : 'not ready\n', ready ? 200 : 503);
  });
  app.get('/metrics', async (context) => {
    const { metrics } = options;
    return context.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType });
  });

  app.notFound((context) => bare(NO_SUCH_PATH, context.get('requestId')));
  app.onError((error, context) => {
    options.log.error(context.get('requestId'), error);
    return bare(refusal(reason('E0003')), context.get('requestId'));
  });
  return app;
}

/** A refusal about which no account is known. */
function bare(refused: Refusal, requestId: string, headers: Readonly<Record<string, string>> = {}): Response {
  const response = refusalResponse(refused, { merchantId: '', accountId: '' }, requestId, undefined);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
