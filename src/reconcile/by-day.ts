/**
 * Matching by amount and day alone, where no name helps: only a pair of which neither could mean anything else is taken.
 * Pure, and the same whatever the order.
 */
import { getOrSet } from '../core/get-or-set.ts';

/** A movement in the books. Amount in minor units, day `YYYY-MM-DD`. */
export interface DatedEntry {
  readonly currency: string;
  readonly amount: number;
  readonly day: string;
}

export interface DatedLine {
  readonly currency: string;
  readonly gross: number;
  /** Empty where nobody says: then nothing can be matched. */
  readonly booked: string;
}

export interface ByDay<Entry, Line> {
  readonly matches: readonly { readonly entry: Entry; readonly line: Line }[];
  /** Several could mean each other; a cluster lists all of them. */
  readonly unclear: readonly { readonly entries: readonly Entry[]; readonly lines: readonly Line[] }[];
  readonly entries: readonly Entry[];
  readonly lines: readonly Line[];
}

/** @param window days by which the two days may lie apart */
export function matchByDay<Entry extends DatedEntry, Line extends DatedLine>(
  entries: readonly Entry[],
  lines: readonly Line[],
  window: number,
): ByDay<Entry, Line> {
  const groups = new Map<string, { entries: Entry[]; lines: Line[] }>();
  const group = (currency: string, amount: number) =>
    getOrSet(groups, `${currency} ${amount}`, () => ({ entries: [], lines: [] }));
  for (const entry of entries) group(entry.currency, entry.amount).entries.push(entry);
  for (const line of lines) group(line.currency, line.gross).lines.push(line);
  const clusters = [...groups.values()].flatMap((one) => clustersOf(one.entries, one.lines, window));
  const isPair = (one: Cluster<Entry, Line>) => one.entries.length === 1 && one.lines.length === 1;
  const isAlone = (one: Cluster<Entry, Line>) => one.entries.length === 0 || one.lines.length === 0;
  const alone = clusters.filter(isAlone);
  return {
    matches: clusters.filter(isPair).map((one) => ({ entry: one.entries[0]!, line: one.lines[0]! })),
    unclear: clusters.filter((one) => !isPair(one) && !isAlone(one)),
    entries: alone.flatMap((one) => one.entries),
    lines: alone.flatMap((one) => one.lines),
  };
}

interface Cluster<Entry, Line> {
  readonly entries: readonly Entry[];
  readonly lines: readonly Line[];
}

/**
 * What hangs together: an entry and a line whose days lie near enough, and whatever either of them hangs together with.
 * In the order of days a line reaches a run of entries, and the runs move on with the lines: one walk finds all of them.
 */
function clustersOf<Entry extends DatedEntry, Line extends DatedLine>(
  entries: readonly Entry[],
  lines: readonly Line[],
  window: number,
): readonly Cluster<Entry, Line>[] {
  const sorted = entries.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  const days = sorted.map(({ day }) => numberOf(day));
  const dated = lines
    .filter(({ booked }) => booked !== '')
    .toSorted((a, b) => (a.booked < b.booked ? -1 : a.booked > b.booked ? 1 : 0));
  /** Whether an entry hangs together with the one after it. */
  const isJoined = sorted.map(() => false);
  const linesAt = new Map<number, Line[]>();
  const alone = lines.filter(({ booked }) => booked === '');
  let [first, end, joined] = [0, 0, 0];
  for (const line of dated) {
    const day = numberOf(line.booked);
    while (first < days.length && days[first]! < day - window) first += 1;
    end = Math.max(end, first);
    while (end < days.length && days[end]! <= day + window) end += 1;
    if (first === end) {
      alone.push(line);
      continue;
    }
    getOrSet(linesAt, first, () => []).push(line);
    for (joined = Math.max(joined, first); joined < end - 1; joined += 1) isJoined[joined] = true;
  }
  const clusters: { entries: Entry[]; lines: Line[] }[] = [];
  sorted.forEach((entry, index) => {
    if (index === 0 || isJoined[index - 1] === false) clusters.push({ entries: [], lines: [] });
    const cluster = clusters.at(-1)!;
    cluster.entries.push(entry);
    for (const line of linesAt.get(index) ?? []) cluster.lines.push(line);
  });
  return [...alone.map((line) => ({ entries: [], lines: [line] })), ...clusters];
}

/** Days since 1970. */
function numberOf(day: string): number {
  return Math.round(Date.parse(day) / 86_400_000);
}
