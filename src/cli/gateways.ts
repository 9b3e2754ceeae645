/** The gateways that batches can name: the embedded engine, and clients for those of others. */
import { readFileSync } from 'node:fs';
import type { EngineExecutor, Executor, RemoteExecutor } from '../batch/executor.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type Config, canonicalUrl, type GatewayConfig, unconfigured } from '../config.ts';
import { EMBEDDED } from '../core/gateway.ts';
import { UsageError } from './errors.ts';
import type { LedgerMerchants } from './merchants.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Chunks in flight for each request on its way, where what is in doubt can be asked for again: some are written down while
 * others are answered.
 */
const AHEAD = 4;

/** For so long one request is tried again; a deadline comes on top of it. */
const PATIENCE_MS = 120_000;

/** What a command line or the configuration says, as batches remember it: `engine`, a configured name, or an address. */
export function gatewayNamed({ remote }: Pick<Config, 'remote'>, wanted: string | undefined): string {
  const name = wanted ?? remote.preferred;
  if (name === EMBEDDED || Object.hasOwn(remote.gateways, name)) return name;
  const url = canonicalUrl(name);
  if (url === undefined)
    throw new UsageError(
      `there is no gateway ${name}`,
      `There are: ${[EMBEDDED, ...Object.keys(remote.gateways)].join(', ')}; any other by its https address.`,
    );
  return Object.entries(remote.gateways).find(([, one]) => one.url === url)?.[0] ?? url;
}

/** Makes gateways when they are first needed; whoever made this closes it. */
export class Gateways {
  readonly #config: Pick<Config, 'remote'>;
  readonly #environment: string;
  readonly #merchants: LedgerMerchants;
  readonly #clients = new Map<string, GatewayClient>();

  constructor(config: Pick<Config, 'remote'>, environment: string, merchants: LedgerMerchants) {
    this.#config = config;
    this.#environment = environment;
    this.#merchants = merchants;
  }

  /**
   * What executes the batches that name this gateway.
   * @param engine makes the embedded engine
   * @throws UsageError for a gateway that is not known, or of another environment (B0023)
   */
  executor(name: string, engine: () => EngineExecutor['gateway']): Executor {
    return name === EMBEDDED ? { is: 'engine', gateway: engine() } : this.remote(name);
  }

  /**
   * Before anything is read: whether this data directory may execute there.
   * @throws UsageError as `executor` does
   */
  check(name: string): void {
    if (name !== EMBEDDED) this.#settingsOf(name);
    else if (this.#environment !== 'sandbox')
      throw new UsageError(
        `B0023: this data directory is ${this.#environment}, and the embedded engine simulates its acquirer`,
        'A live directory executes against remote gateways only: --gateway NAME or URL.',
      );
  }

  remote(name: string): RemoteExecutor {
    const settings = this.#settingsOf(name);
    const tryingMs = PATIENCE_MS + settings.deadline * 1000;
    return {
      is: 'remote',
      gateway: this.#clientFor(name, settings),
      address: settings.url,
      // A request may go out a last time so long after it was decided that it may.
      idempotentMs: settings.idempotent ? Math.max(0, settings.idempotency_hours * HOUR_MS - tryingMs) : 0,
      settledMs: settings.settled_minutes * MINUTE_MS + tryingMs,
      concurrency: requestsOf(settings) * (settings.idempotent ? AHEAD : 1),
    };
  }

  /** Where a gateway is; null for the embedded engine. @throws UsageError for one that is not known */
  addressOf(name: string): string | null {
    return name === EMBEDDED ? null : this.#settingsOf(name).url;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  #settingsOf(name: string): GatewayConfig {
    const known = this.#config.remote.gateways[name];
    const settings = known ?? (canonicalUrl(name) === undefined ? undefined : unconfigured(name));
    if (settings === undefined)
      throw new UsageError(
        `there is no gateway ${name} any more`,
        'Put it back under gateways in batchgate.yaml.',
      );
    if (settings.environment === this.#environment) return settings;
    throw new UsageError(
      `B0023: this data directory is ${this.#environment}, and the gateway ${name} is ${settings.environment}`,
      'A live directory executes against gateways marked "environment: live" in batchgate.yaml only, a sandbox never does.',
    );
  }

  #clientFor(name: string, settings: GatewayConfig): GatewayClient {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const client = clientOf(name, settings, this.#merchants);
    this.#clients.set(name, client);
    return client;
  }
}

/** At a time. */
function requestsOf({ concurrency, idempotent }: GatewayConfig): number {
  return concurrency ?? (idempotent ? 16 : 8);
}

function clientOf(name: string, settings: GatewayConfig, merchants: LedgerMerchants): GatewayClient {
  const { url, profile, signs, idempotent, deadline, attempts, ca, plain_http } = settings;
  try {
    return new GatewayClient({
      url,
      keysOf: async (...ids) => (await merchants.recall(...ids))?.keys ?? [],
      profile,
      signs,
      idempotent,
      concurrency: requestsOf(settings),
      deadlineMs: deadline * 1000,
      patienceMs: PATIENCE_MS,
      attempts,
      plainHttp: plain_http,
      ...(ca === undefined ? {} : { ca: readFileSync(ca, 'utf8') }),
    });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`gateway ${name}: ${error.message}`);
    throw error;
  }
}
