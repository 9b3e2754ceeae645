/**
 * Entries of the ledger that no file has made: requests over HTTP, acts of people, what ran out by itself. Nothing in a
 * data directory can bring them back, but the numbers that files prove say how many there were, and where.
 */

/** What one file proves: the span of numbers while it was executed, and how many of them were its own. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly own: number;
}

/** A stretch of numbers of which so many belong to something that is lost. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly lost: number;
}

/**
 * The gaps after `last`, in order. Of files that were executed side by side nobody can say whose a number was, so they
 * count as one.
 * @param last the newest entry of the restored ledger before anything was taken back
 */
export function gapsOf(last: number, spans: readonly Span[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let reached = last;
  for (const { from, to, own } of sideBySideAsOne(spans)) {
    if (from > reached + 1) gaps.push({ from: reached + 1, to: from - 1, lost: from - 1 - reached });
    const first = Math.max(from, reached + 1);
    const lost = to - first + 1 - own;
    if (lost > 0) gaps.push({ from: first, to, lost });
    reached = Math.max(reached, to);
  }
  return gaps;
}

/** In order. */
function sideBySideAsOne(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const before = joined.at(-1);
    if (before === undefined || span.from > before.to) joined.push(span);
    else
      joined.splice(-1, 1, {
        from: before.from,
        to: Math.max(before.to, span.to),
        own: before.own + span.own,
      });
  }
  return joined;
}
