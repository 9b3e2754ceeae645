/** The server with TLS of its own. Key and certificate are for 127.0.0.1 and worth nothing anywhere else. */
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { HttpMetrics } from '../../src/http/metrics.ts';
import { startServer } from '../../src/http/server.ts';
import { Api } from './api.ts';

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg21phGziMwBEVYneI
mShu7Eotjcc7R6lfM2+cJ7jhgX+hRANCAASiFH4dC8tVg+KlYokZBLTM0xCoMkYu
I6zK+4pzsogbGZYrhYEVH+rvXOg5VJK7ZAlLNVPiCUkjpF+d2Pf2ElKd
-----END PRIVATE KEY-----
`;

const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUKoQQe+XZEwAC3peVQ7qdDSsE4HQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDEzNDk1OFoYDzIxMjYxMDI3
MTM0OTU4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASiFH4dC8tVg+KlYokZBLTM0xCoMkYuI6zK+4pzsogbGZYrhYEVH+rv
XOg5VJK7ZAlLNVPiCUkjpF+d2Pf2ElKdo28wbTAdBgNVHQ4EFgQU2VrFASGS+G8+
YmigyLBPIUQKoH0wHwYDVR0jBBgwFoAU2VrFASGS+G8+YmigyLBPIUQKoH0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAIZeZD9VKoVoxONrTbLr0rf4b64t3GJ8BqXXd6VaTYUUAiEA
wWIv/Afj1ZjkSzR+qxCaxliemcOk4YViP0pK47u3Q4Q=
-----END CERTIFICATE-----
`;

test('with a key and a certificate it speaks TLS, and says so in its address', async () => {
  const api = await Api.make();
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    tls: { key: Buffer.from(KEY), cert: Buffer.from(CERTIFICATE) },
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
