/** `batchgate notify list`. */
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { EVENT_STATES } from '../../../core/notification.ts';
import { countByState, type ListedEvent, newestEvents } from '../../../ledger/deliveries.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { withData, withJson } from '../../options.ts';
import { print, printable, printJson, say } from '../../output.ts';
import { table } from '../../table.ts';

/** Of many, the newest are shown. */
const MOST_LISTED = 200;

export const notifyListCommand = command({
  usage: 'list',
  describe: `notifications and what became of them, the newest ${MOST_LISTED} first`,
  examples: [
    ['notify list --state waiting', 'what is still tried, and when again'],
    ['notify list --json', 'for programs, with the number of all'],
  ],
  build: (yargs) =>
    withJson(withData(yargs)).option('state', {
      choices: EVENT_STATES,
      requiresArg: true,
      describe: 'only those',
    }),
  run: (args) =>
    inData(loadConfig(args), async ({ database, environment }) => {
      const counts = { waiting: 0, delivered: 0, dead: 0, ...(await countByState(database.reads)) };
      const events = await newestEvents(database.reads, args.state, MOST_LISTED);
      if (args.json) printJson({ environment, counts, events: events.map(described) });
      else if (events.length === 0)
        say(args.state === undefined ? 'no notification yet' : `no notification is ${args.state}`);
      else {
        print(
          table(
            ['number', 'event', 'about', 'address', 'state', ['tries', 'right'], 'next try', 'last outcome'],
            events.map(row),
          ),
        );
        print(`${counts.waiting} waiting, ${counts.delivered} delivered, ${counts.dead} dead`);
      }
      return EXIT.done;
    }),
});

function described(event: ListedEvent) {
  return {
    id: event.number,
    event: event.kind,
    merchant: event.merchant_id,
    account: event.account_id,
    about: event.subject,
    url: event.url,
    state: event.state,
    tries: event.tries,
    created_at: timeOf(event.at),
    next_try: event.state === 'waiting' ? timeOf(event.due_at) : null,
    ended_at: event.ended_at === null ? null : timeOf(event.ended_at),
    outcome: event.outcome,
  };
}

function row(event: ListedEvent): readonly string[] {
  return [
    String(event.number),
    event.kind,
    printable(event.subject),
    shortened(printable(event.url)),
    event.state,
    String(event.tries),
    event.state === 'waiting' ? `${timeOf(event.due_at).slice(0, 19).replace('T', ' ')}Z` : '–',
    event.outcome ?? '–',
  ];
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

function shortened(url: string): string {
  return url.length > 48 ? `${url.slice(0, 47)}…` : url;
}
