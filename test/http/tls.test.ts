/** The server with TLS of its own. */
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { HttpMetrics } from '../../src/http/metrics.ts';
import { startServer } from '../../src/http/server.ts';
import { Api } from './api.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';

test('with a key and a certificate it speaks TLS, and says so in its address', async () => {
  const api = await Api.make();
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    tls: { key: Buffer.from(CERTIFICATE_KEY), cert: Buffer.from(CERTIFICATE) },
    limits: { requestTimeoutMs: 5000, headersTimeoutMs: 5000 },
    observation: {
      environment: 'sandbox',
      requestId: () => 'id',
      log: { request: () => undefined, error: () => undefined },
      metrics: new HttpMetrics(),
    },
    app: () => api.app,
  });
  expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const answer = await new Promise<string>((resolve, reject) => {
    get(`${server.url}/healthz`, { ca: CERTIFICATE, agent: false }, (response) => resolve(text(response))).on(
      'error',
      reject,
    );
  });
  expect(answer).toBe('ok\n');
  await server.stop(1000);
  await api.remove();
});
