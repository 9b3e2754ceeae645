/** A stop that is asked for, and a kill before anybody has heard of it. */
import { expect, test } from 'vitest';
import { stopBatch } from '../../src/batch/acts.ts';
import { verify } from '../../src/batch/verify.ts';
import type { Answer, CallOptions, EntriesRequest, InstructionGateway } from '../../src/core/gateway.ts';
import { Database } from '../../src/ledger/database.ts';
import { Killed } from '../support/dying-gateway.ts';
import { csv, ENTRY, outcomes, Sandbox } from '../support/ledger.ts';

test('F46 what was executed before the kill is reported so, although the batch is stopped', async () => {
  const sandbox = await Sandbox.make();
  const ids = Array.from({ length: 150 }, (_, index) => `T${index}`);
  await sandbox.given(...ids.map((id) => ({ id })));
  const path = sandbox.file('capture.csv', csv(ENTRY, ...ids.map((id) => `${id},O-${id},USD,100.00`)));
  const inner = sandbox.engine();
  let asked: unknown;
  const gateway: InstructionGateway = Object.assign(sandbox.engine(), {
    // Executed; then somebody asks for a stop; neither the answer nor the stop is ever heard of.
    async capture(request: EntriesRequest, options?: CallOptions): Promise<Answer> {
      await inner.capture(request, options);
      const [record] = await sandbox.batches();
      asked = await stopBatch(sandbox.context(), record!, 'the wrong file');
      throw new Killed('killed');
    },
  });
  await expect(sandbox.runPath(path, {}, { gateway, concurrency: 1 })).rejects.toThrow(Killed);
  expect(asked).toBe('asked');
  expect(await sandbox.transfers()).toHaveLength(50);

  const document = await sandbox.runPath(path);
  expect(document).toMatchObject({ status: 'stopped', exit: 3, lines: { succeeded: 50, not_sent: 100 } });
  expect(outcomes(document)).toEqual(ids.map((_, index) => (index < 50 ? 'succeeded' : 'not_sent')));
  expect(await sandbox.transfers()).toHaveLength(50);
  const { folders } = sandbox;
  const database = await Database.openSnapshot(folders.database);
  const findings = await verify({ database, folders });
  expect(findings.filter(({ ok }) => !ok).map(({ named }) => named)).toEqual([]);
  await database.close();
  await sandbox.remove();
});
