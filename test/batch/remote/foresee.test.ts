/** Foreseeing what a remote gateway would do: only queries go out, and what may succeed is never foreseen as refused. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RemoteExecutor } from '../../../src/batch/executor.ts';
import { type Plan, plan } from '../../../src/batch/plan.ts';
import { figuresOf, foreseeEntry } from '../../../src/batch/remote/figures.ts';
import { RemoteForeseer } from '../../../src/batch/remote/foresee.ts';
import type { Submission } from '../../../src/batch/submission.ts';
import { inspect } from '../../../src/batch/take.ts';
import { reason } from '../../../src/core/code.ts';
import type { Entry, Gateway } from '../../../src/core/gateway.ts';
import type { EntryOperation } from '../../../src/core/operation.ts';
import type { QueriedTransaction, QueryRequest } from '../../../src/core/query.ts';
import type { State } from '../../../src/core/state.ts';
import { applyTransfer, decide, stateOf, type Transaction } from '../../../src/core/transaction.ts';
import { AccountBook } from '../../../src/ledger/accounts.ts';
import {
  csv,
  ENTRY,
  type Given,
  type Sandbox as Ledger,
  Sandbox,
  submissionOf,
  watched,
} from '../../support/ledger.ts';

/** The ledger of the plan, and that of the gateway. */
let here: Ledger;
let there: Ledger;
beforeEach(async () => {
  [here, there] = [await Sandbox.make(), await Sandbox.make()];
});
afterEach(async () => {
  await here.remove();
  await there.remove();
});

/** The gateway, and the ids of each query that reached it. */
function asked(): { gateway: Pick<Gateway, 'query'>; queries: (readonly string[])[] } {
  const engine = there.engine();
  const queries: (readonly string[])[] = [];
  const query: Gateway['query'] = (request) => {
    const { selection } = request;
    queries.push(selection.by === 'name' ? selection.transactionIds : []);
    return engine.query(request);
  };
  return { gateway: { query }, queries };
}

type Planned = readonly [name: string, content: string, change?: Partial<Submission>];

/** Plans files one after the other. */
async function plans(gateway: Pick<Gateway, 'query'>, files: readonly Planned[]): Promise<readonly Plan[]> {
  const foreseer = new RemoteForeseer(gateway, here.database.reads);
  const planned = new Map<string, string>();
  const found: Plan[] = [];
  for (const [name, content, change] of files) {
    const path = here.file(name, content);
    const { sha256 } = await inspect(path);
    found.push(
      await plan(path, {
        submission: submissionOf(path, { gateway: 'bank', ...change }),
        sha256,
        environment: 'sandbox',
        accounts: new AccountBook(await here.accounts()),
        keysOf: async () => [],
        foresight: {
          reads: here.database.reads,
          sendAs: (origin) => foreseer.sendAs(origin),
          concurrency: 8,
          byQuery: true,
        },
        planned,
      }),
    );
  }
  return found;
}

/** What is foreseen of each file: outcomes with their number, then codes. */
function said({ preflight, foreseen }: Plan): string {
  const { total, ...outcomes } = preflight.tally.counts();
  const counts = Object.entries(outcomes).filter(([, lines]) => lines > 0);
  return [...counts.map(([outcome, lines]) => `${lines} ${outcome}`), ...foreseen.keys()].join(' ');
}

const OPERATION = `operation,${ENTRY},refund_amount,review_flag`;

/** `capture 10.00` and so on, all on one transaction of 100.00 USD. */
function lines(...instructions: readonly string[]): string {
  const rows = instructions.map((instruction) => {
    const [operation, amount, id = 'T1'] = instruction.split(' ');
    if (operation === 'refund') return `refund,${id},O-${id},USD,100.00,${amount},`;
    if (operation === 'accept' || operation === 'reject')
      return `review,${id},O-${id},USD,${amount},,${operation === 'accept' ? 1 : 0}`;
    return `${operation},${id},O-${id},USD,${amount},,`;
  });
  return csv(OPERATION, ...rows);
}

describe('a transaction of 100.00 USD at the gateway, and what is foreseen of one instruction', () => {
  const part = { state: 'partially_captured', captured: 4_000 } as const;
  const given = (state: State): Omit<Given, 'id'> => ({ state });
  test.for<[given: Omit<Given, 'id'>, instruction: string, foreseen: string]>([
    [given('authorised'), 'capture 100.00', '1 succeeded'],
    [given('authorised'), 'capture 100.01', '1 refused V0005'],
    [given('authorised'), 'cancel 100.00', '1 succeeded'],
    [given('authorised'), 'cancel 99.99', '1 refused V0004'],
    [given('authorised'), 'refund 1.00', '1 refused V0007'],
    [given('authorised'), 'accept 100.00', '1 refused V0009'],
    [part, 'capture 60.00', '1 succeeded'],
    [part, 'capture 100.00', '1 refused V0005'],
    [part, 'cancel 60.00', '1 succeeded'],
    [part, 'cancel 100.00', '1 refused V0004'],
    [part, 'refund 40.00', '1 succeeded'],
    [part, 'refund 100.00', '1 refused V0006'],
    [given('captured'), 'refund 100.00', '1 succeeded'],
    [given('captured'), 'refund 100.01', '1 refused V0006'],
    [given('captured'), 'capture 1.00', '1 refused V0007'],
    [{ state: 'partially_refunded', refunded: 1_000 }, 'refund 90.00', '1 succeeded'],
    [{ state: 'partially_refunded', refunded: 1_000 }, 'refund 100.00', '1 refused V0006'],
    [given('refunded'), 'refund 0.01', '1 refused V0006'],
    [given('in_review'), 'accept 100.00', '1 succeeded'],
    [given('in_review'), 'accept 99.00', '1 refused V0004'],
    [given('in_review'), 'capture 100.00', '1 refused V0007'],
    [given('cancelled'), 'capture 1.00', '1 refused V0007'],
    [given('declined'), 'capture 1.00', '1 refused V0007'],
    [given('expired'), 'capture 1.00', '1 refused V0008'],
    [{ ...given('authorised'), at: 0 }, 'capture 1.00', '1 refused V0008'],
  ])('%j, %s: %s', async ([transaction, instruction, foreseen]) => {
    await there.given({ id: 'T1', ...transaction });
    const [only] = await plans(asked().gateway, [['lines.csv', lines(instruction)]]);
    expect(said(only!)).toBe(foreseen);
  });

  test.for<[what: string, line: string, foreseen: string]>([
    ['a transaction that the gateway does not have', 'T9,O-T9,USD,1.00', '1 refused V0001'],
    ['one that only this ledger has', 'L1,O-L1,USD,1.00', '1 refused V0001'],
    ['another order_no', 'T1,O-T2,USD,1.00', '1 refused V0002'],
    ['another currency', 'T1,O-T1,EUR,1.00', '1 refused V0003'],
  ])('%s', async ([, line, foreseen]) => {
    await there.given({ id: 'T1' });
    await here.given({ id: 'L1' });
    const [only] = await plans(asked().gateway, [['capture.csv', csv(ENTRY, line)]]);
    expect(said(only!)).toBe(foreseen);
  });
});

describe('later instructions see what is foreseen of earlier ones', () => {
  test.for<[state: State, instructions: readonly string[], foreseen: string]>([
    [
      'authorised',
      ['capture 100.00', 'refund 20.00', 'refund 80.00', 'refund 1.00'],
      '3 succeeded 1 refused V0006',
    ],
    ['authorised', ['refund 20.00', 'capture 100.00'], '1 succeeded 1 refused V0007'],
    [
      'authorised',
      ['capture 40.00', 'cancel 60.00', 'refund 41.00', 'refund 40.00'],
      '3 succeeded 1 refused V0006',
    ],
    ['authorised', ['cancel 100.00', 'capture 1.00'], '1 succeeded 1 refused V0007'],
    ['partially_captured', ['capture 60.00', 'capture 38.00', 'capture 2.00'], '2 succeeded 1 refused V0005'],
    ['partially_captured', ['refund 30.00', 'capture 70.00', 'capture 1.00'], '2 succeeded 1 refused V0007'],
    ['partially_captured', ['cancel 60.00', 'refund 40.00', 'refund 0.01'], '2 succeeded 1 refused V0006'],
    ['partially_captured', ['capture 60.00', 'refund 100.00', 'refund 1.00'], '2 succeeded 1 refused V0006'],
    ['in_review', ['accept 100.00', 'capture 100.00', 'refund 100.00'], '3 succeeded'],
    ['in_review', ['accept 100.00', 'refund 100.00'], '2 succeeded'],
    ['in_review', ['reject 100.00', 'capture 100.00'], '1 succeeded 1 refused V0007'],
  ])('%s: %j', async ([state, instructions, foreseen]) => {
    await there.given({ id: 'T1', state, ...(state === 'partially_captured' ? { captured: 4_000 } : {}) });
    const { gateway, queries } = asked();
    const [only] = await plans(gateway, [['lines.csv', lines(...instructions)]]);
    expect([said(only!), queries]).toEqual([foreseen, [['T1']]]);
  });

  test('in another file of the same plan, too, and nobody is asked again', async () => {
    await there.given({ id: 'T1' });
    const { gateway, queries } = asked();
    const found = await plans(gateway, [
      ['capture.csv', lines('capture 100.00')],
      ['refund.csv', lines('refund 20.00')],
      ['again.csv', lines('capture 100.00', 'refund 30.00')],
      ['renamed.csv', lines('capture 100.00')],
    ]);
    expect(found.map(said)).toEqual([
      '1 succeeded',
      '1 succeeded',
      '1 succeeded 1 duplicate B0001',
      '1 not_sent',
    ]);
    expect([queries, found[3]!.before]).toEqual([[['T1']], { is: 'planned', name: 'capture.csv' }]);
  });
});

test('each transaction is asked for once, and at most a hundred at a time', async () => {
  const ids = Array.from({ length: 230 }, (_, index) => `T${index}`);
  await there.given(...ids.map((id) => ({ id, state: 'in_review' as const })));
  const { gateway, queries } = asked();
  const [reviews, captures] = await plans(gateway, [
    ['review.csv', lines(...ids.map((id) => `accept 100.00 ${id}`))],
    ['capture.csv', lines(...ids.map((id) => `capture 100.00 ${id}`))],
  ]);
  expect([said(reviews!), said(captures!)]).toEqual(['230 succeeded', '230 succeeded']);
  expect(queries.flat().sort()).toEqual([...ids].sort());
  expect(Math.max(...queries.map(({ length }) => length))).toBe(100);
});

describe('what was sent before', () => {
  /** Executes at the gateway, as the runner does. */
  const remote = (gateway: RemoteExecutor['gateway'] = there.engine()) => ({
    executor: (): RemoteExecutor => ({
      is: 'remote',
      gateway,
      address: 'https://gateway.example',
      idempotentMs: 0,
      settledMs: 0,
      concurrency: 1,
    }),
  });
  const run = (name: string, content: string, gateway?: RemoteExecutor['gateway']) =>
    here.run(name, content, { gateway: 'bank' }, remote(gateway));

  test('is a duplicate, and not asked for', async () => {
    await there.given({ id: 'T1' }, { id: 'T2' });
    await run('capture.csv', lines('capture 10.00', 'capture 10.00 T2'));
    const { gateway, queries } = asked();
    const [corrected, same] = await plans(gateway, [
      ['corrected.csv', lines('capture 10.00', 'capture 20.00 T2')],
      ['capture.csv', lines('capture 10.00', 'capture 10.00 T2')],
    ]);
    expect([said(corrected!), queries]).toEqual(['1 succeeded 1 duplicate B0001', [['T2']]]);
    expect(same!.before).toMatchObject({ is: 'executed' });
  });

  test('and refused holds no identity', async () => {
    await there.given({ id: 'T1' });
    await run('refund.csv', lines('refund 10.00'));
    const [first, second] = await plans(asked().gateway, [
      ['capture.csv', lines('capture 100.00')],
      ['refunds.csv', lines('refund 10.00', 'refund 5.00')],
    ]);
    expect([said(first!), said(second!)]).toEqual(['1 succeeded', '2 succeeded']);
  });

  test('F71 and whose answer was lost with the process is unknown, whatever the gateway says by now', async () => {
    await there.given({ id: 'T1' }, { id: 'T2' });
    const engine = there.engine();
    const after = () => {
      throw new Error('killed');
    };
    const killed = {
      ...watched(engine, { after }),
      query: (request: QueryRequest) => engine.query(request),
    };
    const content = lines('capture 100.00', 'refund 10.00');
    await expect(run('lines.csv', content, killed)).rejects.toThrow('killed');
    const [only] = await plans(asked().gateway, [['lines.csv', content]]);
    expect([said(only!), only!.before]).toEqual([
      '1 succeeded 1 unknown E0001',
      { is: 'begun', batch: expect.stringMatching(/^B/) },
    ]);
  });
});

describe('payouts', () => {
  const HEADER =
    'request_id,payment_method,source_currency,payment_currency,source_amount,beneficiary.entity_type,beneficiary.company_name,beneficiary.bank_details.iban';
  const payout = (id: string, amount: string) =>
    `${id},BANK_TRANSFER,EUR,EUR,${amount},COMPANY,Acme,DE89370400440532013000`;

  test('would be sent, nobody is asked, and a request_id counts once', async () => {
    const { gateway, queries } = asked();
    const [first, second] = await plans(gateway, [
      ['payout.csv', csv(HEADER, payout('P1', '1.00'), payout('P2', '2.00'))],
      ['payouts.csv', csv(HEADER, payout('P1', '1.00'), payout('P2', '3.00'), payout('P3', '3.00'))],
    ]);
    expect([said(first!), first!.unforeseen]).toEqual(['2 pending', 2]);
    expect([said(second!), second!.unforeseen]).toEqual(['1 pending 1 invalid 1 duplicate B0001 B0014', 1]);
    expect(queries).toEqual([]);
  });
});

describe('a gateway that does not say', () => {
  test.for(['I0013', 'E0002'] as const)('%s is told, and nothing is foreseen', async (code) => {
    const query: Gateway['query'] = async () => ({ failure: reason(code, 'because') });
    const [only] = await plans({ query }, [['capture.csv', lines('capture 1.00')]]);
    expect([said(only!), only!.failure]).toEqual(['1 not_sent', reason(code, 'because')]);
  });

  test('what its answer does not name at all is not foreseen', async () => {
    await there.given({ id: 'T1' });
    const query: Gateway['query'] = async () => ({ records: [], cursor: undefined });
    const [only] = await plans({ query }, [['capture.csv', lines('capture 1.00')]]);
    expect([said(only!), only!.unforeseen]).toEqual(['1 pending', 1]);
  });
});

test('whatever the figures are that a query does not show, what succeeds was not foreseen as refused', () => {
  const AMOUNT = 6;
  const minor = fc.integer({ min: 1, max: AMOUNT });
  const step = fc.record({
    operation: fc.constantFrom<EntryOperation>('capture', 'capture', 'cancel', 'refund', 'refund', 'review'),
    amount: minor,
    flag: fc.constantFrom(0 as const, 1 as const, 1 as const),
  });
  const rules = fc.record({
    capture: fc.constantFrom('manual' as const, 'automatic' as const),
    lifetime: fc.constant(Number.POSITIVE_INFINITY),
  });
  const start = fc.record({
    standing: fc.constantFrom<State>('authorised', 'authorised', 'in_review', 'declined'),
    history: fc.array(step, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(start, fc.array(step, { minLength: 1, maxLength: 6 }), rules, (before, steps, account) => {
      let real = fresh(before.standing, AMOUNT);
      const execute = (one: (typeof steps)[number]) => {
        const decided = decide(one.operation, entryOf(one, AMOUNT), real, 0, account);
        if ('code' in decided) return false;
        real = decided.reduce((all, { kind, amount }) => applyTransfer(all, kind, amount, 0), real);
        return true;
      };
      before.history.forEach(execute);
      let figures = figuresOf(queried(real, stateOf(real, 0, account.lifetime)));
      for (const one of steps) {
        if (!execute(one)) continue;
        const after = foreseeEntry(one.operation, entryOf(one, AMOUNT), figures);
        if ('code' in after) throw new Error(`${one.operation} ${one.amount} succeeds: ${after.message}`);
        figures = after;
      }
    }),
    { numRuns: 3000 },
  );
});

function fresh(standing: State, amount: number): Transaction {
  return {
    transactionId: 'T1',
    orderNo: 'O-T1',
    currency: 'USD',
    amount,
    standing,
    captured: 0,
    refunded: 0,
    cancelled: 0,
    expired: 0,
    review: undefined,
    authorisedAt: 0,
  };
}

function queried(
  { transactionId, orderNo, currency, amount }: Transaction,
  state: State,
): QueriedTransaction {
  return {
    transactionId,
    orderNo,
    currency,
    amount,
    state,
    referenceNo: '',
    createdAt: 0,
    is3ds: false,
    message: undefined,
    risk: undefined,
    contract: undefined,
  };
}

/** Reviews and refunds name the amount of the transaction. */
function entryOf(
  { operation, amount, flag }: { operation: EntryOperation; amount: number; flag: 0 | 1 },
  whole: number,
): Entry {
  return {
    transactionId: 'T1',
    orderNo: 'O-T1',
    currency: 'USD',
    amount: operation === 'review' || operation === 'refund' ? whole : amount,
    refundAmount: operation === 'refund' ? amount : undefined,
    reviewFlag: operation === 'review' ? flag : undefined,
    refundReason: undefined,
    reference: undefined,
    line: 0,
    repeatOf: undefined,
  };
}
