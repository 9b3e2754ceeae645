/** What the faults meet: a prepared data directory, and files of every kind with what becomes of them undisturbed. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { csvOf, type Fields, newLedger, spareOf } from '../../property/files.ts';
import { NOON } from '../../support/ledger.ts';
import { mixedLines } from '../mixed-lines.ts';
import { Forked, type Job } from './forked.ts';
import { type Inspection, inspect } from './inspect.ts';

/** The build that faults are tried on, unless it is a spoilt one. */
export const BUILT = fileURLToPath(new URL('../../../dist', import.meta.url));

/** In memory where there is room: a cycle would mostly wait for a disk, and the shim alone decides what is durable. */
const TEMPORARY = process.env.TMPDIR === undefined && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A card number that no report, database or leftover may have. */
export const CARD = '4111111111111111';

/** Each line acts on a transaction of its own: in whatever order two such files run, the sum is the same. */
function separateLines(note: string): Fields[] {
  return ['capture', 'cancel', 'review', 'refund'].flatMap((operation) =>
    [0, 1, 2].map((at) => ({
      operation,
      merchant_id: 'M1',
      account_id: 'A1',
      transaction_id: spareOf(operation, at),
      order_no: `O-${spareOf(operation, at)}`,
      currency: 'USD',
      amount: '100.00',
      refund_amount: operation === 'refund' ? '40.00' : '',
      review_flag: operation === 'review' ? '1' : '',
      kommentar: note,
    })),
  );
}

const CONTENTS = {
  /** Every operation and outcome in a dozen chunks. */
  mixed: ['mixed.csv', () => csvOf(mixedLines())],
  /** The same in another format, with other chunks. */
  json: [
    'mixed.ndjson',
    () =>
      mixedLines()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
  ],
  /** As small as a file can be that still has every step. */
  small: ['small.csv', () => csvOf(separateLines('').slice(0, 4))],
  /** Two files with the same instructions and other bytes. */
  separate: ['separate.csv', () => csvOf(separateLines('first'))],
  again: ['separate-again.csv', () => csvOf(separateLines('second'))],
  /** Rejected: it cannot be read to its end. */
  broken: ['broken.csv', () => `${csvOf(separateLines(''))}"open,`],
  /** Rejected and destroyed. */
  cards: ['cards.csv', () => csvOf(separateLines('').map((line) => ({ ...line, card: CARD })))],
} as const satisfies Record<string, readonly [string, () => string]>;

export type Kind = keyof typeof CONTENTS;

export const KINDS = Object.keys(CONTENTS) as readonly Kind[];

/** What an undisturbed run of a file leaves behind. */
export interface Reference {
  readonly exit: number;
  /** Calls that a fault can meet. */
  readonly calls: number;
  readonly inspection: Inspection;
}

export class Scene {
  readonly folder: string;
  readonly #references = new Map<Kind, Reference>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @param forked executes the files undisturbed */
  static async make(): Promise<Scene> {
    const sandbox = await newLedger(true);
    await sandbox.database.close();
    const folder = mkdtempSync(join(TEMPORARY, 'batchgate-harness-'));
    cpSync(sandbox.folders.root, join(folder, 'prepared'), { recursive: true });
    rmSync(sandbox.folders.root, { recursive: true });
    mkdirSync(join(folder, 'files'));
    for (const [name, content] of Object.values(CONTENTS))
      writeFileSync(join(folder, 'files', name), content());
    return new Scene(folder);
  }

  path(kind: Kind): string {
    return join(this.folder, 'files', CONTENTS[kind][0]);
  }

  /** A data directory of its own. */
  copy(): string {
    const root = mkdtempSync(join(this.folder, 'data-'));
    cpSync(join(this.folder, 'prepared'), root, { recursive: true });
    return root;
  }

  /** A job without faults. */
  job(root: string, kind: Kind, change: Partial<Job> = {}): Job {
    return {
      root,
      path: this.path(kind),
      plan: '',
      seed: 0,
      concurrency: 2,
      now: NOON,
      held: false,
      ...change,
    };
  }

  /** Loads a build, to be executed under faults. */
  async load(library: string, dist = BUILT): Promise<Forked> {
    const folder = mkdtempSync(join(this.folder, 'forked-'));
    const root = this.copy();
    const forked = await Forked.start(library, dist, folder, this.job(root, 'mixed'));
    rmSync(root, { recursive: true });
    return forked;
  }

  /** What becomes of a file without faults. */
  async reference(forked: Forked, kind: Kind): Promise<Reference> {
    const known = this.#references.get(kind);
    if (known !== undefined) return known;
    const root = this.copy();
    const { exit, calls, document, message } = await forked.run(this.job(root, kind));
    if (document === undefined) throw new Error(`${kind} undisturbed: ${message}`);
    const reference = { exit: exit!, calls, inspection: await inspect(root, document) };
    rmSync(root, { recursive: true });
    this.#references.set(kind, reference);
    return reference;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
