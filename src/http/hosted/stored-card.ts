/** The form for a card that the shop has stored for this shopper: only its security code is asked for. */
import { html } from 'hono/html';
import { amountOf, type Html, type Shown } from './shown.ts';

/**
 * Stands above the form for another card; empty where the order names no stored card.
 * @param fault what is wrong with the code that was sent
 */
export function storedCardForm(shown: Shown, fault: string | undefined): Html | '' {
  const { words, base, order } = shown;
  if (order.storedCard === undefined) return '';
  const wrong = fault === undefined ? '' : html`<p class="fault" id="stored-fault" role="alert">${fault}</p>`;
  const described = fault === undefined ? 'stored-hint' : 'stored-hint stored-fault';
  return html`<form class="stored" method="post" action="${base}/stored">
<h2>${words.form.stored(order.storedCard)}</h2>
<div class="field code">
<label for="stored_code">${words.form.code}</label>
<p class="hint" id="stored-hint">${words.form.codeHint}</p>
${wrong}
<input id="stored_code" name="security_code" type="text" inputmode="numeric" autocomplete="cc-csc" spellcheck="false" required maxlength="4" pattern="[0-9]{3,4}" aria-describedby="${described}"${fault === undefined ? '' : html` aria-invalid="true" autofocus`}>
</div>
<button class="main">${words.form.pay(amountOf(shown))}</button>
</form>`;
}
