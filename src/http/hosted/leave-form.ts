/** How the shopper gives up. */
import { html } from 'hono/html';
import type { Html, Shown } from './shown.ts';

/** It asks nothing back: nothing is paid yet, and the shop can begin again. */
export function leaveForm({ base, words }: Shown): Html {
  return html`<form class="leave" method="post" action="${base}/leave"><button class="quiet">${words.form.leave}</button></form>`;
}
