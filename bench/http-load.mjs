/**
 * The load: every order of a capture file once, fifty to a signed request, over 32 connections. Prints orders per second
 * and latencies. Requests are made and signed before the clock starts.
 *
 * usage: node bench/http-load.mjs URL KEY-FILE CAPTURE.CSV REQUESTS
 */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { parse } from 'csv-parse/sync';
import { parseKey, signMessage } from '../dist/wire/signature.js';

const ORDERS = 50;
const CONNECTIONS = 32;

const [url, keyFile, file, count] = process.argv.slice(2);
const { key } = parseKey(readFileSync(keyFile, 'utf8'));
const requests = Number(count);
const rows = parse(readFileSync(file), { columns: true, to: requests * ORDERS });
const bodies = Array.from({ length: requests }, (_, index) =>
  body(rows.slice(index * ORDERS, (index + 1) * ORDERS)),
);

let sent = 0;
let done = 0;
const result = await autocannon({
  url: `${url}/v1/capture`,
  connections: CONNECTIONS,
  amount: requests,
  timeout: 60,
  requests: [
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      setupRequest: (request) => {
        // Autocannon prepares one request more per connection than it sends.
        const next = { ...request, body: bodies[Math.min(sent, requests - 1)] };
        sent += 1;
        return next;
      },
      onResponse: (_, text) => {
        done += text.split('"capture_status":"1"').length - 1;
      },
    },
  ],
});
if (result.non2xx > 0 || result.errors > 0 || done !== requests * ORDERS)
  throw new Error(`${result.non2xx} were refused, ${result.errors} broke, ${done} orders were captured`);
const seconds = (result.finish - result.start) / 1000;
process.stdout.write(
  JSON.stringify({ orders: done / seconds, p50: result.latency.p50, p99: result.latency.p99 }),
);

function body(orders) {
  const message = {
    merchant_id: 'M1',
    account_id: 'A1',
    capture_orders: orders.map(({ transaction_id, order_no, currency, amount }) => ({
      transaction_id,
      order_no,
      currency,
      amount,
    })),
  };
  return JSON.stringify({ ...message, encryption_data: signMessage(message, key) });
}
