/** An acquirer's lines in the order of the transactions that they mean. */
import { type ComparedLine, linesAfter, linesNumbered } from '../ledger/compared-lines.ts';
import type { Statements } from '../ledger/database.ts';
import { Cursor, compareTexts } from './cursor.ts';

type Reads = Pick<Statements, 'json'>;

const BLOCK = 10_000;

/**
 * All lines that are compared with transactions and have been sorted, each under the id of the one that it means, in blocks.
 * @param meant transaction ids by line number, of lines that do not say the id themselves
 */
export async function* tradeLines(
  reads: Reads,
  meant: ReadonlyMap<number, string>,
): AsyncGenerator<readonly ComparedLine[]> {
  if (meant.size === 0) yield* directLines(reads, meant);
  else yield* merged(new Cursor(directLines(reads, meant)), new Cursor(meantLines(reads, meant)));
}

async function* directLines(
  reads: Reads,
  meant: ReadonlyMap<number, string>,
): AsyncGenerator<readonly ComparedLine[]> {
  for (let after = 0; ; ) {
    const { last, lines } = await linesAfter(reads, after, BLOCK);
    if (last === undefined) return;
    yield meant.size === 0 ? lines : lines.filter(({ number }) => !meant.has(number));
    after = last;
  }
}

async function* meantLines(
  reads: Reads,
  meant: ReadonlyMap<number, string>,
): AsyncGenerator<readonly ComparedLine[]> {
  const order = [...meant].toSorted(([one, a], [other, b]) => compareTexts(a, b) || one - other);
  for (let from = 0; from < order.length; from += BLOCK) {
    const part = order.slice(from, from + BLOCK);
    const lines = new Map(
      (
        await linesNumbered(
          reads,
          part.map(([number]) => number),
        )
      ).map((line) => [line.number, line]),
    );
    yield part.map(([number, reference]) => ({ ...lines.get(number)!, reference }));
  }
}

async function* merged(
  one: Cursor<ComparedLine>,
  other: Cursor<ComparedLine>,
): AsyncGenerator<readonly ComparedLine[]> {
  let block: ComparedLine[] = [];
  for (;;) {
    const here = one.row ?? ((await one.more()) ? one.row : undefined);
    const there = other.row ?? ((await other.more()) ? other.row : undefined);
    if (here === undefined && there === undefined) break;
    const isHere =
      there === undefined || (here !== undefined && compareTexts(here.reference, there.reference) <= 0);
    block.push((isHere ? here : there)!);
    (isHere ? one : other).take();
    if (block.length === BLOCK) {
      yield block;
      block = [];
    }
  }
  if (block.length > 0) yield block;
}
