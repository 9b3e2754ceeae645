/**
 * An event as it is sent: its body with what the sender adds, signed like every message of the API (`encryption_data`)
 * and as Standard Webhooks wants it. Engine decisions, "Notifications".
 */
import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { DueEvent } from '../../ledger/deliveries.ts';
import type { JsonFields } from '../../wire/canonical.ts';
import { type Key, signMessage } from '../../wire/signature.ts';

export interface Letter {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Signs an event. While an account has several valid keys, because one is being replaced, `encryption_data` is by the
 * newest and `webhook-signature` has one signature for each: a receiver finds the one that it can verify. Its library
 * is given `whsec_` and the Base64 of the key's text as secret.
 * @param keys valid keys of the account, oldest first, at least one
 * @param at epoch milliseconds of this try
 */
export function letterOf(
  event: Pick<DueEvent, 'number' | 'body'>,
  environment: string,
  keys: readonly Key[],
  at: number,
): Letter {
  const written = JSON.parse(event.body) as JsonFields;
  const message = { sequence: event.number, environment, ...written };
  const body = JSON.stringify({ ...message, encryption_data: signMessage(message, keys.at(-1)!) });
  const id = idOf(event, environment);
  const time = new Date(at);
  const signatures = keys.map((key) => new Webhook(key.export(), { format: 'raw' }).sign(id, time, body));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'batchgate',
      'x-batchgate-environment': environment,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1_000)),
      'webhook-signature': signatures.reverse().join(' '),
    },
  };
}

/**
 * The same for every try of an event, and for no other event: databases that are made anew count from 1 again, so its
 * content is part of it.
 */
function idOf({ number, body }: Pick<DueEvent, 'number' | 'body'>, environment: string): string {
  const hash = createHash('sha256').update(`${environment}\n${number}\n${body}`).digest('hex');
  return `evt_${number}_${hash.slice(0, 24)}`;
}
