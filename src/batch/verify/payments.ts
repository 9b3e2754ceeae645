/** Payments, stored cards and subscriptions: what was decided is what was written, and no cycle is paid twice. */
import { digitsOf } from '../../core/currency.ts';
import { formatAmount } from '../../core/money.ts';
import type { Outcome } from '../../core/payment-decision.ts';
import type { TransferKind } from '../../core/transfer.ts';
import type { Statements } from '../../ledger/database.ts';
import {
  type ContractTrace,
  contractTracesAfter,
  type PaymentTrace,
  paymentTracesAfter,
  strayCharges,
  strayTokens,
} from '../../ledger/verify-payments.ts';
import { Finding } from './finding.ts';

type Reads = Pick<Statements, 'json'>;

/** Payments or contracts read at a time. */
const PAGE = 1_000;

/** Strays that are looked for; a finding names no more. */
const MOST = 20;

/** The transfer that writes each decision down; one that is unknown leaves none. */
const TRANSFER_OF: Readonly<Partial<Record<Outcome, TransferKind>>> = {
  approved: 'authorise',
  review: 'hold_for_review',
  declined: 'decline',
  challenge: 'challenge',
  left: 'leave',
};

const DECIDING: ReadonlySet<TransferKind> = new Set(Object.values(TRANSFER_OF));

/** Walks all payments. */
export async function verifyPayments(statements: Reads): Promise<Finding> {
  const finding = new Finding(
    'payments',
    'every payment has the transfers and the card that its decisions ask for',
  );
  for (let after = 0; ; ) {
    const page = await paymentTracesAfter(statements, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return finding;
    for (const payment of page) {
      finding.checked += 1;
      for (const fault of paymentFaults(payment))
        finding.differs(`transaction ${payment.transactionId}: ${fault}`);
    }
    after = last.txn;
  }
}

function paymentFaults({ transfers, decisions, ...payment }: PaymentTrace): readonly string[] {
  const faults: string[] = [];
  const due = decisions.flatMap(({ what, at }) => {
    const kind = TRANSFER_OF[what];
    return kind === undefined ? [] : [`${kind} at ${at}`];
  });
  const written = transfers
    .filter(({ what }) => DECIDING.has(what))
    .map(({ what, at }) => `${what} at ${at}`);
  if (written.join(', ') !== due.join(', '))
    faults.push(
      `its decisions ask for ${due.join(', ') || 'nothing'}, it has ${written.join(', ') || 'nothing'}`,
    );
  const isInDoubt =
    transfers.at(-1)?.what === 'ask' || (transfers.length === 0 && payment.state === 'in_doubt');
  if (isInDoubt && !payment.isInDoubt) faults.push('it is in doubt, and no connector is going to be asked');
  if (!isInDoubt && payment.isInDoubt) faults.push('it is decided, and yet a connector is going to be asked');
  if (!payment.hasAttempt && decisions.some(({ what }) => what !== 'left'))
    faults.push('it was decided, and nothing says what it was paid with');
  return [...faults, ...cardFaults(payment.token, decisions.at(-1)?.what)];
}

/** The card of a payment that came to nothing may be gone. */
function cardFaults(token: PaymentTrace['token'], decided: Outcome | undefined): readonly string[] {
  if (token === undefined || decided === 'declined' || decided === 'left') return [];
  if (!token.isThere) return ['the stored card that it names is not there'];
  const isApproved = decided === 'approved' || decided === 'review';
  return isApproved && !token.isKept ? ['its card was to be kept, and cannot be used'] : [];
}

/** Looks at all stored cards. */
export async function verifyTokens(statements: Reads): Promise<Finding> {
  const finding = new Finding(
    'stored cards',
    'every stored card was brought by a payment, and is kept if that was approved',
  );
  const { count, strays } = await strayTokens(statements, MOST);
  finding.checked = count;
  for (const tokenId of strays) finding.differs(`token ${tokenId} is not what its payment made of it`);
  return finding;
}

/** Walks all contracts. */
export async function verifyContracts(statements: Reads): Promise<Finding> {
  const finding = new Finding(
    'subscriptions',
    'every cycle of a subscription is paid at most once, with its own amount',
  );
  for (const transactionId of await strayCharges(statements, MOST))
    finding.differs(`transaction ${transactionId} charges a subscription that is not there`);
  for (let after = 0; ; ) {
    const page = await contractTracesAfter(statements, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return finding;
    for (const contract of page) {
      finding.checked += 1;
      for (const fault of contractFaults(contract))
        finding.differs(`subscription ${contract.recurringId}: ${fault}`);
    }
    after = last.number;
  }
}

function contractFaults({ currency, amount, isBegun, hasCard, charges }: ContractTrace): readonly string[] {
  const faults: string[] = [];
  if (!isBegun) faults.push('its first payment was not approved');
  if (!hasCard) faults.push('the card that it charges is not there');
  const paid = new Set<number>();
  for (const charge of charges) {
    const { cycle, transactionId, isPaid } = charge;
    if (charge.currency !== currency || charge.amount !== amount)
      faults.push(
        `transaction ${transactionId} charges ${money(charge)}, not ${money({ amount, currency })}`,
      );
    if (isPaid && paid.has(cycle)) faults.push(`cycle ${cycle} is paid more than once`);
    if (isPaid) paid.add(cycle);
  }
  return faults;
}

function money({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  return `${formatAmount(amount, digitsOf(currency) ?? 0)} ${currency}`;
}
