/** `batchgate account …`: merchants' accounts. */
import type { CommandGroup } from '../command.ts';
import { accountAddCommand } from './account/add.ts';
import { accountAllowIpCommand } from './account/allow-ip.ts';
import { accountAllowStorefrontCommand } from './account/allow-storefront.ts';
import { accountListCommand } from './account/list.ts';
import { accountRevokeKeyCommand } from './account/revoke-key.ts';
import { accountRiskCommand } from './account/risk.ts';
import { accountRotateKeyCommand } from './account/rotate-key.ts';
import { accountShowCommand } from './account/show.ts';

export const accountCommands: CommandGroup = {
  usage: 'account',
  describe: "merchants' accounts",
  examples: [
    ['account add --merchant M1 --account A1 --currency USD', 'a new account with a new key'],
    ['account show', 'balances, fees and keys of the only account'],
  ],
  commands: [
    accountAddCommand,
    accountListCommand,
    accountShowCommand,
    accountRotateKeyCommand,
    accountRevokeKeyCommand,
    accountAllowIpCommand,
    accountAllowStorefrontCommand,
    accountRiskCommand,
  ],
};
