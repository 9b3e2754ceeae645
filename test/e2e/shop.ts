/** A gateway and a shop, each listening on loopback under a host of its own: what shoppers go back and forth between. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpMetrics } from '../../src/http/metrics.ts';
import { type RunningServer, startServer } from '../../src/http/server.ts';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { verifySignature } from '../../src/wire/signature.ts';
import { Api } from '../http/api.ts';

/** A shopper who has come back. */
export interface Returned {
  /** Where to: `/back` or `/cancelled`. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the shop believes the result. */
  readonly isSigned: boolean;
}

export class Shop {
  readonly api: Api;
  readonly returned: Returned[] = [];
  /** What browsers have said they come from, in requests to the shop. */
  readonly referrers: string[] = [];
  readonly #pages = new Map<string, string>();
  readonly #server: Server;
  #gateway: RunningServer | undefined;
  /** What listens: it has its own address, which it knows only then. */
  #served: Api | undefined;

  private constructor(api: Api, server: Server) {
    this.api = api;
    this.#server = server;
    server.on('request', (incoming, outgoing) => this.#answer(incoming, outgoing));
  }

  static async open(): Promise<Shop> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    const { port } = server.address() as AddressInfo;
    const storefronts = [`http://localhost:${port}`];
    const api = await Api.make({}, [
      { currencies: ['EUR', 'BRL', 'MXN'], storefronts },
      { currencies: ['EUR'] },
    ]);
    const shop = new Shop(api, server);
    shop.#gateway = await startServer({
      host: '127.0.0.1',
      port: 0,
      tls: undefined,
      limits: { requestTimeoutMs: 30_000, headersTimeoutMs: 30_000 },
      observation: {
        environment: 'sandbox',
        requestId: () => 'request',
        log: { request: (record) => api.records.push(record), error: (_, error) => api.errors.push(error) },
        metrics: new HttpMetrics(),
      },
      app: (url) => {
        shop.#served = api.with({ publicUrl: url });
        return shop.#served.app;
      },
    });
    return shop;
  }

  /** Errors that nobody expected. */
  get errors(): readonly unknown[] {
    return [...this.api.errors, ...this.#served!.errors];
  }

  async close(): Promise<void> {
    await this.#gateway?.stop(1000);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.api.remove();
  }

  /** The shop's own address. */
  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  get gatewayUrl(): string {
    return this.#gateway!.url;
  }

  /** Asks for a redirect payment and passes the page on; returns the shop's address of it. */
  async checkout(fields: JsonFields, account = 'A1'): Promise<string> {
    const text = await this.#ask('/v1/checkout', fields, account);
    return this.#show(`/checkout/${fields.order_no}`, text);
  }

  /** A page of the shop that has the payment page in a frame. */
  async framed(fields: JsonFields, account = 'A1'): Promise<string> {
    const address = await this.checkout(fields, account);
    return this.#show(
      `/framed/${fields.order_no}`,
      `<!DOCTYPE html><html lang="en"><title>Shop</title><h1>Shop</h1>
       <iframe title="Payment" src="${address}" width="700" height="900"></iframe>`,
    );
  }

  /** Asks for an APM payment; returns the address to which the shopper is sent. */
  async issuerUrl(fields: JsonFields): Promise<string> {
    const text = await this.#ask('/v1/authorise', fields, 'A1');
    const [, address] = /<issuer_url>([^<]*)<\/issuer_url>/.exec(text)!;
    return address!;
  }

  async #ask(path: string, fields: JsonFields, account: string): Promise<string> {
    const returns = { return_url: `${this.url}/back?cart=7`, cancel_url: `${this.url}/cancelled` };
    const body = JSON.stringify(this.api.signed({ ...returns, ...fields }, account));
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${this.gatewayUrl}${path}`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    return text;
  }

  #show(path: string, page: string): string {
    this.#pages.set(path, page);
    return this.url + path;
  }

  #answer({ url = '', headers }: IncomingMessage, outgoing: ServerResponse): void {
    this.referrers.push(headers.referer ?? '');
    const { pathname, searchParams } = new URL(url, this.url);
    if (pathname === '/elsewhere') {
      // As sites do that move to another host: the shopper arrives there in the end.
      const { port } = this.#server.address() as AddressInfo;
      outgoing.writeHead(302, { Location: `http://shop.localhost:${port}/back?${searchParams}` }).end();
      return;
    }
    const page = this.#pages.get(pathname) ?? this.#arrived(pathname, Object.fromEntries(searchParams));
    outgoing.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
  }

  #arrived(path: string, fields: Readonly<Record<string, string>>): string {
    if (path !== '/back' && path !== '/cancelled') return '';
    const { cart: _, ...result } = fields;
    const isSigned = verifySignature(result, result.encryption_data, this.api.key());
    this.returned.push({ path, fields, isSigned });
    return '<!DOCTYPE html><html lang="en"><title>Shop</title><h1>Thank you</h1>';
  }
}
