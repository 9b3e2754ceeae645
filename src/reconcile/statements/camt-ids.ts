/** The bank's own ids of entries, made fit to recognise an entry that comes again. */
import type { StatementLine } from '../statement.ts';

/**
 * Some banks give a payment and the charge for it one reference. Different movements of one statement must not look like
 * one that comes twice, so each but the first gets its number among them; the same movement twice keeps its id.
 */
export class DistinctIds {
  /** One movement for nearly every id: as a text, since there are as many as lines. */
  readonly #movements = new Map<string, string | string[]>();

  /** @param line the next of the statement */
  take(line: StatementLine): StatementLine {
    if (line.id === undefined) return line;
    const place = this.#placeOf(line.id, movementOf(line));
    return place === 0 ? line : { ...line, id: `${line.id}/${place + 1}` };
  }

  /** Number of a movement among those of its id, from 0. */
  #placeOf(id: string, movement: string): number {
    const known = this.#movements.get(id);
    if (known === movement) return 0;
    if (known === undefined) {
      this.#movements.set(id, movement);
      return 0;
    }
    const movements = typeof known === 'string' ? [known] : known;
    if (!movements.includes(movement)) movements.push(movement);
    if (movements !== known) this.#movements.set(id, movements);
    return movements.indexOf(movement);
  }
}

function movementOf({ net, currency, booked, kind, references }: StatementLine): string {
  return [net, currency, booked, kind, ...references].join('\n');
}
