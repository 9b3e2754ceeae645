/** Contracts on a throwaway ledger, and a bank that answers as a test says and can be killed on the way. */
import { type Code, reason } from '../../../src/core/code.ts';
import type { AuthoriseAnswer, ContractState, Order, PaymentResult } from '../../../src/core/payment.ts';
import type { SubscriptionMessage } from '../../../src/core/payment-message.ts';
import type { TransferKind } from '../../../src/core/transfer.ts';
import type { Charge } from '../../../src/engine/payments/payments.ts';
import {
  type ChargeReport,
  type ChargingContext,
  chargeDue,
} from '../../../src/engine/subscriptions/charge.ts';
import { type Contract, contractStates, readContracts } from '../../../src/engine/subscriptions/contracts.ts';
import { openContract } from '../../../src/engine/subscriptions/open.ts';
import { contractNamed } from '../../../src/ledger/contracts.ts';
import type { Statements } from '../../../src/ledger/database.ts';
import { insertPayment, type PaymentWay, transactionsOfOrder } from '../../../src/ledger/payments.ts';
import { appendTransfers, loadTransactions } from '../../../src/ledger/transactions.ts';
import { NOON, Sandbox } from '../../support/ledger.ts';

/** What the bank does with the next charge. */
export type Answer = 'approves' | 'declines' | 'reviews' | 'is silent' | 'is away';

/** Where the program is killed. */
export type Death = 'before the reservation' | 'before the answer' | 'after the answer';

export const MINUTE = 60_000;

export class Bank {
  readonly sandbox: Sandbox;
  /** Order numbers for which the card was asked. */
  readonly asked: string[] = [];
  /** Taken one by one; without one it approves. */
  answers: Answer[] = [];
  death: Death | undefined;
  /** Held until this resolves. */
  latency: () => Promise<void> = async () => {};
  #made = 0;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  get context(): ChargingContext {
    const { sandbox } = this;
    return { database: sandbox.database, clock: () => sandbox.now, charge: (one) => this.#charge(one) };
  }

  /** Everything that is due, as short text: `RT1 2.1 approved`. */
  async run(): Promise<readonly string[]> {
    return (await chargeDue(this.context)).reports.map(words);
  }

  /** The first payment of 10.00 USD, and the contract that it makes; charges of `contract_amount` 9.00 unless said. */
  async subscribe(
    subscription: SubscriptionMessage,
    { state = 'authorised', contractAmount = 900 as number | 'the same' } = {},
  ): Promise<ContractState> {
    const { sandbox } = this;
    const [account] = await sandbox.accounts();
    const message = {
      order_no: `O-${this.#made + 1}`,
      currency: 'USD',
      amount: '10.00',
      shopper_email: 'shopper@example.com',
      items: 'a#,#1#,#tea#,#10.00',
      subscription,
    };
    const order: Order = {
      message,
      orderNo: message.order_no,
      currency: 'USD',
      amount: 1000,
      items: [['a', '1', 'tea', '10.00']],
      contractAmount: contractAmount === 'the same' ? undefined : contractAmount,
    };
    return sandbox.database.write(async (statements) => {
      const { txn, transactionId } = await this.#reserve(statements, 'direct', order);
      await this.#append(
        statements,
        txn,
        state === 'in_review' ? 'hold_for_review' : 'authorise',
        order.amount,
      );
      const first = { account: account!, txn, transactionId, order, tokenId: 'K1', at: sandbox.now };
      await openContract(statements, first);
      return (await contractStates(statements, [txn])).get(txn)!;
    });
  }

  async contract(recurringId = 'RT1'): Promise<Contract> {
    const { reads } = this.sandbox.database;
    return (await readContracts(reads, [(await contractNamed(reads, recurringId))!]))[0]!;
  }

  /** What becomes later of a payment that was held or in doubt. */
  async decide(transactionId: string, kind: TransferKind): Promise<void> {
    await this.sandbox.database.write(async (statements) => {
      const [loaded] = await loadTransactions(statements, new Map([[1, [transactionId]]]));
      await this.#append(statements, loaded!.number, kind, loaded!.transaction.amount);
    });
  }

  async #charge({ order, account }: Charge): Promise<AuthoriseAnswer> {
    if (this.death === 'before the reservation') throw new Error('killed');
    const answer = this.answers.shift() ?? 'approves';
    if (answer === 'is away') return { failure: reason('E0002') };
    const { database } = this.sandbox;
    const reserved = await database.write(async (statements) => {
      const inUse = await this.#inUse(statements, account.number, order.orderNo);
      return inUse === undefined ? this.#reserve(statements, 'recurring', order) : { failure: reason(inUse) };
    });
    if ('failure' in reserved) return reserved;
    this.asked.push(order.orderNo);
    await this.latency();
    if (this.death === 'before the answer') throw new Error('killed');
    const { txn, transactionId } = reserved;
    const kind = TRANSFER_OF[answer];
    if (kind !== undefined) {
      const amount = kind === 'decline' ? 0 : order.amount;
      await database.write((statements) => this.#append(statements, txn, kind, amount));
    }
    if (this.death === 'after the answer') throw new Error('killed');
    return { payment: paymentResult(transactionId, answer) };
  }

  /** The order number of an attempt serves for one payment, whatever becomes of it. */
  async #inUse(statements: Statements, account: number, orderNo: string): Promise<Code | undefined> {
    const ids = await transactionsOfOrder(statements, account, orderNo);
    return ids.length === 0 ? undefined : 'I0061';
  }

  async #reserve(statements: Statements, way: PaymentWay, order: Order) {
    this.#made += 1;
    const transactionId = `T${this.#made}`;
    const txn = await insertPayment(statements, {
      accountNumber: 1,
      transactionId,
      state: 'in_doubt',
      way,
      method: undefined,
      order,
      ip: '203.0.113.7',
      session: undefined,
      at: this.sandbox.now,
    });
    return { txn, transactionId };
  }

  #append(statements: Statements, txn: number, kind: TransferKind, amount: number): Promise<void> {
    const nothing = {
      payout: undefined,
      line: undefined,
      reference: undefined,
      repeatOf: undefined,
      note: undefined,
    };
    const group = { batchNumber: undefined, attempt: undefined, request: undefined };
    return appendTransfers(
      statements,
      [{ ...group, transfers: [{ ...nothing, txn, kind, amount }] }],
      this.sandbox.now,
    );
  }
}

type Decided = Exclude<Answer, 'is away'>;

const TRANSFER_OF: Readonly<Record<Decided, TransferKind | undefined>> = {
  approves: 'authorise',
  declines: 'decline',
  reviews: 'hold_for_review',
  'is silent': undefined,
};

const CODE_OF: Readonly<Record<Decided, Code | undefined>> = {
  approves: undefined,
  declines: 'D0051',
  reviews: 'R0002',
  'is silent': 'E0001',
};

const ORDER_STATUS_OF: Readonly<Record<Decided, 0 | 1 | 2>> = {
  approves: 1,
  declines: 0,
  reviews: 2,
  'is silent': 2,
};

function paymentResult(transactionId: string, answer: Decided): PaymentResult {
  const code = CODE_OF[answer];
  return {
    transactionId,
    orderStatus: ORDER_STATUS_OF[answer],
    reason: code === undefined ? undefined : reason(code),
    maskedCard: '411111******1111',
    tokenId: 'K1',
    connector: 'simulator',
    threeDs: '-',
    risk: { action: 'accept', score: 0, reasons: [] },
    contract: undefined,
  };
}

/** `RT1 2.1 declined D0051`: contract, cycle and attempt, outcome, and why. */
export function words({ contract, planned, outcome, reason: why }: ChargeReport): string {
  const attempt = `${contract.recurringId} ${planned.cycle}.${planned.attempt} ${outcome}`;
  return why === undefined ? attempt : `${attempt} ${why.code}`;
}

/** A ledger with account M1/A1 whose days are those of UTC, at noon of 20 November 2026. */
export async function makeBank(): Promise<Bank> {
  const sandbox = await Sandbox.make();
  sandbox.now = NOON;
  return new Bank(sandbox);
}
