/** The figures of the adapter in the Prometheus format. Labels come from fixed sets, so their number is bounded. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds: from a read to a request that waits for a busy disk. */
const BUCKETS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

export class HttpMetrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'batchgate_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'batchgate_http_request_duration_seconds',
    help: 'Time from the head of a request to its answer.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #entries = new Counter({
    name: 'batchgate_entries_total',
    help: 'Instructions in answered requests, by operation and what became of them.',
    labelNames: ['operation', 'status'],
    registers: [this.#registry],
  });
  readonly #inFlight = new Gauge({
    name: 'batchgate_http_requests_in_flight',
    help: 'Requests that have no answer yet.',
    registers: [this.#registry],
  });

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  began(): void {
    this.#inFlight.inc();
  }

  ended(route: string, status: number, milliseconds: number): void {
    this.#inFlight.dec();
    this.#requests.inc({ route, status: String(status) });
    this.#durations.observe({ route }, milliseconds / 1000);
  }

  /** @param statuses what became of each instruction of a request */
  instructed(operation: string, statuses: readonly string[]): void {
    const counts = new Map<string, number>();
    for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
    for (const [status, count] of counts) this.#entries.inc({ operation, status }, count);
  }
}
