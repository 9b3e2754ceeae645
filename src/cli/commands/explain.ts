/** `batchgate explain`: the whole story of a line, a transaction or a payout. */

import { EXIT } from '../../batch/exit.ts';
import { type PayoutStory, payoutStory } from '../../batch/explain/payout.ts';
import { type TransactionStory, transactionStory } from '../../batch/explain/transaction.ts';
import { explainLine, type LineStory } from '../../batch/explain.ts';
import { type Config, loadConfig } from '../../config.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import { type BatchRecord, findBatch } from '../../ledger/journal.ts';
import { payoutsNamed } from '../../ledger/payouts.ts';
import { openingsNamed } from '../../ledger/transfers.ts';
import { type AccountArgs, fittingAccounts, withAccount } from '../account-choice.ts';
import { command } from '../command.ts';
import { actor, inData, type Opened } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { lineText } from '../explain-text.ts';
import { withData, withJson } from '../options.ts';
import { print, printJson, showsColor } from '../output.ts';
import { payoutText, transactionText } from '../story-text.ts';
import { colorsOf } from '../summary.ts';

export const explainCommand = command({
  usage: 'explain <subject>',
  describe: 'the whole story of a line, a transaction or a payout, in plain words',
  examples: [
    ['explain B0123456789ABCDEF:17', 'line 17 of a batch'],
    ['explain T20261120000042', 'a transaction: every transfer, and what is left to capture and refund'],
    ['explain PAY-4711 --merchant M1 --account A1', 'a payout by its request_id'],
  ],
  build: (yargs) =>
    withAccount(withJson(withData(yargs))).positional('subject', {
      type: 'string',
      demandOption: true,
      describe: 'BATCH:LINE, a transaction_id or a request_id',
    }),
  run: (args) => {
    const config = loadConfig(args);
    return inData(config, async (opened) => {
      const story = await tell(args, config, opened, args.subject);
      if (args.json) printJson({ environment: opened.environment, [story.is]: story.story });
      else print(text(story, showsColor(config.color)));
      return EXIT.done;
    });
  },
});

type Told =
  | { readonly is: 'line'; readonly story: LineStory }
  | { readonly is: 'transaction'; readonly story: TransactionStory }
  | { readonly is: 'payout'; readonly story: PayoutStory };

async function tell(args: AccountArgs, config: Config, opened: Opened, subject: string): Promise<Told> {
  const { reads } = opened.database;
  const [, batch, line] = /^(.+):(\d{1,9})$/.exec(subject) ?? [];
  const record =
    batch === undefined
      ? undefined
      : ((await findBatch(reads, batch)) ?? (await findBatch(reads, batch.toUpperCase())));
  if (record !== undefined)
    return { is: 'line', story: await tellLine(config, opened, record, Number(line)) };
  const accounts = await fittingAccounts(opened, args);
  const { clock } = actor(config, opened);
  const opening = oneOf(subject, accounts, await openingsNamed(reads, subject), ({ account }) => account);
  if (opening !== undefined) {
    return {
      is: 'transaction',
      story: await transactionStory(reads, opening.found, opening.account, clock()),
    };
  }
  const payout = oneOf(
    subject,
    accounts,
    await payoutsNamed(reads, subject),
    ({ accountNumber }) => accountNumber,
  );
  if (payout !== undefined)
    return { is: 'payout', story: await payoutStory(reads, payout.found, payout.account, clock()) };
  const known = (await findBatch(reads, subject)) ?? (await findBatch(reads, subject.toUpperCase()));
  if (known !== undefined)
    throw new UsageError(
      `${known.id} is a batch`,
      `Name a line, such as ${known.id}:2, or see: batchgate batch show ${known.id}`,
    );
  throw new UsageError(`there is no line, transaction or payout ${subject}`, 'See: batchgate batch list');
}

async function tellLine(
  config: Config,
  opened: Opened,
  record: BatchRecord,
  line: number,
): Promise<LineStory> {
  const told = await explainLine({ ...opened, ...actor(config, opened) }, record, line);
  if (!('is' in told)) return told;
  if (told.is === 'no such line')
    throw new UsageError(`${record.name} has no line ${line}`, `Its last line is ${told.last}.`);
  const first = told.errors[0];
  const why = first === undefined ? '' : `: ${first.code} ${first.message}`;
  throw new UsageError(
    `${record.name} was rejected and nothing of it executed${why}`,
    `See: batchgate batch show ${record.id}`,
  );
}

/** The one of the found that belongs to a fitting account. */
function oneOf<T>(
  subject: string,
  accounts: readonly KnownAccount[],
  found: readonly T[],
  accountOf: (one: T) => number,
): { readonly found: T; readonly account: KnownAccount } | undefined {
  const fitting = found.flatMap((one) => {
    const account = accounts.find(({ number }) => number === accountOf(one));
    return account === undefined ? [] : [{ found: one, account }];
  });
  if (fitting.length <= 1) return fitting[0];
  const names = fitting.map(({ account }) => `${account.merchantId}/${account.accountId}`).join(', ');
  throw new UsageError(
    `${subject} is known in several accounts: ${names}`,
    'Name one with --merchant and --account.',
  );
}

function text(told: Told, color: boolean): string {
  const colors = colorsOf(color);
  switch (told.is) {
    case 'line':
      return lineText(told.story, colors);
    case 'transaction':
      return transactionText(told.story, colors);
    case 'payout':
      return payoutText(told.story, colors);
  }
}
