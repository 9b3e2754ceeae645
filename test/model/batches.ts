/** The reference model's batches: what a file is cut into, in which order it is executed, and what its lines come to. */
import type { ReadLine } from './reading.ts';
import { type BatchName, type Fate, fate, NOT_SENT, type Reference, type Repeats } from './reference.ts';

const LIMIT: Readonly<Record<string, number>> = {
  capture: 50,
  cancel: 50,
  review: 100,
  refund: 50,
  payout: 50,
};

interface Chunk {
  readonly number: number;
  readonly key: string;
  readonly account: number;
  readonly reads: ReadLine[];
}

interface Attempt {
  readonly number: number;
  readonly repeats: Repeats;
  /** In the order of execution. */
  readonly chunks: readonly Chunk[];
  done: number;
}

export interface Standing {
  fate: Fate;
  chunk: number | undefined;
  attempt: number | undefined;
}

/** Codes after which trying again can end differently. */
const RETRY = ['V0011', 'V0012'];

export class ModelBatch {
  readonly name: BatchName = { id: '' };
  readonly reads: readonly ReadLine[];
  readonly repeats: Repeats;
  /** By line. */
  readonly standings = new Map<number, Standing>();
  readonly #model: Reference;
  readonly #attempts: Attempt[] = [];

  constructor(model: Reference, reads: readonly ReadLine[], repeats: Repeats) {
    this.#model = model;
    this.reads = reads;
    this.repeats = repeats;
    for (const { line, fault } of reads) {
      const standing = fault === undefined ? NOT_SENT : fate('invalid', fault.code);
      this.standings.set(line, { fate: standing, chunk: undefined, attempt: undefined });
    }
    this.#order(repeats, () => true);
  }

  /** Executes what is open, up to so many chunks of the newest attempt. */
  execute(now: number, upTo: number = Number.POSITIVE_INFINITY): void {
    const attempt = this.#attempts.at(-1)!;
    for (; attempt.done < Math.min(upTo, attempt.chunks.length); attempt.done += 1) {
      const { number, reads } = attempt.chunks[attempt.done]!;
      for (const read of reads) {
        const standing = this.standings.get(read.line)!;
        standing.fate = this.#model.execute(read, this.name, attempt.repeats, now);
        standing.chunk = number;
        standing.attempt = attempt.number;
      }
    }
  }

  get chunksPlanned(): number {
    return this.#attempts[0]!.chunks.length;
  }

  get isDone(): boolean {
    const attempt = this.#attempts.at(-1)!;
    return attempt.done === attempt.chunks.length;
  }

  /** Lines with one of these outcomes. */
  linesThatAre(...outcomes: readonly Fate['outcome'][]): number[] {
    return [...this.standings]
      .filter(([, { fate }]) => outcomes.includes(fate.outcome))
      .map(([line]) => line);
  }

  /** A payout's request_id was used for good: no word of a person makes it new. */
  isPayout(line: number): boolean {
    return this.reads.some((read) => read.line === line && read.operation === 'payout');
  }

  retryable(): number[] {
    return [...this.standings]
      .filter(([, { fate }]) => fate.outcome === 'not_sent' || RETRY.includes(fate.code))
      .map(([line]) => line);
  }

  /** Orders the lines to be executed again. */
  again(repeats: Repeats, lines: readonly number[]): void {
    const wanted = new Set(lines);
    this.#order(repeats, (line) => wanted.has(line));
  }

  /** Whether the day of a pending payout has come. */
  isDue(now: number): boolean {
    return this.#due(now).length > 0;
  }

  /** Pending payouts whose day has come are settled. */
  settle(now: number): void {
    for (const line of this.#due(now)) {
      const standing = this.standings.get(line)!;
      standing.fate = { ...standing.fate, outcome: 'succeeded' };
    }
  }

  #due(now: number): number[] {
    const today = new Date(now).toISOString().slice(0, 10);
    return this.reads
      .filter(({ line, fields }) => {
        const { outcome } = this.standings.get(line)!.fate;
        return outcome === 'pending' && fields.payment_date! <= today;
      })
      .map(({ line }) => line);
  }

  #order(repeats: Repeats, wanted: (line: number) => boolean): void {
    const reads = this.reads.filter(({ line, fault }) => fault === undefined && wanted(line));
    const number = this.#attempts.length + 1;
    this.#attempts.push({ number, repeats, chunks: chunksOf(reads), done: 0 });
  }
}

/** In the order in which they are full, or closed by another instruction on one of their transactions. */
function chunksOf(reads: readonly ReadLine[]): readonly Chunk[] {
  const closed: Chunk[] = [];
  let open: Chunk[] = [];
  let number = 0;
  const close = (chunk: Chunk) => {
    closed.push(chunk);
    open = open.filter((one) => one !== chunk);
  };
  for (const read of reads) {
    const holder = open.find(
      ({ account, reads: others }) =>
        account === read.account && others.some((other) => subject(other) === subject(read)),
    );
    if (holder !== undefined) close(holder);
    const key = `${read.account}/${read.operation}`;
    let chunk = open.find((one) => one.key === key);
    if (chunk === undefined) {
      number += 1;
      chunk = { number, key, account: read.account, reads: [] };
      open.push(chunk);
    }
    chunk.reads.push(read);
    if (chunk.reads.length === LIMIT[read.operation]) close(chunk);
  }
  return [...closed, ...open];
}

/** A payout's request_id never meets a transaction's id. */
function subject({ operation, fields }: ReadLine): string {
  return operation === 'payout' ? `payout\n${fields.request_id}` : fields.transaction_id!;
}
