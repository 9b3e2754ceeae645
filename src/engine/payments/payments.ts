/** Payments by request: reserve the order, ask the connector, decide. Engine decisions, "Payments". */
import { type Reason, reason } from '../../core/code.ts';
import type { CallOptions } from '../../core/gateway.ts';
import type {
  AuthoriseAnswer,
  AuthoriseRequest,
  Card,
  CheckoutAnswer,
  CheckoutRequest,
  Means,
  Order,
} from '../../core/payment.ts';
import { apmFault } from '../../core/payment-apm.ts';
import { namesCard, withoutCardNumber } from '../../core/payment-card.ts';
import { type KnownAccount, readAccountsNamed } from '../../ledger/accounts.ts';
import type { Statements } from '../../ledger/database.ts';
import { beginDoubt } from '../../ledger/payments.ts';
import { findToken } from '../../ledger/tokens.ts';
import { askAbout, authorisationOf, resultInDoubt } from './ask.ts';
import { attemptPayment } from './attempt.ts';
import { writeDecision } from './commit.ts';
import type { OpenPayment } from './open-payment.ts';
import { type KeyedRequest, keyedRequest } from './request-key.ts';
import { type Refused, reserve } from './reserve.ts';
import { firstAnswer, isCheckoutAnswer, resultOf, sessionOf } from './result.ts';
import type { Till } from './till.ts';

/** 256 bits: whoever knows a session may act as its shopper. */
const SESSION_BYTES = 32;

/** A charge of a contract, without a shopper. */
export interface Charge {
  readonly account: KnownAccount;
  /** With an order number of its own. */
  readonly order: Order;
  readonly tokenId: string;
}

/** A request by card or by stored card. */
type ByCard = Omit<AuthoriseRequest, 'means'> & {
  readonly means: Exclude<Means, { readonly by: 'apm' }>;
};

/** How a payment by card came. */
interface How {
  readonly keyed: KeyedRequest | undefined;
  readonly way: 'direct' | 'recurring';
  readonly requestId: string | undefined;
}

export class Payments {
  readonly #till: Till;

  constructor(till: Till) {
    this.#till = till;
  }

  authorise(request: AuthoriseRequest, options: CallOptions = {}): Promise<AuthoriseAnswer> {
    const keyed = keyedRequest('authorise', request, options, this.#till.keyedHash);
    const { means, ...order } = request;
    return means.by === 'apm'
      ? this.#openSession(order, keyed, means.method)
      : this.#pay({ ...order, means }, { keyed, way: 'direct', requestId: options.requestId });
  }

  async checkout(request: CheckoutRequest, options: CallOptions = {}): Promise<CheckoutAnswer> {
    const keyed = keyedRequest('checkout', request, options, this.#till.keyedHash);
    const answer = await this.#openSession(request, keyed, request.order.message.payment_method);
    if (!isCheckoutAnswer(answer)) throw new Error('the key of a checkout belongs to a direct payment');
    return answer;
  }

  /** Charges a stored card for a contract: decided like any payment, and opening no contract of its own. */
  charge({ account, order, tokenId }: Charge): Promise<AuthoriseAnswer> {
    const { merchantId, accountId } = account;
    const means = { by: 'token', tokenId, securityCode: undefined } as const;
    const request = { merchantId, accountId, order, ip: '', means };
    return this.#pay(request, { keyed: undefined, way: 'recurring', requestId: undefined });
  }

  async #pay(request: ByCard, how: How): Promise<AuthoriseAnswer> {
    const till = this.#till;
    const card = await this.#cardOf(request);
    const taken = await till.jobs.run((statements) => this.#take(statements, request, card, how));
    if ('answer' in taken) return taken.answer;
    const { open } = taken;
    const question = authorisationOf(open.payment, card!);
    const ask = () => till.connector.authorise(question);
    const decided = await askAbout(till, open.payment.txn, ask, how.requestId);
    if (decided === undefined) return { payment: await resultInDoubt(till, open) };
    return { payment: await resultOf(till, till.database.reads, decided, decided.decisions[0]!) };
  }

  /** The commit before anybody is asked: the reserved payment, or the answer where nobody needs to be. */
  async #take(
    statements: Statements,
    request: ByCard,
    card: Card | undefined,
    { keyed, way, requestId }: How,
  ): Promise<{ readonly answer: AuthoriseAnswer } | { readonly open: OpenPayment }> {
    const till = this.#till;
    const { means } = request;
    const order = card === undefined ? request.order : this.#withoutCard(request.order, card);
    const reserved = await reserve(till, statements, {
      request: { ...request, order },
      keyed,
      way,
      method: undefined,
      session: undefined,
      fault: () => cardFault(request.order, card),
    });
    if ('first' in reserved) return { answer: await firstAnswer(till, statements, reserved.first) };
    if (!('made' in reserved)) return { answer: reserved };
    const tokenId = means.by === 'token' ? means.tokenId : undefined;
    const ip = order.message.shopper_ip;
    const { open, decision } = await attemptPayment(till, statements, reserved.made, { card, tokenId, ip });
    if (decision !== undefined) {
      const decided = await writeDecision(till, statements, open, decision, requestId);
      return { answer: { payment: await resultOf(till, statements, decided, decided.decisions[0]!) } };
    }
    await beginDoubt(statements, open.payment.txn, till.clock());
    return { open };
  }

  /** The card that the request brings or names; undefined when it names one that the account has not stored. */
  async #cardOf({ means, merchantId, accountId }: ByCard): Promise<Card | undefined> {
    if (means.by === 'card') return means.card;
    const { reads } = this.#till.database;
    const [account] = await readAccountsNamed(reads, [{ merchantId, accountId }]);
    const token = account && (await findToken(reads, account.number, means.tokenId));
    return (
      token && {
        ...this.#till.vault.open(token.sealed, token.tokenId),
        securityCode: means.securityCode,
      }
    );
  }

  #withoutCard(order: Order, { number }: Card): Order {
    return withoutCardNumber(order, number, this.#till.connector.recognises(number));
  }

  /** Reserves an order that its shopper pays on a page. */
  #openSession(
    request: CheckoutRequest,
    keyed: KeyedRequest | undefined,
    method: string | undefined,
  ): Promise<AuthoriseAnswer> {
    const till = this.#till;
    return till.jobs.run(async (statements) => {
      const token = await this.#unknownToken(statements, request);
      const reserved = await reserve(till, statements, {
        request,
        keyed,
        way: method === undefined ? 'hosted' : 'apm',
        method,
        session: Buffer.from(till.random(SESSION_BYTES)).toString('base64url'),
        fault: () => token ?? failureOf(method === undefined ? undefined : apmFault(method, request.order)),
      });
      if ('first' in reserved) return firstAnswer(till, statements, reserved.first);
      return 'made' in reserved ? { session: sessionOf(reserved.made.payment)! } : reserved;
    });
  }

  /** A checkout may name a stored card: one that is not there is refused, as it is for a direct payment. */
  async #unknownToken(statements: Statements, request: CheckoutRequest): Promise<Refused | undefined> {
    const { token_id } = request.order.message;
    if (token_id === undefined) return undefined;
    const [account] = await readAccountsNamed(statements, [request]);
    const token = account && (await findToken(statements, account.number, token_id));
    return token === undefined ? NO_TOKEN : undefined;
  }
}

const NO_TOKEN: Refused = {
  notFound: reason('I0002', 'the account has stored no card under this token_id', { column: 'token_id' }),
};

function cardFault(order: Order, card: Card | undefined): Refused | undefined {
  if (card === undefined) return NO_TOKEN;
  return namesCard(order, card.number)
    ? { failure: reason('I0002', 'order_no holds the number of the card', { column: 'order_no' }) }
    : undefined;
}

function failureOf(fault: Reason | undefined): Refused | undefined {
  return fault && { failure: fault };
}
