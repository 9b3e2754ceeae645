import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chunk, Chunker, subjectOf } from '../../src/core/chunk.ts';
import type { Account } from '../../src/core/gateway.ts';
import type { Instruction } from '../../src/core/instruction.ts';
import { OPERATION_NAMES, OPERATIONS, type Operation } from '../../src/core/operation.ts';

/** One line of a file: what it does, to which transaction, in which account. */
interface Line {
  readonly operation: Operation;
  readonly subject: string;
  readonly account: number;
}

function account(number: number): Account {
  return { number, merchantId: 'M1', accountId: `A${number}` };
}

function instruction({ operation, subject }: Line, line: number): Instruction {
  const money = { line, amount: 100, currency: 'USD' };
  if (operation === 'payout') {
    const message = {
      request_id: subject,
      payment_method: 'SWIFT',
      source_currency: 'USD',
      payment_currency: 'USD',
      beneficiary: { entity_type: 'COMPANY' },
    };
    const currencies = {
      sourceCurrency: 'USD',
      paymentCurrency: 'USD',
      sourceAmount: 100,
      paymentAmount: undefined,
    };
    return { operation, ...money, payout: { message, requestId: subject, ...currencies, line } };
  }
  const optional = {
    refundAmount: undefined,
    reviewFlag: undefined,
    refundReason: undefined,
    reference: undefined,
    repeatOf: undefined,
  };
  const entry = { transactionId: subject, orderNo: 'ORD-1', currency: 'USD', amount: 100, ...optional, line };
  return { operation, ...money, entry };
}

/** All chunks of a file, in the order in which they are closed. */
function cut(lines: readonly Line[]): Chunk[] {
  const chunker = new Chunker();
  const chunks = lines.flatMap((line, index) => [
    ...chunker.add(instruction(line, index + 2), account(line.account)),
  ]);
  return [...chunks, ...chunker.end()];
}

function distinct(operation: Operation, count: number): Line[] {
  return Array.from({ length: count }, (_, index) => ({ operation, subject: `T${index}`, account: 1 }));
}

function linesOf(chunks: readonly Chunk[]): number[] {
  return chunks.flatMap((chunk) => chunk.instructions.map(({ line }) => line));
}

describe('one operation, distinct transactions', () => {
  test.each<[number, Operation, number]>([
    [1000, 'refund', 20],
    [1000, 'review', 10],
    [1000, 'capture', 20],
    [1000, 'cancel', 20],
    [1000, 'payout', 20],
    [1001, 'refund', 21],
    [50, 'refund', 1],
    [51, 'refund', 2],
    [100, 'review', 1],
    [101, 'review', 2],
    [1, 'capture', 1],
    [0, 'capture', 0],
  ])('%i lines of %s are %i chunks', (count, operation, chunks) => {
    const found = cut(distinct(operation, count));
    expect(found).toHaveLength(chunks);
    expect(found.map(({ number }) => number)).toEqual(found.map((_, index) => index + 1));
    expect(linesOf(found)).toEqual(Array.from({ length: count }, (_, index) => index + 2));
  });
});

describe('lines on one transaction', () => {
  const words = (chunks: readonly Chunk[]) =>
    chunks.map(
      ({ number, operation, instructions }) =>
        `${number} ${operation} ${instructions.map(({ line }) => line)}`,
    );

  test('never share a chunk', () => {
    const lines = ['T1', 'T2', 'T1', 'T1'].map(
      (subject): Line => ({ operation: 'refund', subject, account: 1 }),
    );
    expect(words(cut(lines))).toEqual(['1 refund 2,3', '2 refund 4', '3 refund 5']);
  });

  test('keep their order across operations: the chunk with the capture is closed before the refund', () => {
    const lines: Line[] = [
      { operation: 'refund', subject: 'T9', account: 1 },
      { operation: 'capture', subject: 'T1', account: 1 },
      { operation: 'refund', subject: 'T1', account: 1 },
    ];
    expect(words(cut(lines))).toEqual(['2 capture 3', '1 refund 2,4']);
  });

  test('of two accounts have nothing to do with each other', () => {
    const lines: Line[] = [
      { operation: 'refund', subject: 'T1', account: 1 },
      { operation: 'refund', subject: 'T1', account: 2 },
    ];
    expect(words(cut(lines))).toEqual(['1 refund 2', '2 refund 3']);
  });

  test('a payout under the name of a transaction is something else', () => {
    const capture = instruction({ operation: 'capture', subject: 'payout P1', account: 1 }, 2);
    const payout = instruction({ operation: 'payout', subject: 'P1', account: 1 }, 3);
    expect(subjectOf(capture)).not.toBe(subjectOf(payout));
  });
});

test('more than 100,000 lines waiting in thousands of accounts are closed early, the oldest first', () => {
  const chunker = new Chunker();
  let waiting = 0;
  let most = 0;
  for (let index = 0; index < 250_000; index += 1) {
    const line: Line = { operation: 'capture', subject: `T${index}`, account: index % 20_000 };
    const closed = chunker.add(instruction(line, index + 2), account(line.account));
    waiting += 1 - linesOf(closed).length;
    most = Math.max(most, waiting);
  }
  expect(most).toBe(100_000);
  expect(linesOf(chunker.end())).toHaveLength(waiting);
});

describe('property', () => {
  const operation = fc.constantFrom(...OPERATION_NAMES);
  const subject = fc.nat(400).map((number) => `T${number}`);
  const files = fc.array(fc.record({ operation, subject, account: fc.integer({ min: 1, max: 3 }) }), {
    maxLength: 1500,
  });
  const distinctFiles = fc.uniqueArray(
    fc.record({ operation, subject: fc.nat().map(String), account: fc.integer({ min: 1, max: 2 }) }),
    {
      selector: (line) => `${line.account} ${line.subject}`,
      maxLength: 1500,
    },
  );

  test('chunks keep the limits, and have one operation and one account', () => {
    fc.assert(
      fc.property(files, (lines) => {
        for (const chunk of cut(lines)) {
          expect(chunk.instructions.length).toBeGreaterThan(0);
          expect(chunk.instructions.length).toBeLessThanOrEqual(OPERATIONS[chunk.operation].limit);
          for (const { line, operation } of chunk.instructions) {
            expect(operation).toBe(chunk.operation);
            expect(lines[line - 2]?.account).toBe(chunk.account.number);
          }
        }
      }),
    );
  });

  test('every line is in one chunk, and no transaction twice in one', () => {
    fc.assert(
      fc.property(files, (lines) => {
        const chunks = cut(lines);
        expect(linesOf(chunks).sort((a, b) => a - b)).toEqual(lines.map((_, index) => index + 2));
        for (const { instructions, subjects } of chunks) {
          expect(new Set(instructions.map(subjectOf))).toEqual(subjects);
          expect(subjects.size).toBe(instructions.length);
        }
      }),
    );
  });

  test('chunks that act on one transaction are closed in the order of the file', () => {
    fc.assert(
      fc.property(files, (lines) => {
        const last = new Map<string, number>();
        for (const chunk of cut(lines)) {
          for (const each of chunk.instructions) {
            const key = `${chunk.account.number} ${subjectOf(each)}`;
            expect(each.line).toBeGreaterThan(last.get(key) ?? 0);
            last.set(key, each.line);
          }
        }
      }),
    );
  });

  test('distinct transactions: at most lines/limit + 2 chunks per operation and account', () => {
    fc.assert(
      fc.property(distinctFiles, (lines) => {
        const chunks = cut(lines);
        for (const operation of OPERATION_NAMES) {
          for (const number of [1, 2]) {
            const count = lines.filter(
              (line) => line.operation === operation && line.account === number,
            ).length;
            const made = chunks.filter(
              (chunk) => chunk.operation === operation && chunk.account.number === number,
            );
            expect(made.length).toBeLessThanOrEqual(count / OPERATIONS[operation].limit + 2);
          }
        }
      }),
    );
  });

  test('one operation, distinct transactions: the chunks in order are the file', () => {
    fc.assert(
      fc.property(operation, fc.nat(700), (only, count) => {
        expect(linesOf(cut(distinct(only, count)))).toEqual(
          Array.from({ length: count }, (_, index) => index + 2),
        );
      }),
    );
  });

  test('numbers go from 1 without gaps, in the order of first lines', () => {
    fc.assert(
      fc.property(files, (lines) => {
        const chunks = cut(lines).sort((a, b) => a.number - b.number);
        expect(chunks.map(({ number }) => number)).toEqual(chunks.map((_, index) => index + 1));
        const firsts = chunks.map(({ instructions }) => instructions[0]!.line);
        expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
      }),
    );
  });

  test('the same stream gives the same chunks', () => {
    fc.assert(
      fc.property(files, (lines) => void expect(cut(lines)).toEqual(cut(lines))),
      { numRuns: 20 },
    );
  });
});
