/** Which result belongs to which entry, where several entries act on one transaction. F63 to F67 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchEntries } from '../../src/client/match.ts';
import { reason } from '../../src/core/code.ts';
import type { Entry, Result } from '../../src/core/gateway.ts';
import type { AnsweredEntry } from '../../src/wire/messages/entries-answer.ts';
import { entry } from './fake-gateway.ts';

const NO = reason('V0005');

/** What an honest gateway says of an entry. */
function said(
  of: Entry,
  as: 'done' | 'refused' = 'done',
  change: Partial<AnsweredEntry> = {},
): AnsweredEntry {
  return {
    transactionId: of.transactionId,
    orderNo: of.orderNo,
    currency: of.currency,
    amount: (of.amount / 100).toString(),
    refundAmount: of.refundAmount === undefined ? undefined : (of.refundAmount / 100).toString(),
    reviewFlag: of.reviewFlag === undefined ? undefined : String(of.reviewFlag),
    reference: of.refundAmount === undefined ? undefined : (of.reference ?? ''),
    gatewayReference: '',
    said: as === 'done' ? { status: 'done' } : { status: 'refused', reason: NO },
    ...change,
  };
}

function inWords(results: readonly Result[]): string {
  return results
    .map((one) => `${one.status}${'reason' in one && one.reason.alarm === true ? '!' : ''}`)
    .join(' ');
}

const [five, six] = [entry('T', { amount: 500 }), entry('T', { amount: 600 })];
const refund = (amount: number, reference?: string) =>
  entry('T', { refundAmount: amount, reference, amount: 9000 });

describe('several entries on one transaction', () => {
  test.each<[string, readonly Entry[], readonly AnsweredEntry[], string]>([
    ['are told apart by their amounts', [five, six], [said(six, 'refused'), said(five)], 'done refused'],
    ['F63 one of which is missing', [five, six], [said(six)], 'unknown done'],
    [
      'F65 one of which is contradicted',
      [five, six],
      [said(five), said(six), said(six, 'refused')],
      'done unknown',
    ],
    [
      'F67 one of which has another amount',
      [five, six],
      [said(five), said(six, 'done', { amount: '7' })],
      'unknown! unknown!',
    ],
    ['alike, both done', [five, five], [said(five), said(five)], 'done done'],
    [
      'alike, one refused: they are interchangeable',
      [five, five],
      [said(five), said(five, 'refused')],
      'done refused',
    ],
    ['F63 alike, one missing: nobody knows which', [five, five], [said(five)], 'unknown unknown'],
    ['F65 alike, one too many', [five, five], [said(five), said(five), said(five)], 'unknown unknown'],
    [
      'refunds of one amount are told apart by their references',
      [refund(100, 'a'), refund(100, 'b')],
      [said(refund(100, 'b'), 'refused'), said(refund(100, 'a'))],
      'done refused',
    ],
    ['F67 a refund of another amount', [refund(100)], [said(refund(200))], 'unknown!'],
    ['F67 a refund under another reference', [refund(100, 'a')], [said(refund(100, 'b'))], 'unknown!'],
  ])('%s', (_, entries, answered, expected) => {
    const operation = entries[0]!.refundAmount === undefined ? 'capture' : 'refund';
    expect(inWords(matchEntries(operation, entries, answered))).toBe(expected);
  });

  test('F67 a review with the other flag', () => {
    const accept = entry('T', { reviewFlag: 1 });
    expect(inWords(matchEntries('review', [accept], [said(accept, 'done', { reviewFlag: '0' })]))).toBe(
      'unknown!',
    );
  });
});

const someEntries = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('A', 'B', 'C', 'D'), amount: fc.integer({ min: 1, max: 4 }) }),
  { selector: ({ id, amount }) => `${id} ${amount}`, minLength: 1, maxLength: 12 },
);

test('F66 the order of an answer means nothing', () => {
  fc.assert(
    fc.property(
      someEntries,
      fc.infiniteStream(fc.nat()),
      fc.infiniteStream(fc.boolean()),
      (some, order, fates) => {
        const entries = some.map(({ id, amount }) => entry(id, { amount: amount * 100 }));
        const honest = entries.map((one) => said(one, fates.next().value ? 'done' : 'refused'));
        const shuffled = honest
          .map((one) => ({ one, place: order.next().value }))
          .sort((a, b) => a.place - b.place)
          .map(({ one }) => one);
        const expected = honest.map((one) => one.said.status).join(' ');
        expect(inWords(matchEntries('capture', entries, shuffled))).toBe(expected);
      },
    ),
  );
});

test('a success needs an entry of its own that says so', () => {
  const answers = fc.array(
    fc.record({
      transactionId: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
      amount: fc.constantFrom('1.00', '2.00', '3.00', '9.00', 'x'),
      currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
      isDone: fc.boolean(),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(someEntries, answers, (some, given) => {
      const entries = some.map(({ id, amount }) => entry(id, { amount: amount * 100 }));
      const answered = given.map(({ transactionId, amount, currency, isDone }) =>
        said(entry(transactionId), isDone ? 'done' : 'refused', { amount, currency }),
      );
      const results = matchEntries('capture', entries, answered);
      expect(results).toHaveLength(entries.length);
      for (const [index, { status }] of results.entries()) {
        if (status !== 'done') continue;
        const { transactionId, amount } = entries[index]!;
        const supporting = given.filter(
          (one) =>
            one.isDone &&
            one.transactionId === transactionId &&
            one.currency === 'USD' &&
            Number(one.amount) * 100 === amount,
        );
        expect(supporting.length).toBeGreaterThan(0);
      }
    }),
  );
});
