/** How a visit to a hosted page is answered: with a page, with the way back to the shop, or with where to look next. */
import type { Context } from 'hono';
import type { HostedStep, HostedView } from '../../core/hosted.ts';
import type { HttpEnv } from '../environment.ts';
import type { Merchants } from '../ports.ts';
import { apmPage } from './apm-page.ts';
import { cardPage } from './card-page.ts';
import { challengePage } from './challenge-page.ts';
import { noticePage } from './layout.ts';
import { gonePage, leavingPage, looksSoFar, nextLook, waitingPage } from './progress-pages.ts';
import { returnAddress } from './return-address.ts';
import type { Frame, Html, Shown } from './shown.ts';
import { wordsFor } from './words.ts';

/** What travels with a visit. */
export interface HostedEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & {
    /** Where the shopper is; only pages of a session that there is are reached. */
    readonly view: HostedView;
    readonly secureHeadersNonce: string;
  };
}

/** One request of a shopper's browser. */
export type Visit = Context<HostedEnv>;

/** What every answer needs to know besides the visit. */
export interface Surroundings {
  readonly merchants: Merchants;
  readonly environment: string;
  /** Address of this server as shoppers reach it, without a slash at its end. */
  readonly publicUrl: string;
}

type Status = 200 | 403 | 404 | 413 | 422 | 500;

/** A page without an order, in the language that the browser asks for. */
export function barePage(
  visit: Visit,
  { environment }: Surroundings,
  draw: (frame: Frame) => Html,
  status: Status,
): Response | Promise<Response> {
  const words = wordsFor(visit.req.header('accept-language'));
  const nonce = visit.get('secureHeadersNonce');
  return visit.html(draw({ words, nonce, sandbox: environment === 'sandbox' }), status);
}

/** A page of the visit's order. */
export function orderPage(
  visit: Visit,
  surroundings: Surroundings,
  draw: (shown: Shown) => Html,
  status: Status = 200,
): Response | Promise<Response> {
  return visit.html(draw(shownOf(visit, surroundings)), status);
}

/** What the pages of the visit's order are drawn with. */
export function shownOf(visit: Visit, { environment, publicUrl }: Surroundings): Shown {
  const { order } = visit.get('view');
  return {
    order,
    words: wordsFor(order.language),
    nonce: visit.get('secureHeadersNonce'),
    sandbox: environment === 'sandbox',
    base: `${new URL(publicUrl).pathname.replace(/\/$/, '')}/hosted/${encodeURIComponent(visit.req.param('session') ?? '')}`,
  };
}

/** Answers somebody who looks: the page of the step, or the way back to the shop. */
export function present(visit: Visit, surroundings: Surroundings): Response | Promise<Response> {
  const { order, step } = visit.get('view');
  switch (step.is) {
    case 'open':
      return orderPage(visit, surroundings, order.kind === 'apm' ? apmPage : (shown) => cardPage(shown));
    case 'challenge':
      return orderPage(visit, surroundings, (shown) => challengePage(shown, step.windowSize));
    case 'asked':
      return waiting(visit, surroundings);
    case 'over':
      return goBack(visit, surroundings, step);
  }
}

function waiting(visit: Visit, surroundings: Surroundings): Response | Promise<Response> {
  const next = nextLook(shownOf(visit, surroundings).base, looksSoFar(visit.req.query('looks')));
  if (next !== undefined) visit.header('Refresh', next);
  return orderPage(visit, surroundings, (shown) => waitingPage(shown, next !== undefined));
}

async function goBack(
  visit: Visit,
  surroundings: Surroundings,
  step: Extract<HostedStep, { is: 'over' }>,
): Promise<Response> {
  const { order } = visit.get('view');
  const merchant = await surroundings.merchants.find(order.merchantId, order.accountId);
  const address = returnAddress(order, step, merchant?.keys.at(-1));
  if (address !== undefined) return visit.redirect(address, 303);
  return orderPage(visit, surroundings, (shown) => noticePage(shown, shown.words.noReturn));
}

/**
 * Answers a form. Browsers hold every redirect that follows a form against `form-action`, those of the merchant's own
 * site too; so the way out begins at a page that looks again, and only that look is redirected to the merchant.
 * @param view where the shopper is now; undefined when the session has ended meanwhile
 */
export function afterPost(
  visit: Visit,
  surroundings: Surroundings,
  view: HostedView | undefined,
): Response | Promise<Response> {
  if (view === undefined) return barePage(visit, surroundings, gonePage, 404);
  visit.set('view', view);
  const { step } = view;
  const { base } = shownOf(visit, surroundings);
  if (step.is === 'asked') return waiting(visit, surroundings);
  // To look at the page again must not send the form again.
  if (step.is !== 'over') return visit.redirect(base, 303);
  visit.header('Refresh', `0; url=${base}`);
  return orderPage(visit, surroundings, (shown) => leavingPage(shown, step));
}
