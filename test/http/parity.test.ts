/** The same instructions by file and by request leave equal ledgers: one engine decides both. Distinct instructions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verify } from '../../src/batch/verify.ts';
import { getOrSet } from '../../src/core/get-or-set.ts';
import { type EntryOperation, OPERATIONS } from '../../src/core/operation.ts';
import { Database } from '../../src/ledger/database.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { PATHS } from '../../src/wire/paths.ts';
import { csv, type Given, results, type Sandbox } from '../support/ledger.ts';
import { Api } from './api.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 15);

const GIVEN: readonly Given[] = [
  ...['A', 'B', 'C', 'D'].map((id) => ({ id })),
  ...['E', 'F', 'G'].map((id) => ({ id, state: 'captured' as const })),
  ...['H', 'I'].map((id) => ({ id, state: 'in_review' as const })),
  { id: 'J', state: 'cancelled' },
];

interface Instruction {
  readonly operation: EntryOperation;
  readonly id: string;
  readonly amount: string;
  readonly moved: string;
  readonly flag: '0' | '1';
}

/** Most of them possible, some not. */
const instruction = fc.record<Instruction>({
  operation: fc.constantFrom('capture', 'cancel', 'review', 'refund'),
  id: fc.constantFrom(...GIVEN.map(({ id }) => id), 'NONE'),
  amount: fc.constantFrom('100.00', '100.00', '60.00', '40.00', '0.01'),
  moved: fc.constantFrom('100.00', '60.00', '40.00', '33.33', '0.01'),
  flag: fc.constantFrom('0', '1'),
});

/** What a file would take for the same instruction twice does not occur. */
const identityOf = ({ operation, id, amount, moved, flag }: Instruction) =>
  `${operation} ${id} ${operation === 'refund' ? moved : operation === 'review' ? flag : amount}`;

function fieldsOf({ operation, id, amount, moved, flag }: Instruction): Record<string, string> {
  return {
    transaction_id: id,
    order_no: `O-${id}`,
    currency: 'USD',
    amount,
    ...(operation === 'review' ? { review_flag: flag } : {}),
    ...(operation === 'refund' ? { refund_amount: moved } : {}),
  };
}

test('a file and requests with the same instructions leave equal ledgers and equal verdicts', {
  timeout: 120_000,
}, async () => {
  const some = fc.uniqueArray(instruction, { selector: identityOf, minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(some, fc.boolean(), async (instructions, automatic) => {
      const accounts = [{ capture: automatic ? 'automatic' : 'manual' } as const];
      const byFile = await Api.make({}, accounts);
      const byRequest = await Api.make({}, accounts);
      try {
        await byFile.sandbox.given(...GIVEN);
        await byRequest.sandbox.given(...GIVEN);
        const verdicts = await runFile(byFile.sandbox, instructions);
        expect(await sendAll(byRequest, instructions)).toEqual(verdicts);
        expect(await ledgerOf(byRequest.sandbox)).toEqual(await ledgerOf(byFile.sandbox));
        await expectSound(byRequest.sandbox);
      } finally {
        await byFile.remove();
        await byRequest.remove();
      }
    }),
    { numRuns: RUNS },
  );
});

const COLUMNS = [
  'operation',
  'transaction_id',
  'order_no',
  'currency',
  'amount',
  'review_flag',
  'refund_amount',
];

/** The code of each line, empty for success. */
async function runFile(sandbox: Sandbox, instructions: readonly Instruction[]): Promise<readonly string[]> {
  const lines = instructions.map((one) => {
    const fields: Record<string, string> = { operation: one.operation, ...fieldsOf(one) };
    return COLUMNS.map((column) => fields[column] ?? '').join(',');
  });
  const document = await sandbox.run('instructions.csv', csv(COLUMNS.join(','), ...lines));
  return results(document).map(({ code }) => code!);
}

/** One request after the other. */
async function sendAll(api: Api, instructions: readonly Instruction[]): Promise<readonly string[]> {
  const codes: string[] = [];
  for (const one of instructions) {
    const { list } = OPERATIONS[one.operation];
    const { json } = await api.send(PATHS[one.operation], { [list]: [fieldsOf(one)] });
    const [entry] = json[list] as readonly JsonFields[];
    const verdict = String(entry!.error_message ?? entry!.refund_message);
    codes.push(verdict === 'V0000:OK' ? '' : verdict.split(':')[0]!);
  }
  return codes;
}

/** Transfers per transaction in their order, and the books: ids, times and origin aside. */
async function ledgerOf(sandbox: Sandbox) {
  const transfers = new Map<string, string[]>();
  for (const transfer of await sandbox.transfers()) {
    getOrSet(transfers, transfer.split(' ')[0]!, () => []).push(transfer);
  }
  return { transfers, books: await sandbox.books() };
}

async function expectSound({ folders }: Sandbox): Promise<void> {
  const database = await Database.openSnapshot(folders.database);
  const findings = await verify({ database, folders });
  await database.close();
  expect(findings.filter(({ ok }) => !ok).map(({ named }) => named)).toEqual([]);
}
