/**
 * Intents: what is about to be sent is written down and committed first, together with the decision that it is nobody's
 * repeat. Whatever ends the process after that, what may have happened is known. Faults, F71; invariants 4 and 8.
 */
import { createHash } from 'node:crypto';
import type { PackedResult } from '../../core/answer.ts';
import { type Chunk, subjectOf } from '../../core/chunk.ts';
import { type Reason, reason } from '../../core/code.ts';
import type { Origin } from '../../core/gateway.ts';
import { getOrSet } from '../../core/get-or-set.ts';
import { type Executed, identify, kindOf } from '../../core/identity.ts';
import type { Instruction } from '../../core/instruction.ts';
import type { State } from '../../core/state.ts';
import { readAccounts } from '../../ledger/accounts.ts';
import type { Database, Statements } from '../../ledger/database.ts';
import { Writer } from '../../ledger/group-commit.ts';
import { batchIds } from '../../ledger/journal.ts';
import {
  deleteIntents,
  deleteRemoteLines,
  findIntents,
  type IntentRecord,
  insertRemoteLines,
  type LineIntent,
  putIntents,
  type RemoteLine,
  remoteLinesOn,
  touchRemoteLines,
} from '../../ledger/remote.ts';
import { canonicalJson, type JsonValue } from '../../wire/canonical.ts';

/**
 * Instructions in one commit: some chunks are on their way while the next are written down. In larger groups this process
 * and the gateway would wait for one another in turn.
 */
const FULL_GROUP = 400;

/** A chunk that may be sent now. */
export interface Intent {
  /** In the order of the chunk's instructions; after this `sent` says that the line may be sent, or was before. */
  readonly lines: readonly LineIntent[];
  /** Lines that were sent before, and nobody knows what became of them. */
  readonly sentBefore: ReadonlySet<number>;
}

/** States by transaction, as a query told them. */
export type StatesBefore = ReadonlyMap<string, State>;

/** Where a chunk is to go, and what is known before it goes. */
export interface Going {
  readonly address: string;
  /** For so many milliseconds its key is promised to be remembered there; 0: not at all. */
  readonly remembered: number;
  readonly states: StatesBefore | undefined;
}

interface Opening {
  readonly chunk: Chunk;
  readonly going: Going;
}

/** The intents of one execution. */
export class Intents {
  readonly #database: Database;
  readonly #origin: Origin;
  readonly #clock: () => number;
  readonly #writer: Writer<Opening, Intent | { readonly failure: Reason }>;

  /** @param clock epoch milliseconds */
  constructor(database: Database, origin: Origin, clock: () => number) {
    this.#database = database;
    this.#origin = origin;
    this.#clock = clock;
    this.#writer = new Writer(
      (openings) => database.write((statements) => this.#decide(statements, openings)),
      FULL_GROUP,
    );
  }

  /**
   * Decides what of a chunk is to be sent, and commits that. A chunk that was begun before is found as it was left.
   */
  open(chunk: Chunk, going: Going): Promise<Intent | { readonly failure: Reason }> {
    return this.#writer.submit({ chunk, going }, chunk.instructions.length, false);
  }

  /** A chunk that was begun before, as it was left. */
  async find(chunk: Chunk): Promise<Intent | undefined> {
    const { batchNumber, attempt } = this.#origin;
    const key = { batch: batchNumber, attempt, chunk: chunk.number };
    const [found] = await findIntents(this.#database.reads, [key]);
    return found && intentOf(found.lines, found.lines);
  }

  /** Nothing of the chunk happened: it is as if it had never been begun. */
  async withdraw({ number, instructions }: Chunk): Promise<void> {
    const { batchNumber, attempt } = this.#origin;
    await this.#database.write(async (statements) => {
      await deleteIntents(statements, batchNumber, attempt, [number]);
      await deleteRemoteLines(
        statements,
        batchNumber,
        instructions.map(({ line }) => line),
        attempt,
      );
    });
  }

  /** A part of the chunk happened: what is known of it by now, `kept` for what did not. */
  async update({ number, instructions }: Chunk, lines: readonly LineIntent[]): Promise<void> {
    const { batchNumber, attempt } = this.#origin;
    const those = (which: LineIntent) =>
      instructions.filter((_, index) => lines[index] === which).map(({ line }) => line);
    await this.#database.write(async (statements) => {
      await putIntents(statements, [{ batch: batchNumber, attempt, chunk: number, lines }]);
      await deleteRemoteLines(statements, batchNumber, those('kept'), attempt);
      await touchRemoteLines(statements, batchNumber, those('sent'), this.#clock());
    });
  }

  /** Before lines are sent once more: from now on they may be on their way again. */
  async touch(lines: readonly number[]): Promise<void> {
    const { batchNumber } = this.#origin;
    await this.#database.write((statements) =>
      touchRemoteLines(statements, batchNumber, lines, this.#clock()),
    );
  }

  async #decide(
    statements: Statements,
    openings: readonly Opening[],
  ): Promise<readonly (Intent | { readonly failure: Reason })[]> {
    const { batchNumber, attempt } = this.#origin;
    const keys = openings.map(({ chunk }) => ({ batch: batchNumber, attempt, chunk: chunk.number }));
    const begun = new Map((await findIntents(statements, keys)).map((one) => [one.chunk, one]));
    const paused = new Set(
      (await readAccounts(statements)).filter((one) => one.paused).map((one) => one.number),
    );
    const chunks = openings.map(({ chunk }) => chunk);
    const held = await Held.load(statements, chunks, this.#origin);
    const intents: IntentRecord[] = [];
    const sent: RemoteLine[] = [];
    const decided = openings.map(({ chunk, going }) => {
      const before = begun.get(chunk.number)?.lines;
      if (before !== undefined && !before.includes('kept')) return intentOf(before, before);
      // What was sent before may be sent again: it is the same. Anything else waits until the pause is over.
      if (paused.has(chunk.account.number))
        return { failure: reason('E0002', 'the account is paused') } as const;
      const lines = chunk.instructions.map((instruction, index) => {
        const known = before?.[index] ?? 'kept';
        if (known !== 'kept') return known;
        const verdict = held.decide(instruction, chunk, this.#origin);
        if (verdict.is === 'known') return verdict.result;
        const sending = { ...going, repeatOf: verdict.repeatOf, at: this.#clock() };
        const line = remoteLineOf(chunk, instruction, this.#origin, sending);
        held.add(line);
        sent.push(line);
        return 'sent';
      });
      intents.push({ batch: batchNumber, attempt, chunk: chunk.number, lines });
      return intentOf(lines, before);
    });
    await putIntents(statements, intents);
    await insertRemoteLines(statements, sent);
    return decided;
  }
}

/** How a line is remembered that is sent, or that would be. */
export function remoteLineOf(
  { account }: Chunk,
  instruction: Instruction,
  { batchNumber, attempt }: Origin,
  { repeatOf, states, address, remembered, at }: Going & Pick<RemoteLine, 'repeatOf' | 'at'>,
): RemoteLine {
  const isPayout = instruction.operation === 'payout';
  return {
    accountNumber: account.number,
    subject: subjectOf(instruction),
    kind: isPayout ? 'payout' : kindOf(instruction.operation, instruction.entry),
    amount: instruction.amount,
    batchNumber,
    attempt,
    line: instruction.line,
    currency: instruction.currency,
    orderNo: isPayout ? undefined : instruction.entry.orderNo,
    reference: isPayout ? undefined : instruction.entry.reference,
    repeatOf,
    content: isPayout ? contentOf(instruction) : undefined,
    before: isPayout ? undefined : states?.get(instruction.entry.transactionId),
    address,
    remembered,
    at,
  };
}

/** @param before as it was found; undefined for a chunk that is begun now */
function intentOf(lines: readonly LineIntent[], before: readonly LineIntent[] | undefined): Intent {
  const sentBefore = new Set(before?.flatMap((line, index) => (line === 'sent' ? [index] : [])));
  return { lines, sentBefore };
}

type PayoutInstruction = Extract<Instruction, { readonly operation: 'payout' }>;

/** Equal for two payouts that ask for the same, whatever the order of their fields. */
function contentOf({ payout: { message } }: PayoutInstruction): string {
  const fields = JSON.parse(JSON.stringify(message)) as JsonValue;
  return createHash('sha256').update(canonicalJson(fields)).digest('base64url');
}

type Verdict =
  /** It is not to be sent. */
  | { readonly is: 'known'; readonly result: PackedResult }
  /** @property repeatOf `batch:line` that it repeats because somebody has said so */
  | { readonly is: 'new'; readonly repeatOf: string | undefined };

/** What may have happened to the subjects of a group of chunks. */
export class Held {
  readonly #lines = new Map<string, RemoteLine[]>();
  readonly #names: ReadonlyMap<number, string>;

  private constructor(lines: readonly RemoteLine[], names: ReadonlyMap<number, string>) {
    this.#names = names;
    for (const line of lines) this.add(line);
  }

  static async load(
    statements: Pick<Statements, 'all' | 'json'>,
    chunks: readonly Chunk[],
    { batch, batchNumber }: Origin,
  ): Promise<Held> {
    const subjects = new Map<number, Set<string>>();
    for (const chunk of chunks) {
      const named = getOrSet(subjects, chunk.account.number, () => new Set<string>());
      for (const subject of chunk.subjects) named.add(subject);
    }
    const lines = await remoteLinesOn(statements, subjects);
    const batches = [...new Set(lines.map(({ batchNumber }) => batchNumber))];
    return new Held(lines, new Map([...(await batchIds(statements, [], batches)), [batchNumber, batch]]));
  }

  add(line: RemoteLine): void {
    getOrSet(this.#lines, keyOf(line.accountNumber, line.subject), () => []).push(line);
  }

  decide(instruction: Instruction, { account }: Chunk, origin: Origin): Verdict {
    const lines = this.#lines.get(keyOf(account.number, subjectOf(instruction))) ?? [];
    if (instruction.operation === 'payout') return decidePayout(instruction, lines);
    const { operation, entry } = instruction;
    const verdict = identify(operation, entry, origin, lines, this.#nameOf);
    switch (verdict.is) {
      case 'new': {
        // Remembered like one whose line says so: nobody can have it executed once more by that line.
        const released =
          origin.repeats === 'release' && verdict.repeated !== undefined
            ? this.#nameOf(verdict.repeated)
            : undefined;
        return { is: 'new', repeatOf: entry.repeatOf ?? released };
      }
      case 'contradiction': {
        const detail = `reference ${JSON.stringify(entry.reference)} of the same transaction had another amount`;
        return { is: 'known', result: ['invalid', reason('B0014', detail, { column: 'reference' })] };
      }
      default:
        return repeats(verdict.first);
    }
  }

  #nameOf = ({ batchNumber, line }: Executed): string => `${this.#names.get(batchNumber)}:${line}`;
}

/** A request_id is unique for ever. */
function decidePayout(instruction: PayoutInstruction, lines: readonly RemoteLine[]): Verdict {
  const [first] = lines;
  if (first === undefined) return { is: 'new', repeatOf: undefined };
  if (first.content === contentOf(instruction)) return repeats(first);
  const why = reason('B0014', `request_id ${instruction.payout.requestId}`, { column: 'request_id' });
  return { is: 'known', result: ['invalid', why] };
}

function repeats({ batchNumber, line }: Executed): Verdict {
  return { is: 'known', result: ['repeat', batchNumber, line] };
}

export function keyOf(account: number, subject: string): string {
  return `${account}/${subject}`;
}
