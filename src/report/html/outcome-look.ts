/** How outcomes look: a word and a sign each, so that nothing hangs on colour alone. */
import type { Outcome } from '../../core/outcome.ts';
import type { Paint } from './colours.ts';
import { type Html, html } from './template.ts';

interface Look {
  readonly word: string;
  readonly sign: string;
  /** Its words in a sentence: `one is a duplicate`, `six were refused`. */
  readonly one: string;
  readonly many: string;
}

export const LOOKS: Readonly<Record<Outcome, Look>> = {
  succeeded: { word: 'Succeeded', sign: '✓', one: 'succeeded', many: 'succeeded' },
  pending: { word: 'Pending', sign: '…', one: 'is pending', many: 'are pending' },
  refused: { word: 'Refused', sign: '✕', one: 'was refused', many: 'were refused' },
  invalid: { word: 'Invalid', sign: '!', one: 'is invalid', many: 'are invalid' },
  duplicate: { word: 'Duplicate', sign: '=', one: 'is a duplicate', many: 'are duplicates' },
  unknown: { word: 'Unknown', sign: '?', one: 'is unknown', many: 'are unknown' },
  not_sent: { word: 'Not sent', sign: '○', one: 'was not sent', many: 'were not sent' },
};

/** The outcome as a small coloured label. */
export function label(outcome: Outcome): Html {
  const { word, sign } = LOOKS[outcome];
  return mark(outcome, sign, word);
}

/** A small coloured label: its sign, and the word for it. */
export function mark(paint: Paint, sign: string, word: string): Html {
  return html`<span class="outcome ${paint}"><span class="sign" aria-hidden="true">${sign}</span>${word}</span>`;
}
