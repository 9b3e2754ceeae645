/**
 * What an acquirer or a bank says has happened, in one shape for every format. A reader gives a file as a stream of parts:
 * each statement begins with its header, goes on with its lines a block at a time, and ends with what it states of itself.
 * Amounts are exact: integers in minor units of their currency.
 */
import type { Money } from '../core/money.ts';

/** What kind of movement a line is, in the words of this program; a reader translates the source's own. */
export const LINE_KINDS = [
  /** Money of a captured payment. */
  'payment',
  'refund',
  'chargeback',
  /** A fee that stands on a line of its own. */
  'fee',
  /** What the acquirer pays out to the merchant's bank, or takes back. */
  'payout',
  /** Held back, or released. */
  'reserve',
  'adjustment',
  /** A bank's line, whose kind its text alone tells. */
  'transfer',
  'other',
] as const;

export type LineKind = (typeof LINE_KINDS)[number];

export interface StatementLine {
  /** First physical line of the record (header = 1), or the entry's number from 1. */
  readonly line: number;
  readonly kind: LineKind;
  readonly currency: string;
  /** Before fees, minor units; above zero is credited to the merchant, below zero debited. */
  readonly gross: number;
  /** What was kept back of it, minor units: above zero is a cost. */
  readonly fee: number;
  /** `gross - fee` unless the source contradicts itself. */
  readonly net: number;
  /** Names by which the ledger may know it, the most exact first: a transaction, an order, the sender's own reference. */
  readonly references: readonly string[];
  /** The source's own id of this line, by which it is recognised when it comes again; undefined where there is none. */
  readonly id: string | undefined;
  /** The payout, batch or bank entry that it belongs to. */
  readonly group: string | undefined;
  /** Day of booking, `YYYY-MM-DD`. */
  readonly booked: string;
  /** Day from which it counts, where the source says so. */
  readonly valued: string | undefined;
  /** What else the source says of it, for people. */
  readonly text: string;
}

export interface StatementHeader {
  /** The statement's own id; undefined where the format has none. */
  readonly id: string | undefined;
  /** Whose account: an IBAN, or the acquirer's name of the merchant. */
  readonly account: string | undefined;
  /** First and last day, `YYYY-MM-DD`, where stated. */
  readonly period: readonly [from: string, to: string] | undefined;
  /** Number among the statements of its account, where stated: a gap in it is a missing statement. */
  readonly sequence: number | undefined;
  /** When it was made, ISO 8601 as stated: of two that say different things of one movement, the later one counts. */
  readonly made: string | undefined;
  readonly opening: Money | undefined;
}

/** What a statement states of itself; nothing of it is calculated by the reader. */
export interface StatementEnd {
  readonly closing: Money | undefined;
  /** How many lines there are. */
  readonly count: number | undefined;
  /** Sums of nets by currency. */
  readonly totals: readonly Money[];
  /** Sums of credits and debits, both above zero, by currency, where stated apart. */
  readonly credits: readonly Money[];
  readonly debits: readonly Money[];
}

export type StatementPart =
  | { readonly is: 'begin'; readonly header: StatementHeader }
  | { readonly is: 'lines'; readonly lines: readonly StatementLine[] }
  | { readonly is: 'end'; readonly end: StatementEnd };

/** What a statement is a statement of. */
export const SUBJECTS = [
  /** What an acquirer owes the merchant: payments, refunds, fees, and the payouts that take from it. */
  'balance',
  /** What an acquirer has paid out, seen from the merchant: above zero is received. */
  'payouts',
  /** An account at a bank. */
  'bank',
] as const;

export type Subject = (typeof SUBJECTS)[number];

/** One format. */
export interface StatementReader {
  /** What `--profile` calls it. */
  readonly name: string;
  readonly of: Subject;
  /** Who gives ids to the lines: reports of one source that overlap give one movement the same id. */
  readonly source: string;
  /** Follows from everything that makes a difference to how a file is read, such as a mapping. */
  readonly reading: string;
  /** Whether the file is of this format, by its first bytes (at most 64 KiB, decoded). */
  readonly recognises: (beginning: string) => boolean;
  /** @throws Unreadable */
  readonly read: (path: string) => AsyncGenerator<StatementPart>;
}
