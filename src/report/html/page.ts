/** One file that needs nothing else: head, style, header and footer of every report. */
import { sandboxSentence } from './sandbox.ts';
import { pageMarks, STYLE } from './style.ts';
import { type Html, html, type Part, raw } from './template.ts';

export interface Page {
  /** Of the window. */
  readonly title: string;
  readonly heading: string;
  /** The line under the heading: what it is a report of. */
  readonly which: Part;
  /** What stands in the margins of printed pages, after `batchgate report of`. */
  readonly subject: string;
  /** Rules for what only this report has; never anything that comes from a file. */
  readonly style?: string;
  readonly environment: string;
  readonly gateway: string;
  readonly verdict: Html;
  readonly sections: readonly Part[];
  readonly footer: Html;
}

export function page(about: Page): string {
  const { title, heading, which, subject, style = '', verdict, sections, footer } = about;
  const sandbox = sandboxSentence(about);
  const note =
    sandbox === undefined ? '' : html`<p class="sandbox" role="note"><strong>${sandbox}</strong></p>\n`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${raw(STYLE)}${raw(style)}${raw(pageMarks(subject, sandbox))}</style>
</head>
<body>
<header>
<p class="brand">batchgate</p>
<h1>${heading}</h1>
<p class="which">${which}</p>
</header>
<main>
${verdict}${note}${sections}</main>
<footer>
<p>${footer}</p>
</footer>
</body>
</html>
`.text;
}
