/**
 * One request of /v1 from its bytes to its answer. The checks stand in the order of the contract, "HTTP": what is asked
 * of the gateway has passed all of them.
 */
import type { Context, Handler } from 'hono';
import { reason } from '../core/code.ts';
import type { Gateway } from '../core/gateway.ts';
import type { JsonFields } from '../wire/canonical.ts';
import { holds, networkList } from '../wire/network.ts';
import { type Key, signedText } from '../wire/signature.ts';
import { authenticate, idOf } from './authenticate.ts';
import { announcedForm, parseBody, readBody } from './body.ts';
import type { ClientIp } from './client-ip.ts';
import type { HttpEnv } from './environment.ts';
import { type Keyed, KeysInProgress, keyedRequest } from './idempotency.ts';
import type { HttpMetrics } from './metrics.ts';
import type { Merchant, Merchants, RequestLog, StoredRequests } from './ports.ts';
import type { CountRequest } from './rate-limit.ts';
import { Refusal, refusal, refusalWith } from './refusal.ts';
import { refusalResponse } from './respond.ts';
import type { Answered, Route, SignedRequest } from './v1.ts';

export interface ExchangeOptions {
  readonly gateway: Gateway;
  readonly merchants: Merchants;
  readonly storedRequests: StoredRequests;
  /** Address of this server as shoppers reach it, without a slash at its end. */
  readonly publicUrl: string;
  /** Name of the connector that is asked for what is paid on a hosted page. */
  readonly connector: string;
  readonly clientIp: ClientIp;
  readonly countRequest: CountRequest;
  readonly keyedHash: (text: string) => string;
  readonly log: RequestLog;
  readonly metrics: HttpMetrics;
}

const NOT_SIGNED = refusal(reason('I0013'));

const NOT_REGISTERED = refusalWith(403, {
  code: 'I0013',
  message: 'Queries are answered only to registered addresses.',
  hint: 'Have the address registered by whoever runs batchgate: `batchgate account allow-ip`.',
});

/** What is known of a request while it is looked at. */
interface Progress {
  /** As the message names them, so that an answer can repeat them; empty until it could be read. */
  merchantId: string;
  accountId: string;
  /** The newest key of the account, once the signature has held. */
  key: Key | undefined;
  /** The gateway may have acted: from here on nobody can say that nothing happened. */
  acting: boolean;
}

/** Makes the handlers of the routes; they share what is in progress. */
export function exchanges(options: ExchangeOptions): (route: Route) => Handler<HttpEnv> {
  const keys = new KeysInProgress(options.storedRequests);
  return (route) => async (context) => {
    const progress: Progress = { merchantId: '', accountId: '', key: undefined, acting: false };
    const requestId = context.get('requestId');
    const answered = await answer(route, context, options, keys, progress).catch((error: unknown) => {
      options.log.error(requestId, error);
      return refusal(reason(progress.acting ? 'E0001' : 'E0003'));
    });
    if (!(answered instanceof Refusal)) return answered;
    context.get('learnt').code = answered.reasons[0].code;
    return refusalResponse(answered, progress, requestId, progress.key);
  };
}

/** Bytes, message, sender: after these three it is known whom the answer is for. */
async function answer(
  route: Route,
  context: Context<HttpEnv>,
  options: ExchangeOptions,
  keys: KeysInProgress,
  progress: Progress,
): Promise<Response | Refusal> {
  const message = await receive(route, context);
  if (message instanceof Refusal) return message;
  progress.merchantId = idOf(message.merchant_id);
  progress.accountId = idOf(message.account_id);
  const merchant = await authenticate(message, signedText(message), options.merchants);
  if (merchant === undefined) return NOT_SIGNED;
  progress.key = merchant.keys.at(-1)!;
  Object.assign(context.get('learnt'), { merchantId: merchant.merchantId, accountId: merchant.accountId });

  const refused = (await options.countRequest(merchant)) ?? refusedAddress(route, context, merchant, options);
  if (refused !== undefined) return refused;
  const header = route.changes ? context.req.header('idempotency-key') : undefined;
  const keyed = keyedRequest(header, message, options.keyedHash);
  if (keyed instanceof Refusal) return keyed;
  return keys.during(merchant, route.operation, keyed, async () => {
    progress.acting = route.changes;
    const answered = await route.answer(requestOf(message, merchant, keyed, context, options));
    if (answered instanceof Refusal) return answered;
    learn(route, context, options, answered);
    return answered.response;
  });
}

async function receive(route: Route, context: Context<HttpEnv>): Promise<JsonFields | Refusal> {
  const form = announcedForm(context, route.takesXml);
  if (form instanceof Refusal) return form;
  const bytes = await readBody(context);
  return bytes instanceof Refusal ? bytes : parseBody(bytes, form);
}

function requestOf(
  message: JsonFields,
  merchant: Merchant,
  keyed: Keyed | undefined,
  context: Context<HttpEnv>,
  { publicUrl, connector, gateway, clientIp }: ExchangeOptions,
): SignedRequest {
  const { merchant_id: _, account_id: __, encryption_data, ...fields } = message;
  return {
    fields,
    signature: String(encryption_data),
    merchant,
    key: merchant.keys.at(-1)!,
    ip: clientIp(context),
    publicUrl,
    connector,
    call: {
      requestId: context.get('requestId'),
      ...(keyed === undefined ? {} : { idempotencyKey: keyed.key, requestHash: keyed.hash }),
    },
    gateway,
  };
}

function refusedAddress(
  route: Route,
  context: Context<HttpEnv>,
  { allowIp }: Merchant,
  { clientIp }: ExchangeOptions,
): Refusal | undefined {
  if (!route.onlyRegistered || holds(networkList(allowIp), clientIp(context))) return undefined;
  return NOT_REGISTERED;
}

function learn(
  route: Route,
  context: Context<HttpEnv>,
  { metrics }: ExchangeOptions,
  { statuses }: Answered,
): void {
  if (statuses === undefined) return;
  context.get('learnt').entries = statuses.length;
  metrics.instructed(route.operation, statuses);
}
