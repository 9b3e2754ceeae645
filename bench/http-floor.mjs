/**
 * The floor that `serve` is compared with: the same adapter, log and figures, for one account, with a gateway that
 * answers every capture at once and writes nothing down.
 *
 * usage: node bench/http-floor.mjs KEY-FILE
 */
import { readFileSync } from 'node:fs';
import { serverLog } from '../dist/cli/server-log.js';
import { createApp } from '../dist/http/app.js';
import { HttpMetrics } from '../dist/http/metrics.js';
import { randomRequestId } from '../dist/http/request-id.js';
import { startServer } from '../dist/http/server.js';
import { parseKey } from '../dist/wire/signature.js';

const { key } = parseKey(readFileSync(process.argv[2], 'utf8'));
const merchant = {
  merchantId: 'M1',
  accountId: 'A1',
  accountNumber: 1,
  keys: [key],
  allowIp: [],
  storefronts: [],
  timeZone: 'UTC',
};
const gateway = {
  capture: async ({ entries }) => ({
    results: entries.map(({ transactionId }) => ({
      status: 'done',
      reference: `${transactionId}-1`,
      moved: [],
    })),
    at: Date.now(),
  }),
};
const observation = {
  environment: 'sandbox',
  requestId: randomRequestId,
  log: serverLog((line) => process.stderr.write(line)),
  metrics: new HttpMetrics(),
};
const server = await startServer({
  host: '127.0.0.1',
  port: 0,
  tls: undefined,
  limits: { requestTimeoutMs: 30_000, headersTimeoutMs: 10_000 },
  observation,
  app: (publicUrl) =>
    createApp({
      ...observation,
      gateway,
      hosted: {},
      merchants: { find: async () => merchant },
      storedRequests: { hashOf: async () => undefined },
      keyedHash: (text) => text,
      publicUrl,
      behindProxy: [],
      rateLimit: undefined,
      ready: async () => true,
      version: 'floor',
      connector: 'none',
    }),
});
process.stderr.write(`listening on ${server.url}\n`);
