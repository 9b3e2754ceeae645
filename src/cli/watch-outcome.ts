/** How a watch went, for its exit code: the documents of files that are over, and what keeps others from it. */
import { EXIT, worstExit } from '../batch/exit.ts';
import type { WatchEvent } from '../batch/watch/watcher.ts';
import type { BatchDocument } from '../report/document.ts';
import { type Failure, failureOf } from './failure.ts';

export class WatchOutcome {
  readonly #once: boolean;
  readonly #onDocument: (document: BatchDocument) => void;
  /** Exit codes by claim. */
  readonly #troubles = new Map<string, number>();
  #unreadable = false;

  /** @param once whether the documents of all files are wanted: a watcher that runs for years keeps none */
  constructor(once: boolean, onDocument: (document: BatchDocument) => void) {
    this.#once = once;
    this.#onDocument = onDocument;
  }

  take(event: WatchEvent): void {
    if (event.is === 'trouble') this.#troubles.set(event.file.claim, failureOf(event.why).exit);
    if (event.is === 'postponed') this.#troubles.set(event.file.claim, EXIT.temporary);
    if (event.is === 'left' && event.left.is === 'unreadable') this.#unreadable = true;
    if (event.is !== 'over' && event.is !== 'interrupted') return;
    this.#troubles.delete(event.file.claim);
    if (this.#once) this.#onDocument(event.document);
  }

  /** Undefined when every file came to its end. The screen has told the rest already. */
  get failure(): Failure | undefined {
    const exits = [...this.#troubles.values(), ...(this.#unreadable ? [EXIT.temporary] : [])];
    return exits.length === 0 ? undefined : { exit: worstExit(exits), message: '' };
  }
}
