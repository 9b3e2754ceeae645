/** The 3-D Secure challenge: the issuer's page in a window of the size that the merchant asked for. */
import { html } from 'hono/html';
import { layout } from './layout.ts';
import { leaveForm } from './leave-form.ts';
import { amountOf, type Html, type Shown } from './shown.ts';

/** @param windowSize `01` to `05`; engine decisions, "3-D Secure" */
export function challengePage(shown: Shown, windowSize: string): Html {
  const { words, base } = shown;
  // The size becomes part of a class, and only one that there is.
  const size = /^0[1-5]$/.test(windowSize) ? windowSize : '05';
  return layout(
    shown,
    words.challenge.title,
    html`<div class="sheet challenge window-${size}">
<h1>${words.challenge.title}</h1>
<p>${words.challenge.text}</p>
<iframe title="${words.challenge.frame}" src="${base}/challenge"></iframe>
${leaveForm(shown)}
</div>`,
    'pay',
  );
}

/** What a real issuer would show in the window. Its answer leads the page around it on. */
export function issuerPage(shown: Shown): Html {
  const { words, base, order } = shown;
  return layout(
    { ...shown, sandbox: false },
    words.challenge.frame,
    html`<p class="issuer">${words.challenge.issuer}</p>
<h1>${words.challenge.question(amountOf(shown), order.merchantId)}</h1>
<form method="post" action="${base}/challenge" target="_parent">
<button class="main" name="result" value="pass">${words.challenge.pass}</button>
<button class="second" name="result" value="fail">${words.challenge.fail}</button>
</form>`,
    'inside',
  );
}
