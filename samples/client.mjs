// Captures a part of an order and asks what became of it. Beside `batchgate init --demo` and `batchgate serve`:
//   batchgate account allow-ip 127.0.0.1
//   node samples/client.mjs http://127.0.0.1:8080 batchgate-data/keys/M1.A1.1.key
import { readFileSync } from 'node:fs';
import { GatewayClient, parseKey } from 'batchgate';

const [url, keyFile] = process.argv.slice(2);
const { key } = parseKey(readFileSync(keyFile, 'utf8'));
const client = new GatewayClient({ url, keysOf: () => [key], idempotent: true });

const account = { merchantId: 'M1', accountId: 'A1' };
const entry = { transactionId: 'T1003', orderNo: 'SHOP-1003', currency: 'USD', amount: 100_00 };
const answer = await client.capture({ ...account, entries: [entry] }, { idempotencyKey: 'capture-T1003-1' });
console.log('failure' in answer ? answer.failure : answer.results[0]);

const found = await client.query({ ...account, selection: { by: 'name', orderNos: ['SHOP-1003'], transactionIds: [] } });
console.log('failure' in found ? found.failure : found.records);
await client.close();
