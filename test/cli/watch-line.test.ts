/** The live line of `watch`: what is said of which file, in how much room. */
import type { Stats } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Phase } from '../../src/batch/context.ts';
import { LiveLine } from '../../src/cli/watch-line.ts';
import type { ClaimedFile } from '../../src/files/inbox/claim.ts';
import type { BatchDocument } from '../../src/report/document.ts';

const file = (name: string): ClaimedFile => ({
  claim: name,
  folder: '',
  path: name,
  name,
  place: [],
  stats: {} as Stats,
});

const document = {} as BatchDocument;

/** A line on which these files were claimed. */
function claimed(...names: readonly string[]): LiveLine {
  const line = new LiveLine();
  for (const name of names) line.take({ is: 'claimed', file: file(name) });
  return line;
}

const look = (phase: Phase, lines: number, total: number | undefined, now: number) => ({
  phase,
  lines,
  total,
  now,
});

describe('the live line', () => {
  test('of nothing', () => expect(new LiveLine().text(80)).toBe('nothing to do; 0 done'));

  test('of files that wait', () => expect(claimed('a.csv', 'b.csv').text(80)).toBe('2 waiting, 0 done'));

  test('has rate and time left, counted from where the phase began', () => {
    const line = claimed('a.csv', 'b.csv');
    line.progress(file('a.csv'), look('reading', 9_000, undefined, 0));
    line.progress(file('a.csv'), look('executing', 0, 9_000, 1_000));
    line.progress(file('a.csv'), look('executing', 3_000, 9_000, 2_500));
    expect(line.text(80)).toBe('a.csv executing 3000 of 9000 lines, 2000/s, 3 s left; 1 waiting, 0 done');
  });

  test('of several files shows the one that is executed', () => {
    const line = claimed('a.csv', 'b.csv', 'c.csv');
    line.progress(file('a.csv'), look('reporting', 5, 9, 0));
    line.progress(file('c.csv'), look('reading', 5, undefined, 0));
    line.progress(file('b.csv'), look('executing', 5, 9, 0));
    expect(line.text(80)).toBe('b.csv executing 5 of 9 lines; 2 waiting, 0 done');
  });

  test('forgets what is over, and what is set aside', () => {
    const line = claimed('a.csv', 'b.csv');
    for (const name of ['a.csv', 'b.csv']) line.progress(file(name), look('executing', 5, 9, 0));
    line.take({ is: 'over', file: file('a.csv'), document });
    line.take({ is: 'interrupted', file: file('b.csv'), document });
    expect(line.text(80)).toBe('1 waiting, 1 done');
  });

  test('fits, shortens names first, and shows no control character', () => {
    const name = `capture\u001b[2J${'x'.repeat(100)}.csv`;
    const line = claimed(name);
    line.progress(file(name), look('executing', 5, 9, 0));
    expect(line.text(60)).toBe('capture\\u001b[2Jxxxxxxxxxxxx… executing 5 of 9 lines; 0 done');
    expect(line.text(20)).toHaveLength(20);
  });
});
