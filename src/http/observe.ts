/** What every answer carries and leaves behind: its id, the environment, a line in the log, figures. */
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './environment.ts';
import type { HttpMetrics } from './metrics.ts';
import type { RequestLog } from './ports.ts';

export interface Observation {
  readonly environment: string;
  /** Makes the id of a request. */
  readonly requestId: () => string;
  readonly log: RequestLog;
  readonly metrics: HttpMetrics;
}

/** Headers of every answer. */
export function commonHeaders(environment: string, requestId: string): Readonly<Record<string, string>> {
  return { 'X-Request-Id': requestId, 'X-Batchgate-Environment': environment };
}

/** @param routes known paths; a path that begins with one and a slash belongs to it */
export function observed(
  { environment, requestId, log, metrics }: Observation,
  routes: readonly string[],
): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    const began = performance.now();
    const [id, learnt] = [requestId(), {}];
    context.set('requestId', id);
    context.set('learnt', learnt);
    metrics.began();
    await next();
    for (const [name, value] of Object.entries(commonHeaders(environment, id)))
      context.res.headers.set(name, value);
    const milliseconds = Math.round((performance.now() - began) * 10) / 10;
    const route = routeOf(context.req.path, routes);
    const { status } = context.res;
    metrics.ended(route, status, milliseconds);
    log.request({
      requestId: id,
      method: methodOf(context.req.method),
      route,
      status,
      milliseconds,
      ...learnt,
    });
  };
}

/** A path can hold a session and is never written down: only the known route that it belongs to. */
function routeOf(path: string, routes: readonly string[]): string {
  return routes.find((route) => path === route || path.startsWith(`${route}/`)) ?? 'other';
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

function methodOf(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
