/** What people do with a batch, interrupted and killed like any run. */
import { expect, test } from 'vitest';
import { DyingGateway, Killed } from '../support/dying-gateway.ts';
import { csv, documentOf, ENTRY, outcomes, Sandbox } from '../support/ledger.ts';

/** A file of four chunks, stopped after the first. */
async function stoppedBatch() {
  const sandbox = await Sandbox.make();
  const ids = Array.from({ length: 200 }, (_, index) => `T${index}`);
  await sandbox.given(...ids.map((id) => ({ id })));
  const content = csv(ENTRY, ...ids.map((id) => `${id},O-${id},USD,100.00`));
  let chunks = 1;
  const interruption = () => (--chunks < 0 ? 143 : undefined);
  const interrupted = await sandbox.run('capture.csv', content, {}, { interruption, concurrency: 1 });
  expect(interrupted.lines).toMatchObject({ succeeded: 50, not_sent: 150 });
  const stopped = documentOf(await sandbox.stop(interrupted));
  expect(stopped).toMatchObject({ status: 'stopped', lines: { succeeded: 50, not_sent: 150 } });
  return { sandbox, stopped };
}

test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  'F46 a retry that was killed, then a resume that is interrupted after %i chunks: counts stay true, nothing runs twice',
  async (after) => {
    const { sandbox, stopped } = await stoppedBatch();
    const gateway = new DyingGateway(sandbox.engine(), 1);
    await expect(sandbox.retry(stopped, { gateway, concurrency: 1 })).rejects.toThrow(Killed);
    expect(await sandbox.transfers()).toHaveLength(150);
    // Both attempts are open now, and each has lines that the other has.
    let chunks = after;
    const interruption = () => (--chunks < 0 ? 143 : undefined);
    const document = documentOf(await sandbox.resume(stopped, { interruption, concurrency: 1 }));
    const { total, ...rest } = document.lines;
    const counts = Object.values(rest);
    expect(Math.min(...counts), JSON.stringify(rest)).toBe(0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    const end = document.status === 'interrupted' ? documentOf(await sandbox.resume(stopped)) : document;
    expect(end).toMatchObject({ status: 'completed', lines: { succeeded: 200 } });
    expect(new Set(outcomes(end))).toEqual(new Set(['succeeded']));
    expect(await sandbox.transfers()).toHaveLength(200);
    await sandbox.remove();
  },
);
