/** The decisions of a sheet, all of them or none. */
import { maskCards } from '../../files/card-data.ts';
import type { Orders } from './carry-out.ts';
import type { Sheet } from './read-sheet.ts';

/** @param sheet without faults */
export function ordersOf({ orders, name, sha256, rows }: Sheet): Orders {
  const file = maskCards(name);
  return {
    make: async () => orders,
    origin: ({ line }) => ({ file, line }),
    whole: ({ due, counts, unchanged, digest }) => ({
      act: 'break.decide',
      subject: file,
      detail: { sha256, rows, breaks: due.length, ...counts, unchanged, together: digest },
    }),
  };
}
