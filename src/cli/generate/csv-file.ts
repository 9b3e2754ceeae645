/** A CSV file that is written in blocks: fast, and flat in memory for any number of rows. */
import { type FileHandle, open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';

export class CsvFile {
  readonly path: string;
  /** Rows so far, without the header. */
  rows = 0;
  readonly #file: FileHandle;
  #waiting: (readonly string[])[];

  private constructor(path: string, file: FileHandle, header: readonly string[]) {
    this.path = path;
    this.#file = file;
    this.#waiting = [header];
  }

  static async create(path: string, header: readonly string[]): Promise<CsvFile> {
    return new CsvFile(path, await open(path, 'w'), header);
  }

  add(cells: readonly string[]): void {
    this.#waiting.push(cells);
    this.rows += 1;
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    const block = this.#waiting;
    this.#waiting = [];
    await this.#file.appendFile(stringify(block as string[][]));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
