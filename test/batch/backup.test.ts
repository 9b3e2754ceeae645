/** The numbers of the ledger that nobody's file explains. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gapsOf, type Span } from '../../src/batch/backup/missing.ts';

const span = (from: number, to: number, own = to - from + 1): Span => ({ from, to, own });

test.each<[string, number, readonly Span[], readonly (readonly [number, number, number])[]]>([
  ['nothing is proved', 5, [], []],
  ['files follow one another', 5, [span(6, 8), span(9, 9)], []],
  ['something came before a file', 5, [span(8, 9)], [[6, 7, 2]]],
  ['something came while a file was executed', 5, [span(6, 10, 4)], [[6, 10, 1]]],
  ['a file moved nothing', 5, [span(6, 5), span(6, 7)], []],
  ['a file did nothing, and others did meanwhile', 5, [span(6, 8, 0)], [[6, 8, 3]]],
  ['two files were executed side by side', 5, [span(6, 12, 4), span(8, 12, 3)], []],
  ['the backup was made in the middle of a file', 7, [span(4, 10, 3)], []],
  ['a file cannot be executed again', 5, [span(6, 8, 0), span(9, 10)], [[6, 8, 3]]],
])('%s', (_, last, spans, expected) => {
  expect(gapsOf(last, spans).map(({ from, to, lost }) => [from, to, lost])).toEqual(expected);
});

/** Whose each entry of the ledger is: a file's number, or nobody's. */
const owners = fc.array(fc.option(fc.nat({ max: 3 }), { nil: undefined }), { maxLength: 40 });

test("in any order: as many are lost as are nobody's up to the end of the last file", () => {
  fc.assert(
    fc.property(owners, fc.nat({ max: 9 }), (whose, last) => {
      const entries = whose.map((owner, at) => ({ owner, number: last + 1 + at }));
      const files = [0, 1, 2, 3]
        .map((file) => entries.filter(({ owner }) => owner === file))
        .filter((own) => own.length > 0)
        .map((own) => span(own[0]!.number, own.at(-1)!.number, own.length));
      const end = Math.max(last, ...files.map(({ to }) => to));
      const lost = entries.filter(({ owner, number }) => owner === undefined && number <= end).length;
      expect(gapsOf(last, files).reduce((sum, gap) => sum + gap.lost, 0)).toBe(lost);
    }),
  );
});
