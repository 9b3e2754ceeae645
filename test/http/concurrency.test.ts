/** Many requests on one transaction at the same time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { Api } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.make();
});
afterAll(() => api.remove());

const order = (id: string, change: JsonFields): JsonFields => ({
  transaction_id: id,
  order_no: `O-${id}`,
  currency: 'USD',
  ...change,
});

async function statuses(
  requests: readonly Promise<{ readonly json: JsonFields }>[],
  list: string,
  status: string,
) {
  const answers = await Promise.all(requests);
  return answers.map(({ json }) => (json[list] as readonly JsonFields[])[0]![status]);
}

test('F78 of 100 captures of 3.00 at once 33 fit into 100.00', async () => {
  await api.sandbox.given({ id: 'T1' });
  const requests = Array.from({ length: 100 }, () => api.capture([order('T1', { amount: '3.00' })]));
  const answered = await statuses(requests, 'capture_orders', 'capture_status');
  expect(answered.filter((one) => one === '1')).toHaveLength(33);
  expect((await api.sandbox.transfers()).filter((one) => one === 'T1 capture 300')).toHaveLength(33);
});

test('F78 of 100 refunds of 3.00 at once 33 fit into 100.00', async () => {
  await api.sandbox.given({ id: 'T2', state: 'captured' });
  const requests = Array.from({ length: 100 }, () =>
    api.send('/v1/refund', { refund_orders: [order('T2', { amount: '100.00', refund_amount: '3.00' })] }),
  );
  const answered = await statuses(requests, 'refund_orders', 'refund_status');
  expect(answered.filter((one) => one === '1')).toHaveLength(33);
  expect((await api.sandbox.transfers()).filter((one) => one === 'T2 refund 300')).toHaveLength(33);
});

test('F79 of a capture and a cancel of the same money one wins, whichever is first', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `C${index}`);
  await api.sandbox.given(...ids.map((id) => ({ id })));
  for (const [index, id] of ids.entries()) {
    const capture = () => api.capture([order(id, { amount: '100.00' })]);
    const cancel = () => api.send('/v1/cancel', { cancel_orders: [order(id, { amount: '100.00' })] });
    const both = await Promise.all(index % 2 === 0 ? [capture(), cancel()] : [cancel(), capture()]);
    const won = both.map(({ json }) => {
      const [entry] = (json.capture_orders ?? json.cancel_orders) as readonly JsonFields[];
      return entry!.capture_status ?? entry!.cancel_status;
    });
    expect(won.sort()).toEqual(['0', '1']);
  }
  const moved = (await api.sandbox.transfers()).filter((one) => one.startsWith('C'));
  expect(moved).toHaveLength(ids.length);
});
