/** `batchgate reconcile`: compares the ledger with what acquirers and banks say. */
import { basename, join, resolve } from 'node:path';
import { EXIT, worstExit } from '../../batch/exit.ts';
import { makeFolder } from '../../batch/make-folder.ts';
import { reconcileTermsOf } from '../../config/reconcile.ts';
import { type Config, loadConfig } from '../../config.ts';
import type { ReconcileTerms } from '../../core/reconcile-terms.ts';
import { day } from '../../core/text.ts';
import type { KnownAccount } from '../../ledger/accounts.ts';
import { Database } from '../../ledger/database.ts';
import { Ownership } from '../../ledger/owner.ts';
import { booksOf } from '../../ledger/statements.ts';
import { documentBody } from '../../reconcile/document.ts';
import { forgetStatements } from '../../reconcile/forget.ts';
import { reconcile } from '../../reconcile/reconcile.ts';
import { reportsIn, writeReports } from '../../reconcile/write.ts';
import type { ReconciliationDocument } from '../../report/reconciliation/document.ts';
import { type AccountArgs, chosenAccount, withAccount } from '../account-choice.ts';
import { command } from '../command.ts';
import { inData, type Opened } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { namedFiles } from '../files.ts';
import { gatewayNamed } from '../gateways.ts';
import { withData, withJson } from '../options.ts';
import { counted, printJson, say, showsColor } from '../output.ts';
import { progressFor } from '../progress.ts';
import { reconciliationText } from '../reconcile-text.ts';
import { PROFILES, readerChoice } from '../statement-readers.ts';
import { VERSION } from '../version.ts';

interface ReconcileArgs extends AccountArgs {
  readonly files: readonly string[] | undefined;
  readonly statement: readonly string[] | undefined;
  readonly profile: string | undefined;
  readonly gateway: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly out: string | undefined;
  readonly forget: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

export const reconcileCommand = command({
  usage: 'reconcile [files..]',
  describe: "compare the ledger with acquirers' and banks' statements",
  examples: [
    [
      'reconcile --statement settlement.csv',
      'loads it and says what does not agree (exit 10 while a break is open)',
    ],
    ['reconcile --statement bank.xml --account A1', 'a bank statement (camt.053 or camt.054)'],
    [
      'reconcile --statement report.csv --profile acme.yaml',
      'a format of your own; samples/statement-mapping.yaml shows how',
    ],
    ['reconcile', 'the same with the statements that are loaded already'],
    ['reconcile --forget settlement.csv', 'takes a file back that was the wrong one'],
  ],
  build: (yargs) =>
    withAccount(withJson(withData(yargs)))
      .positional('files', { type: 'string', array: true, describe: 'the same as --statement' })
      .option('statement', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'settlement reports (CSV) and bank statements (camt.053, camt.054)',
      })
      .option('profile', {
        type: 'string',
        requiresArg: true,
        describe: `format, where the file does not tell: ${PROFILES.join(', ')}; or a mapping, FILE.yaml`,
      })
      .option('gateway', {
        type: 'string',
        requiresArg: true,
        describe:
          'whose movements: engine for the ledger, or what a remote gateway was sent, by name or address',
      })
      .option('from', { type: 'string', requiresArg: true, describe: 'first day of the report, YYYY-MM-DD' })
      .option('to', { type: 'string', requiresArg: true, describe: 'last day of the report, YYYY-MM-DD' })
      .option('out', { type: 'string', requiresArg: true, describe: 'folder for the reports' })
      .option('forget', {
        type: 'string',
        requiresArg: true,
        describe: 'take back a loaded file, by its name or SHA-256, before comparing',
      }),
  run: (args) => {
    const config = loadConfig(args);
    const period = { from: dayOf('--from', args.from), to: dayOf('--to', args.to) };
    if (period.from !== null && period.to !== null && period.from > period.to)
      throw new UsageError(`--from ${period.from} comes after --to ${period.to}`);
    const files = namedFiles([...(args.files ?? []), ...(args.statement ?? [])]);
    return inData(config, (opened) =>
      alone(opened, async () => {
        const account = await chosenAccount(opened, args);
        const document = await reconcileAccount(args, config, opened, account, files, period);
        if (args.json) printJson(document);
        else process.stdout.write(reconciliationText(document, showsColor(config.color)));
        return document.exit;
      }),
    );
  },
});

/** Two at a time would load one file twice, or close what the other has just found. */
async function alone(opened: Opened, work: () => Promise<number>): Promise<number> {
  const owner = await Ownership.take(join(opened.folders.work, 'reconcile.lock'));
  if (owner === undefined) {
    say('batchgate: another reconciliation is running on this data directory; run the same command again');
    return EXIT.temporary;
  }
  try {
    return await work();
  } finally {
    await owner.release();
  }
}

async function reconcileAccount(
  args: ReconcileArgs,
  config: Config,
  opened: Opened,
  account: KnownAccount,
  files: readonly string[],
  period: ReconciliationDocument['period'],
): Promise<ReconciliationDocument> {
  const { database, folders, environment } = opened;
  const { merchantId, accountId } = account;
  const gateway = gatewayNamed(config, args.gateway);
  const terms: ReconcileTerms = reconcileTermsOf(config.reconcile, `${merchantId}/${accountId}`);
  const context = {
    database,
    snapshot: () => Database.openSnapshot(folders.database),
    actor: config.user,
    now: Date.now(),
  };
  if (args.forget !== undefined) await forget(context, account, gateway, args.forget);
  const reader = await readerChoice(args.profile);
  const progress = progressFor(files.length === 1 ? basename(files[0]!) : 'statements', args.quiet);
  try {
    const reconciled = await reconcile(
      { ...context, onProgress: (_, __, lines) => progress.on('reading', lines, undefined) },
      {
        account,
        gateway,
        address: opened.gateways.addressOf(gateway),
        terms,
        files: files.map((path) => ({ path, reader: () => reader(path) })),
        from: period.from ?? undefined,
        to: period.to ?? undefined,
      },
    );
    progress.end();
    const folder = resolve(
      args.out ??
        join(folders.reports, 'reconciliation', nameIn(merchantId), nameIn(accountId), reconciled.today),
    );
    await makeFolder(folder);
    const body = await documentBody(database.reads, reconciled, period, terms.severity);
    const document: ReconciliationDocument = {
      ...body,
      environment,
      merchant: merchantId,
      account: accountId,
      gateway,
      reports: reportsIn(folder),
      program_version: VERSION,
      exit: worstExit([
        body.counts.open > 0 ? EXIT.openBreaks : EXIT.done,
        body.errors.length > 0 ? EXIT.rejected : EXIT.done,
      ]),
    };
    await writeReports(database.reads, reconciled, document, terms.severity);
    return document;
  } finally {
    progress.end();
  }
}

async function forget(
  context: { readonly database: Database; readonly actor: string; readonly now: number },
  account: KnownAccount,
  gateway: string,
  named: string,
): Promise<void> {
  const books = await context.database.write((statements) => booksOf(statements, account.number, gateway));
  const forgotten = await forgetStatements(context, books, named);
  if (forgotten === undefined) throw new UsageError(`no file ${named} is loaded for this account`);
  if ('several' in forgotten)
    throw new UsageError(
      `several files are loaded under ${named}`,
      `Name one by its SHA-256: ${forgotten.several.join(', ')}`,
    );
  say(`${forgotten.file}: ${counted(forgotten.statements, 'statement')} taken back`);
}

/** An id as the name of a folder. */
function nameIn(id: string): string {
  return encodeURIComponent(id).replace(/^\.+/, (dots) => dots.replaceAll('.', '%2E'));
}

function dayOf(option: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!day.safeParse(text).success) throw new UsageError(`${option} must be a day, for example 2026-11-20`);
  return text;
}
