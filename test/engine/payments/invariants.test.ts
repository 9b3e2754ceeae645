/** Whatever shoppers, merchants, acquirers and the clock do, the books stay right: everything that `verify` checks. */
import fc from 'fast-check';
import '../../support/seed.ts';
import { expect, test } from 'vitest';
import { verify } from '../../../src/batch/verify.ts';
import type { Entry } from '../../../src/core/gateway.ts';
import { Simulator } from '../../../src/engine/connector/simulator.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { DAY, Sandbox } from '../../support/ledger.ts';
import { byApm, byCard, byToken, CARDS, card, checkout } from './shop.ts';

const orderNo = fc.constantFrom('O1', 'O2', 'O3');
const number = fc.constantFrom(...Object.values(CARDS));
const which = fc.nat({ max: 9 });
const account = fc.constantFrom('A1', 'A2');

const step = fc.oneof(
  fc.record({ does: fc.constant('pay' as const), orderNo, number, account, stores: fc.boolean() }),
  fc.record({ does: fc.constant('pay again' as const), orderNo, which }),
  fc.record({ does: fc.constant('open' as const), orderNo, account, isApm: fc.boolean() }),
  fc.record({ does: fc.constant('submit' as const), which, number }),
  fc.record({ does: fc.constant('answer' as const), which, passed: fc.boolean() }),
  fc.record({ does: fc.constant('leave' as const), which }),
  fc.record({
    does: fc.constantFrom('capture' as const, 'cancel' as const, 'review' as const, 'refund' as const),
    which,
    amount: fc.constantFrom(10_000, 4_000),
    flag: fc.constantFrom(0 as const, 1 as const),
  }),
  fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 60_000, DAY, 7 * DAY) }),
  fc.record({ does: fc.constant('keep up' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A shop with what it has learnt so far. */
class Shop {
  readonly #sandbox: Sandbox;
  readonly #engine: Engine;
  readonly #sessions: string[] = [];
  readonly #tokens: string[] = [];

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    // Every third answer is lost on its way back.
    let asked = 0;
    const connector = new Simulator({ database: sandbox.database, clock: sandbox.clock });
    const authorise = connector.authorise.bind(connector);
    connector.authorise = async (request) => {
      const answer = await authorise(request);
      asked += 1;
      if (asked % 3 === 0) throw new Error('lost');
      return answer;
    };
    this.#engine = sandbox.engine({ connector });
  }

  async do(one: Step): Promise<void> {
    const engine = this.#engine;
    switch (one.does) {
      case 'pay': {
        const message = { token_flag: one.stores ? 'YES' : 'NO', notify_url: 'https://shop.test/n' } as const;
        const asked = { orderNo: one.orderNo, accountId: one.account, message };
        const answer = await engine.authorise(byCard(one.number, asked));
        if ('payment' in answer && answer.payment.tokenId !== undefined)
          this.#tokens.push(answer.payment.tokenId);
        return;
      }
      case 'pay again':
        await engine.authorise(byToken(pick(this.#tokens, one.which) ?? 'K0', { orderNo: one.orderNo }));
        return;
      case 'open': {
        const asked = { orderNo: one.orderNo, accountId: one.account };
        const answer = await (one.isApm
          ? engine.authorise(byApm('wallet', asked))
          : engine.checkout(checkout(asked)));
        if ('session' in answer) this.#sessions.push(answer.session.session);
        return;
      }
      case 'submit':
        await engine.submitCard(pick(this.#sessions, one.which) ?? '', card(one.number), '198.51.100.7');
        return;
      case 'answer':
        await engine.answerChallenge(pick(this.#sessions, one.which) ?? '', one.passed);
        await engine.decideApm(pick(this.#sessions, one.which) ?? '', one.passed);
        return;
      case 'leave':
        await engine.leave(pick(this.#sessions, one.which) ?? '');
        return;
      case 'wait':
        this.#sandbox.now += one.ms;
        return;
      case 'keep up':
        await engine.resolveDoubts();
        await engine.writeOverdue();
        return;
      default:
        await this.#act(one);
    }
  }

  async #act({ does, which, amount, flag }: Extract<Step, { readonly amount: number }>): Promise<void> {
    const rows = await this.#sandbox.database.reads.all<{ id: string; orderNo: string; account: number }>(
      'SELECT transaction_id AS id, order_no AS orderNo, account FROM txn ORDER BY number',
    );
    const row = pick(rows, which);
    if (row === undefined) return;
    const entry: Entry = {
      transactionId: row.id,
      orderNo: row.orderNo,
      currency: 'USD',
      amount: does === 'refund' || does === 'review' ? 10_000 : amount,
      refundAmount: does === 'refund' ? amount : undefined,
      reviewFlag: does === 'review' ? flag : undefined,
      refundReason: undefined,
      reference: undefined,
      line: 0,
      repeatOf: undefined,
    };
    await this.#engine[does]({ merchantId: 'M1', accountId: `A${row.account}`, entries: [entry] });
  }
}

function pick<T>(list: readonly T[], which: number): T | undefined {
  return list[which % Math.max(list.length, 1)];
}

/** At most one payment of an order may hold or have moved money at a time. */
async function twicePaid({ database, now }: Sandbox): Promise<readonly unknown[]> {
  return database.reads.all(
    `SELECT t.account, t.order_no FROM txn AS t JOIN transfer AS r ON r.txn = t.number
     WHERE r.kind IN (11, 12) AND r.at > ? - ${7 * DAY}
       AND NOT EXISTS (SELECT 1 FROM transfer WHERE txn = t.number AND kind IN (2, 5, 6))
     GROUP BY t.account, t.order_no HAVING count(*) > 1`,
    [now],
  );
}

test('whatever happens, the books stay right and no order is paid twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const sandbox = await Sandbox.make([{}, { capture: 'automatic' }]);
      try {
        const shop = new Shop(sandbox);
        for (const one of steps) await shop.do(one);
        const findings = await verify(sandbox);
        expect(findings.flatMap(({ named }) => named)).toEqual([]);
        expect(await twicePaid(sandbox)).toEqual([]);
      } finally {
        await sandbox.remove();
      }
    }),
    { numRuns: 100 },
  );
}, 120_000);
