/** What browsers are told about the hosted pages: nothing from elsewhere, no frames but the shop's, no foreign forms. F85 */
import type { Context, MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { NONCE, secureHeaders } from 'hono/secure-headers';

/** No script runs on these pages, so there is no source for scripts. */
const POLICY = {
  defaultSrc: ["'none'"],
  styleSrc: [NONCE],
  formAction: ["'self'"],
  frameSrc: ["'self'"],
  baseUri: ["'none'"],
};

/** Headers that no page of these lacks, whatever becomes of the request. */
export const lockedDown = secureHeaders({
  contentSecurityPolicy: { ...POLICY, frameAncestors: ["'none'"] },
  // The origin alone: addresses here hold sessions. With `no-referrer` older browsers would hide the origin of a form too.
  referrerPolicy: 'strict-origin',
  // It knows one origin only; the policy above says more and counts before it.
  xFrameOptions: false,
  // Whether a whole host is reached by TLS alone is not for one of its pages to say.
  strictTransportSecurity: false,
  overwrite: false,
});

/** Nothing of a payment is kept by browsers or proxies. */
export const neverStored: MiddlewareHandler = async (context, next) => {
  await next();
  context.res.headers.set('Cache-Control', 'no-store');
};

/**
 * Lets the registered shops show the page in a frame, and the page its own challenge.
 * @param storefronts origins of the order's shops
 */
export function framedBy(storefronts: (context: Context) => readonly string[]): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      ...POLICY,
      frameAncestors: [(context) => ancestors(storefronts(context))],
    },
    referrerPolicy: 'strict-origin',
    xFrameOptions: false,
    strictTransportSecurity: false,
  });
}

/** Only what is an origin and nothing else may stand in a policy. */
function ancestors(storefronts: readonly string[]): string {
  const origins = storefronts.filter((one) => URL.canParse(one)).map((one) => new URL(one).origin);
  const allowed = origins.filter((origin) => /^https?:\/\/[^\s;,']+$/.test(origin));
  return ["'self'", ...new Set(allowed)].join(' ');
}

/** Acts come from the pages themselves; behind a proxy their origin is the public one. */
export function onlyOwnForms(publicUrl: string): MiddlewareHandler {
  const own = new URL(publicUrl).origin;
  return csrf({ origin: (origin, context) => origin === own || origin === new URL(context.req.url).origin });
}
