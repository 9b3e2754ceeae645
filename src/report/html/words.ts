/** Small pieces of text that several sections use. */
import { grouped } from './decimal.ts';
import { type Html, html, type Part } from './template.ts';

/** `1 line`, `1,000 lines`. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** An amount with its currency, for a sentence. */
export function moneyText(currency: string, amount: string): string {
  return `${currency || 'no currency'}\u00a0${grouped(amount)}`;
}

/** An amount with its currency, for a table; one that could not be read stands as it was written. */
export function money(currency: string, amount: string): Html {
  const figure = /^-?\d+(\.\d+)?$/.test(amount) ? grouped(amount) : given(amount);
  const unit = /^[A-Z]{3}$/.test(currency) ? currency : given(currency);
  return currency === '' ? html`${figure}` : html`<span class="currency">${unit}</span>\u00a0${figure}`;
}

/** Text from the file or the sender: kept apart from the direction of its surroundings, broken where it must be. */
export function given(text: string): Html {
  return html`<bdi class="given">${text}</bdi>`;
}

export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** The name of a code, such as V0006. */
export function codeName(name: string): Html {
  return html`<code class="name">${name}</code>`;
}

/** A sentence of ours, in which commands stand between backticks. */
export function prose(text: string): readonly Html[] {
  return text.split('`').map((piece, at) => (at % 2 === 0 ? html`${piece}` : code(piece)));
}

/** The last part of a path: where a report lies on some machine is not part of what it says. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** A list of terms and what they are; those without a value are left out. */
export function facts(entries: readonly (readonly [term: string, value: Part])[]): Html {
  const rows = entries.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl class="facts">${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** One part of the page under its own heading. */
export function section(id: string, title: string, ...parts: readonly Part[]): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${parts}
</section>
`;
}

/** The sign and word for a figure that was calculated again. */
export function check(holds: boolean, whenNot: string): Html {
  return holds
    ? html`<span class="holds"><span aria-hidden="true">✓</span> equal</span>`
    : html`<strong class="fails"><span aria-hidden="true">✗</span> ${whenNot}</strong>`;
}

/** The entries of a record by alphabet: the order in which it was made is nobody's business. */
export function byName<Value>(
  record: Readonly<Record<string, Value>>,
): readonly (readonly [string, Value])[] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
