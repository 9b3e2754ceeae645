/** Every payout has exactly the transfers that its figures ask for. Engine decisions, "Ledger: Payout". */
import type { FeePaidBy } from '../../core/payout.ts';
import type { PayoutMessage } from '../../core/payout-message.ts';
import type { TransferKind } from '../../core/transfer.ts';
import type { BalanceChanges } from '../../ledger/balances.ts';
import type { Statements } from '../../ledger/database.ts';
import { payoutsAfter, type StoredPayout } from '../../ledger/payouts.ts';
import { type TransferRecord, transfersOfPayouts } from '../../ledger/transfers.ts';
import { Finding } from './finding.ts';

/** Payouts read at a time. */
const PAGE = 1_000;

/** Walks all payouts once and books each of them into `books`. */
export async function verifyPayouts(
  statements: Pick<Statements, 'all' | 'json'>,
  books: BalanceChanges,
): Promise<Finding> {
  const finding = new Finding('payouts', 'every payout has the transfers that its figures ask for');
  for (let after = 0; ; ) {
    const page = await payoutsAfter(statements, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return finding;
    const transfers = await transfersOfPayouts(statements, page[0]!.number, last.number);
    const byPayout = new Map(page.map(({ number }) => [number, [] as TransferRecord[]]));
    for (const transfer of transfers) byPayout.get(transfer.payout!)?.push(transfer);
    for (const payout of page) {
      finding.checked += 1;
      const own = byPayout.get(payout.number)!;
      for (const fault of faultsOf(payout, own)) finding.differs(`payout ${payout.requestId}: ${fault}`);
      for (const { kind, amount } of own)
        books.of(payout.accountNumber, currencyOf(kind, payout)).transfer(kind, amount);
    }
    after = last.number;
  }
}

function currencyOf(kind: TransferKind, { sourceCurrency, paymentCurrency }: StoredPayout): string {
  return kind === 'exchange_in' ? paymentCurrency : sourceCurrency;
}

function faultsOf(payout: StoredPayout, transfers: readonly TransferRecord[]): readonly string[] {
  const faults: string[] = [];
  const { fee, payerPays, sourceAmount } = payout;
  const paidBy: FeePaidBy = (JSON.parse(payout.message) as PayoutMessage).fee_paid_by ?? 'PAYER';
  const adds = paidBy === 'PAYER' ? fee : paidBy === 'BENEFICIARY' ? 0 : Math.ceil(fee / 2);
  if (payerPays !== sourceAmount + adds)
    faults.push('what the payer pays does not follow from source amount and fee');
  const expected = expectedTransfers(payout);
  const written = transfers.map(({ kind, amount }) => `${kind} ${amount}`);
  if (written.join(', ') !== expected.join(', '))
    faults.push(
      `it should have ${expected.join(', ')} and has ${written.join(', ') || 'nothing'} (minor units)`,
    );
  const foreign = transfers.find(
    ({ batch, line, attempt }) =>
      batch !== (payout.batchNumber ?? null) ||
      line !== (payout.line ?? null) ||
      attempt !== (payout.attempt ?? null),
  );
  if (foreign !== undefined) faults.push(`transfer #${foreign.sequence} names another line`);
  return faults;
}

function expectedTransfers({
  fee,
  payerPays,
  beneficiaryReceives,
  sourceCurrency,
  paymentCurrency,
}: StoredPayout): readonly string[] {
  const money =
    sourceCurrency === paymentCurrency
      ? [`payout ${payerPays - fee}`]
      : [`exchange_out ${payerPays - fee}`, `exchange_in ${beneficiaryReceives}`];
  return fee === 0 ? money : [`fee ${fee}`, ...money];
}
