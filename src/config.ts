/**
 * The configuration: flags, then environment variables (`BATCHGATE_*`), then `batchgate.yaml` in the data directory. The
 * only reader of process.env. Secrets are never among them: keys are files.
 */
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { reconcileSchema } from './config/reconcile.ts';
import { digitsOf } from './core/currency.ts';
import { EMBEDDED } from './core/gateway.ts';
import { parseAmount } from './core/money.ts';
import { OPERATION_NAMES } from './core/operation.ts';

/** Chunks in flight at most: two full commits of the embedded engine, so that one is read while the other is written. */
const DEFAULT_CONCURRENCY = 400;

export const CONFIG_FILE = 'batchgate.yaml';

const feeRule = z
  .strictObject({
    method: z.string().optional(),
    swift_charge_option: z.string().optional(),
    fee_paid_by: z.enum(['PAYER', 'BENEFICIARY', 'SHARED']).optional(),
    currency: z.string().refine((code) => digitsOf(code) !== undefined, 'must be an ISO 4217 code'),
    amount: z.string(),
  })
  .transform((rule, context) => {
    const fee = parseAmount(rule.amount, digitsOf(rule.currency) ?? 0);
    if (typeof fee === 'number') return { ...rule, fee };
    context.addIssue({
      code: 'custom',
      path: ['amount'],
      message: 'must be a decimal amount of the currency, for example "0.25"',
    });
    return z.NEVER;
  });

const network = z.string().refine(isNetwork, 'must be an IP address, or a network such as 10.0.0.0/8');

/** An IP address, or a network as `ADDRESS/BITS`. */
export function isNetwork(text: string): boolean {
  const [address, prefix = '0', ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address!)];
  return most !== undefined && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= most;
}

/** Seconds. */
const timeout = z.int().min(1).max(3600);

/** Where `serve` listens, and how long it waits for a request. */
const serveSchema = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8080),
  /** For a whole request, and for its head. */
  request_timeout: timeout.default(30),
  headers_timeout: timeout.default(10),
});

/** Seconds, or a part of one. */
const seconds = z.number().min(0.01).max(3600);

/** What payouts must say, and the transfers of a pain.001 do not. Left out: SWIFT and COMPANY. */
const pain001Schema = z.strictObject({
  payment_method: z.string().min(1).max(64).optional(),
  entity_type: z.string().min(1).max(255).optional(),
});

/** How files of one inbox folder are read and executed; what is not said here, the command line says. */
const inboxSchema = z.strictObject({
  complete: z.enum(['settle', 'marker', 'control']).optional(),
  operation: z.enum(OPERATION_NAMES).optional(),
  policy: z.enum(['valid-lines', 'atomic']).optional(),
  repeats: z.enum(['hold', 'allow']).optional(),
  encoding: z.string().optional(),
  delimiter: z.string().optional(),
  decimal: z.enum(['dot', 'comma']).optional(),
  thousands: z.enum(['none', 'dot', 'comma', 'space']).optional(),
  pain001: pain001Schema.optional(),
});

export type InboxConfig = z.output<typeof inboxSchema>;

const watchSchema = z.strictObject({
  /** A file is complete when nothing of it has changed for so long. */
  settle: seconds.default(5),
  /** The inbox is looked at this often even when nothing hints at a change. */
  rescan: seconds.default(5),
  /** For an inbox on a network, which gives no hints. */
  polling: z.boolean().default(false),
  complete: z.enum(['settle', 'marker', 'control']).default('settle'),
  /** By folder, for example `M1/A1`; `.` is the inbox itself. */
  inboxes: z
    .record(z.string().regex(/^(\.|[^/]+\/[^/]+)$/, 'must be . or MERCHANT/ACCOUNT'), inboxSchema)
    .default({}),
});

export type WatchConfig = z.output<typeof watchSchema>;

const fieldNames = z.array(z.string().min(1)).min(1);

/** A remote gateway: where it is, and what may be relied upon. */
const gatewaySchema = z.strictObject({
  url: z.string().transform((url, context) => {
    const address = canonicalUrl(url);
    if (address !== undefined) return address;
    context.addIssue({ code: 'custom', message: 'must be an http or https URL' });
    return z.NEVER;
  }),
  /** A live data directory executes against live gateways only, a sandbox never does. */
  environment: z.enum(['sandbox', 'live']).default('sandbox'),
  /** What is sent twice under one Idempotency-Key is executed once … */
  idempotent: z.boolean().default(false),
  /** … for so long. */
  idempotency_hours: z.number().positive().max(8760).default(24),
  /** After so long a request that was sent has been executed, or never will be. */
  settled_minutes: z.number().min(0).max(1440).default(15),
  profile: z
    .discriminatedUnion('name', [
      z.strictObject({ name: z.literal('hmac-sha256') }),
      z.strictObject({ name: z.literal('sha256-concat'), request: fieldNames, answer: fieldNames }),
    ])
    .default({ name: 'hmac-sha256' }),
  /** Whether every answer is signed, or only those that the specification signs. */
  signs: z.enum(['everything', 'specification']).default('everything'),
  /** Requests at a time; 16 unless told, 8 where what is in doubt cannot be asked for again. */
  concurrency: z.int().min(1).max(1000).optional(),
  /** Seconds for a request and its whole answer. */
  deadline: z.number().min(0.1).max(600).default(30),
  /** Times that one request is sent at most, where that can do no harm. */
  attempts: z.int().min(1).max(20).default(4),
  /** PEM of the authority that vouches for it; a relative path begins in the data directory. */
  ca: z.string().min(1).optional(),
  /** Plain http also to another machine. */
  plain_http: z.boolean().default(false),
});

/** What is known of a remote gateway; `ca` is an absolute path. */
export type GatewayConfig = z.output<typeof gatewaySchema>;

/** An http or https address without what does not tell gateways apart; undefined for anything else. */
export function canonicalUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).href.replace(/\/+$/, '');
}

/** What batchgate.yaml may say; samples/batchgate.yaml says all of it. */
export const fileSchema = z.strictObject({
  concurrency: z.int().min(1).max(10_000).optional(),
  payout_fees: z.array(feeRule).default([]),
  /** Where inbox, processing, outbox, done, rejected and approval lie, when not in the data directory. */
  drop: z.string().min(1).optional(),
  watch: watchSchema.prefault({}),
  pain001: pain001Schema.prefault({}),
  serve: serveSchema.prefault({}),
  /** Address of the server as merchants and shoppers reach it. */
  public_url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** PEM files; a relative path begins in the data directory. */
  tls: z.strictObject({ key: z.string(), cert: z.string() }).optional(),
  /** Proxies in front of the server: only they are believed about whom they speak for. */
  behind_proxy: z
    .union(
      [network.transform((one) => [one]), z.array(network)],
      'must be a network such as 10.0.0.0/8, or a list',
    )
    .default([]),
  /** Addresses and networks that notifications may go to although they are not public. */
  notify: z.strictObject({ allow: z.array(network).default([]) }).prefault({}),
  /** What executes files unless --gateway says otherwise: `engine`, a name among `gateways`, a URL, or a gateway itself. */
  gateway: z
    .union([z.string().min(1), gatewaySchema], 'must be a name, a URL, or the settings of a gateway')
    .optional(),
  reconcile: reconcileSchema.prefault({}),
  gateways: z
    .record(z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'must be a plain name'), gatewaySchema)
    .default({}),
  /** Requests that each account may send in so many seconds. */
  rate_limit: z
    .strictObject({ requests: z.int().min(1), seconds: z.int().min(1).max(86_400).default(1) })
    .optional(),
});

/** The settings of `serve`. */
export interface ServeConfig {
  readonly host: string;
  /** 0: one that the system chooses. */
  readonly port: number;
  readonly limits: { readonly requestTimeoutMs: number; readonly headersTimeoutMs: number };
  readonly publicUrl: string | undefined;
  /** Absolute paths. */
  readonly tls: { readonly key: string; readonly cert: string } | undefined;
  readonly behindProxy: readonly string[];
  readonly rateLimit: { readonly requests: number; readonly seconds: number } | undefined;
}

export interface Config {
  /** Absolute path of the data directory. */
  readonly data: string;
  readonly concurrency: number;
  readonly payoutFees: z.output<typeof fileSchema>['payout_fees'];
  /** Absolute path of the folder with inbox, outbox and so on. */
  readonly drop: string;
  readonly watch: WatchConfig;
  readonly pain001: z.output<typeof pain001Schema>;
  readonly serve: ServeConfig;
  readonly notify: { readonly allow: readonly string[] };
  readonly remote: RemoteConfig;
  readonly reconcile: z.output<typeof reconcileSchema>;
  readonly color: boolean;
  readonly user: string;
}

/** The gateways that there are besides the embedded engine. */
export interface RemoteConfig {
  /** What executes unless something else is said. */
  readonly preferred: string;
  /** By name; one without a name is called by its address. */
  readonly gateways: Readonly<Record<string, GatewayConfig>>;
}

/** A configuration that cannot be used: which setting, and why. */
export class BadConfig extends Error {}

export interface ConfigFlags {
  readonly data?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly color?: boolean | undefined;
}

/** Puts the three sources together; the first that says something counts. */
export function loadConfig(flags: ConfigFlags): Config {
  const { env } = process;
  const data = resolve(flags.data ?? env.BATCHGATE_DATA ?? 'batchgate-data');
  const file = readConfigFile(join(data, CONFIG_FILE));
  return {
    data,
    concurrency:
      wholeNumber('--concurrency', flags.concurrency) ??
      wholeNumber('BATCHGATE_CONCURRENCY', env.BATCHGATE_CONCURRENCY) ??
      file.concurrency ??
      DEFAULT_CONCURRENCY,
    payoutFees: file.payout_fees,
    drop: file.drop === undefined ? data : resolve(data, file.drop),
    watch: file.watch,
    pain001: file.pain001,
    serve: serveConfig(data, flags, file),
    notify: file.notify,
    remote: remoteConfig(data, file),
    reconcile: file.reconcile,
    color: wantsColor(flags.color),
    user: userName(),
  };
}

function remoteConfig(data: string, { gateway, gateways }: z.output<typeof fileSchema>): RemoteConfig {
  const own = typeof gateway === 'object' ? { [gateway.url]: gateway } : {};
  const all = Object.entries({ ...gateways, ...own }).map(([name, one]) => [
    name,
    one.ca === undefined ? one : { ...one, ca: resolve(data, one.ca) },
  ]);
  const named = typeof gateway === 'object' ? gateway.url : gateway;
  return {
    preferred: process.env.BATCHGATE_GATEWAY ?? named ?? EMBEDDED,
    gateways: Object.fromEntries(all) as Readonly<Record<string, GatewayConfig>>,
  };
}

/** The settings of a gateway that nothing is said of but its address. */
export function unconfigured(url: string): GatewayConfig {
  return gatewaySchema.parse({ url });
}

function serveConfig(data: string, flags: ConfigFlags, file: z.output<typeof fileSchema>): ServeConfig {
  const { tls } = file;
  const { host, port, request_timeout, headers_timeout } = file.serve;
  const { BATCHGATE_HOST, BATCHGATE_PORT } = process.env;
  return {
    host: flags.host ?? BATCHGATE_HOST ?? host,
    port: portNumber('--port', flags.port) ?? portNumber('BATCHGATE_PORT', BATCHGATE_PORT) ?? port,
    limits: {
      requestTimeoutMs: request_timeout * 1000,
      headersTimeoutMs: Math.min(headers_timeout, request_timeout) * 1000,
    },
    publicUrl: file.public_url,
    tls: tls === undefined ? undefined : { key: resolve(data, tls.key), cert: resolve(data, tls.cert) },
    behindProxy: file.behind_proxy,
    rateLimit: file.rate_limit,
  };
}

/** Colours unless --no-color or NO_COLOR (https://no-color.org) says otherwise; whether there is a terminal is not asked here. */
export function wantsColor(flag: boolean | undefined): boolean {
  const { NO_COLOR } = process.env;
  return (flag ?? true) && (NO_COLOR === undefined || NO_COLOR === '');
}

/** Who acts, for the audit: the person behind sudo, else the owner of the process. */
function userName(): string {
  const { SUDO_USER, USER, LOGNAME } = process.env;
  if (SUDO_USER !== undefined) return SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return USER ?? LOGNAME ?? 'unknown';
  }
}

function readConfigFile(path: string): z.output<typeof fileSchema> {
  if (!existsSync(path)) return fileSchema.parse({});
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    throw new BadConfig(
      `${path} is no valid YAML: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = fileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  // Of a key the reason stands one level deeper.
  const why = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  throw new BadConfig(`${path}: ${issue.path.join('.') || 'the file'}: ${why}`);
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new BadConfig(`${name} must be a whole number from 1 to 99999`);
  return Number(text);
}

function portNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new BadConfig(`${name} must be a port from 0 to 65535`);
}
