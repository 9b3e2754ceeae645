/** Pages on which the shopper has nothing to decide: the bank is asked, it is over, there is nothing here. */
import { html } from 'hono/html';
import type { HostedStep } from '../../core/hosted.ts';
import { layout, noticePage } from './layout.ts';
import type { Frame, Html, Shown } from './shown.ts';
import { amountOf } from './shown.ts';

/** The page looks again by itself so often … */
const MOST_LOOKS = 40;

/** … at first every two seconds, later, when it is clear that it takes longer, every five: three minutes in all. */
const QUICK_LOOKS = 10;

/** When and where a waiting page goes on, as the header `Refresh` says it; undefined once it has looked often enough. */
export function nextLook(base: string, looks: number): string | undefined {
  if (looks >= MOST_LOOKS) return undefined;
  return `${looks < QUICK_LOOKS ? 2 : 5}; url=${base}?looks=${looks + 1}`;
}

/** How often a waiting page has looked already, from its own address. */
export function looksSoFar(text: string | undefined): number {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : 0;
}

/** @param goesOn whether the page looks again by itself */
export function waitingPage(shown: Shown, goesOn: boolean): Html {
  const { words, base } = shown;
  const { title, text, still, again } = words.waiting;
  return layout(
    shown,
    title,
    html`<div class="sheet notice" role="status">
${goesOn ? html`<p class="spinner" aria-hidden="true"></p>` : ''}
<h1>${title}</h1>
<p>${goesOn ? text : still}</p>
<p class="amount">${amountOf(shown)}</p>
${goesOn ? '' : html`<p><a class="button" href="${base}">${again}</a></p>`}
</div>`,
    'pay',
  );
}

/** Shown after a form until the browser has gone on to where the shopper is sent back. */
export function leavingPage(shown: Shown, { orderStatus }: Extract<HostedStep, { is: 'over' }>): Html {
  const next = html`<p><a class="button" href="${shown.base}">${shown.words.back}</a></p>`;
  return noticePage(shown, shown.words.over[orderStatus], next);
}

/** Inside the window of a challenge that is over: the page around it goes on. */
export function nothingToConfirm(shown: Shown): Html {
  const { words, base } = shown;
  return layout(
    { ...shown, sandbox: false },
    words.waiting.title,
    html`<p><a class="button" href="${base}" target="_parent">${words.goOn}</a></p>`,
    'inside',
  );
}

/** There is no such session, or no longer. */
export function gonePage(frame: Frame): Html {
  return noticePage(frame, frame.words.gone);
}
