/** The page of an alternative payment method: the shopper approves, declines or leaves. */
import { html } from 'hono/html';
import { layout } from './layout.ts';
import { leaveForm } from './leave-form.ts';
import { amountOf, type Html, type Shown } from './shown.ts';
import { summary } from './summary.ts';

/** The buttons, and what would happen with the real method; one that the pages do not know goes by its own name. */
export function apmPage(shown: Shown): Html {
  const { words, order, base } = shown;
  const method = order.method ?? '';
  const known = Object.hasOwn(words.methods.known, method);
  const { name, happens } = known ? words.methods.known[method]! : words.methods.other(method);
  return layout(
    shown,
    `${words.methods.title(name)}: ${amountOf(shown)}`,
    html`<div class="sheet two">
${summary(shown)}
<section class="act" aria-labelledby="method">
<div class="method"><span class="badge" aria-hidden="true">${[...name][0]}</span><h2 id="method">${words.methods.title(name)}</h2></div>
<h3>${words.methods.happens}</h3>
<p>${happens}</p>
<p class="promise">${words.methods.decide}</p>
<form method="post" action="${base}/approve"><button class="main">${words.methods.approve(amountOf(shown))}</button></form>
<form method="post" action="${base}/decline"><button class="second">${words.methods.decline}</button></form>
${leaveForm(shown)}
</section>
</div>`,
    // Only a method that the pages know becomes a class.
    known ? `pay method-${method}` : 'pay',
  );
}
