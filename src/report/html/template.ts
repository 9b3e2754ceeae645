/** HTML as tagged templates: whatever is put in is text, unless it is HTML already. */
import { visible } from '../visible.ts';

/** HTML that may be put into a page as it is. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | undefined | readonly Part[];

/** Joins literals and parts; texts are escaped, and what cannot be seen in them is made visible (F99). */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(literals.reduce((text, literal, at) => text + render(parts[at - 1]) + literal));
}

/** Text that this program has made as HTML. Never for anything that comes from a file. */
export function raw(text: string): Html {
  return new Html(text);
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return escaped(visible(String(part)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
