/** What is paid, and to whom: from the stored order alone. */
import { html } from 'hono/html';
import type { Item } from '../../core/payment.ts';
import { amountOf, type Html, type Shown } from './shown.ts';

/** The order beside the form. */
export function summary(shown: Shown): Html {
  const { order, words } = shown;
  return html`<section class="summary" aria-labelledby="amount">
<h1 id="amount"><span class="figure">${words.payTitle(amountOf(shown))}</span> <span class="merchant">${words.to(order.merchantId)}</span></h1>
<dl><dt>${words.order}</dt><dd>${order.orderNo}</dd></dl>
${itemList(shown)}
</section>`;
}

/** A longer list scrolls by itself, so that it does not push the form away. */
const MANY = 4;

function itemList({ order, words }: Shown): Html | '' {
  const items = order.items.filter((item) => item.some((part) => part !== ''));
  if (items.length === 0) return '';
  const list =
    items.length > MANY
      ? html`<ul class="items many" tabindex="0" aria-labelledby="items">${items.map(itemOf)}</ul>`
      : html`<ul class="items">${items.map(itemOf)}</ul>`;
  return html`<h2 id="items">${words.items}</h2>${list}`;
}

/** The specification does not say what the four parts of an item are: the first stands out, the others follow. */
function itemOf([first, ...rest]: Item): Html {
  const others = rest.filter((part) => part !== '');
  return html`<li><span>${first}</span>${others.length === 0 ? '' : html`<small>${others.join(' · ')}</small>`}</li>`;
}
