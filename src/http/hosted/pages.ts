/**
 * The hosted pages, mounted at `/hosted`: where a shopper pays, is challenged, approves or leaves. Everything shown
 * comes from the stored order; what the opening form posts is never read. Engine decisions, "Redirect" and "APM".
 */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { HostedOrder, HostedPayments, HostedStep, HostedView } from '../../core/hosted.ts';
import type { ClientIp } from '../client-ip.ts';
import type { RequestLog } from '../ports.ts';
import { readCardForm, readSecurityCode } from './card-form.ts';
import { cardPage } from './card-page.ts';
import { issuerPage } from './challenge-page.ts';
import { noticePage } from './layout.ts';
import { gonePage, nothingToConfirm } from './progress-pages.ts';
import { framedBy, lockedDown, neverStored, onlyOwnForms } from './protection.ts';
import {
  afterPost,
  barePage,
  type HostedEnv,
  orderPage,
  present,
  type Surroundings,
  shownOf,
  type Visit,
} from './visit.ts';
import type { Words } from './words/words.ts';

/** What the pages are served with. */
export interface HostedOptions extends Surroundings {
  readonly hosted: HostedPayments;
  readonly clientIp: ClientIp;
  readonly log: Pick<RequestLog, 'error'>;
}

/** A card form with all its fields has a few hundred bytes. */
const LARGEST_FORM = 16 * 1024;

/** The routes. `log` hears of errors that nobody expected, never of a session. */
export function hostedPages(options: HostedOptions): Hono<HostedEnv> {
  const { hosted } = options;
  const app = new Hono<HostedEnv>();
  app.use(neverStored, lockedDown);
  app.use('/:session/*', async (visit, next) => {
    const view = await hosted.open(visit.req.param('session'));
    if (view === undefined) return barePage(visit, options, gonePage, 404);
    visit.set('view', view);
    return next();
  });
  app.use(
    '/:session/*',
    framedBy((visit: Visit) => visit.get('view').order.storefronts),
  );
  app.get('/:session', (visit) => present(visit, options));
  app.post('/:session', (visit) => afterPost(visit, options, visit.get('view')));
  app.get('/:session/challenge', (visit) =>
    orderPage(visit, options, isAt(visit, 'challenge') ? issuerPage : nothingToConfirm),
  );
  acts(app, options);
  app.onError((error, visit) => failure(error, visit, options));
  return app;
}

/** What the buttons do. A button of a step that is past changes nothing: the answer is where the shopper is now. */
function acts(app: Hono<HostedEnv>, options: HostedOptions): void {
  const { hosted } = options;
  const act = (
    name: string,
    decide: (visit: Visit, session: string) => Promise<HostedView | Response | undefined>,
  ) =>
    app.post(`/:session/${name}`, async (visit) => {
      const decided = await decide(visit, visit.req.param('session') ?? '');
      return decided instanceof Response ? decided : afterPost(visit, options, decided);
    });

  app.post('/:session/:act', onlyOwnForms(options.publicUrl), bodyLimit({ maxSize: LARGEST_FORM }));
  act('card', (visit, session) =>
    isAt(visit, 'open', 'card') ? submitCard(visit, session, options) : stay(visit),
  );
  act('stored', (visit, session) =>
    isAt(visit, 'open', 'card') && visit.get('view').order.storedCard !== undefined
      ? submitStoredCard(visit, session, options)
      : stay(visit),
  );
  act('challenge', async (visit, session) => {
    const { result } = await visit.req.parseBody();
    const answers = isAt(visit, 'challenge') && (result === 'pass' || result === 'fail');
    return answers ? hosted.answerChallenge(session, result === 'pass') : stay(visit);
  });
  act('approve', (visit, session) =>
    isAt(visit, 'open', 'apm') ? hosted.decideApm(session, true) : stay(visit),
  );
  act('decline', (visit, session) =>
    isAt(visit, 'open', 'apm') ? hosted.decideApm(session, false) : stay(visit),
  );
  act('leave', (visit, session) =>
    isAt(visit, 'open') || isAt(visit, 'challenge') ? hosted.leave(session) : stay(visit),
  );
}

function isAt(visit: Visit, is: HostedStep['is'], kind?: HostedOrder['kind']): boolean {
  const { step, order } = visit.get('view');
  return step.is === is && (kind === undefined || order.kind === kind);
}

async function stay(visit: Visit): Promise<HostedView> {
  return visit.get('view');
}

async function submitCard(
  visit: Visit,
  session: string,
  options: HostedOptions,
): Promise<HostedView | Response | undefined> {
  const form = readCardForm(await visit.req.parseBody(), shownOf(visit, options).words.faults);
  if ('card' in form) return options.hosted.submitCard(session, form.card, options.clientIp(visit));
  return orderPage(visit, options, (shown) => cardPage(shown, form), 422);
}

async function submitStoredCard(
  visit: Visit,
  session: string,
  options: HostedOptions,
): Promise<HostedView | Response | undefined> {
  const read = readSecurityCode(await visit.req.parseBody(), shownOf(visit, options).words.faults);
  if ('code' in read) return options.hosted.submitStoredCard(session, read.code, options.clientIp(visit));
  return orderPage(visit, options, (shown) => cardPage(shown, { storedFault: read.fault }), 422);
}

const NOTICES: Readonly<
  Record<number, readonly [status: 403 | 413, notice: keyof Words & ('foreign' | 'tooLarge')]>
> = {
  403: [403, 'foreign'],
  413: [413, 'tooLarge'],
};

/** A form that was refused, or an error that nobody expected. */
function failure(error: Error, visit: Visit, options: HostedOptions): Response | Promise<Response> {
  const refused = error instanceof HTTPException ? NOTICES[error.status] : undefined;
  if (refused !== undefined) {
    const [status, notice] = refused;
    return barePage(visit, options, (frame) => noticePage(frame, frame.words[notice]), status);
  }
  options.log.error(visit.get('requestId'), error);
  return barePage(visit, options, (frame) => noticePage(frame, frame.words.failed), 500);
}
