/** The sender of notifications, put together on an open data directory. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { AddressRules } from '../engine/notifications/address.ts';
import { Notifier, type NotifierOptions } from '../engine/notifications/notifier.ts';
import { resolveByDns } from '../engine/notifications/resolve.ts';
import { keysOf, type Opened } from './compose.ts';

/** Only what the sender tells others of is for the caller to say. */
export function notifierOf(
  { notify }: Pick<Config, 'notify'>,
  { folders, database, environment }: Opened,
  told: Pick<NotifierOptions, 'onTry' | 'onError'> = {},
): Notifier {
  return new Notifier({
    database,
    environment,
    keysOf: (account) => keysOf(folders, account),
    rules: new AddressRules(notify.allow, environment === 'sandbox'),
    resolve: resolveByDns,
    lock: join(folders.work, 'notify.owner.db'),
    clock: Date.now,
    chance: Math.random,
    ...told,
  });
}
