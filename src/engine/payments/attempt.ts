/** What a payment is paid with: judged by risk, and written down as far as it may be, before anybody is asked. */
import type { Card } from '../../core/payment.ts';
import { expiryOf, maskedCard } from '../../core/payment-card.ts';
import { type Decision, decideUnasked } from '../../core/payment-decision.ts';
import { newTokenId, TOKEN_ID_BYTES } from '../../core/payment-id.ts';
import { assess, VELOCITY_SPAN } from '../../core/risk.ts';
import type { Statements } from '../../ledger/database.ts';
import { type Attempt, countEarlier, insertAttempt } from '../../ledger/payments.ts';
import { insertToken, tokenOfCard } from '../../ledger/tokens.ts';
import { caseOf, type OpenPayment } from './open-payment.ts';
import type { Till } from './till.ts';

/** What the shopper pays with. */
export interface Payable {
  /** Undefined where no card is used. */
  readonly card: Card | undefined;
  /** The stored card that it is, if it is one. */
  readonly tokenId: string | undefined;
  /** The shopper's own address, where it is known. */
  readonly ip: string | undefined;
}

/** The payment with its attempt, and the decision on it where nobody needs to be asked. */
export interface Attempted {
  readonly open: OpenPayment;
  readonly decision: Decision | undefined;
}

/** Writes the attempt in the transaction of `statements`. */
export async function attemptPayment(
  till: Till,
  statements: Statements,
  open: OpenPayment,
  { card, tokenId, ip }: Payable,
): Promise<Attempted> {
  const { payment, account } = open;
  const now = till.clock();
  const { message, currency, amount } = payment.order;
  const isKnown = card === undefined || till.connector.recognises(card.number);
  const shown = isKnown ? card : undefined;
  const shared = {
    cardHash: shown && cardHashOf(till, shown.number),
    email: message.shopper_email?.toLowerCase(),
    ip,
  };
  const { risk: settings } = account.settings;
  const since = now - VELOCITY_SPAN;
  const facts = {
    currency,
    amount,
    cardNumber: card?.number,
    billingCountry: message.billing_country,
    deliveryCountry: message.delivery_country,
    earlier: await countEarlier(statements, account.number, shared, since, settings.per_hour),
  };
  const risk = assess(facts, settings);
  const decision = decideUnasked(caseOf(open, risk), isKnown);
  const stores = tokenId === undefined && decision === undefined && shown !== undefined && wantsToken(open);
  const attempt: Attempt = {
    ...shared,
    maskedCard: shown && maskedCard(shown.number),
    token: stores ? await storeCard(till, statements, open, shown) : tokenId,
    risk,
    at: now,
  };
  await insertAttempt(statements, account.number, payment.txn, attempt);
  return { open: { ...open, payment: { ...payment, attempt } }, decision };
}

/** A subscription stores the card whatever the flag says: it is going to be charged again. */
function wantsToken({ payment: { order, way } }: OpenPayment): boolean {
  return (
    way !== 'recurring' && (order.message.token_flag === 'YES' || order.message.subscription !== undefined)
  );
}

/** The id under which the card is stored: a card that the account has stored already keeps the id that it has. */
async function storeCard(
  till: Till,
  statements: Statements,
  { account, payment }: OpenPayment,
  card: Card,
): Promise<string> {
  const cardHash = cardHashOf(till, card.number);
  const expiry = expiryOf(card);
  const known = await tokenOfCard(statements, account.number, cardHash, expiry);
  if (known !== undefined) return known;
  const tokenId = newTokenId(till.random(TOKEN_ID_BYTES));
  await insertToken(statements, payment.txn, {
    tokenId,
    accountNumber: account.number,
    first6: card.number.slice(0, 6),
    last4: card.number.slice(-4),
    expiry,
    cardHash,
    sealed: till.vault.seal(card, tokenId),
  });
  return tokenId;
}

function cardHashOf({ keyedHash }: Till, number: string): string {
  return keyedHash(`card ${number}`);
}
