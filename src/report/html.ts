/**
 * `report.html`: one file that needs nothing else, for people. It says what the document says and checks its sums
 * again; it reads no clock, locale or machine, so the same document gives the same bytes.
 */
import type { ReportDocument } from './document.ts';
import { accountFigure, exceptionFigure, shareFigure } from './html/charts.ts';
import { evidence } from './html/evidence.ts';
import { errors, exceptions } from './html/exceptions.ts';
import { changes, listing } from './html/listing.ts';
import { moved } from './html/moved.ts';
import { reading } from './html/reading.ts';
import { sandboxSentence } from './html/sandbox.ts';
import { pageMarks, STYLE } from './html/style.ts';
import { html, type Part, raw } from './html/template.ts';
import { totals } from './html/totals.ts';
import { headline, verdict } from './html/verdict.ts';
import { given } from './html/words.ts';

/** The page as text. */
export async function reportHtml(document: ReportDocument): Promise<string> {
  const sandbox = sandboxSentence(document);
  const parts = [
    verdict(document),
    sandbox === undefined ? '' : html`<p class="sandbox" role="note"><strong>${sandbox}</strong></p>\n`,
    errors(document),
    ...(document.status === 'rejected' ? [] : await figures(document)),
    reading(document),
    listing(document),
    changes(document),
    evidence(document),
  ];
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${document.file} ${headline(document)}</title>
<style>${raw(STYLE)}${raw(pageMarks(document.batch, sandbox))}</style>
</head>
<body>
<header>
<p class="brand">batchgate</p>
<h1>Batch report</h1>
<p class="which">Batch ${given(document.batch)} · revision ${document.revision} · ${document.environment}</p>
</header>
<main>
${parts}</main>
<footer>
<p>Written by batchgate ${document.evidence.program_version} from the journal of batch ${given(document.batch)}. The same figures for programs are in report.json.</p>
</footer>
</body>
</html>
`;
  return page.text;
}

/** What only a file that was executed has. */
async function figures(document: ReportDocument): Promise<readonly Part[]> {
  return [
    totals(document, await shareFigure(document)),
    moved(document.breakdown, await accountFigure(document)),
    exceptions(document, await exceptionFigure(document)),
  ];
}
