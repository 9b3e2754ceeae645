/**
 * Whether the write-ahead log holds commits that SQLite would leave out. Opening a database, it reads the log up to the
 * first frame whose checksum is wrong, and takes that for the end: right after a loss of power, when only the last commit
 * can be torn, but wrong when a bit has flipped in the middle. Every commit is synced before the next is written, so two
 * commits behind such a frame prove that it was whole once. Faults, F55. Format: https://www.sqlite.org/fileformat2.html
 */
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const HEADER = 32;
const FRAME_HEADER = 24;

/** The last bit says in which order the checksum reads bytes. */
const MAGIC = 0x377f0682;

/** The first commit behind a bad frame may be its own. */
const COMMITS_THAT_PROVE = 2;

/** While somebody writes to the log, what is read of it may be half old; what stays so is damaged. */
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 50;

/** Says what is damaged in the log beside a database, or undefined when nothing is. */
export async function logDamage(database: string): Promise<string | undefined> {
  let before: string | undefined;
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await sleep(BETWEEN_LOOKS_MS);
    const damage = damageIn(await read(`${database}-wal`));
    if (damage === undefined || (look > 0 && damage !== before)) return undefined;
    before = damage;
  }
  return before;
}

async function read(path: string): Promise<Buffer> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return Buffer.alloc(0);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** @param log the whole file */
export function damageIn(log: Buffer): string | undefined {
  if (log.length < HEADER || log.subarray(0, HEADER).every((byte) => byte === 0)) return undefined;
  const checksum = new Checksum((log.readUInt32BE(0) & 1) === 1);
  checksum.add(log, 0, HEADER - 8);
  const hasMagic = (log.readUInt32BE(0) & ~1) === MAGIC;
  if (!hasMagic || !checksum.is(log, HEADER - 8)) return 'the head of its log is damaged';
  const salts = log.subarray(16, 24);
  const length = FRAME_HEADER + log.readUInt32BE(8);
  const belongs = (at: number) => log.subarray(at + 8, at + 16).equals(salts);
  let at = HEADER;
  for (; at + length <= log.length; at += length) {
    if (!belongs(at)) break;
    checksum.add(log, at, 8);
    checksum.add(log, at + FRAME_HEADER, length - FRAME_HEADER);
    if (!checksum.is(log, at + 16)) break;
  }
  const bad = (at - HEADER) / length + 1;
  let commits = 0;
  for (at += length; at + length <= log.length; at += length)
    if (belongs(at) && log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits < COMMITS_THAT_PROVE
    ? undefined
    : `frame ${bad} of its log is damaged, and commits follow it`;
}

/** Runs over everything before it, too: a frame's is right only when all frames before are. */
class Checksum {
  #first = 0;
  #second = 0;
  readonly #bigEndian: boolean;

  constructor(bigEndian: boolean) {
    this.#bigEndian = bigEndian;
  }

  add(bytes: Buffer, from: number, length: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + from, length);
    const isLittle = !this.#bigEndian;
    for (let at = 0; at < length; at += 8) {
      this.#first = (this.#first + view.getUint32(at, isLittle) + this.#second) >>> 0;
      this.#second = (this.#second + view.getUint32(at + 4, isLittle) + this.#first) >>> 0;
    }
  }

  /** Whether it is the one that is written here. */
  is(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second;
  }
}
