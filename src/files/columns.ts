/** Whether the columns of a file are the ones an operation needs, as far as their names tell. */
import { type Reason, reason } from '../core/code.ts';
import { nearest } from '../core/distance.ts';

/**
 * Checks the columns of a file.
 * @param columns its names, trimmed and in lower case
 * @param required names that must be among them
 * @param known all names that mean something for the operation
 * @param name of the file, to name the one that should have been sent (B0019)
 * @returns B0019, else B0007 for every misspelt one and B0006 for every other one that is missing
 */
export function checkColumns(
  columns: readonly string[],
  required: readonly string[],
  known: readonly string[],
  name = '',
): Reason[] {
  if (columns.includes('outcome') && columns.includes('batch')) return [resultFile(name)];
  const absent = known.filter((field) => !columns.includes(field));
  const misspelt = columns.flatMap((column) => {
    const meant = known.includes(column) ? undefined : nearest(column, absent);
    return meant === undefined ? [] : [{ column, meant }];
  });
  const missing = required.filter(
    (field) => !columns.includes(field) && !misspelt.some(({ meant }) => meant === field),
  );
  return [
    ...missing.map((field) => reason('B0006', field, { column: field })),
    ...misspelt.map(({ column, meant }) =>
      reason('B0007', `"${column}" looks like "${meant}"`, {
        column,
        hint: `Rename the column to ${meant}.`,
      }),
    ),
  ];
}

function resultFile(name: string): Reason {
  const fixme = name.replace(/\bresult\b(?=[^/]*$)/, 'fixme');
  const which = fixme === name ? 'the .fixme.csv that lies beside it' : fixme;
  return reason('B0019', `send ${which} instead, with its lines corrected`, {
    hint: `Correct the lines in ${which} and send that.`,
  });
}
