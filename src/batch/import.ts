/** Loading existing transactions from a CSV file into the ledger. Contract, `import`. */
import { type Reason, reason } from '../core/code.ts';
import { describeOpening, OPENING_COLUMNS, parseOpening, REQUIRED_OPENING_COLUMNS } from '../core/opening.ts';
import type { Row } from '../core/row.ts';
import { checkColumns } from '../files/columns.ts';
import { hashOf } from '../files/hash.ts';
import { openFile } from '../files/open.ts';
import { FileRejected } from '../files/rejected.ts';
import { AccountBook, readAccounts } from '../ledger/accounts.ts';
import { appendAct } from '../ledger/audit.ts';
import type { Database, Statements } from '../ledger/database.ts';
import { existingOpenings, insertOpenings, type OpeningTransaction } from '../ledger/import.ts';

/** Rows written in one commit. */
const GROUP = 20_000;

export interface ImportResult {
  readonly rows: number;
  readonly added: number;
  /** Rows that the ledger had already, just as they are. */
  readonly unchanged: number;
  readonly refused: number;
  /** The first refused rows, with their lines. */
  readonly reasons: readonly Reason[];
}

/** How many refused rows are named one by one. */
const MOST_LISTED = 100;

/**
 * Imports the file at `path`.
 * @throws FileRejected when it cannot be read as a whole; nothing is imported then
 */
export async function importTransactions(
  database: Database,
  path: string,
  options: {
    readonly name: string;
    readonly clock: () => number;
    readonly actor: string;
    readonly onProgress?: (rows: number) => void;
  },
): Promise<ImportResult> {
  const opened = await openFile(path, options.name, {}, (field) => OPENING_COLUMNS.includes(field));
  if (opened.shape.format !== 'csv') throw new FileRejected([reason('B0006', 'an import file is CSV')]);
  const faults = checkColumns(opened.shape.columns, REQUIRED_OPENING_COLUMNS, OPENING_COLUMNS);
  if (faults.length > 0) throw new FileRejected(faults);
  const importer = new Importer(
    database,
    new AccountBook(await readAccounts(database.reads)),
    options.clock(),
  );
  // The whole file is read once before anything is written, so that a bad byte at its end leaves nothing behind.
  for await (const _ of opened.rows());
  for await (const rows of opened.rows()) {
    await importer.add(rows);
    options.onProgress?.(importer.result().rows);
  }
  await importer.flush();
  const result = importer.result();
  const sha256 = await hashOf(path);
  await database.write((statements) =>
    appendAct(statements, {
      at: options.clock(),
      who: options.actor,
      act: 'import',
      subject: options.name,
      detail: JSON.stringify({
        sha256,
        added: result.added,
        unchanged: result.unchanged,
        refused: result.refused,
      }),
    }),
  );
  return result;
}

class Importer {
  readonly #database: Database;
  readonly #accounts: AccountBook;
  readonly #now: number;
  readonly #reasons: Reason[] = [];
  /** Rows of the next commit with their lines, by account and id. */
  #waiting = new Map<
    string,
    { readonly line: number; readonly opening: OpeningTransaction; readonly dated: boolean }
  >();
  #rows = 0;
  #added = 0;
  #unchanged = 0;
  #refused = 0;

  constructor(database: Database, accounts: AccountBook, now: number) {
    this.#database = database;
    this.#accounts = accounts;
    this.#now = now;
  }

  async add(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.#rows += 1;
      const opening = this.#parse(row);
      if ('code' in opening) {
        this.#refuse(row.line, opening);
        continue;
      }
      const key = keyOf(opening);
      // A row that repeats one of this very group waits for that one to be there.
      if (this.#waiting.has(key)) await this.flush();
      this.#waiting.set(key, { line: row.line, opening, dated: row.fields.authorised_at !== undefined });
    }
    if (this.#waiting.size >= GROUP) await this.flush();
  }

  async flush(): Promise<void> {
    const group = this.#waiting;
    if (group.size === 0) return;
    this.#waiting = new Map();
    await this.#database.write((statements) => this.#write(statements, group));
  }

  result(): ImportResult {
    return {
      rows: this.#rows,
      added: this.#added,
      unchanged: this.#unchanged,
      refused: this.#refused,
      reasons: this.#reasons,
    };
  }

  async #write(
    statements: Statements,
    group: Map<
      string,
      { readonly line: number; readonly opening: OpeningTransaction; readonly dated: boolean }
    >,
  ): Promise<void> {
    const existing = await existingOpenings(
      statements,
      [...group.values()].map(({ opening }) => opening),
    );
    for (const known of existing) {
      const { line, opening, dated } = group.get(keyOf(known))!;
      group.delete(keyOf(known));
      if (isSame(known, opening, dated)) this.#unchanged += 1;
      else
        this.#refuse(
          line,
          reason('V0015', `${opening.transactionId} is known as ${describeOpening(known)}`, {
            column: 'transaction_id',
          }),
        );
    }
    const fresh = [...group.values()].map(({ opening }) => opening);
    await insertOpenings(statements, fresh);
    this.#added += fresh.length;
  }

  #parse(row: Row): OpeningTransaction | Reason {
    const [fault] = row.faults;
    if (fault !== undefined) return fault;
    const parsed = parseOpening(row.fields);
    if ('code' in parsed) return parsed;
    const account = this.#accounts.find(parsed.merchantId, parsed.accountId);
    if (account === undefined)
      return reason('I0013', `${parsed.merchantId}, ${parsed.accountId}`, { column: 'account_id' });
    if (!account.settings.currencies.includes(parsed.currency)) {
      return reason('V0003', `the account has ${account.settings.currencies.join(', ')}`, {
        column: 'currency',
      });
    }
    const { transactionId, orderNo, currency, state, amount, captured, refunded, cancelled } = parsed;
    const authorisedAt = parsed.authorisedAt ?? this.#now;
    return {
      accountNumber: account.number,
      transactionId,
      orderNo,
      currency,
      state,
      amount,
      captured,
      refunded,
      cancelled,
      authorisedAt,
    };
  }

  #refuse(line: number, why: Reason): void {
    this.#refused += 1;
    if (this.#reasons.length < MOST_LISTED) this.#reasons.push({ ...why, line });
  }
}

function keyOf({ accountNumber, transactionId }: OpeningTransaction): string {
  return `${accountNumber}\n${transactionId}`;
}

/** A row without a date was dated when it came in first. */
function isSame(known: OpeningTransaction, given: OpeningTransaction, dated: boolean): boolean {
  return (
    known.orderNo === given.orderNo &&
    known.currency === given.currency &&
    known.amount === given.amount &&
    known.state === given.state &&
    known.captured === given.captured &&
    known.refunded === given.refunded &&
    known.cancelled === given.cancelled &&
    (!dated || known.authorisedAt === given.authorisedAt)
  );
}
