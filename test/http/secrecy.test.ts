/** What of a card comes out of the whole gateway, over HTTP: into no file and into no line of the log. */
import { afterEach, expect, test } from 'vitest';
import { serverLog } from '../../src/cli/server-log.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { CARDS } from '../engine/payments/shop.ts';
import { Api, JSON_TYPE } from './api.ts';

const open: Api[] = [];

afterEach(async () => {
  for (const api of open.splice(0)) await api.remove();
});

/** Sends every test card everywhere it can be sent, rightly and wrongly; returns the log. */
async function sendCards(securityCode: string): Promise<{ readonly api: Api; readonly log: string }> {
  const lines: string[] = [];
  const log = serverLog((line) => lines.push(line.replace(/"(?:time|ms)":[^,]+,/g, '')));
  const api = await Api.make({ log });
  open.push(api);
  const order = (no: string): JsonFields => ({ order_no: no, currency: 'USD', amount: '10.00' });
  for (const [name, number] of Object.entries(CARDS)) {
    const card = {
      card: number,
      expiration_month: '12',
      expiration_year: '2030',
      security_code: securityCode,
    };
    const keyed = { headers: { 'Idempotency-Key': `key-${name}` } };
    await api.send('/v1/authorise', { ...order(`D-${name}`), ...card, token_flag: 'YES' }, keyed);
    // Where it does not belong.
    await api.send('/v1/authorise', { ...order(`N-${name}`), ...card, note: `card ${number}` });
    await api.send('/v1/authorise', { ...order(`W-${name}`), ...card, card: `${number}x`, amount: number });
    await api.send('/v1/checkout', { ...order(`C-${name}`), ...card, return_url: 'https://shop.example' });
    await api.send('/v1/checkout', {
      ...order(`H-${name}`),
      custom: number,
      return_url: 'https://shop.example',
    });
    await api.capture([{ transaction_id: number, order_no: number, currency: 'USD', amount: number }]);
    await api.send('/v1/retrievalTrans', { transaction_id: 'T', card: number }, { ip: '127.0.0.1' });
    // Unsigned, cut off, and as a form.
    await api.post('/v1/authorise', JSON.stringify({ ...order('U'), ...card }), { headers: JSON_TYPE });
    await api.post('/v1/authorise', `{"card":"${number}","security_code":"${securityCode}`, {
      headers: JSON_TYPE,
    });
    const form = new URLSearchParams({ card: number, security_code: securityCode }).toString();
    await api.post('/v1/authorise', form, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    await api.ask(`/v1/${number}?card=${number}`);
  }
  return { api, log: lines.join('') };
}

test('F87 card numbers are in no byte on disk and in no line of the log', async () => {
  const { api, log } = await sendCards('8642');
  expect(log.split('\n').length).toBeGreaterThan(100);
  const files = [...(await api.sandbox.files()), { path: 'the log', bytes: Buffer.from(log) }];
  for (const { path, bytes } of files) {
    for (const number of Object.values(CARDS))
      expect(bytes.includes(number), `${number} in ${path}`).toBe(false);
  }
});

test('F87 other security codes leave the same rows and the same log', { timeout: 60_000 }, async () => {
  const [one, other] = [await sendCards('8642'), await sendCards('975')];
  expect(one.log).toBe(other.log);
  expect(await tables(one.api)).toEqual(await tables(other.api));
});

async function tables({ sandbox }: Api): Promise<Readonly<Record<string, unknown>>> {
  const { reads } = sandbox.database;
  const names = await reads.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  const rows = await Promise.all(
    names.map(async ({ name }) => [name, await reads.all(`SELECT * FROM "${name}"`)]),
  );
  return Object.fromEntries(rows);
}
