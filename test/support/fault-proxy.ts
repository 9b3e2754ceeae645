/**
 * A bad network, and a bad gateway behind it, that can be repeated: it stands between a client and a real gateway and
 * spoils requests and answers by a seed. What it has done stands in its log, so that a test can tell what the client
 * could not know. F58 to F70
 */
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import type { KeysOf } from '../../src/client/options.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { PATHS } from '../../src/wire/paths.ts';
import { signMessage } from '../../src/wire/signature.ts';
import { Chance } from './chance.ts';
import {
  addEntry,
  type Change,
  changeAmount,
  changeCurrency,
  changeStatus,
  contradictEntry,
  dropEntry,
  reorderEntries,
  repeatEntry,
  unsignedRefusal,
} from './fault-proxy-changes.ts';
import { type Answer, Lost, messageOf, Passage, type Road } from './fault-proxy-passage.ts';

/** What a fault has at hand. */
interface Scene {
  readonly passage: Passage;
  /** Of this request alone: how others end does not change it. */
  readonly chance: Chance;
  readonly keysOf: KeysOf;
}

/** Deals with a request; false where it found nothing to spoil, and has let it pass. */
type Fault = (scene: Scene) => Promise<boolean>;

/** Sooner than a gateway closes a connection that waits. */
const KEEP_MS = 1000;

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const page = (status: number): Answer => ({ status, headers: HTML, body: Buffer.from('<h1>Hello</h1>') });

function refusal(
  { passage }: Scene,
  status: number,
  code: 'E0002' | 'E0003',
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const body = Buffer.from(JSON.stringify(unsignedRefusal(passage.message, code)));
  return { status, headers: { ...JSON_TYPE, ...headers }, body };
}

/** The gateway never hears of it. */
const instead =
  (answer: (scene: Scene) => Answer): Fault =>
  async (scene) => {
    scene.passage.give(answer(scene));
    return true;
  };

/** The gateway executes it, and something becomes of its answer. */
const after =
  (act: (scene: Scene, answer: Answer) => void | Promise<void>): Fault =>
  async (scene) => {
    await act(scene, await scene.passage.forward());
    return true;
  };

/** The answer is changed, where it is a signed message that has a place for the change. */
const changed =
  (change: Change, sign: (message: JsonFields, keysOf: KeysOf) => Promise<JsonFields>): Fault =>
  async ({ passage, chance, keysOf }) => {
    const answer = await passage.forward();
    const message = messageOf(answer.body);
    const other = message?.encryption_data === undefined ? undefined : change(message, chance);
    if (other === undefined) {
      passage.give(answer);
      return false;
    }
    passage.give({ ...answer, body: Buffer.from(JSON.stringify(await sign(other, keysOf))) });
    return true;
  };

/** By somebody without a key: the old signature stays. */
const forged = (change: Change) => changed(change, async (message) => message);

/** By the gateway itself. */
const signed = (change: Change) =>
  changed(change, async (message, keysOf) => {
    const { merchant_id, account_id } = message;
    const key = (await keysOf(String(merchant_id), String(account_id))).at(-1);
    if (key === undefined) throw new Error(`the proxy has no key of ${merchant_id}/${account_id}`);
    return { ...message, encryption_data: signMessage(message, key) };
  });

const pause = ({ passage, chance }: Scene) => passage.wait(chance.between(5, 60));

const FAULTS = {
  'delay-request': async (scene) => {
    await pause(scene);
    scene.passage.give(await scene.passage.forward());
    return true;
  },
  'delay-answer': after(async (scene, answer) => {
    await pause(scene);
    scene.passage.give(answer);
  }),
  'reset-before': async ({ passage }) => {
    passage.reset();
    return true;
  },
  'reset-after': after(({ passage }) => passage.reset()),
  'half-answer': after(({ passage }, answer) => passage.giveHalf(answer, true)),
  'half-unframed': after(({ passage }, answer) => passage.giveHalf(answer, false)),
  'hold-answer': after(({ passage }, answer) => passage.giveLate(answer)),
  'refuse-429': instead((scene) =>
    refusal(scene, 429, 'E0002', { 'retry-after': String(scene.chance.below(2)) }),
  ),
  'refuse-503': instead((scene) => refusal(scene, 503, 'E0002')),
  'refuse-500': instead((scene) => refusal(scene, 500, 'E0003')),
  'refuse-502': instead(() => page(502)),
  'refuse-200': instead(() => page(200)),
  redirect: instead(({ passage }) => ({ ...page(302), headers: { ...HTML, location: passage.address } })),
  'executed-500': after((scene) => scene.passage.give(refusal(scene, 500, 'E0003'))),
  'executed-502': after(({ passage }) => passage.give(page(502))),
  'executed-200': after(({ passage }) => passage.give(page(200))),
  'forge-status': forged(changeStatus),
  'forge-amount': forged(changeAmount),
  'drop-entry': signed(dropEntry),
  'add-entry': signed(addEntry),
  'repeat-entry': signed(repeatEntry),
  'contradict-entry': signed(contradictEntry),
  'reorder-entries': signed(reorderEntries),
  'change-amount': signed(changeAmount),
  'change-currency': signed(changeCurrency),
  drip: after(({ passage }, answer) => passage.drip(answer)),
  'huge-body': after(({ passage }, answer) => passage.giveHuge(answer)),
  'gzip-bomb': after(({ passage }, answer) => passage.giveBomb(answer)),
  'send-twice': async ({ passage }) => {
    await passage.forward();
    passage.give(await passage.forward());
    return true;
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

export interface FaultProxyOptions {
  /** Where the gateway is. */
  readonly upstream: string;
  /** With which changed answers are signed anew. */
  readonly keysOf: KeysOf;
  readonly seed: number;
  /** How likely a request meets a fault: 0 never, 1 always. */
  readonly rate: number;
  /** Of the client: answers that come too late come after it. */
  readonly deadlineMs: number;
  /** No other faults than these. */
  readonly only?: readonly FaultName[];
  /** Whole numbers: how likely a fault is, compared with those of which nothing is said, which have 1. */
  readonly weights?: Readonly<Partial<Record<FaultName, number>>>;
  /** Queries always pass. */
  readonly sparesQueries?: boolean;
}

/** One POST request. */
export interface Handled {
  /** `none`: it passed, also because its answer had no place for the fault that was drawn. */
  readonly fault: FaultName | 'none';
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  /** Whether the gateway got it, so far; `perhaps` as long as it has not answered. */
  readonly reached: 'no' | 'yes' | 'perhaps';
}

/** The same, while it is under way. */
interface Handling extends Omit<Handled, 'fault' | 'reached'> {
  fault: Handled['fault'];
  /** Undefined until the whole request is there. */
  passage: Passage | undefined;
}

export class FaultProxy {
  readonly #options: FaultProxyOptions;
  readonly #road: Road;
  readonly #server: Server;
  readonly #closing = new AbortController();
  readonly #chance: Chance;
  /** Every fault as often as it weighs. */
  readonly #hat: readonly FaultName[];
  readonly #handled: Handling[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #calm = false;

  private constructor(options: FaultProxyOptions) {
    const { upstream, deadlineMs, seed, only = FAULT_NAMES, weights = {} } = options;
    this.#options = options;
    this.#chance = new Chance(seed);
    this.#hat = only.flatMap((name) => new Array<FaultName>(weights[name] ?? 1).fill(name));
    const dispatcher = new Agent({ keepAliveTimeout: KEEP_MS, keepAliveMaxTimeout: KEEP_MS });
    this.#road = {
      upstream: upstream.replace(/\/+$/, ''),
      dispatcher,
      deadlineMs,
      closing: this.#closing.signal,
    };
    setMaxListeners(0, this.#closing.signal);
    this.#server = createServer((request, response) => {
      const handling = this.#handle(request, response).finally(() => this.#underWay.delete(handling));
      this.#underWay.add(handling);
    });
  }

  /** Listens on loopback. Whoever starts one closes it. */
  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  /** Where clients send to. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What became of every POST request so far, in the order of arrival. */
  get faults(): readonly Handled[] {
    return this.#handled.map(({ passage, ...handled }) => ({ ...handled, reached: reachOf(passage) }));
  }

  /** From now on everything passes; what is under way ends as it began. */
  calm(): void {
    this.#calm = true;
  }

  /** Resolves when nothing is under way, also nothing that its client has given up. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Ends everything at once; what is under way is lost. */
  async close(): Promise<void> {
    this.#closing.abort();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeAllConnections();
    await Promise.all([closed, this.#road.dispatcher.destroy(), this.settled()]);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    const drawn = request.method === 'POST' ? this.#draw(path) : undefined;
    const key = request.headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' ? key : undefined;
    const handling: Handling = { fault: drawn?.fault ?? 'none', path, idempotencyKey, passage: undefined };
    if (request.method === 'POST') this.#handled.push(handling);
    try {
      const passage = await Passage.take(request, response, this.#road);
      handling.passage = passage;
      const scene = { passage, keysOf: this.#options.keysOf };
      if (drawn === undefined) passage.give(await passage.forward());
      else if (!(await FAULTS[drawn.fault]({ ...scene, chance: drawn.chance }))) handling.fault = 'none';
    } catch (error) {
      request.socket.destroy();
      if (!(error instanceof Lost || this.#closing.signal.aborted)) throw error;
    }
  }

  /** What happens to the next request: one draw for each, so that it depends on nothing but the order. */
  #draw(path: string): { readonly fault: FaultName; readonly chance: Chance } | undefined {
    const { rate, sparesQueries = false } = this.#options;
    if (this.#calm || this.#hat.length === 0 || (sparesQueries && path === PATHS.query)) return undefined;
    const chance = new Chance(this.#chance.below(2 ** 32));
    return chance.below(2 ** 32) < rate * 2 ** 32 ? { fault: chance.pick(this.#hat), chance } : undefined;
  }
}

function reachOf(passage: Passage | undefined): Handled['reached'] {
  if (passage === undefined || passage.sent === 0) return 'no';
  return passage.answered > 0 ? 'yes' : 'perhaps';
}
