/** By which rules matches were found. */
import { grouped } from '../html/decimal.ts';
import { table } from '../html/table.ts';
import type { Html } from '../html/template.ts';
import { given, section } from '../html/words.ts';
import type { ReconciliationDocument } from './document.ts';
import { SIDE_WORDS } from './words.ts';

export function rules({ rules: found }: ReconciliationDocument): Html | undefined {
  if (found.length === 0) return undefined;
  const columns = [
    { title: 'Rule', look: 'plain' },
    { title: 'Side', look: 'plain' },
    { title: 'What it says', look: 'text' },
    { title: 'Matches', look: 'number' },
    { title: 'Entries', look: 'number' },
    { title: 'Lines', look: 'number' },
  ] as const;
  const rows = found.map(({ side, rule, meaning, matches, entries, lines }) => [
    given(rule),
    SIDE_WORDS[side].word,
    given(meaning),
    ...[matches, entries, lines].map(grouped),
  ]);
  return section('rules', 'How matches were found', table('Matches by rule', columns, rows));
}
