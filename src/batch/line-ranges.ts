/** Line numbers as the journal keeps them: ascending, neighbours joined (`2-51,53`). */

export function packLines(lines: readonly number[]): string {
  const parts: string[] = [];
  for (let from = 0; from < lines.length; ) {
    let to = from;
    while (to + 1 < lines.length && lines[to + 1] === lines[to]! + 1) to += 1;
    parts.push(to === from ? String(lines[from]) : `${lines[from]}-${lines[to]}`);
    from = to + 1;
  }
  return parts.join(',');
}

export function unpackLines(packed: string): number[] {
  return packed.split(',').flatMap((part) => {
    const [from, to] = part.split('-').map(Number);
    return to === undefined ? [from!] : Array.from({ length: to - from! + 1 }, (_, index) => from! + index);
  });
}
