/** The books that statements are compared with: the embedded engine's ledger, or what a remote gateway was sent. */

import {
  type Named,
  type PaidOut,
  paidOutByLedger,
  paidOutRemotely,
  remoteTradesAfter,
  remoteTradesNamed,
  type Trade,
  tradesAfter,
  tradesNamed,
} from '../ledger/compared.ts';
import type { Statements } from '../ledger/database.ts';

export interface Books {
  /** What moved, in the order of transaction ids, in blocks. */
  trades(): AsyncIterable<readonly Trade[]>;
  /** What names mean that are no transaction ids. */
  named(names: readonly string[]): Promise<readonly Named[]>;
  paidOut(): Promise<readonly PaidOut[]>;
}

type Reads = Pick<Statements, 'json'>;

const BLOCK = 5_000;

/** Payouts stand among subjects behind this word (core/chunk.ts, subjectOf). */
const PAYOUT_SUBJECT = 'payout\n';

export function ledgerBooks(reads: Reads, account: number): Books {
  return {
    trades: () => blocksOf((after) => tradesAfter(reads, account, after, BLOCK)),
    named: (names) => tradesNamed(reads, account, names),
    paidOut: () => paidOutByLedger(reads, account),
  };
}

/** @param address where the gateway is */
export function remoteBooks(reads: Reads, account: number, address: string): Books {
  return {
    trades: () => blocksOf((after) => remoteTradesAfter(reads, account, address, after, BLOCK)),
    named: (names) => remoteTradesNamed(reads, account, address, names),
    paidOut: () =>
      paidOutRemotely(reads, account, address, (subject) => subject.slice(PAYOUT_SUBJECT.length)),
  };
}

async function* blocksOf(
  read: (after: string) => Promise<{ readonly last: string | undefined; readonly trades: readonly Trade[] }>,
): AsyncGenerator<readonly Trade[]> {
  for (let after = ''; ; ) {
    const { last, trades } = await read(after);
    if (last === undefined) return;
    yield trades;
    after = last;
  }
}
