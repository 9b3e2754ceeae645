/** The page on which a card is entered. It works without a script: the browser and then the server check the fields. */
import { html } from 'hono/html';
import { CARD_FIELDS } from '../../core/payment-message.ts';
import type { CardFaults, CardField, Typed } from './card-form.ts';
import { layout } from './layout.ts';
import { leaveForm } from './leave-form.ts';
import { amountOf, type Html, type Shown } from './shown.ts';
import { storedCardForm } from './stored-card.ts';
import { summary } from './summary.ts';

const NOTHING: Typed = { month: '', year: '' };

/** A try that failed: what is to be corrected, and what may be shown again. */
export interface FailedTry {
  readonly faults?: CardFaults;
  readonly typed?: Typed;
  /** What is wrong with the code of the stored card. */
  readonly storedFault?: string;
}

/** The form; after a try that failed, with what is to be corrected. */
export function cardPage(shown: Shown, { faults = {}, typed = NOTHING, storedFault }: FailedTry = {}): Html {
  const { words, base } = shown;
  const title = words.payTitle(amountOf(shown));
  const isSound = Object.keys(faults).length === 0 && storedFault === undefined;
  return layout(
    shown,
    isSound ? title : `${words.faults.title} – ${title}`,
    html`<div class="sheet two">
${summary(shown)}
<section class="act" aria-labelledby="form">
${storedCardForm(shown, storedFault)}
<h2 id="form">${shown.order.storedCard === undefined ? words.form.title : words.form.other}</h2>
${faultSummary(shown, faults)}
<form method="post" action="${base}/card">
${cardField(shown, faults)}
<div class="row">
${expiryFields(shown, faults, typed)}
${codeField(shown, faults)}
</div>
<button class="main">${words.form.pay(amountOf(shown))}</button>
</form>
${leaveForm(shown)}
<p class="promise">${words.form.promise}</p>
</section>
</div>`,
    'pay',
  );
}

/** Gets the focus, so that a screen reader begins with it; each line leads to its field. */
function faultSummary({ words }: Shown, faults: CardFaults): Html | '' {
  const wrong = CARD_FIELDS.filter((field) => faults[field] !== undefined);
  if (wrong.length === 0) return '';
  return html`<div class="faults" role="alert" tabindex="-1" autofocus>
<h3>${words.faults.title}</h3>
<ul>${wrong.map((field) => html`<li><a href="#${field}">${faults[field]}</a></li>`)}</ul>
<p>${words.faults.typeAgain}</p>
</div>`;
}

function cardField({ words }: Shown, faults: CardFaults): Html {
  return html`<div class="field">
<label for="card">${words.form.card}</label>
<p class="hint" id="card-hint">${words.form.cardHint}</p>
${faultOf('card', faults)}
<input id="card" name="card" type="text" inputmode="numeric" autocomplete="cc-number" spellcheck="false" required maxlength="23" pattern="[0-9][0-9 \\-]{10,21}[0-9]" ${described('card', faults, 'card-hint')}>
</div>`;
}

function expiryFields({ words }: Shown, faults: CardFaults, typed: Typed): Html {
  return html`<fieldset class="field">
<legend>${words.form.expiry}</legend>
${faultOf('expiration_month', faults)}
${faultOf('expiration_year', faults)}
<div class="pair">
<div><label class="small" for="expiration_month">${words.form.month}</label>
<input id="expiration_month" name="expiration_month" type="text" inputmode="numeric" autocomplete="cc-exp-month" required maxlength="2" pattern="0?[1-9]|1[0-2]" placeholder="MM" value="${typed.month}" ${described('expiration_month', faults)}></div>
<div><label class="small" for="expiration_year">${words.form.year}</label>
<input id="expiration_year" name="expiration_year" type="text" inputmode="numeric" autocomplete="cc-exp-year" required maxlength="4" pattern="[0-9]{2}|20[0-9]{2}" placeholder="${words.form.yearShape}" value="${typed.year}" ${described('expiration_year', faults)}></div>
</div>
</fieldset>`;
}

function codeField({ words }: Shown, faults: CardFaults): Html {
  return html`<div class="field code">
<label for="security_code">${words.form.code}</label>
<p class="hint" id="code-hint">${words.form.codeHint}</p>
${faultOf('security_code', faults)}
<input id="security_code" name="security_code" type="text" inputmode="numeric" autocomplete="cc-csc" spellcheck="false" required maxlength="4" pattern="[0-9]{3,4}" ${described('security_code', faults, 'code-hint')}>
</div>`;
}

function faultOf(field: CardField, faults: CardFaults): Html | '' {
  const fault = faults[field];
  return fault === undefined ? '' : html`<p class="fault" id="${field}-fault">${fault}</p>`;
}

/** What a screen reader reads with the field, and whether it is wrong. */
function described(field: CardField, faults: CardFaults, hint = ''): Html | '' {
  const wrong = faults[field] !== undefined;
  const ids = [hint, wrong ? `${field}-fault` : ''].filter((id) => id !== '').join(' ');
  if (ids === '') return '';
  return html`aria-describedby="${ids}"${wrong ? html` aria-invalid="true"` : ''}`;
}
