/** The hosted pages' side of a payment: everything is known by the session, nothing by what a page posts. */
import type { HostedPayments, HostedView } from '../../core/hosted.ts';
import type { Card } from '../../core/payment.ts';
import { decideByShopper } from '../../core/payment-decision.ts';
import { SHOPPER_LIFETIME } from '../../core/transaction.ts';
import type { Statements } from '../../ledger/database.ts';
import { beginDoubt, txnOfSession } from '../../ledger/payments.ts';
import { findToken, type StoredToken } from '../../ledger/tokens.ts';
import { askAbout, authorisationOf } from './ask.ts';
import { attemptPayment } from './attempt.ts';
import { appendAll, writeDecision } from './commit.ts';
import { viewOf } from './hosted-view.ts';
import { caseOf, isWaiting, loadOpenPayment, type OpenPayment } from './open-payment.ts';
import type { Till } from './till.ts';

/** The card that the shopper pays with, and its id where it is a stored one. */
interface ChosenCard {
  readonly card: Card;
  readonly tokenId: string | undefined;
}

const ACCEPTED = { action: 'accept', score: 0, reasons: [] } as const;

export class HostedDesk implements HostedPayments {
  readonly #till: Till;

  constructor(till: Till) {
    this.#till = till;
  }

  async open(session: string): Promise<HostedView | undefined> {
    const { reads } = this.#till.database;
    const open = await this.#find(reads, session);
    return open && viewOf(open, (await storedCardOf(reads, open))?.last4);
  }

  submitCard(session: string, card: Card, ip: string): Promise<HostedView | undefined> {
    return this.#pay(session, ip, async () => ({ card, tokenId: undefined }));
  }

  submitStoredCard(session: string, securityCode: string, ip: string): Promise<HostedView | undefined> {
    return this.#pay(session, ip, async (statements, open) => {
      const token = await storedCardOf(statements, open);
      if (token === undefined) return undefined;
      const { sealed, tokenId } = token;
      return { card: { ...this.#till.vault.open(sealed, tokenId), securityCode }, tokenId };
    });
  }

  async answerChallenge(session: string, passed: boolean): Promise<HostedView | undefined> {
    const begun = await this.#act(session, async (statements, open) =>
      isWaiting(open, 'challenge', this.#till.clock()) ? this.#beginAsking(statements, open) : undefined,
    );
    if (begun === undefined) return this.open(session);
    const { transactionId, txn } = begun.payment;
    await askAbout(this.#till, txn, () => this.#till.connector.completeChallenge(transactionId, passed));
    return this.open(session);
  }

  async decideApm(session: string, approved: boolean): Promise<HostedView | undefined> {
    await this.#act(session, async (statements, open) => {
      if (open.payment.way !== 'apm' || !isWaiting(open, 'created', this.#till.clock())) return;
      const payable = { card: undefined, tokenId: undefined, ip: open.payment.order.message.shopper_ip };
      const attempted = await attemptPayment(this.#till, statements, open, payable);
      const one = caseOf(open, attempted.open.payment.attempt!.risk);
      const decision = decideByShopper(one, approved ? 'approves' : 'declines');
      await writeDecision(this.#till, statements, attempted.open, decision);
    });
    return this.open(session);
  }

  async leave(session: string): Promise<HostedView | undefined> {
    await this.#act(session, async (statements, open) => {
      const now = this.#till.clock();
      if (!isWaiting(open, 'created', now) && !isWaiting(open, 'challenge', now)) return;
      const decision = decideByShopper(caseOf(open, open.payment.attempt?.risk ?? ACCEPTED), 'leaves');
      await writeDecision(this.#till, statements, open, decision);
    });
    return this.open(session);
  }

  /** Pays with a card, while the form is there; the connector is asked where nobody else has decided. */
  async #pay(
    session: string,
    ip: string,
    chosen: (statements: Statements, open: OpenPayment) => Promise<ChosenCard | undefined>,
  ): Promise<HostedView | undefined> {
    const till = this.#till;
    const begun = await this.#act(session, async (statements, open) => {
      if (open.payment.way !== 'hosted' || !isWaiting(open, 'created', till.clock())) return undefined;
      const paidWith = await chosen(statements, open);
      if (paidWith === undefined) return undefined;
      const attempted = await attemptPayment(till, statements, open, { ...paidWith, ip });
      if (attempted.decision === undefined) {
        return { open: await this.#beginAsking(statements, attempted.open), card: paidWith.card };
      }
      await writeDecision(till, statements, attempted.open, attempted.decision);
      return undefined;
    });
    if (begun === undefined) return this.open(session);
    const { payment } = begun.open;
    const question = authorisationOf(payment, begun.card);
    await askAbout(till, payment.txn, () => till.connector.authorise(question));
    return this.open(session);
  }

  /** Does something about the session's payment in one commit; undefined when there is no such session. */
  #act<T>(
    session: string,
    act: (statements: Statements, open: OpenPayment) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    return this.#till.jobs.run(async (statements) => {
      const open = await this.#find(statements, session);
      // While the account is paused the shopper finds the page as it was.
      return open === undefined || open.account.paused ? undefined : act(statements, open);
    });
  }

  /** A session lives as long as its shopper is waited for. */
  async #find(
    statements: Pick<Statements, 'all' | 'json'>,
    session: string,
  ): Promise<OpenPayment | undefined> {
    const txn = await txnOfSession(statements, session);
    if (txn === undefined) return undefined;
    const open = await loadOpenPayment(statements, txn);
    return this.#till.clock() < open.payment.createdAt + SHOPPER_LIFETIME ? open : undefined;
  }

  async #beginAsking(statements: Statements, open: OpenPayment): Promise<OpenPayment> {
    const now = this.#till.clock();
    await appendAll(statements, open, [{ kind: 'ask', amount: 0 }], now);
    await beginDoubt(statements, open.payment.txn, now);
    return open;
  }
}

/** The stored card that the order names, as its account has it. */
async function storedCardOf(
  statements: Pick<Statements, 'all'>,
  { account, payment: { order, way } }: OpenPayment,
): Promise<StoredToken | undefined> {
  const { token_id } = order.message;
  return way === 'hosted' && token_id !== undefined
    ? findToken(statements, account.number, token_id)
    : undefined;
}
