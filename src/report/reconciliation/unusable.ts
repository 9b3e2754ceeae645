/** Files that could not be used, and why: what is missing of everything that follows. */
import { table } from '../html/table.ts';
import { type Html, html } from '../html/template.ts';
import { given, prose, section } from '../html/words.ts';
import type { ReconciliationDocument } from './document.ts';
import { NOTHING } from './words.ts';

/** Heading of what `unusable` shows. */
export const UNUSABLE = 'Files that could not be used';

export function unusable({ errors }: ReconciliationDocument): Html | undefined {
  if (errors.length === 0) return undefined;
  const columns = [
    { title: 'File', look: 'id' },
    { title: 'What is wrong, and what to do', look: 'text' },
    { title: 'Line', look: 'number' },
    { title: 'Column', look: 'plain' },
  ] as const;
  const rows = errors.map(({ file, message, hint, line, column }) => [
    given(file),
    html`${given(message)}<div class="hint">${prose(hint ?? '')}</div>`,
    line ?? NOTHING,
    column === undefined ? NOTHING : given(column),
  ]);
  return section('errors', UNUSABLE, table(`${UNUSABLE}, and why`, columns, rows));
}
