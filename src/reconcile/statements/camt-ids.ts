/** The bank's own ids of entries, made fit to recognise an entry that comes again. */
import type { StatementLine } from '../statement.ts';

/**
 * Some banks give a payment and the charge for it one reference. Different movements of one statement must not look like
 * one that comes twice, so each but the first gets its number among them; the same movement twice keeps its id.
 */
export function distinctIds(lines: readonly StatementLine[]): readonly StatementLine[] {
  const seen = new Map<string, string[]>();
  return lines.map((line) => {
    if (line.id === undefined) return line;
    const movement = `${line.net} ${line.currency} ${line.booked} ${line.kind} ${line.references.join('\n')}`;
    const movements = seen.get(line.id) ?? [];
    if (movements.length === 0) seen.set(line.id, movements);
    if (!movements.includes(movement)) movements.push(movement);
    const place = movements.indexOf(movement);
    return place === 0 ? line : { ...line, id: `${line.id}/${place + 1}` };
  });
}
