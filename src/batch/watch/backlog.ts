/**
 * The claimed files that wait to be executed, in their order. One that could not be executed for a passing reason is set
 * aside for a while, and with it what comes later for the same account: a refund that overtook its capture would be
 * refused. Others go on.
 */
import type { ClaimedFile } from '../../files/inbox/claim.ts';

export interface Queued {
  readonly file: ClaimedFile;
  /** Its place among all files of this watcher. */
  readonly order: number;
  /** `merchant/account` of all its lines; undefined before it was read. */
  accounts: ReadonlySet<string> | undefined;
}

export class Backlog {
  #queue: Queued[] = [];
  readonly #aside: Queued[] = [];
  /** Those among them that what comes later waits for. */
  readonly #holding = new Set<Queued>();
  #added = 0;

  add(file: ClaimedFile): void {
    this.#added += 1;
    this.#queue.push({ file, order: this.#added, accounts: undefined });
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** The next that waits for nobody. */
  next(): Queued | undefined {
    for (let one = this.#queue.shift(); one !== undefined; one = this.#queue.shift()) {
      if (one.accounts === undefined || this.ahead(one) === undefined) return one;
      this.setAside(one);
    }
    return undefined;
  }

  /** An earlier file that this one has to wait for. */
  ahead(queued: Queued): Queued | undefined {
    return this.#aside.find(
      (one) => this.#holding.has(one) && one.order < queued.order && shareAccount(one, queued),
    );
  }

  /** @param holds whether later files of its accounts wait for it; of all, when it could not be read */
  setAside(queued: Queued, holds = false): void {
    this.#aside.push(queued);
    if (holds) this.#holding.add(queued);
  }

  /** Takes back what was set aside. */
  takeBack(): void {
    this.#queue = [...this.#queue, ...this.#aside.splice(0)].sort((a, b) => a.order - b.order);
    this.#holding.clear();
  }
}

function shareAccount({ accounts: one }: Queued, { accounts: other }: Queued): boolean {
  if (one === undefined || other === undefined) return true;
  return [...one].some((account) => other.has(account));
}
