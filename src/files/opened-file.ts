import type { FileShape, Row } from '../core/row.ts';

/** What the user says about how a file is to be read. */
export interface ReadOptions {
  /** Label of the encoding of a file without byte order mark; `isEncoding` says which there are. */
  readonly encoding?: string;
  /** A word or a character that `delimiterOf` understands. */
  readonly delimiter?: string;
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

/** A file whose beginning has been read. */
export interface OpenedFile {
  readonly shape: FileShape;
  /** Set by the end of a pass; undefined before. */
  readonly counts: Counts | undefined;
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
