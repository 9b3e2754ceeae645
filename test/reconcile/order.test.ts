/** Whatever is captured, refunded and said, in whatever files and order: the end is the same, and everything adds up. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DocumentBody } from '../../src/reconcile/document.ts';
import { type Given, NOON, Sandbox } from '../support/ledger.ts';
import { reconciling, type Said, type SaidLine, saying } from '../support/reconciling.ts';

const DAY = 86_400_000;

const ids = ['T1', 'T2', 'T3', 'T4'];

const trade = fc.record({
  id: fc.constantFrom(...ids),
  amount: fc.constantFrom(100, 200, 300),
  refunded: fc.constantFrom(0, 100),
  daysAgo: fc.nat(6),
});

const line: fc.Arbitrary<SaidLine> = fc.record({
  kind: fc.constantFrom('payment', 'payment', 'refund', 'chargeback', 'fee'),
  reference: fc.constantFrom(...ids, 'T9', '', 'O-T1'),
  gross: fc.constantFrom('1.00', '2.00', '3.00', '-1.00', '5.00'),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
  day: fc.constantFrom('2026-11-20', '2026-11-17', ''),
  id: fc.constantFrom('', '', 'L1', 'L2'),
});

const payout: fc.Arbitrary<SaidLine> = fc.record({
  kind: fc.constant('payout'),
  reference: fc.constantFrom('po_1', 'po_2'),
  payout: fc.constantFrom('po_1', 'po_2', ''),
  gross: fc.constantFrom('-3.00', '-5.00'),
});

const bankLine: fc.Arbitrary<SaidLine> = fc.record({
  kind: fc.constant('transfer'),
  reference: fc.constantFrom('po_1', 'po_2', 'NOTPROVIDED', ''),
  gross: fc.constantFrom('3.00', '5.00', '-2.00'),
  day: fc.constantFrom('2026-11-20', '2026-11-21', '2026-11-28'),
});

const files = fc.tuple(
  fc.array(fc.array(fc.oneof({ weight: 5, arbitrary: line }, payout), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 3,
  }),
  fc.array(fc.array(bankLine, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
);

function givenOf(
  trades: readonly { id: string; amount: number; refunded: number; daysAgo: number }[],
): Given[] {
  const byId = new Map(trades.map((one) => [one.id, one]));
  return [...byId.values()].map(({ id, amount, refunded, daysAgo }) => ({
    id,
    amount,
    refunded,
    state: refunded === 0 ? 'captured' : refunded === amount ? 'refunded' : 'partially_refunded',
    at: NOON - daysAgo * DAY,
  }));
}

/** What does not depend on how one came to it. */
function endOf({ totals, comparisons, waterfall, rules, payouts, breaks, counts }: DocumentBody): unknown {
  const state = breaks.map(({ found: _, ...one }) => one).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { totals, comparisons, waterfall, rules, payouts, breaks: state, counts: { ...counts, closed: 0 } };
}

function named(lines: readonly SaidLine[]): Pick<Said, 'name' | 'text'> {
  const text = saying(...lines);
  return { name: `${createHash('sha256').update(text).digest('hex').slice(0, 8)}.csv`, text };
}

async function inSandbox<T>(given: readonly Given[], work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await Sandbox.make();
  try {
    await sandbox.given(...given);
    return await work(sandbox);
  } finally {
    await sandbox.remove();
  }
}

describe('a reconciliation', () => {
  test('comes to the same end in any order, at once or one after the other, once or twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(trade, { maxLength: 5 }),
        files,
        fc.nat(),
        async (trades, [acquirer, bank], seed) => {
          const given = givenOf(trades);
          // The same bytes are the same file, whatever it is called.
          const said: readonly Said[] = [
            ...acquirer.map((lines) => ({ ...named(lines) })),
            ...bank.map((lines) => ({
              of: 'bank' as const,
              ...named(lines),
            })),
          ];
          const atOnce = await inSandbox(given, (sandbox) => reconciling(sandbox, said));
          const shuffled = said
            .map((one, index) => [one, (seed * 31 + index * 17) % 7] as const)
            .toSorted(([, a], [, b]) => a - b)
            .map(([one]) => one)
            .toReversed();
          await inSandbox(given, async (sandbox) => {
            let last: DocumentBody | undefined;
            for (const one of shuffled) last = await reconciling(sandbox, [one]);
            expect(endOf(last!)).toEqual(endOf(atOnce));
            const again = await reconciling(sandbox, said);
            expect(endOf(again)).toEqual(endOf(atOnce));
            expect(again.counts.closed).toBe(0);
          });
        },
      ),
      { numRuns: 25 },
    );
  });

  test('loses no movement and no line, and tells none twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(trade, { maxLength: 5 }),
        fc.array(line, { maxLength: 12 }),
        async (trades, lines) => {
          const given = givenOf(trades);
          const document = await inSandbox(given, (sandbox) =>
            reconciling(sandbox, [{ text: saying(...lines, { kind: 'fee', gross: '-0.01' }) }]),
          );
          const moved = given.reduce((count, one) => count + (one.refunded === 0 ? 1 : 2), 0);
          const entries = document.comparisons.reduce((count, { ledger }) => count + ledger.count, 0);
          expect(entries).toBe(moved);
          const said = document.comparisons.reduce((count, { statement }) => count + statement.count, 0);
          const once = new Set(
            lines
              .filter(({ kind }) => kind !== 'fee')
              .map((one, index) => (one.id === '' ? index : Object.values(one).join())),
          );
          expect(said).toBe(once.size);
          const left = document.breaks.filter(({ kind }) => kind !== 'fee_differs');
          const inBreaks = left.reduce((count, { ledger }) => count + (ledger === null ? 0 : 1), 0);
          const inMatches = document.rules.reduce((count, rule) => count + rule.entries, 0);
          expect(inBreaks + inMatches).toBe(moved);
          const linesInBreaks = left.reduce(
            (count, { statement }) => count + (statement === null ? 0 : 1),
            0,
          );
          const linesInMatches = document.rules.reduce((count, rule) => count + rule.lines, 0);
          expect(linesInBreaks + linesInMatches).toBe(once.size);
        },
      ),
      { numRuns: 50 },
    );
  });
});
