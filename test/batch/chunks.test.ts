/** How a file reaches the gateway: requests of the right size, in the right order, and never two at once that may meet. */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reason } from '../../src/core/code.ts';
import type { InstructionGateway } from '../../src/core/gateway.ts';
import type { BatchDocument } from '../../src/report/document.ts';
import {
  type Call,
  csv,
  ENTRY,
  type Given,
  outcomes,
  results,
  Sandbox,
  subjectsOf,
  watched,
} from '../support/ledger.ts';

const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index);

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
});
afterEach(() => sandbox.remove());

/** What a run asked of the gateway. */
interface Watch {
  readonly calls: Call[];
  /** Most requests in flight at a time, and all subjects that were in flight twice at once. */
  most: number;
  readonly met: string[];
}

/** An engine that is watched, and that takes its time so that requests do meet. */
function watching(): { readonly watch: Watch; readonly gateway: InstructionGateway } {
  const watch: Watch = { calls: [], most: 0, met: [] };
  const inFlight = new Set<Call>();
  const gateway = watched(sandbox.engine(), {
    async before(call) {
      const busy = new Set([...inFlight].flatMap(subjectsOf));
      watch.met.push(...subjectsOf(call).filter((subject) => busy.has(subject)));
      watch.calls.push(call);
      inFlight.add(call);
      watch.most = Math.max(watch.most, inFlight.size);
      await sleep(1);
    },
    after: (call) => void inFlight.delete(call),
  });
  return { watch, gateway };
}

describe('requests of one operation', () => {
  const cases = [
    { operation: 'capture', lines: 1_000, requests: 20, most: 50, state: 'authorised', more: '', cells: '' },
    { operation: 'cancel', lines: 1_000, requests: 20, most: 50, state: 'authorised', more: '', cells: '' },
    {
      operation: 'refund',
      lines: 1_000,
      requests: 20,
      most: 50,
      state: 'captured',
      more: ',refund_amount',
      cells: ',100.00',
    },
    {
      operation: 'review',
      lines: 1_000,
      requests: 10,
      most: 100,
      state: 'in_review',
      more: ',review_flag',
      cells: ',1',
    },
    {
      operation: 'refund',
      lines: 1_001,
      requests: 21,
      most: 50,
      state: 'captured',
      more: ',refund_amount',
      cells: ',100.00',
    },
    {
      operation: 'review',
      lines: 99,
      requests: 1,
      most: 100,
      state: 'in_review',
      more: ',review_flag',
      cells: ',1',
    },
  ] as const;

  test.each(cases)(
    '$lines lines of $operation make exactly $requests requests of at most $most',
    async ({ operation, lines, requests, most, state, more, cells }) => {
      const ids = numbers(lines).map((number) => `T${number}`);
      await sandbox.given(...ids.map((id) => ({ id, state })));
      const { watch, gateway } = watching();
      const document = await sandbox.run(
        `${operation}.csv`,
        csv(ENTRY + more, ...ids.map((id) => `${id},O-${id},USD,100.00${cells}`)),
        {},
        { gateway },
      );
      expect(document).toMatchObject({
        exit: 0,
        lines: { succeeded: lines },
        chunks: { planned: requests, done: requests },
      });
      expect(watch.calls).toHaveLength(requests);
      expect(Math.max(...watch.calls.map((call) => subjectsOf(call).length))).toBeLessThanOrEqual(most);
      // One after the other they are the file.
      expect(watch.calls.flatMap(subjectsOf)).toEqual(ids);
      expect(new Set(watch.calls.map((call) => call.operation))).toEqual(new Set([operation]));
    },
  );

  test('payouts are a request each, fifty to a chunk', async () => {
    await sandbox.given({ id: 'T1', state: 'captured', amount: 1_000_000 });
    const { watch, gateway } = watching();
    const header =
      'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
    const ids = numbers(120).map((number) => `P${number}`);
    const document = await sandbox.run(
      'payout.csv',
      csv(header, ...ids.map((id) => `${id},bank,USD,USD,1.00,company,Acme,DE89370400440532013000`)),
      {},
      { gateway },
    );
    expect(document).toMatchObject({ exit: 0, lines: { succeeded: 120 }, chunks: { planned: 3, done: 3 } });
    expect(watch.calls.flatMap(subjectsOf)).toEqual(ids);
    expect(watch.calls.every(({ request }) => 'payout' in request)).toBe(true);
    expect(new Set(results(document).map(({ chunk }) => chunk))).toEqual(new Set(['1', '2', '3']));
  });

  test('invalid lines are in no request, and leave no gap', async () => {
    const ids = numbers(100).map((number) => `T${number}`);
    await sandbox.given(...ids.map((id) => ({ id })));
    const { watch, gateway } = watching();
    // Every twelfth line names no amount that can be read.
    const document = await sandbox.run(
      'capture.csv',
      csv(ENTRY, ...ids.map((id, at) => `${id},O-${id},USD,${at % 12 === 5 ? '' : '1.00'}`)),
      {},
      { gateway },
    );
    expect(document).toMatchObject({ lines: { succeeded: 92, invalid: 8 }, chunks: { planned: 2, done: 2 } });
    expect(watch.calls.map((call) => subjectsOf(call).length)).toEqual([50, 42]);
  });
});

describe('in flight', () => {
  test.each([1, 2, 5])('at most %i requests at a time', async (concurrency) => {
    const ids = numbers(600).map((number) => `T${number}`);
    await sandbox.given(...ids.map((id) => ({ id })));
    const { watch, gateway } = watching();
    await sandbox.run(
      'capture.csv',
      csv(ENTRY, ...ids.map((id) => `${id},O-${id},USD,1.00`)),
      {},
      { gateway, concurrency },
    );
    expect(watch.calls).toHaveLength(12);
    expect(watch.most).toBe(concurrency);
  });

  test('never two that name the same transaction, and each transaction’s lines in the order of the file', async () => {
    const ids = numbers(60).map((number) => `T${number}`);
    await sandbox.given(...ids.map((id) => ({ id, amount: 100_000 })));
    const { watch, gateway } = watching();
    // Lines on one transaction are one to sixty apart, and each has an amount of its own.
    const rows = numbers(900).map((number) => ({
      id: ids[(number * number) % 60]!,
      amount: `${Math.floor(number / 100)}.${String(number % 100).padStart(2, '0')}`,
    }));
    const content = csv(ENTRY, ...rows.map(({ id, amount }) => `${id},O-${id},USD,${amount}`));
    const document = await sandbox.run('capture.csv', content, {}, { gateway, concurrency: 20 });
    expect(document.lines).toMatchObject({ total: 900, succeeded: 900 });
    expect(watch.met).toEqual([]);
    for (const call of watch.calls) expect(new Set(subjectsOf(call)).size).toBe(subjectsOf(call).length);
    const transfers = await sandbox.transfers();
    for (const id of ids) {
      const wanted = rows
        .filter((row) => row.id === id)
        .map(({ amount }) => `${id} capture ${Number(amount.replace('.', ''))}`);
      expect(transfers.filter((row) => row.startsWith(`${id} `))).toEqual(wanted);
    }
  });
});

describe('a mixed file', () => {
  const HEADER = `operation,account_id,${ENTRY},refund_amount,review_flag`;
  const STATES = { capture: 'authorised', refund: 'captured', review: 'in_review' } as const;
  const OPERATIONS = Object.keys(STATES) as (keyof typeof STATES)[];
  /** Lines that take turns with operations and accounts, none on a transaction of another. */
  const lines = numbers(600).map((number) => ({
    id: `T${number}`,
    operation: OPERATIONS[number % 3]!,
    account: (number % 2) + 1,
  }));
  const content = csv(
    HEADER,
    ...lines.map(
      ({ id, operation, account }) =>
        `${operation},A${account},${id},O-${id},USD,100.00,${operation === 'refund' ? '1.00' : ''},${operation === 'review' ? '1' : ''}`,
    ),
  );

  beforeEach(async () => {
    await sandbox.account();
    await sandbox.given(
      ...lines.map(({ id, operation, account }): Given => ({ id, account, state: STATES[operation] })),
    );
  });

  test('each request has one operation and one account; there are at most two more of each than the lines need', async () => {
    const { watch, gateway } = watching();
    const document = await sandbox.run('november.csv', content, { merchantId: 'M1' }, { gateway });
    expect(document).toMatchObject({ exit: 0, operation: 'mixed', totals: null, lines: { succeeded: 600 } });
    const made = new Map<string, string[][]>();
    for (const call of watch.calls) {
      const key = `${call.operation} ${call.request.accountId}`;
      made.set(key, [...(made.get(key) ?? []), [...subjectsOf(call)]]);
    }
    for (const [key, requests] of made) {
      const [operation, account] = key.split(' ');
      const own = lines.filter((line) => line.operation === operation && `A${line.account}` === account);
      expect(requests.flat()).toEqual(own.map(({ id }) => id));
      expect(requests.length).toBeLessThanOrEqual(own.length / (operation === 'review' ? 100 : 50) + 2);
    }
    expect(made.size).toBe(6);
    expect(document.chunks).toEqual({ planned: watch.calls.length, done: watch.calls.length });
  });

  test('the chunks of the result partition its lines', async () => {
    const document = await sandbox.run('november.csv', content, { merchantId: 'M1' });
    const chunks = new Map<string, string[]>();
    for (const { chunk, line } of results(document))
      chunks.set(chunk!, [...(chunks.get(chunk!) ?? []), line!]);
    expect([...chunks.keys()].map(Number)).toEqual(numbers(document.chunks.planned));
    for (const own of chunks.values()) {
      const about = own.map((line) => lines[Number(line) - 2]!);
      expect(new Set(about.map(({ operation, account }) => `${operation} ${account}`)).size).toBe(1);
    }
  });
});

describe('whatever the concurrency', () => {
  const lines = numbers(400).map((number) => ({ id: `T${(number * 7) % 90}`, amount: `${number}.00` }));
  const content = csv(
    `operation,${ENTRY},refund_amount`,
    ...lines.map(({ id, amount }, at) =>
      at % 3 === 2 ? `refund,${id},O-${id},USD,10000.00,${amount}` : `capture,${id},O-${id},USD,${amount},`,
    ),
  );

  async function runWith(
    concurrency: number,
  ): Promise<{ document: BatchDocument; result: string; books: object; perTransaction: object }> {
    const own = await Sandbox.make();
    try {
      await own.given(...numbers(90, 0).map((number) => ({ id: `T${number}`, amount: 1_000_000 })));
      const document = await own.run('november.csv', content, {}, { concurrency });
      const id = (row: string) => row.split(' ')[0]!;
      // Sorting keeps the order of the ledger within each transaction.
      const perTransaction = [...(await own.transfers())].sort((a, b) => id(a).localeCompare(id(b)));
      return {
        document,
        result: readFileSync(document.reports.result!, 'utf8'),
        books: await own.books(),
        perTransaction,
      };
    } finally {
      await own.remove();
    }
  }

  test('the result, the ledger and the totals are the same', async () => {
    const [alone, two, many] = [await runWith(1), await runWith(2), await runWith(400)];
    expect(two.result).toBe(alone.result);
    expect(many.result).toBe(alone.result);
    expect([two.books, many.books]).toEqual([alone.books, alone.books]);
    expect([two.perTransaction, many.perTransaction]).toEqual([alone.perTransaction, alone.perTransaction]);
    expect(alone.document.lines).toMatchObject({
      total: 400,
      refused: expect.any(Number),
      succeeded: expect.any(Number),
    });
    expect(alone.document.lines.refused).toBeGreaterThan(10);
    expect(many.document.breakdown).toEqual(alone.document.breakdown);
  });
});

describe('a gateway that fails', () => {
  const CAPTURE_THEN_REFUND = csv(
    `operation,${ENTRY},refund_amount`,
    'capture,T1,O-T1,USD,100.00,',
    'refund,T1,O-T1,USD,100.00,100.00',
    'capture,T2,O-T2,USD,100.00,',
  );

  test('nothing that comes after a chunk that was not executed, and may build on it, is sent', async () => {
    await sandbox.given({ id: 'T1' }, { id: 'T2' });
    let down = true;
    const engine = sandbox.engine();
    const gateway: InstructionGateway = {
      ...watched(engine, {}),
      async capture(request, options) {
        // By the time it answers, the refund waits for it.
        await sleep(5);
        return down ? { failure: reason('E0002') } : engine.capture(request, options);
      },
    };
    const first = await sandbox.run('november.csv', CAPTURE_THEN_REFUND, {}, { gateway });
    expect(first).toMatchObject({
      status: 'interrupted',
      exit: 5,
      errors: [{ code: 'E0002' }],
      lines: { not_sent: 3 },
    });
    expect(await sandbox.transfers()).toEqual([]);
    down = false;
    const second = await sandbox.run('november.csv', CAPTURE_THEN_REFUND, {}, { gateway });
    expect(second.batch).toBe(first.batch);
    expect(outcomes(second)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect((await sandbox.transfers()).filter((row) => row.startsWith('T1'))).toEqual([
      'T1 capture 10000',
      'T1 refund 10000',
    ]);
  });

  test('an error ends the run; what was executed before is not executed again, and nothing is lost', async () => {
    const ids = numbers(500).map((number) => `T${number}`);
    await sandbox.given(...ids.map((id) => ({ id })));
    const content = csv(ENTRY, ...ids.map((id) => `${id},O-${id},USD,1.00`));
    let answers = 0;
    const gateway = watched(sandbox.engine(), {
      after() {
        answers += 1;
        if (answers === 4) throw new Error('the connection is gone');
      },
    });
    await expect(sandbox.run('capture.csv', content, {}, { gateway, concurrency: 2 })).rejects.toThrow(
      'the connection is gone',
    );
    expect((await sandbox.transfers()).length).toBeGreaterThanOrEqual(200);
    const document = await sandbox.run('capture.csv', content);
    expect(document).toMatchObject({ status: 'completed', exit: 0, lines: { succeeded: 500 } });
    expect([...(await sandbox.transfers())].sort()).toEqual(ids.map((id) => `${id} capture 100`).sort());
  });
});
