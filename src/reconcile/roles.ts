/** What is done with a line: by what its statement is a statement of, and by the kind of movement it is. */
import { ROLES, type Role } from '../ledger/statements.ts';
import type { Explains } from './group.ts';
import type { LineKind, Subject } from './statement.ts';

/**
 * An acquirer's fees, payouts, reserves and adjustments are its own movements: no transaction of the ledger stands
 * against them, and they explain what it pays out. What it calls by no known name is compared, so that nobody misses it.
 */
const OF_BALANCE: Readonly<Record<LineKind, Role>> = {
  payment: ROLES.traded,
  refund: ROLES.traded,
  chargeback: ROLES.traded,
  other: ROLES.traded,
  fee: ROLES.own,
  payout: ROLES.own,
  reserve: ROLES.own,
  adjustment: ROLES.own,
  transfer: ROLES.own,
};

export function roleOf(subject: Subject, kind: LineKind): Role {
  switch (subject) {
    case 'balance':
      return OF_BALANCE[kind];
    case 'payouts':
      return ROLES.own;
    case 'bank':
      return ROLES.bank;
  }
}

/** A chargeback is no refund, even of the same amount: the ledger knows nothing of it. */
export function explainedBy(kind: string): Explains {
  return kind === 'payment' ? 'capture' : kind === 'refund' ? 'refund' : 'nothing';
}
