/** Files larger than memory should be: what is read must not pile up anywhere. */
import { describe, expect, test } from 'vitest';
import { openSource } from '../../src/files/open.ts';
import type { Source } from '../../src/files/source.ts';
import { isKnown, rejectionOf } from './support.ts';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024);

/** `head`, then `body` over and over; notes the largest amount of memory in use while it is read. */
function endless(head: string, body: string, mebibytes: number): { source: Source; peak: () => number } {
  let peak = 0;
  const piece = Buffer.from(body.repeat(Math.ceil(PIECE.length / body.length)));
  const source: Source = async function* () {
    yield Buffer.from(head);
    for (let sent = 0; sent < mebibytes * MIB; sent += piece.length) {
      if (sent % (8 * MIB) < piece.length) {
        const { heapUsed, external } = process.memoryUsage();
        peak = Math.max(peak, heapUsed + external);
      }
      yield Buffer.from(piece);
    }
  };
  return { source, peak: () => peak };
}

async function readAll(source: Source, name: string): Promise<number> {
  const opened = await openSource(source, name, {}, isKnown);
  let rows = 0;
  for await (const block of opened.rows()) rows += block.length;
  return rows;
}

/** Far below the size of the files, far above what the garbage collector leaves lying about. */
const BOUND = 64 * MIB;
const SIZE = 96;

describe('memory stays flat', () => {
  test.each([
    ['F11 a quote that is never closed', 'a,b\n1,"2', 'x,y\n', 'x.csv', 'B0004'],
    ['F20 an endless line', 'a,b\n1,', 'xxxxxxx,', 'x.csv', 'B0010'],
    ['F20 an endless header', 'a', ',xxxxxxx', 'x.csv', 'B0010'],
    ['F20 an endless string', '[{"a":"', 'xxxxxxxx', 'x.json', 'B0010'],
    ['F20 an endless entry', '[{"a":[1', ',1', 'x.json', 'B0010'],
    ['F20 an endless line of NDJSON', '{"a":[1', ',1', 'x.ndjson', 'B0010'],
    ['F20 an endless envelope', '{"a":[1', ',"x"', 'x.json', 'B0010'],
    ['F38 endless nesting', '[', '[', 'x.json', 'B0011'],
  ])('%s', async (_, head, body, name, code) => {
    const { source, peak } = endless(head, body, SIZE);
    const before = process.memoryUsage();
    expect(await rejectionOf(readAll(source, name))).toMatchObject([{ code }]);
    expect(peak() - before.heapUsed - before.external).toBeLessThan(BOUND);
  });

  test.each([
    ['CSV', 'order_no,amount,own\n', `A1234567,10.50,${'x'.repeat(200)}\n`, 'x.csv'],
    ['NDJSON', '', `{"order_no":"A1234567","own":"${'x'.repeat(200)}"}\n`, 'x.ndjson'],
    ['an array', '[{}', `,{"order_no":"A1234567","own":"${'x'.repeat(200)}"}\n`, 'x.json'],
  ])('F19 a large file: %s', async (_, head, body, name) => {
    const { source, peak } = endless(head, body, SIZE);
    const before = process.memoryUsage();
    const reasons = await rejectionOf(readAll(source, name));
    expect(reasons.map(({ code }) => code)).toEqual(name === 'x.json' ? ['B0011'] : []);
    expect(peak() - before.heapUsed - before.external).toBeLessThan(BOUND);
  });
});
