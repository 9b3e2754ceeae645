/** The shell of the hosted pages. */
import { html, raw } from 'hono/html';
import type { Frame, Html } from './shown.ts';
import { STYLE } from './style.ts';
import type { Notice } from './words/words.ts';

const SANDBOX = 'SANDBOX: no money moved outside this ledger';

/**
 * A whole page.
 * @param kind class of the page, by which its style differs
 */
export function layout(frame: Frame, title: string, main: Html, kind = 'plain'): Html {
  return html`<!DOCTYPE html>
<html lang="${frame.words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style nonce="${frame.nonce}">${raw(STYLE)}</style>
</head>
<body class="${kind}">
${frame.sandbox ? html`<header class="sandbox" role="banner"><strong lang="en">${SANDBOX}</strong></header>` : ''}
<main>
${main}
</main>
</body>
</html>
`;
}

/** A page that says one thing, and perhaps what to do next. */
export function noticePage(frame: Frame, { title, text }: Notice, next: Html | '' = ''): Html {
  return layout(frame, title, html`<div class="sheet notice"><h1>${title}</h1><p>${text}</p>${next}</div>`);
}
