import { describe, expect, test } from 'vitest';
import { isIgnored } from '../../../src/files/inbox/names.ts';
import { type Readiness, Settling } from '../../../src/files/inbox/settling.ts';

const LOOK = { size: 10, modified: 1, inode: 7 };

/** Looks at one file at moments in milliseconds; the period is 5 s. */
function readiness(...looks: readonly [at: number, change?: Partial<typeof LOOK>][]): readonly Readiness[] {
  const settling = new Settling(5_000);
  return looks.map(([at, change]) => settling.observe('a.csv', { ...LOOK, ...change }, at));
}

describe('F1 a file is complete when nothing has changed for the period', () => {
  test('from the first look on', () => {
    expect(readiness([0], [4_999], [5_000])).toEqual(['changing', 'changing', 'settled']);
  });

  test.each([
    ['size', { size: 11 }],
    ['time', { modified: 2 }],
    ['inode', { inode: 8 }],
  ])('a change of its %s begins the period anew', (_, change) => {
    expect(readiness([0], [4_000, change], [6_000, change], [9_000, change])).toEqual([
      'changing',
      'changing',
      'changing',
      'settled',
    ]);
  });

  test('long ago is five more periods', () => {
    expect(readiness([0], [29_999], [30_000])).toEqual(['changing', 'settled', 'settled long ago']);
  });

  test('an empty file waits for a minute', () => {
    const empty = { size: 0 };
    expect(readiness([0, empty], [59_999, empty], [60_000, empty])).toEqual([
      'changing',
      'changing',
      'settled long ago',
    ]);
  });

  test('a file that went away and came again begins anew', () => {
    const settling = new Settling(5_000);
    settling.observe('a.csv', LOOK, 0);
    settling.keepOnly(new Set());
    expect(settling.observe('a.csv', LOOK, 5_000)).toBe('changing');
  });
});

test.each([
  '.hidden.csv',
  '~$refund.xlsx',
  'refund.csv~',
  'refund.csv.tmp',
  'refund.csv.PART',
  'refund.csv.partial',
  'refund.csv.filepart',
  'refund.csv.crdownload',
  '.refund.csv.swp',
  'refund.csv.done',
  'refund.csv.control.json',
  'desktop.ini',
  'Thumbs.db',
])('F3 %s is ignored', (name) => expect(isIgnored(name)).toBe(true));

test.each(['refund.csv', 'party.csv', 'temporary.tmp.csv', 'done.csv', 'control.json', 'refund~1.csv'])(
  '%s is not',
  (name) => expect(isIgnored(name)).toBe(false),
);
