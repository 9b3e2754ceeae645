/** All commands, in the order in which help lists them. */
import type { Command } from '../command.ts';
import { accountCommand } from './account.ts';
import { importCommand } from './import.ts';
import { initCommand } from './init.ts';
import { runCommand } from './run.ts';

export const commands: readonly Command[] = [initCommand, accountCommand, importCommand, runCommand];
