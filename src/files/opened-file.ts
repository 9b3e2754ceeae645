import type { AmountStyle } from '../core/money.ts';
import type { FileShape, Row } from '../core/row.ts';
import type { GivenTerms } from './iso20022/pain001-terms.ts';

/** What the user says about how a file is to be read. */
export interface ReadOptions {
  /** Label of the encoding of a file without byte order mark; `isEncoding` says which there are. */
  readonly encoding?: string;
  /** A word or a character that `delimiterOf` understands. */
  readonly delimiter?: string;
  /** How amounts are written in files that leave a choice. */
  readonly style?: AmountStyle;
  /** What payouts must say, and the transfers of a payment initiation do not. */
  readonly pain001?: GivenTerms;
}

/** Whether a (dotted) field name means something to us. */
export type IsKnown = (field: string) => boolean;

/** What a whole pass has counted. */
export interface Counts {
  /** Records that hold something. */
  readonly rows: number;
  /** Empty lines and records of empty cells. */
  readonly blank: number;
}

/** A figure that a file states of itself and that its content contradicts. */
export interface Difference {
  /** For example `GrpHdr/NbOfTxs`. */
  readonly what: string;
  readonly stated: string;
  readonly calculated: string;
}

/** What a payment initiation states of itself. */
export interface StatedTotals {
  readonly rows: number;
  /** Of the numbers of all currencies, as it is written. */
  readonly sum: string | undefined;
  readonly differences: readonly Difference[];
}

/** Where a transfer stands in its payment initiation: an answer names it so. */
export interface TransferPlace {
  /** Number of its PmtInf in the file, from 1. */
  readonly payment: number;
  readonly paymentInformationId: string | undefined;
  readonly instructionId: string | undefined;
  readonly endToEndId: string | undefined;
}

/** What is known of a payment initiation besides its rows, by the end of a pass. */
export interface InitiationParts {
  /** Undefined before. */
  readonly stated: StatedTotals | undefined;
  /** Where the transfers stand that were read: line 1 is the first. */
  readonly transfers: readonly TransferPlace[];
}

/** A file whose beginning has been read. */
export interface OpenedFile {
  readonly shape: FileShape;
  /** Set by the end of a pass; undefined before. */
  readonly counts: Counts | undefined;
  /** Only of a payment initiation. */
  readonly initiation?: InitiationParts;
  /**
   * Reads the file from its beginning, in blocks of at most 1000 rows, as often as called. Strings of JSON rows may keep
   * the piece of the file that they were cut from in memory: copy what has to outlive a chunk.
   * @throws FileRejected while iterating
   */
  rows(): AsyncIterable<readonly Row[]>;
}

/** Rows in a block: enough to make the cost of passing it on small, few enough to be nothing in memory. */
export const BLOCK_ROWS = 1000;

/** What most rows have wrong with them. */
export const NO_FAULTS: Row['faults'] = [];
