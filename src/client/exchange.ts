/** A message of the API out, and what can be believed of its answer back. */
import type { Agent } from 'undici';
import { type Reason, reason } from '../core/code.ts';
import type { CallOptions } from '../core/gateway.ts';
import { type JsonFields, jsonFault } from '../wire/canonical.ts';
import { type ApiOperation, PATHS } from '../wire/paths.ts';
import { Breaker } from './breaker.ts';
import { openConnections } from './connections.ts';
import { Courier } from './courier.ts';
import type { ClientSettings } from './options.ts';
import { signRequest } from './profile.ts';
import { send } from './send.ts';
import type { Expectation, Verdict } from './verdict.ts';

export interface Account {
  readonly merchantId: string;
  readonly accountId: string;
}

const FORMS = { authorise: 'xml', checkout: 'page' } as const;

/** An idempotency key as a header can carry it: 1 to 255 visible ASCII characters. */
const HEADER_KEY = /^[\x21-\x7e]{1,255}$/;

export class Exchange {
  readonly #settings: ClientSettings;
  readonly #connections: Agent;
  readonly #courier: Courier;

  constructor(settings: ClientSettings) {
    const { concurrency, deadlineMs, attempts, patienceMs, timing, ca } = settings;
    this.#settings = settings;
    this.#connections = openConnections({
      connections: concurrency,
      deadlineMs,
      ...(ca === undefined ? {} : { ca }),
    });
    this.#courier = new Courier({
      send: ({ url, headers, body }) => send(this.#connections, url, headers, body, deadlineMs),
      breaker: new Breaker(settings.breaker),
      concurrency,
      attempts,
      patienceMs,
      timing,
    });
  }

  /**
   * Asks for an operation.
   * @param fields of the message, without its envelope
   */
  async ask(
    operation: ApiOperation,
    account: Account,
    fields: JsonFields,
    call: CallOptions = {},
  ): Promise<Verdict> {
    const { merchantId, accountId } = account;
    const { profile, keysOf, idempotent, signs } = this.#settings;
    const keys = await keysOf(merchantId, accountId);
    const key = keys.at(-1);
    if (key === undefined)
      return unsent(reason('I0013', `there is no key of account ${merchantId}/${accountId} here`));
    const { idempotencyKey } = call;
    if (idempotencyKey !== undefined && !HEADER_KEY.test(idempotencyKey))
      return unsent(reason('I0002', 'the idempotency key has other than 1 to 255 visible characters'));
    const message = { merchant_id: merchantId, account_id: accountId, ...fields };
    const fault = jsonFault(message);
    if (fault !== undefined) return unsent(reason('I0002', fault));
    const sent = signRequest(profile, message, key);
    const expectation: Expectation = {
      merchantId,
      accountId,
      profile,
      keys,
      form: operation === 'authorise' || operation === 'checkout' ? FORMS[operation] : 'json',
      mustBeSigned: (answer) => signs === 'everything' || isSignedBySpecification(operation, answer),
      sent,
    };
    const letter = {
      url: new URL(`${this.#settings.url}${PATHS[operation]}`),
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify({ ...message, encryption_data: sent }),
      mayRepeat: operation === 'query' || (idempotent && idempotencyKey !== undefined),
      sentBefore: call.sentBefore === true,
    };
    return this.#courier.deliver(letter, expectation);
  }

  close(): Promise<void> {
    return this.#connections.destroy();
  }
}

/** Specification, "Authentication": neither the query nor the way to an alternative method is signed. */
function isSignedBySpecification(operation: ApiOperation, answer: JsonFields): boolean {
  return operation !== 'query' && answer.issuer_url === undefined;
}

function unsent(why: Reason): Verdict {
  return { is: 'nothing', reason: why, again: false };
}
