/** What people do with a batch: stop, resume, retry, close. Each makes a revision where it changes something, and none executes a line twice. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BatchDocument, ReportDocument } from '../../src/report/document.ts';
import {
  type ContextChange,
  csv,
  documentOf,
  ENTRY,
  outcomes,
  readCsv,
  results,
  Sandbox,
  watched,
} from '../support/ledger.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
});
afterEach(() => sandbox.remove());

const ids = Array.from({ length: 230 }, (_, index) => `T${index + 1}`);
/** Five chunks; the lines of T5, T105 and T205 are refused. */
const FILE = csv(ENTRY, ...ids.map((id, at) => `${id},O-${id},USD,${at % 100 === 4 ? '100.01' : '1.00'}`));
const ALL = ids.filter((_, at) => at % 100 !== 4).map((id) => `${id} capture 100`);

const given = () => sandbox.given(...ids.map((id) => ({ id })));
const report = (document: BatchDocument): ReportDocument =>
  JSON.parse(readFileSync(document.reports.json!, 'utf8'));
const filesOf = (document: BatchDocument) =>
  new Map(
    Object.values(document.reports)
      .filter((path) => path !== null)
      .map((path) => [basename(path), readFileSync(path)]),
  );

/** Dies once the gateway has executed so many requests, before the journal knows of the last. */
function killedAfter(requests: number): ContextChange {
  let asked = 0;
  const gateway = watched(sandbox.engine(), {
    after() {
      asked += 1;
      if (asked === requests) throw new Error('killed');
    },
  });
  return { gateway, concurrency: 1 };
}

/** The ledger has exactly what the report calls succeeded, each line once. */
async function expectLedgerAsReported(document: BatchDocument): Promise<void> {
  const succeeded = results(document).filter(({ outcome }) => outcome === 'succeeded');
  const wanted = succeeded.map(
    ({ transaction_id, amount }) => `${transaction_id} capture ${Number(amount) * 100}`,
  );
  expect([...(await sandbox.transfers())].sort()).toEqual(wanted.sort());
  const rows = await sandbox.database.reads.all<{ line: number; attempt: number }>(
    'SELECT line, attempt FROM transfer ORDER BY line',
  );
  expect(rows.map(({ line, attempt }) => `${line} ${attempt}`)).toEqual(
    succeeded.map(({ line, attempt }) => `${line} ${attempt}`),
  );
}

describe('stop', () => {
  beforeEach(given);

  test('an interrupted batch is over: the rest is not sent, and its fixme has those lines', async () => {
    const first = await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(2));
    const stopped = documentOf(await sandbox.stop(first));
    expect(stopped).toMatchObject({
      batch: first.batch,
      status: 'stopped',
      exit: 3,
      revision: 1,
      lines: { total: 230 },
    });
    expect(stopped.lines.not_sent).toBe(first.lines.not_sent);
    expect(stopped.lines.succeeded).toBe(first.lines.succeeded);
    await expectLedgerAsReported(stopped);
    const fixme = readCsv(stopped.reports.fixme);
    expect(fixme).toHaveLength(stopped.lines.not_sent + stopped.lines.refused);
    expect(fixme.at(-1)).toMatchObject({
      transaction_id: 'T230',
      _problem: 'The line was not sent.',
      _line_of: `${first.batch}:231`,
    });
    expect(results(stopped).at(-1)).toMatchObject({
      outcome: 'not_sent',
      code: '',
      chunk: '',
      attempt: '',
      gateway_reference: '',
    });
  });

  test('what a killed run had executed without writing it down is reported all the same', async () => {
    await expect(sandbox.run('capture.csv', FILE, {}, killedAfter(2))).rejects.toThrow('killed');
    expect(await sandbox.transfers()).toHaveLength(98 + 1);
    const [record] = await sandbox.batches();
    const stopped = documentOf(await sandbox.stop({ batch: record!.id } as BatchDocument));
    expect(stopped).toMatchObject({
      status: 'stopped',
      lines: { succeeded: 99, refused: 1, not_sent: 130 },
      chunks: { planned: 5, done: 2 },
    });
    await expectLedgerAsReported(stopped);
  });

  test('payouts are requests of their own: a chunk that was begun is brought to its end, none is begun', async () => {
    await sandbox.given({ id: 'R', state: 'captured', amount: 100_000 });
    const header =
      'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
    const payouts = Array.from(
      { length: 70 },
      (_, index) => `P${index},bank,USD,USD,1.00,company,A,DE89370400440532013000`,
    );
    const engine = sandbox.engine();
    let asked = 0;
    const gateway = watched(engine, {
      before() {
        asked += 1;
        if (asked > 7) throw new Error('killed');
      },
    });
    await expect(
      sandbox.run('payout.csv', csv(header, ...payouts), {}, { gateway, concurrency: 1 }),
    ).rejects.toThrow('killed');
    const [record] = await sandbox.batches();
    const stopped = documentOf(await sandbox.stop({ batch: record!.id } as BatchDocument));
    expect(stopped).toMatchObject({ status: 'stopped', lines: { succeeded: 50, not_sent: 20 } });
    expect(await sandbox.transfers()).toEqual(payouts.slice(0, 50).map((_, index) => `P${index} payout 100`));
    const whole = documentOf(await sandbox.resume(stopped));
    expect(whole).toMatchObject({ status: 'completed', exit: 0, lines: { succeeded: 70 } });
    expect(await sandbox.transfers()).toHaveLength(70);
  });

  test('that nobody has seen yet is honoured by whoever goes on; only `batch resume` goes on in spite of it', async () => {
    const first = await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(1));
    const { number } = await sandbox.record(first.batch);
    await sandbox.database.write((statements) =>
      statements.run('UPDATE batch SET stop_requested = 1 WHERE number = ?', [number]),
    );
    const stopped = await sandbox.run('capture.csv', FILE);
    expect(stopped).toMatchObject({
      batch: first.batch,
      status: 'stopped',
      lines: { succeeded: first.lines.succeeded },
    });
    await expectLedgerAsReported(stopped);
    expect(documentOf(await sandbox.resume(stopped))).toMatchObject({
      status: 'completed',
      lines: { succeeded: 227 },
    });
  });

  test('a finished, stopped or rejected batch cannot be stopped', async () => {
    const whole = await sandbox.run('capture.csv', FILE);
    expect(await sandbox.stop(whole)).toEqual({ refusal: 'it is completed already' });
    const interrupted = await sandbox.run(
      'capture.csv',
      csv(ENTRY, 'T1,O-T1,USD,2.00'),
      {},
      sandbox.endingAfter(0),
    );
    await sandbox.stop(interrupted);
    expect(await sandbox.stop(interrupted)).toEqual({ refusal: 'it is stopped already' });
    const rejected = await sandbox.run('capture.csv', 'x\n1\n');
    expect(await sandbox.stop(rejected)).toEqual({ refusal: 'it is rejected already' });
  });
});

describe('resume', () => {
  beforeEach(given);

  test('a stopped batch goes on: the next revision says what changed, and is as if nothing had happened', async () => {
    const stopped = documentOf(
      await sandbox.stop(await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(2))),
    );
    const before = filesOf(stopped);
    const whole = documentOf(await sandbox.resume(stopped));
    expect(whole).toMatchObject({
      batch: stopped.batch,
      status: 'completed',
      revision: 2,
      lines: { succeeded: 227, refused: 3, not_sent: 0 },
      chunks: { planned: 5, done: 5 },
    });
    await expectLedgerAsReported(whole);
    expect(report(whole).changes).toHaveLength(stopped.lines.not_sent);
    expect(report(whole).changes.at(-1)).toEqual({ line: 231, from: 'not_sent', to: 'succeeded', code: '' });
    expect(report(whole).changes).toContainEqual({
      line: 206,
      from: 'not_sent',
      to: 'refused',
      code: 'V0005',
    });
    // The first revision stays as it was, byte for byte, beside the second.
    expect(filesOf(stopped)).toEqual(before);
    for (const path of Object.values(whole.reports))
      if (path !== null) expect(basename(path)).toContain(`.${whole.batch}.r2.`);
    expect(readdirSync(sandbox.folders.reportsOf(whole.batch))).toHaveLength(8);
    expect(filesOf(await sandbox.rewrite(stopped, 1))).toEqual(before);
  });

  test.each(['completed', 'rejected'])('there is nothing to go on with when it is %s', async (status) => {
    const document = await sandbox.run('capture.csv', status === 'completed' ? FILE : 'x\n1\n');
    expect(await sandbox.resume(document)).toEqual({
      refusal: `it is ${status}: there is nothing to go on with`,
    });
  });

  test('and interrupted again goes on again', async () => {
    const first = await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(1));
    const second = documentOf(await sandbox.resume(first, sandbox.endingAfter(1)));
    expect(second).toMatchObject({ status: 'interrupted', exit: 143, revision: 1 });
    expect(second.chunks.done).toBeGreaterThan(first.chunks.done);
    const third = documentOf(await sandbox.resume(first));
    expect(third).toMatchObject({ status: 'completed', revision: 1, lines: { succeeded: 227 } });
    await expectLedgerAsReported(third);
  });
});

describe('retry', () => {
  test('executes again what was refused for a reason that may have passed, and nothing else', async () => {
    await sandbox.given({ id: 'R', state: 'captured', amount: 10_000 });
    const header =
      'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
    const payout = (id: string, amount: string, to = 'USD', iban = 'DE89370400440532013000') =>
      `${id},bank,USD,${to},${amount},company,A,${iban}`;
    const first = await sandbox.run(
      'payout.csv',
      csv(
        header,
        payout('P1', '99.00'),
        payout('P2', '2.00'),
        payout('P3', '0.50', 'EUR'),
        payout('P4', '0.50', 'USD', 'DE00'),
        payout('P5', 'x'),
        payout('P1', '99.00'),
      ),
    );
    expect(outcomes(first)).toEqual([
      'succeeded',
      'refused V0011',
      'refused V0012',
      'refused V0013',
      'invalid I0021',
      'duplicate B0001',
    ]);
    await sandbox.given({ id: 'R2', state: 'captured', amount: 10_000 });
    const second = documentOf(await sandbox.retry(first));
    expect(outcomes(second)).toEqual([
      'succeeded',
      'succeeded',
      'refused V0012',
      'refused V0013',
      'invalid I0021',
      'duplicate B0001',
    ]);
    expect(results(second).map(({ attempt }) => attempt)).toEqual(['1', '2', '2', '1', '', '1']);
    expect(report(second)).toMatchObject({
      revision: 2,
      changes: [{ line: 3, from: 'refused', to: 'succeeded' }],
    });
    expect(readCsv(second.reports.fixme).map(({ request_id }) => request_id)).toEqual(['P3', 'P4', 'P5']);
  });

  test('has nothing to do with anything else', async () => {
    await sandbox.given({ id: 'T1' });
    const document = await sandbox.run(
      'capture.csv',
      csv(ENTRY, 'T1,O-T1,USD,1.00', 'T1,O-T1,USD,200.00', 'T1,O-T1,USD,x', 'T1,O-T1,USD,1.00'),
    );
    expect(await sandbox.retry(document)).toEqual({
      refusal: 'no line was refused for a reason that may have passed',
    });
    expect(await sandbox.record(document.batch)).toMatchObject({ status: 'completed', revision: 1 });
    expect(
      await sandbox.run(
        'capture.csv',
        csv(ENTRY, 'T1,O-T1,USD,1.00', 'T1,O-T1,USD,200.00', 'T1,O-T1,USD,x', 'T1,O-T1,USD,1.00'),
      ),
    ).toMatchObject({ repeat: true });
  });

  test('sends what a stopped batch has not sent, and completes it', async () => {
    await given();
    const stopped = documentOf(
      await sandbox.stop(await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(2))),
    );
    const second = documentOf(await sandbox.retry(stopped));
    expect(second).toMatchObject({
      status: 'completed',
      revision: 2,
      lines: { succeeded: 227, refused: 3, not_sent: 0 },
    });
    await expectLedgerAsReported(second);
    expect(await sandbox.resume(stopped)).toEqual({
      refusal: 'it is completed: there is nothing to go on with',
    });
  });

  test.each(['hold', 'allow'] as const)(
    'stopped, retried, stopped and resumed: every line once (repeats %s)',
    async (repeats) => {
      await given();
      const stopped = documentOf(
        await sandbox.stop(await sandbox.run('capture.csv', FILE, { repeats }, sandbox.endingAfter(1))),
      );
      const retried = documentOf(await sandbox.retry(stopped, sandbox.endingAfter(1)));
      expect(retried).toMatchObject({ status: 'interrupted' });
      const again = documentOf(await sandbox.stop(retried));
      expect(again).toMatchObject({ status: 'stopped', revision: 2 });
      expect(again.lines.not_sent).toBeGreaterThan(0);
      await expectLedgerAsReported(again);
      const whole = documentOf(await sandbox.resume(again));
      expect(whole).toMatchObject({
        status: 'completed',
        revision: 3,
        lines: { succeeded: 227, refused: 3, not_sent: 0, duplicate: 0 },
      });
      await expectLedgerAsReported(whole);
      expect([...(await sandbox.transfers())].sort()).toEqual([...ALL].sort());
    },
  );

  test('interrupted: run again, the same file goes on with it', async () => {
    await given();
    const stopped = documentOf(
      await sandbox.stop(await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(1))),
    );
    const retried = documentOf(await sandbox.retry(stopped, sandbox.endingAfter(1)));
    expect(retried).toMatchObject({ status: 'interrupted', revision: 2 });
    expect(await sandbox.retry(stopped)).toEqual({
      refusal: `it is interrupted; \`batchgate batch resume ${stopped.batch}\` goes on with it`,
    });
    const whole = await sandbox.run('capture.csv', FILE);
    expect(whole).toMatchObject({
      batch: stopped.batch,
      status: 'completed',
      revision: 2,
      lines: { succeeded: 227 },
    });
    await expectLedgerAsReported(whole);
  });

  test('by two people at once: one of them does it', async () => {
    await given();
    const stopped = documentOf(
      await sandbox.stop(await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(1))),
    );
    const both = await Promise.all([sandbox.retry(stopped), sandbox.retry(stopped)]);
    expect(both.filter((one) => typeof one === 'object' && 'batch' in one)).toHaveLength(1);
    expect([...(await sandbox.transfers())].sort()).toEqual([...ALL].sort());
  });

  test('of repeats that were allowed, each line still runs once', async () => {
    await sandbox.given({ id: 'T1' });
    const content = csv(ENTRY, ...Array.from({ length: 5 }, () => 'T1,O-T1,USD,1.00'));
    await expect(sandbox.run('capture.csv', content, { repeats: 'allow' }, killedAfter(3))).rejects.toThrow(
      'killed',
    );
    const [record] = await sandbox.batches();
    const stopped = documentOf(await sandbox.stop({ batch: record!.id } as BatchDocument));
    expect(stopped.lines).toMatchObject({ succeeded: 3, not_sent: 2 });
    const whole = documentOf(await sandbox.retry(stopped));
    expect(whole.lines).toMatchObject({ succeeded: 5 });
    expect(await sandbox.transfers()).toEqual(Array(5).fill('T1 capture 100'));
  });
});

describe('close', () => {
  test('a finished batch: nothing of it is executed again', async () => {
    await sandbox.given({ id: 'T1' });
    const document = await sandbox.run('capture.csv', csv(ENTRY, 'T1,O-T1,USD,1.00', 'T1,O-T1,USD,1.00'));
    expect(await sandbox.close(document)).toBeUndefined();
    expect(await sandbox.close(document)).toEqual({ refusal: 'it is closed already' });
    expect(await sandbox.release(document, [3])).toEqual({ refusal: 'it is closed' });
    expect(await sandbox.retry(document)).toEqual({ refusal: 'it is closed' });
    expect(await sandbox.transfers()).toEqual(['T1 capture 100']);
    expect(await sandbox.record(document.batch)).toMatchObject({
      status: 'completed',
      revision: 1,
      closed: 1,
    });
  });

  test('an unfinished or rejected one cannot be closed', async () => {
    await given();
    const interrupted = await sandbox.run('capture.csv', FILE, {}, sandbox.endingAfter(1));
    expect(await sandbox.close(interrupted)).toEqual({
      refusal: 'it is interrupted; only a finished batch can be closed',
    });
    const rejected = await sandbox.run('capture.csv', 'x\n1\n');
    expect(await sandbox.close(rejected)).toEqual({
      refusal: 'it is rejected; only a finished batch can be closed',
    });
  });
});

describe('revisions written again', () => {
  test.each(['csv', 'json'] as const)('have the same bytes, each of them (%s)', async (format) => {
    await sandbox.given(...ids.slice(0, 60).map((id) => ({ id })), { id: 'R', state: 'captured' });
    const fields = ids.slice(0, 60).map((id, at) => ({
      transaction_id: id,
      order_no: `O-${id}`,
      currency: 'USD',
      amount: at % 20 === 3 ? '-1' : '1.00',
      note: at === 5 ? '=1+1' : 'ö',
    }));
    fields.push({ ...fields[0]! }, { ...fields[1]! }, { ...fields[2]!, amount: '100.01' });
    const content =
      format === 'json'
        ? JSON.stringify({ capture_orders: fields })
        : csv(Object.keys(fields[0]!).join(), ...fields.map((row) => Object.values(row).join()));
    const first = await sandbox.run(`capture.${format}`, content);
    expect(first.lines).toMatchObject({ total: 63, duplicate: 2, invalid: 3, refused: 1 });
    const [, line] = results(first)
      .filter(({ outcome }) => outcome === 'duplicate')
      .map((one) => Number(one.line));
    sandbox.now += 60_000;
    const second = documentOf(await sandbox.release(first, [line!]));
    await sandbox.run('refund.csv', csv(`${ENTRY},refund_amount`, 'R,O-R,USD,100.00,5.00'));
    sandbox.now += 60_000;
    for (const document of [first, second]) {
      const rewritten = await sandbox.rewrite(document, document.revision);
      expect(filesOf(rewritten)).toEqual(filesOf(document));
      expect({ ...rewritten, reports: undefined }).toEqual({ ...document, reports: undefined });
    }
  });
});

test('every act is in the audit, with who and why', async () => {
  await given();
  const first = await sandbox.run('capture.csv', FILE, {}, { ...sandbox.endingAfter(1), actor: 'Ada' });
  await sandbox.stop(first, { actor: 'Bob' });
  await sandbox.retry(first, { actor: 'Cy' });
  await sandbox.close(first);
  const acts = await sandbox.database.reads.all<{ who: string; act: string; detail: string }>(
    'SELECT who, act, detail FROM audit ORDER BY number',
  );
  expect(acts.map(({ who, act }) => `${who} ${act}`)).toEqual([
    'Ada batch.accept',
    'Bob batch.stop',
    'Bob batch.report',
    'Cy batch.retry',
    'Cy batch.report',
    'test batch.close',
  ]);
  expect(JSON.parse(acts[3]!.detail)).toMatchObject({ reason: 'a test', attempt: 2 });
});
