/**
 * Where the records of a text begin and end: in CSV at line ends outside quotes, in NDJSON at every line end. csv-parse
 * reads what is in them; this pass knows their first physical lines (csv-parse would say the last one, slowly) and keeps
 * every record to 64 KiB. Up to the first misplaced quote the two agree on what is inside quotes, and there csv-parse stops.
 */

/** Longest record, in bytes of UTF-8 without its line end: a payout with every field filled takes a tenth of it. */
export const MAX_RECORD_BYTES = 64 * 1024;

/** Some whole records in one piece of bytes. Empty lines stand in the bytes, but are no records. */
export interface RecordBlock {
  readonly bytes: Buffer;
  /** Of each record: its first physical line, and where its bytes begin and end, without its line end. */
  readonly lines: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** How many empty lines there are. */
  readonly blank: number;
  /**
   * Only in a last block, whose only record is then the first 64 KiB of one that is larger: `open quote` when a quote
   * opens in it which nothing in the rest of the file closes, else `too large`.
   */
  readonly cut?: 'too large' | 'open quote';
}

/** A record as text, without its line end. */
export function recordText(block: RecordBlock, index: number): string {
  return block.bytes.toString('utf8', block.starts[index], block.ends[index]);
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;

/**
 * Cuts a text into records.
 * @param pieces UTF-8, cut anywhere
 * @param quotes whether line ends in quotes belong to the record
 */
export async function* recordBlocks(
  pieces: AsyncIterable<Buffer>,
  quotes: 'quotes' | 'no quotes',
): AsyncGenerator<RecordBlock> {
  const scan = new RecordScan(quotes === 'quotes');
  for await (const piece of pieces) {
    if (scan.tooLarge === undefined) yield scan.take(piece, false);
    // After a record that is too large, all that matters is whether a quote that is open in it is ever closed.
    else if (piece.includes(QUOTE)) scan.inQuotes = false;
    if (scan.tooLarge !== undefined && !scan.inQuotes) break;
  }
  if (scan.tooLarge === undefined) yield scan.take(Buffer.alloc(0), true);
  if (scan.tooLarge !== undefined) {
    yield { ...scan.tooLarge, cut: scan.inQuotes ? 'open quote' : 'too large' };
  }
}

/** The state between two pieces. */
class RecordScan {
  /** Whether the bytes so far end inside quotes. */
  inQuotes = false;
  /** The beginning of a record that is too large, once one was met; nothing may be taken after it. */
  tooLarge: RecordBlock | undefined;
  /** The bytes of the record that is not finished, and how many of them were looked at. */
  #rest: Buffer = Buffer.alloc(0);
  #seen = 0;
  /** The physical line that the next byte is on, and the one that the unfinished record began on. */
  #line = 1;
  #recordLine = 1;
  readonly #quotes: boolean;

  constructor(quotes: boolean) {
    this.#quotes = quotes;
  }

  /** The records that end in this piece; with the `last` one, also the record that ends with the file. */
  take(piece: Buffer, last: boolean): RecordBlock {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    // A CR at the end may be one half of a line end.
    const end = !last && bytes[bytes.length - 1] === RETURN ? bytes.length - 1 : bytes.length;
    const lines: number[] = [];
    const starts: number[] = [];
    const ends: number[] = [];
    let blank = 0;
    let start = 0;
    let at = this.#seen;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte > QUOTE) continue;
      if (byte === QUOTE) {
        this.inQuotes = this.#quotes && !this.inQuotes;
      } else if (byte === LINE_FEED || byte === RETURN) {
        if (!this.inQuotes) {
          if (at - start > MAX_RECORD_BYTES) break;
          if (at === start) {
            blank++;
          } else {
            lines.push(this.#recordLine);
            starts.push(start);
            ends.push(at);
          }
        }
        if (byte === RETURN && bytes[at + 1] === LINE_FEED) at++;
        this.#line++;
        if (!this.inQuotes) {
          start = at + 1;
          this.#recordLine = this.#line;
        }
      }
    }
    if (at - start > MAX_RECORD_BYTES) {
      this.tooLarge = singleRecord(bytes.subarray(start, start + MAX_RECORD_BYTES), this.#recordLine);
    } else if (last && at > start) {
      lines.push(this.#recordLine);
      starts.push(start);
      ends.push(at);
      start = at;
    }
    this.#rest = bytes.subarray(start);
    this.#seen = at - start;
    return { bytes: bytes.subarray(0, start), lines, starts, ends, blank };
  }
}

function singleRecord(bytes: Buffer, line: number): RecordBlock {
  return { bytes, lines: [line], starts: [0], ends: [bytes.length], blank: 0 };
}
