/** The result, fixme and held files of a batch, written together in one walk over its lines. */
import { type FileShape, tableOf } from '../core/row.ts';
import { together } from '../core/together.ts';
import { removeWhole, WholeFile, type Written } from './atomic.ts';
import { csvLines } from './csv-lines.ts';
import { jsonLines } from './json-lines.ts';
import type { LineFile, LineWriter, Mask, ReportedLine } from './line-writer.ts';

export interface LineFilesInput {
  readonly shape: FileShape;
  /** The batch's id. */
  readonly batch: string;
  /** CSV: whether some row has more cells than the header: preflight knows, and the header is written first. */
  readonly extra: boolean;
  readonly mask: Mask;
  /** Where each file goes. */
  readonly paths: Readonly<Record<LineFile, string>>;
}

/** What exists afterwards: `fixme` and `held` are null when they have no line. */
export type LineFiles = { readonly result: Written } & Readonly<Record<'fixme' | 'held', Written | null>>;

/**
 * Writes the three files. They get their names together at the end, when every byte of them is on the disk; on any
 * failure none of them does.
 * @param blocks all lines of the file in its order; some thousands at a time are fastest
 */
export async function writeLineFiles(
  input: LineFilesInput,
  blocks: AsyncIterable<readonly ReportedLine[]> | Iterable<readonly ReportedLine[]>,
): Promise<LineFiles> {
  const result = new OpenLineFile('result', input);
  const fixme = new OpenLineFile('fixme', input);
  const held = new OpenLineFile('held', input);
  const files = [result, fixme, held];
  try {
    await result.begin();
    for await (const lines of blocks) {
      for (const file of files) await file.add(lines);
    }
    const written = await together([result.seal(), fixme.seal(), held.seal()]);
    await together(files.map((file) => file.publish()));
    return { result: written[0]!, fixme: written[1], held: written[2] };
  } catch (error) {
    for (const file of files) await file.discard();
    throw error;
  }
}

/** The text of one line file, in the input's own format; a payment initiation has none for lines, and gets CSV. */
export function lineWriter(file: LineFile, input: Omit<LineFilesInput, 'paths'>): LineWriter {
  const { shape } = input;
  if (shape.format === 'json') return jsonLines(file, { ...input, shape });
  return csvLines(file, { ...input, shape: tableOf(shape) });
}

/** One of the files in the making; without a line it never comes to be, unless it is begun. */
class OpenLineFile {
  readonly #path: string;
  readonly #writer: LineWriter;
  #file: WholeFile | undefined;

  constructor(name: LineFile, input: LineFilesInput) {
    this.#path = input.paths[name];
    this.#writer = lineWriter(name, input);
  }

  async begin(): Promise<WholeFile> {
    if (this.#file === undefined) {
      this.#file = await WholeFile.create(this.#path);
      await this.#file.write(this.#writer.head);
    }
    return this.#file;
  }

  async add(lines: readonly ReportedLine[]): Promise<void> {
    const text = this.#writer.block(lines);
    if (text !== '') await (await this.begin()).write(text);
  }

  async seal(): Promise<Written | null> {
    await this.#file?.write(this.#writer.tail);
    return (await this.#file?.seal()) ?? null;
  }

  /** Without a line, one of an earlier writing that was broken off must not stay either. */
  async publish(): Promise<void> {
    await (this.#file === undefined ? removeWhole(this.#path) : this.#file.publish());
  }

  async discard(): Promise<void> {
    await this.#file?.discard();
  }
}
