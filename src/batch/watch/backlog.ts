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

/**
 * Why a file is set aside: `holds` what comes later for its accounts (for all, when it could not be read), `free` holds
 * nobody, a `twin` has the same bytes as one that is under way.
 */
export type Aside = 'holds' | 'free' | 'twin';

export class Backlog {
  #queue: Queued[] = [];
  #aside: { readonly queued: Queued; readonly why: Aside }[] = [];
  #added = 0;

  add(file: ClaimedFile): void {
    this.#added += 1;
    this.#queue.push({ file, order: this.#added, accounts: undefined });
  }

  /**
   * The next that waits for nobody.
   * @param fits whether there is room for it; if not, those behind it wait, too
   */
  next(fits: (file: ClaimedFile) => boolean): Queued | undefined {
    for (let one = this.#queue[0]; one !== undefined; one = this.#queue[0]) {
      const isHeld = one.accounts !== undefined && this.ahead(one) !== undefined;
      if (!isHeld && !fits(one.file)) return undefined;
      this.#queue.shift();
      if (!isHeld) return one;
      this.setAside(one, 'holds');
    }
    return undefined;
  }

  /** An earlier file that this one has to wait for. */
  ahead(queued: Queued): Queued | undefined {
    const holding = this.#aside.filter(({ why }) => why === 'holds').map((one) => one.queued);
    return holding.find((one) => one.order < queued.order && shareAccount(one, queued));
  }

  setAside(queued: Queued, why: Aside): void {
    this.#aside.push({ queued, why });
  }

  /** Takes back what was set aside: all of it, or what was for one reason. */
  takeBack(reason?: Aside): void {
    const back = this.#aside.filter(({ why }) => reason === undefined || why === reason);
    this.#aside = this.#aside.filter((one) => !back.includes(one));
    this.#queue.push(...back.map(({ queued }) => queued));
    this.#queue.sort((a, b) => a.order - b.order);
  }
}

function shareAccount({ accounts: one }: Queued, { accounts: other }: Queued): boolean {
  if (one === undefined || other === undefined) return true;
  return [...one].some((account) => other.has(account));
}
