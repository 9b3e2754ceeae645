/** `batchgate notify replay`. */
import type { Argv } from 'yargs';
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { appendAct } from '../../../ledger/audit.ts';
import type { Statements } from '../../../ledger/database.ts';
import { findEvent, reviveEvents } from '../../../ledger/deliveries.ts';
import { command } from '../../command.ts';
import { actor, inData } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { withData, withJson } from '../../options.ts';
import { counted, print, printJson, sayNext } from '../../output.ts';

export const notifyReplayCommand = command({
  usage: 'replay [number]',
  describe: 'send notifications again, as if they had never been tried; an address that was off is on again',
  examples: [
    ['notify replay 17 --reason "the shop is back"', 'one, whatever became of it'],
    ['notify replay --dead', 'all that were given up'],
  ],
  build: (yargs) => withWhich(withJson(withData(yargs))),
  run: (args) => {
    const which = chosen(args);
    const config = loadConfig(args);
    return inData(config, async (opened) => {
      const { database, clock, actor: who } = actor(config, opened);
      const revived = await database.write(async (statements) => {
        if (which !== 'dead') await checkReplayable(statements, which.number);
        const at = clock();
        const count = await reviveEvents(statements, which, at);
        const subject = which === 'dead' ? 'dead' : String(which.number);
        const detail = JSON.stringify({ reason: args.reason ?? '', notifications: count });
        await appendAct(statements, { at, who, act: 'notify.replay', subject, detail });
        return count;
      });
      if (args.json) printJson({ environment: opened.environment, replayed: revived });
      else print(`${counted(revived, 'notification')} will be sent again`);
      if (revived > 0) sayNext('batchgate notify run, unless batchgate serve is running');
      return EXIT.done;
    });
  },
});

function withWhich<T>(yargs: Argv<T>) {
  return yargs
    .positional('number', {
      type: 'string',
      describe: 'number of the notification, as `notify list` shows it',
    })
    .option('dead', { type: 'boolean', default: false, describe: 'all that were given up' })
    .option('reason', { type: 'string', requiresArg: true, describe: 'why, for the audit' });
}

function chosen({
  number,
  dead,
}: {
  readonly number: string | undefined;
  readonly dead: boolean;
}): { readonly number: number } | 'dead' {
  if ((number === undefined) !== dead)
    throw new UsageError(
      dead ? 'say a number or --dead, not both' : 'say which: a number, or --dead for all that were given up',
      'See: batchgate notify list',
    );
  if (number === undefined) return 'dead';
  if (/^[1-9]\d{0,14}$/.test(number)) return { number: Number(number) };
  throw new UsageError(`${number} is no number of a notification`, 'See: batchgate notify list');
}

async function checkReplayable(statements: Pick<Statements, 'all'>, number: number): Promise<void> {
  const found = await findEvent(statements, number);
  if (found === undefined)
    throw new UsageError(`there is no notification ${number}`, 'See: batchgate notify list');
  if (!found.hasBody)
    throw new UsageError(`notification ${number} was delivered long ago; its text is no longer kept`);
}
