/** `batchgate recurring run`: charges what is due, as `serve` does every minute. */
import { EXIT, worstExit } from '../../../batch/exit.ts';
import { type Config, loadConfig } from '../../../config.ts';
import type { ChargeOutcome } from '../../../core/contract.ts';
import { type ChargeReport, makeAttempt } from '../../../engine/subscriptions/charge.ts';
import { command } from '../../command.ts';
import { inExecution, type Opened, servedEngine } from '../../compose.ts';
import { UsageError } from '../../errors.ts';
import { listenForInterruption } from '../../interruption.ts';
import { withData, withJson } from '../../options.ts';
import { counted, print, printable, printJson, say, sayNext } from '../../output.ts';
import { table } from '../../table.ts';
import { OUTCOME_NAMES, outcomeInWords } from './charge-text.ts';
import { chargeAllDue, chargingContext } from './charging.ts';
import { type Accounts, accountsByNumber, documentOf, namedContract, shortTime, timeOf } from './contract.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const recurringRunCommand = command({
  usage: 'run [id]',
  describe: 'charge what is due',
  examples: [
    ['recurring run --json', 'for cron, where `serve` does not run'],
    [
      'recurring run RT01KATZ1Y9G000000000000 --reason "the shopper has called"',
      'try a declined charge again now, past due or not',
    ],
  ],
  build: (yargs) =>
    withJson(withData(yargs))
      .positional('id', { type: 'string', describe: 'only this subscription' })
      .option('reason', {
        type: 'string',
        requiresArg: true,
        describe: 'orders that its declined charge is tried again; stands in the audit',
      }),
  run: (args) => {
    const config = loadConfig(args);
    if (args.reason !== undefined && args.id === undefined) {
      throw new UsageError(
        '--reason orders the charge of one subscription',
        'Name it: batchgate recurring run ID',
      );
    }
    return inExecution(config, async (opened) => {
      const interruption = listenForInterruption(undefined);
      try {
        const reports = await charged(config, opened, args, () => interruption.code() === undefined);
        const exit = worstExit([
          ...reports.map(({ outcome }) => EXIT_OF[outcome]),
          ...(interruption.code() === undefined ? [] : [interruption.code()!]),
        ]);
        const accounts = await accountsByNumber(opened.database);
        const charges = reports.map((report) => documentOfReport(report, accounts));
        if (args.json) printJson({ environment: opened.environment, exit, charges });
        else if (charges.length === 0) say('nothing is due');
        else print(table(COLUMNS, reports.map(row)));
        if (exit === EXIT.someFailed) sayNext('batchgate recurring list --status past_due');
        return exit;
      } finally {
        interruption.end();
      }
    });
  },
});

const EXIT_OF: Readonly<Record<ChargeOutcome, number>> = {
  free: EXIT.done,
  approved: EXIT.done,
  declined: EXIT.someFailed,
  waiting: EXIT.pending,
  begun: EXIT.temporary,
};

/** What was in doubt is asked about first: what came of it decides what is due. */
async function charged(
  config: Config,
  opened: Opened,
  { id, reason }: { readonly id: string | undefined; readonly reason: string | undefined },
  mayGoOn: () => boolean,
): Promise<readonly ChargeReport[]> {
  const engine = servedEngine(config, opened);
  const context = chargingContext(opened.database, engine);
  await engine.resolveDoubts();
  if (id === undefined) return chargeAllDue(context, mayGoOn);
  const contract = await namedContract(opened.database, id);
  if (contract.standing.is === 'past due' && reason === undefined) {
    throw new UsageError(
      `subscription ${contract.recurringId} is past due: its charge was declined for the last time`,
      'Say why it is to be tried again: --reason TEXT',
    );
  }
  const ordered = reason === undefined ? undefined : { who: config.user, reason };
  const report = await makeAttempt(context, contract.number, ordered);
  return report === undefined ? [] : [report];
}

function documentOfReport(report: ChargeReport, accounts: Accounts) {
  const { contract, planned, outcome, reason } = report;
  const { recurring_id, name, merchant, account, currency, amount, status, next_at } = documentOf(
    contract,
    accounts,
  );
  return {
    recurring_id,
    name,
    merchant,
    account,
    cycle: planned.cycle,
    attempt: planned.attempt,
    due_at: timeOf(planned.due),
    days_late: daysLate(report),
    currency,
    amount: planned.free ? null : amount,
    outcome: OUTCOME_NAMES[outcome],
    code: reason?.code ?? null,
    message: reason?.message ?? null,
    status,
    next_at,
  };
}

/** Whole days from when the cycle was due to when it was charged. A first attempt with many of them: nobody has charged for a while. */
function daysLate({ planned, at }: ChargeReport): number {
  return Math.floor((at - planned.due) / DAY_MS);
}

const COLUMNS = [
  'subscription',
  'name',
  ['charge', 'right'],
  ['attempt', 'right'],
  'due',
  ['late', 'right'],
  'outcome',
  'why',
] as const;

function row(report: ChargeReport): readonly string[] {
  const { contract, planned, outcome, reason } = report;
  const late = daysLate(report);
  return [
    contract.recurringId,
    printable(contract.terms.name),
    String(planned.cycle),
    String(planned.attempt),
    shortTime(timeOf(planned.due)),
    late === 0 ? '–' : counted(late, 'day'),
    outcomeInWords(outcome),
    reason === undefined ? '–' : `${reason.code}: ${reason.message}`,
  ];
}
