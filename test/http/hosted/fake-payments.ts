/** Hosted payments that live in memory and note what they are asked. */
import { createSecretKey } from 'node:crypto';
import type { HostedOrder, HostedPayments, HostedStep, HostedView } from '../../../src/core/hosted.ts';
import { type HostedOptions, hostedPages } from '../../../src/http/hosted/pages.ts';
import type { Merchant } from '../../../src/http/ports.ts';

export const SESSION = 'S'.repeat(43);

export const KEY = createSecretKey('a key that is long enough for the tests', 'utf8');

const MERCHANT: Merchant = {
  merchantId: 'M1',
  accountId: 'A1',
  accountNumber: 1,
  keys: [createSecretKey('an older key that does not sign any more', 'utf8'), KEY],
  allowIp: [],
  timeZone: 'UTC',
};

export const ORDER: HostedOrder = {
  merchantId: 'M1',
  accountId: 'A1',
  transactionId: 'T1',
  orderNo: 'ORDER-1',
  currency: 'EUR',
  amount: 12_990,
  items: [['Blue shirt', 'SKU-1', '59.95', '2']],
  language: undefined,
  kind: 'card',
  method: undefined,
  storedCard: undefined,
  storefronts: [],
};

export const APPROVED: HostedStep = {
  is: 'over',
  returnTo: 'https://shop.example/back',
  orderStatus: 1,
  reason: undefined,
};

export class FakePayments implements HostedPayments {
  order: HostedOrder = ORDER;
  step: HostedStep = { is: 'open' };
  /** Where an act leads. */
  next: HostedStep | undefined = APPROVED;
  readonly asked: unknown[] = [];

  async open(session: string): Promise<HostedView | undefined> {
    return session === SESSION ? { order: this.order, step: this.step } : undefined;
  }

  submitCard(session: string, card: unknown, ip: string) {
    return this.#act('card', session, card, ip);
  }

  submitStoredCard(session: string, securityCode: string, ip: string) {
    return this.#act('stored', session, securityCode, ip);
  }

  answerChallenge(session: string, passed: boolean) {
    return this.#act('challenge', session, passed);
  }

  decideApm(session: string, approved: boolean) {
    return this.#act('apm', session, approved);
  }

  leave(session: string) {
    return this.#act('leave', session);
  }

  async #act(...asked: readonly unknown[]): Promise<HostedView | undefined> {
    this.asked.push(asked.filter((part) => part !== SESSION));
    if (this.next === undefined) return undefined;
    this.step = this.next;
    return { order: this.order, step: this.step };
  }
}

/** The pages on fake payments. */
export function pagesOn(hosted: HostedPayments, change: Partial<HostedOptions> = {}) {
  return hostedPages({
    hosted,
    merchants: {
      find: async (merchantId, accountId) =>
        merchantId === 'M1' && accountId === 'A1' ? MERCHANT : undefined,
    },
    environment: 'sandbox',
    publicUrl: 'https://pay.example',
    clientIp: () => '203.0.113.7',
    log: { error: () => undefined },
    ...change,
  });
}
