/** Lists of any length on standard output: a block at a time, no faster than the reader takes it. */
import { once } from 'node:events';
import type { Sink } from '../../../report/atomic.ts';

export const STDOUT: Sink = {
  write: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
};

/** One JSON document, as `printJson` prints it, whose last member is a list. */
export async function streamJson(
  head: Readonly<Record<string, unknown>>,
  list: string,
  blocks: AsyncIterable<readonly object[]>,
): Promise<void> {
  const begun = JSON.stringify({ ...head, [list]: [] }, undefined, 2).replace(/\]\n\}$/, '');
  await STDOUT.write(begun);
  let isFirst = true;
  for await (const block of blocks) {
    let text = '';
    for (const one of block) {
      const lines = JSON.stringify(one, undefined, 2).replaceAll('\n', '\n    ');
      text += `${isFirst ? '' : ','}\n    ${lines}`;
      isFirst = false;
    }
    await STDOUT.write(text);
  }
  await STDOUT.write(isFirst ? ']\n}\n' : '\n  ]\n}\n');
}
