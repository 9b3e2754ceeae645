import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeWhole } from '../../src/report/atomic.ts';
import { type LineFilesInput, writeLineFiles } from '../../src/report/line-files.ts';
import { BATCH, csvShape, line } from './lines.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batchgate-report-'));
});

describe('writeWhole', () => {
  test('writes the whole file and says what it wrote', async () => {
    const path = join(folder, 'a.txt');
    const written = await writeWhole(path, async (sink) => {
      await sink.write('é');
      await sink.write('\n');
    });
    expect(readFileSync(path, 'utf8')).toBe('é\n');
    expect(written).toEqual({ path, bytes: 3, sha256: createHash('sha256').update('é\n').digest('hex') });
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  test('F36 a failure leaves nothing behind, and an older file as it was', async () => {
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'old');
    const failing = writeWhole(path, async (sink) => {
      await sink.write('half');
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow('disk full');
    expect(readdirSync(folder)).toEqual(['a.txt']);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  test('nothing is visible under the name before the end', async () => {
    await writeWhole(join(folder, 'a.txt'), async (sink) => {
      await sink.write('half');
      expect(readdirSync(folder)).toHaveLength(1);
      expect(readdirSync(folder)[0]).toMatch(/^\.[0-9a-f]{16}\.tmp$/);
    });
  });

  test('F34 a name of 255 bytes', async () => {
    const name = 'x'.repeat(255);
    await writeWhole(join(folder, name), (sink) => sink.write('a'));
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('what a crash left behind is overwritten; a link planted there is not followed', async () => {
    const path = join(folder, 'a.txt');
    let temporary = '';
    await writeWhole(path, async () => {
      temporary = readdirSync(folder)[0]!;
    });
    writeFileSync(join(folder, 'victim'), 'untouched');
    symlinkSync(join(folder, 'victim'), join(folder, temporary));
    await writeWhole(path, (sink) => sink.write('new'));
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('untouched');
  });
});

describe('writeLineFiles', () => {
  const input = (): LineFilesInput => ({
    shape: csvShape(['id']),
    batch: BATCH,
    extra: false,
    mask: (text) => text,
    paths: { result: join(folder, 'r.csv'), fixme: join(folder, 'f.csv'), held: join(folder, 'h.csv') },
  });

  test('files without a line do not come to exist, and one of an earlier writing goes', async () => {
    writeFileSync(join(folder, 'h.csv'), 'of an interrupted run');
    const written = await writeLineFiles(input(), [
      [line(2, ['T1'])],
      [],
      [line(3, ['T2'], 'refused', 'V0001')],
    ]);
    expect(readdirSync(folder).sort()).toEqual(['f.csv', 'r.csv']);
    expect(written.held).toBeNull();
    expect(written.fixme).toMatchObject({ path: join(folder, 'f.csv') });
    expect(readFileSync(join(folder, 'r.csv'), 'utf8').split('\n')).toHaveLength(4);
  });

  test('takes blocks as they come, and an empty file', async () => {
    async function* none() {}
    const written = await writeLineFiles(input(), none());
    expect(written).toMatchObject({ fixme: null, held: null });
    expect(readdirSync(folder)).toEqual(['r.csv']);
  });

  test('F36 when the walk fails no file comes to exist', async () => {
    async function* failing() {
      yield [line(2, ['T1'], 'refused', 'V0001')];
      throw new Error('database is gone');
    }
    await expect(writeLineFiles(input(), failing())).rejects.toThrow('database is gone');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the same lines in other blocks give the same bytes', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => line(at + 2, [`a,${at}`]));
    const once = await writeLineFiles(input(), [lines]);
    const each = await writeLineFiles(
      input(),
      lines.map((one) => [one]),
    );
    expect(each).toEqual(once);
  });
});
