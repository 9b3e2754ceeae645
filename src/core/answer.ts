/**
 * Results in few bytes, as the journal and the store of answers keep them. Most instructions simply succeed, and what
 * they moved follows from the instruction; such a result is the number 1.
 */
import type { Reason } from './code.ts';
import type { Movement, Origin, Result } from './gateway.ts';
import type { Instruction } from './instruction.ts';

type PackedMovement = readonly [currency: string, movedIn: number, movedOut: number, fees: number];

export type PackedResult =
  | 1
  | readonly ['done' | 'pending', reference: string, moved: readonly PackedMovement[]]
  | readonly ['refused' | 'invalid' | 'unknown', reason: Reason]
  | readonly ['repeat', batchNumber: number, line: number];

/** The gateway's own id of what it did for a line: the same however often the line is sent. */
export function lineReference(origin: Pick<Origin, 'batch' | 'attempt'>, line: number): string {
  return origin.attempt === 1 ? `${origin.batch}-${line}` : `${origin.batch}-${line}-${origin.attempt}`;
}

/** The gateway's own id of what a request outside files did: the place among the transfers of its transaction, from 1. */
export function requestReference(transactionId: string, place: number): string {
  return `${transactionId}-${place}`;
}

/** What a succeeded instruction usually moves on the merchant's balance. */
export function usualMovement(
  operation: Instruction['operation'],
  amount: number,
  currency: string,
): readonly Movement[] {
  if (operation === 'capture') return [{ currency, movedIn: amount, movedOut: 0, fees: 0 }];
  return operation === 'refund' ? [{ currency, movedIn: 0, movedOut: amount, fees: 0 }] : [];
}

/** What a plain success of a line is. */
export function usualResult(
  origin: Pick<Origin, 'batch' | 'attempt'>,
  { line, operation, amount, currency }: Pick<Instruction, 'line' | 'operation' | 'amount' | 'currency'>,
): { readonly reference: string; readonly moved: readonly Movement[] } {
  return {
    reference: lineReference(origin, line),
    moved: usualMovement(operation, amount, currency),
  };
}

/** @param usual what a plain success of the same line would be */
export function packResult(
  result: Result,
  usual: { readonly reference: string; readonly moved: readonly Movement[] },
): PackedResult {
  switch (result.status) {
    case 'done':
      if (result.reference === usual.reference && sameMovements(result.moved, usual.moved)) return 1;
      return ['done', result.reference, packMovements(result.moved)];
    case 'pending':
      return ['pending', result.reference, packMovements(result.moved)];
    case 'repeat':
      return ['repeat', result.first.batchNumber, result.first.line];
    default:
      return [result.status, result.reason];
  }
}

export function unpackResult(
  packed: PackedResult,
  usual: { readonly reference: string; readonly moved: readonly Movement[] },
): Result {
  if (packed === 1) return { status: 'done', ...usual };
  switch (packed[0]) {
    case 'done':
    case 'pending':
      return { status: packed[0], reference: packed[1], moved: packed[2].map(unpackMovement) };
    case 'repeat':
      return { status: 'repeat', first: { batchNumber: packed[1], line: packed[2] } };
    default:
      return { status: packed[0], reason: packed[1] };
  }
}

function packMovements(moved: readonly Movement[]): PackedMovement[] {
  return moved.map(({ currency, movedIn, movedOut, fees }) => [currency, movedIn, movedOut, fees]);
}

function unpackMovement([currency, movedIn, movedOut, fees]: PackedMovement): Movement {
  return { currency, movedIn, movedOut, fees };
}

function sameMovements(some: readonly Movement[], others: readonly Movement[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index]!;
      return (
        one.currency === other.currency &&
        one.movedIn === other.movedIn &&
        one.movedOut === other.movedOut &&
        one.fees === other.fees
      );
    })
  );
}
