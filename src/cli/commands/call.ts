/** `batchgate call`: a signed request, for merchants' developers. */
import { EXIT } from '../../batch/exit.ts';
import { fieldsOf } from '../../client/fields.ts';
import type { HttpAnswer, Unanswered } from '../../client/send.ts';
import type { JsonFields } from '../../wire/canonical.ts';
import { API_OPERATIONS, PATHS } from '../../wire/paths.ts';
import { signMessage } from '../../wire/signature.ts';
import { type AccountArgs, withAccount } from '../account-choice.ts';
import { exitOfAnswer, type SignatureState, signatureOf } from '../call/verdict.ts';
import { command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { duration, withData } from '../options.ts';
import { print, printJson, say } from '../output.ts';
import { keyInFile, readMessage, type Signer, signerOf, textOf } from '../signing.ts';

export const callCommand = command({
  usage: 'call <operation> <file>',
  describe: 'send a signed request to a gateway and show its answer',
  examples: [
    ['call capture capture.json', 'to `batchgate serve` on this machine, signed with the key of the account'],
    [
      'call refund refund.json --idempotency-key 2026-11-20/7',
      'sent again, it is answered and not done again',
    ],
    ['call query query.json --url https://gateway.example --key-file a1.key', 'needs no data directory'],
  ],
  build: (yargs) =>
    withAccount(withData(yargs))
      .positional('operation', {
        choices: API_OPERATIONS,
        demandOption: true,
        describe: 'what is asked for',
      })
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'file with one JSON object; - is standard input',
      })
      .option('url', {
        type: 'string',
        default: 'http://127.0.0.1:8080',
        requiresArg: true,
        describe: 'where the gateway listens',
      })
      .option('key-file', { type: 'string', requiresArg: true, describe: 'file with the key' })
      .option('idempotency-key', {
        type: 'string',
        requiresArg: true,
        describe: 'the first answer under a key is given again',
      })
      .option('deadline', {
        type: 'string',
        default: '30s',
        requiresArg: true,
        describe: 'how long the whole answer may take',
      })
      .option('json', { type: 'boolean', default: false, describe: 'one JSON document on standard output' }),
  run: async (args) => {
    const url = addressOf(args.url, PATHS[args.operation]);
    const deadline = duration('--deadline', args.deadline);
    const given = await readMessage(args.file);
    const signer =
      args.keyFile === undefined ? await signerOf(args, given) : await namedSigner(args, given, args.keyFile);
    const message = signed(given, signer);
    const headers = {
      'content-type': 'application/json',
      ...(args.idempotencyKey === undefined
        ? {}
        : { 'idempotency-key': headerValue('--idempotency-key', args.idempotencyKey) }),
    };
    // Loaded here alone, like the server: it takes longer to load than most commands to run.
    const { sendOnce } = await import('../../client/send-once.ts');
    const answer = await sendOnce(url, headers, JSON.stringify(message), deadline);
    if ('failure' in answer) return unanswered(answer, url, args.json);
    return answered(answer, signer, String(message.encryption_data), args.json);
  },
});

/** The operation's address below the one that was typed, which may have a path of its own. */
function addressOf(base: string, path: string): URL {
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new UsageError(
      `--url ${base} is no http or https address`,
      'For example: --url http://127.0.0.1:8080',
    );
  return new URL(base.replace(/\/*$/, path));
}

function headerValue(option: string, text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new UsageError(`${option} must be 1 to 255 visible ASCII characters without spaces`);
}

/** The account that the flags, else the message, name, with the key in a file. */
async function namedSigner(args: AccountArgs, message: JsonFields, keyFile: string): Promise<Signer> {
  const merchantId = args.merchant ?? textOf(message.merchant_id);
  const accountId = args.account ?? textOf(message.account_id);
  if (merchantId !== undefined && accountId !== undefined)
    return { merchantId, accountId, key: await keyInFile(keyFile) };
  throw new UsageError(
    'neither the message nor the flags say whose it is',
    'Name the account with --merchant and --account.',
  );
}

/** The message with its account where it names none, and its signature. */
function signed(given: JsonFields, { merchantId, accountId, key }: Signer): JsonFields {
  const message = { merchant_id: merchantId, account_id: accountId, ...given };
  return { ...message, encryption_data: signMessage(message, key) };
}

function unanswered({ failure, why }: Unanswered, { origin }: URL, json: boolean): number {
  const unsent = failure === 'not_sent';
  const meaning = unsent ? 'nothing happened' : 'the outcome is unknown';
  const exit = unsent ? EXIT.temporary : EXIT.unknown;
  if (json) printJson({ failure, why, exit });
  say(`${origin}: ${why}; ${meaning}`);
  say(unsent ? 'Run the same command again.' : UNKNOWN);
  return exit;
}

const UNKNOWN = 'Query it, or send it again with the same --idempotency-key, before anything else.';

/** @param sent the signature of the request */
function answered(answer: HttpAnswer, { key }: Signer, sent: string, json: boolean): number {
  const fields = fieldsOf(answer);
  const signature = signatureOf(answer, fields, key, sent);
  const exit = exitOfAnswer(answer, fields, signature);
  if (json) printJson(documentOf(answer, fields, signature, exit));
  else show(answer, fields);
  say(`${answer.status}, signature ${WORDS[signature]}, request ${answer.requestId ?? 'without an id'}`);
  if (answer.retryAfter !== undefined) say(`to be tried again after ${answer.retryAfter} s`);
  if (exit === EXIT.unknown) say(`The outcome is unknown. ${UNKNOWN}`);
  return exit;
}

const WORDS: Readonly<Record<SignatureState, string>> = { right: 'right', wrong: 'WRONG', none: 'missing' };

function documentOf(
  { status, contentType, requestId, body }: HttpAnswer,
  fields: JsonFields | undefined,
  signature: SignatureState,
  exit: number,
): object {
  const document = { status, content_type: contentType, request_id: requestId ?? null, signature };
  return { ...document, answer: fields ?? body, exit };
}

function show({ contentType, body }: HttpAnswer, fields: JsonFields | undefined): void {
  if (fields === undefined) print(body.trimEnd());
  else if (contentType === 'application/json') printJson(fields);
  // One element a line; between them there is nothing else.
  else print(body.replaceAll('><', '>\n<'));
}
