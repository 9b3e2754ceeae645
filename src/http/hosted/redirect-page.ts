/** The page that `/v1/checkout` answers: a form of hidden inputs that submits itself to the hosted page. F85 */
import { html, raw } from 'hono/html';
import type { Html } from './shown.ts';
import { STYLE } from './style.ts';
import { ENGLISH } from './words/en.ts';

/** What the page holds. */
export interface RedirectForm {
  /** The server's own address of the hosted page: absolute, because the merchant may show the page under its own. */
  readonly action: string;
  /** Name and value of each hidden input, in this order. */
  readonly inputs: readonly (readonly [name: string, value: string])[];
  /** For the one script and the one style sheet: random, of this answer alone. */
  readonly nonce: string;
}

/** The one script. It goes by the prototype, because an input named `submit` would hide the form's own method. */
const SUBMIT = 'HTMLFormElement.prototype.submit.call(document.forms[0])';

/** The page. Without a script its button submits the form. */
export function redirectPage(form: RedirectForm): Html {
  const { action, inputs, nonce } = form;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(form)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>Going to the payment page</title>
<style nonce="${nonce}">${raw(STYLE)}</style>
</head>
<body class="plain">
<main>
<form class="sheet notice" method="post" action="${action}">
<h1>Going to the payment page</h1>
${inputs.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}
<noscript><button class="main">${ENGLISH.goOn}</button></noscript>
</form>
</main>
<script nonce="${nonce}">${raw(SUBMIT)}</script>
</body>
</html>
`;
}

/** Headers that belong to the page. What a policy in the page can say, it says there too: the page is often passed on. */
export function redirectHeaders(form: RedirectForm): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': policyOf(form),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

function policyOf({ action, nonce }: RedirectForm): string {
  const source = `'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    `script-src ${source}`,
    `style-src ${source}`,
    `form-action ${new URL(action).origin}`,
    "base-uri 'none'",
  ].join('; ');
}
