/** A data directory, a gateway far away with a ledger of its own, a bad network between them, and processes that die. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteExecutor } from '../../src/batch/executor.ts';
import { verify } from '../../src/batch/verify.ts';
import { GatewayClient } from '../../src/client/gateway-client.ts';
import type { GatewayClientOptions } from '../../src/client/options.ts';
import type { Answer, CallOptions } from '../../src/core/gateway.ts';
import { kindOfCode } from '../../src/core/transfer.ts';
import type { RunningServer } from '../../src/http/server.ts';
import { Api } from '../http/api.ts';
import { Sandbox } from '../support/ledger.ts';
import { Killed } from '../support/remote.ts';
import { serveApp } from '../support/serve-app.ts';
import { effectOf } from './remote-lines.ts';

type RemoteGateway = RemoteExecutor['gateway'];

/** Both ends of the road; many runs share them, each with transactions of its own. */
export class BothEnds {
  readonly local: Sandbox;
  readonly #api: Api;
  readonly #server: RunningServer;

  private constructor(local: Sandbox, api: Api, server: RunningServer) {
    this.local = local;
    this.#api = api;
    this.#server = server;
  }

  /** A1 captures by hand, A2 at once. */
  static async open(): Promise<BothEnds> {
    const settings = { allow_ip: ['127.0.0.1'] };
    const api = await Api.make({}, [settings, { ...settings, capture: 'automatic' }]);
    const server = await serveApp(api.app, 30_000);
    return new BothEnds(await Sandbox.make([{}, { capture: 'automatic' }]), api, server);
  }

  get url(): string {
    return this.#server.url;
  }

  get upstream(): Sandbox {
    return this.#api.sandbox;
  }

  readonly keysOf = (_: string, account: string) => [this.#api.key(account)];

  /** How often each thing was done in the ledger over there to what has this name in its id. */
  async effects(name: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.upstream.database.reads.all<Effect>(
      `SELECT t.account, t.transaction_id AS subject, r.kind, r.amount FROM txn AS t JOIN transfer AS r ON r.txn = t.number
         WHERE t.transaction_id GLOB ?1
       UNION ALL
       SELECT p.account, p.request_id, r.kind, r.amount FROM payout AS p JOIN transfer AS r ON r.payout = p.number
         WHERE p.request_id GLOB ?1`,
      [`${name}-*`],
    );
    const counts = new Map<string, number>();
    const count = (row: Effect, kind: string, by: number) => {
      const key = effectOf(row.account, row.subject, kind, row.amount);
      counts.set(key, (counts.get(key) ?? 0) + by);
    };
    for (const row of rows) {
      const kind = kindOfCode(row.kind);
      count(row, kind, 1);
      // There an accepted review captures, too.
      if (row.account === 2 && kind === 'review_accepted') count(row, 'capture', -1);
    }
    return new Map([...counts].filter(([, times]) => times !== 0));
  }

  /** What does not hold, at either end. */
  async findings(): Promise<readonly object[]> {
    const all = [...(await verify(this.local)), ...(await verify(this.upstream))];
    const wrong = all.filter(({ ok }) => !ok).map(({ name, named }) => ({ name, named }));
    return [...wrong, ...this.#api.errors.map((error) => ({ name: 'the gateway', named: String(error) }))];
  }

  async close(): Promise<void> {
    await this.#server.stop(5000);
    await Promise.all([this.#api.remove(), this.local.remove()]);
  }
}

interface Effect {
  readonly account: number;
  readonly subject: string;
  readonly kind: number;
  readonly amount: number;
}

/** Waits of the client pass so many times faster. */
const FASTER = 20;

const TIMING = (random: () => number): NonNullable<GatewayClientOptions['timing']> => ({
  elapsed: () => performance.now() * FASTER,
  clock: () => Date.now(),
  random,
  sleep: (ms) => sleep(ms / FASTER),
});

export interface Death {
  /** The request, from 0, at which it ends. */
  readonly at: number;
  readonly how: 'before' | 'under way' | 'after';
  readonly afterMs: number;
}

export interface LifeOptions extends Omit<GatewayClientOptions, 'timing'> {
  /** Of a gateway that knows no keys none is told. */
  readonly keys: boolean;
  readonly death: Death | undefined;
}

/** One process with its client. When it is killed, nothing that it waits for comes any more. */
export class Life {
  readonly gateway: RemoteGateway;
  readonly #client: GatewayClient;
  readonly #options: LifeOptions;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #dead: Promise<never>;
  #die: () => void = () => undefined;
  #isDead = false;
  /** Requests that it was asked for. */
  asked = 0;

  constructor(options: LifeOptions) {
    this.#options = options;
    this.#client = new GatewayClient({ ...options, timing: TIMING(Math.random) });
    this.#dead = new Promise((_, reject) => {
      this.#die = () => reject(new Killed('killed'));
    });
    this.#dead.catch(() => undefined);
    const client = this.#client;
    const told = (given: CallOptions = {}): CallOptions => {
      const { idempotencyKey: _, ...rest } = given;
      return options.keys ? given : rest;
    };
    const through = (ask: () => Promise<Answer>) => this.#through(ask);
    this.gateway = {
      capture: (request, given) => through(() => client.capture(request, told(given))),
      cancel: (request, given) => through(() => client.cancel(request, told(given))),
      review: (request, given) => through(() => client.review(request, told(given))),
      refund: (request, given) => through(() => client.refund(request, told(given))),
      payout: (request, given) => through(() => client.payout(request, told(given))),
      query: (request) => this.#through(() => client.query(request)),
    };
  }

  /** Ends it, and waits for what it has left on its way. */
  async end(): Promise<void> {
    await this.#client.close();
    await Promise.allSettled(this.#underWay);
  }

  async #through<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#isDead) throw new Killed('killed');
    const { death } = this.#options;
    const how = this.asked === death?.at ? death.how : undefined;
    this.asked += 1;
    if (how === 'before') return this.#killed();
    const answer = ask();
    this.#underWay.add(answer);
    answer.catch(() => undefined);
    if (how === 'under way') {
      await sleep(death!.afterMs);
      return this.#killed();
    }
    const given = await Promise.race([answer, this.#dead]);
    if (how === 'after') return this.#killed();
    if (this.#isDead) throw new Killed('killed');
    return given;
  }

  #killed(): Promise<never> {
    this.#isDead = true;
    this.#die();
    void this.#client.close();
    return this.#dead;
  }
}
