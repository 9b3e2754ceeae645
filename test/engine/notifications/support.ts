/** Receivers of notifications on loopback, and a sender whose clock, chance and names a test holds. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AddressRules, receiverOf } from '../../../src/engine/notifications/address.ts';
import { Notifier, type NotifierOptions } from '../../../src/engine/notifications/notifier.ts';
import { insertEvents } from '../../../src/ledger/events.ts';
import { type Key, parseKey } from '../../../src/wire/signature.ts';
import type { Sandbox } from '../../support/ledger.ts';

/** A request as a receiver got it. */
export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An answer: a status, or whatever a test wants to do. */
export type Answering = number | ((response: ServerResponse, request: IncomingMessage) => void);

export class Receiver {
  readonly received: Received[] = [];
  readonly #server: Server;
  /** Answers in turn; the last one stays. */
  #answers: Answering[];

  private constructor(server: Server, answers: Answering[]) {
    this.#server = server;
    this.#answers = answers;
  }

  static async listening(...answers: readonly Answering[]): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, answers.length === 0 ? [200] : [...answers]);
    server.on('request', (request, response) => void receiver.#take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/notify', host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  answer(...answers: readonly Answering[]): void {
    this.#answers = [...answers];
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    const headers = request.headers as Record<string, string>;
    this.received.push({ id: headers['webhook-id']!, headers, text: sent, body: JSON.parse(sent) });
    const answering = this.#answers.length > 1 ? this.#answers.shift()! : this.#answers[0]!;
    if (typeof answering === 'function') answering(response, request);
    else response.writeHead(answering).end();
  }
}

export function newKey(): Key {
  const parsed = parseKey(randomBytes(32).toString('base64url'));
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.key;
}

/** Loopback is allowed, and names mean loopback. */
export function notifierOf(sandbox: Sandbox, keys: readonly Key[], change: Partial<NotifierOptions> = {}) {
  return new Notifier({
    database: sandbox.database,
    environment: 'sandbox',
    keysOf: async () => keys,
    rules: new AddressRules(['127.0.0.0/8'], true),
    resolve: async () => ['127.0.0.1'],
    lock: join(sandbox.folders.work, 'notify.db'),
    clock: () => sandbox.now,
    chance: () => 0,
    ...change,
  });
}

/** Adds an event about transaction number 1 of account M1/A1 for each address. */
export async function tell(sandbox: Sandbox, ...urls: readonly string[]): Promise<void> {
  const events = urls.map((url, index) => ({
    accountNumber: 1,
    subject: { txn: 1 },
    url,
    receiver: receiverOf(1, url),
    kind: 'capture' as const,
    body: { event: 'capture', order_no: `O-${index + 1}` },
    dueAt: sandbox.now,
  }));
  await sandbox.database.write((statements) => insertEvents(statements, events, sandbox.now));
}

/** State, tries and outcome of every event, in order. */
export async function standings(sandbox: Sandbox): Promise<readonly string[]> {
  const rows = await sandbox.database.reads.all<{ state: string; tries: number; outcome: string | null }>(
    'SELECT state, tries, outcome FROM event ORDER BY number',
  );
  return rows.map(({ state, tries, outcome }) => `${state} ${tries} ${outcome ?? '-'}`);
}
