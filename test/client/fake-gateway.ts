/** A gateway on loopback that answers as a test tells it to, down to the bytes; and a client that asks it. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { GatewayClient } from '../../src/client/gateway-client.ts';
import type { GatewayClientOptions } from '../../src/client/options.ts';
import type { Timing } from '../../src/client/waiting.ts';
import type { Entry } from '../../src/core/gateway.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { type Key, parseKey, signMessage } from '../../src/wire/signature.ts';

export const KEY = keyOf('the key of account A1 at a gateway');

export function keyOf(text: string): Key {
  const parsed = parseKey(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.key;
}

export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: JsonFields;
  /** From 1. */
  readonly number: number;
  /** Which connection brought it. */
  readonly port: number;
}

export type Script = (response: ServerResponse, asked: Asked) => void;

export class FakeGateway {
  readonly asked: Asked[] = [];
  script: Script;
  readonly #server: Server;

  private constructor(script: Script) {
    this.script = script;
    this.#server = createServer(async (request, response) => {
      const asked = {
        path: request.url!,
        headers: request.headers,
        message: (await json(request)) as JsonFields,
        number: this.asked.length + 1,
        port: request.socket.remotePort!,
      };
      this.asked.push(asked);
      this.script(response, asked);
    });
  }

  static async start(script: Script): Promise<FakeGateway> {
    const gateway = new FakeGateway(script);
    await new Promise<void>((resolve) => gateway.#server.listen(0, '127.0.0.1', resolve));
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Time that passes only while somebody sleeps, or when a test says so. */
export class FakeTime implements Timing {
  now = 1_000_000;
  readonly slept: number[] = [];
  readonly elapsed = () => this.now;
  readonly clock = () => this.now;
  readonly random = () => 0.5;
  readonly sleep = async (ms: number) => {
    this.slept.push(ms);
    this.now += ms;
  };
}

export function clientOf(url: string, change: Partial<GatewayClientOptions> = {}): GatewayClient {
  return new GatewayClient({
    url,
    keysOf: () => [KEY],
    deadlineMs: 2000,
    timing: new FakeTime(),
    ...change,
  });
}

export function entry(id: string, change: Partial<Entry> = {}): Entry {
  return {
    transactionId: id,
    orderNo: `O-${id}`,
    currency: 'USD',
    amount: 1000,
    refundAmount: undefined,
    reviewFlag: undefined,
    refundReason: undefined,
    reference: undefined,
    line: 0,
    repeatOf: undefined,
    ...change,
  };
}

export const M1 = { merchantId: 'M1', accountId: 'A1' } as const;

/** What the gateway says of a capture. */
export function captured(id: string, change: JsonFields = {}): JsonFields {
  return {
    amount: '10.00',
    capture_status: '1',
    currency: 'USD',
    error_message: '',
    order_no: `O-${id}`,
    transaction_id: id,
    ...change,
  };
}

export function envelope(fields: JsonFields): JsonFields {
  return { merchant_id: 'M1', account_id: 'A1', return_status: '1', return_message: 'OK', ...fields };
}

export function signed(fields: JsonFields, key: Key = KEY): JsonFields {
  return { ...fields, encryption_data: signMessage(fields, key) };
}

/** The answer to a capture. */
export function captures(...orders: readonly JsonFields[]): JsonFields {
  return signed(envelope({ capture_orders: orders }));
}

/** Why a whole request is refused. */
export function refusal(code: string, key = KEY): JsonFields {
  return signed(bareRefusal(code), key);
}

/** The same without a signature. */
export function bareRefusal(code: string): JsonFields {
  return {
    ...M1_FIELDS,
    return_status: '0',
    return_message: `${code}:because`,
    request_id: 'r-1',
    errors: [],
  };
}

const M1_FIELDS = { merchant_id: 'M1', account_id: 'A1' };

export function sendJson(
  response: ServerResponse,
  fields: JsonFields,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(fields));
}
