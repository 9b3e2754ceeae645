/** `batchgate recurring show`: one subscription with its terms, its charges, and what people did with it. */
import { EXIT } from '../../../batch/exit.ts';
import { loadConfig } from '../../../config.ts';
import { type Contract, type ListedCharge, readCharges } from '../../../engine/subscriptions/contracts.ts';
import type { AuditRow } from '../../../ledger/audit.ts';
import { actsOn } from '../../../ledger/history.ts';
import { command } from '../../command.ts';
import { inData } from '../../compose.ts';
import { withData, withJson } from '../../options.ts';
import { print, printable, printJson } from '../../output.ts';
import { listing, table } from '../../table.ts';
import { OUTCOME_NAMES, outcomeInWords } from './charge-text.ts';
import {
  accountsByNumber,
  type ContractDocument,
  documentOf,
  dueTime,
  namedContract,
  shortTime,
  timeOf,
} from './contract.ts';

/** Charges that are shown, the newest. */
const MOST_CHARGES = 100;

export const recurringShowCommand = command({
  usage: 'show <id>',
  describe: 'show a subscription: terms, charges, and who did what with it',
  examples: [['recurring show RT01KATZ1Y9G000000000000 --json', 'for programs']],
  build: (yargs) =>
    withJson(withData(yargs)).positional('id', {
      type: 'string',
      demandOption: true,
      describe: 'id of the subscription, as `recurring list` shows it',
    }),
  run: (args) =>
    inData(loadConfig(args), async ({ database, environment }) => {
      const contract = await namedContract(database, args.id);
      const document = documentOf(contract, await accountsByNumber(database));
      const charges = await readCharges(database.reads, contract, MOST_CHARGES);
      const acts = await actsOn(database.reads, contract.recurringId);
      if (args.json) printJson({ environment, ...document, ...storyOf(contract, charges, acts) });
      else print(text(contract, document, charges, acts));
      return EXIT.done;
    }),
});

function storyOf(contract: Contract, charges: readonly ListedCharge[], acts: readonly AuditRow[]) {
  const { terms, ended, transactionId, tokenId } = contract;
  return {
    token_id: tokenId,
    first_transaction_id: transactionId,
    starts_at: timeOf(terms.start),
    ends_at: timeOf(terms.end),
    free_cycles: terms.freeCycles,
    time_zone: terms.timeZone,
    ended: ended === undefined ? null : { at: timeOf(ended.at), who: ended.who, reason: ended.reason },
    charges: charges.map(({ cycle, attempt, at, outcome, transactionIds }) => ({
      cycle,
      attempt,
      due_at: dueTime(contract, cycle),
      at: timeOf(at),
      outcome: OUTCOME_NAMES[outcome],
      transaction_ids: transactionIds,
    })),
    acts: acts.map(({ at, who, act, detail }) => ({ at: timeOf(at), who, act, detail: JSON.parse(detail) })),
  };
}

function text(
  contract: Contract,
  document: ContractDocument,
  charges: readonly ListedCharge[],
  acts: readonly AuditRow[],
): string {
  const { terms, transactionId } = contract;
  const facts = listing([
    ['name', printable(document.name)],
    ['account', `${document.merchant}/${document.account}`],
    ['status', document.status.replace('_', ' ')],
    ['amount', `${document.amount} ${document.currency} every ${document.period}`],
    ['charges', `${document.cycles_done}${document.cycles === null ? '' : ` of ${document.cycles}`}`],
    ['free up to', terms.freeCycles === 0 ? '–' : `charge ${terms.freeCycles}`],
    ['next', shortTime(document.next_at)],
    ['ends', shortTime(timeOf(terms.end))],
    ['first payment', `${transactionId}, ${shortTime(document.opened_at)}`],
  ]);
  const parts = [`subscription ${document.recurring_id}`, facts];
  if (charges.length > 0)
    parts.push(
      table(
        CHARGE_COLUMNS,
        charges.map((one) => chargeRow(contract, one)),
      ),
    );
  if (acts.length > 0) {
    const rows = acts.map(({ at, who, act, detail }) => [
      shortTime(timeOf(at)),
      printable(who),
      act,
      printable(JSON.parse(detail).reason ?? ''),
    ]);
    parts.push(table(['time', 'who', 'act', 'reason'], rows));
  }
  return parts.join('\n');
}

const CHARGE_COLUMNS = [
  ['charge', 'right'],
  ['attempt', 'right'],
  'due',
  'made',
  'outcome',
  'transaction',
] as const;

function chargeRow(contract: Contract, charge: ListedCharge): readonly string[] {
  const { cycle, attempt, at, outcome, transactionIds } = charge;
  return [
    String(cycle),
    String(attempt),
    shortTime(dueTime(contract, cycle)),
    shortTime(timeOf(at)),
    outcomeInWords(outcome),
    transactionIds.join(', ') || '–',
  ];
}
