/** Whoever wanted to be told has exactly one event for each effect. Faults, invariant 10. */
import { dayOf } from '../../core/calendar.ts';
import { EVENT_OF_TRANSFER, type EventKind } from '../../core/notification.ts';
import { kindOfCode } from '../../core/transfer.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import type { Statements } from '../../ledger/database.ts';
import {
  eventCount,
  type ToldPayment,
  type ToldPayout,
  type ToldSubject,
  toldPaymentsAfter,
  toldPayoutsAfter,
} from '../../ledger/events.ts';
import { Finding } from './finding.ts';

/** Payments or payouts read at a time. */
const PAGE = 2_000;

/** Walks all payments and payouts that named an address. */
export async function verifyEvents(
  statements: Pick<Statements, 'all' | 'json'>,
  accounts: ReadonlyMap<number, KnownAccount>,
): Promise<Finding> {
  const finding = new Finding('notifications', 'every effect has one event where somebody wanted to be told');
  let seen = 0;
  const compare = (what: string, { id, events }: ToldSubject, due: readonly EventKind[]) => {
    finding.checked += 1;
    seen += events.length;
    const [should, has] = [due.toSorted().join(', '), events.toSorted().join(', ')];
    if (should !== has)
      finding.differs(`${what} ${id}: it should have ${should || 'nothing'} and has ${has || 'nothing'}`);
  };
  await walk(
    (after) => toldPaymentsAfter(statements, after, PAGE),
    (payment) => compare('transaction', payment, eventsOfPayment(payment)),
  );
  await walk(
    (after) => toldPayoutsAfter(statements, after, PAGE),
    (payout) => compare('payout', payout, eventsOfPayout(payout, accounts)),
  );
  const others = (await eventCount(statements)) - seen;
  if (others !== 0) finding.differs(`events about nothing that wanted to be told: ${others}`);
  return finding;
}

async function walk<Subject extends ToldSubject>(
  pageAfter: (after: number) => Promise<readonly Subject[]>,
  visit: (subject: Subject) => void,
): Promise<void> {
  for (let after = 0; ; ) {
    const page = await pageAfter(after);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const subject of page) visit(subject);
    after = last.number;
  }
}

function eventsOfPayment({ transfers }: ToldPayment): readonly EventKind[] {
  return transfers.flatMap((code) => EVENT_OF_TRANSFER[kindOfCode(code)] ?? []);
}

/** The acceptance, and where it was for a later day, that this day has come. */
function eventsOfPayout(
  { accountNumber, at, paymentDate }: ToldPayout,
  accounts: ReadonlyMap<number, KnownAccount>,
): readonly EventKind[] {
  const zone = accounts.get(accountNumber)?.settings.time_zone ?? 'UTC';
  return paymentDate > dayOf(at, zone) ? ['payout.status', 'payout.status'] : ['payout.status'];
}
