/** All commands, in the order in which help lists them. */
import type { Command, CommandGroup } from '../command.ts';
import { accountCommands } from './account.ts';
import { backupCommand } from './backup.ts';
import { batchCommands } from './batch.ts';
import { breakCommands } from './break.ts';
import { callCommand } from './call.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { generateCommand } from './generate.ts';
import { importCommand } from './import.ts';
import { initCommand } from './init.ts';
import { migrateCommand } from './migrate.ts';
import { notifyCommands } from './notify.ts';
import { continueCommand, pauseCommand } from './pause.ts';
import { planCommand } from './plan.ts';
import { reconcileCommand } from './reconcile.ts';
import { recurringCommands } from './recurring.ts';
import { reportCommand } from './report.ts';
import { restoreCommand } from './restore.ts';
import { runCommand } from './run.ts';
import { serveCommand } from './serve.ts';
import { signCommand } from './sign.ts';
import { templateCommand } from './template.ts';
import { validateCommand } from './validate.ts';
import { verifyCommand } from './verify.ts';
import { watchCommand } from './watch.ts';

export const commands: readonly (Command | CommandGroup)[] = [
  initCommand,
  accountCommands,
  importCommand,
  templateCommand,
  validateCommand,
  planCommand,
  runCommand,
  watchCommand,
  serveCommand,
  pauseCommand,
  continueCommand,
  batchCommands,
  reconcileCommand,
  breakCommands,
  recurringCommands,
  notifyCommands,
  reportCommand,
  explainCommand,
  verifyCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  signCommand,
  callCommand,
  generateCommand,
];
