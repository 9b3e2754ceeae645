/** `batchgate sign`: the signature of a message, for merchants' developers. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { EXIT } from '../../batch/exit.ts';
import { loadConfig } from '../../config.ts';
import { canonicalJson, type JsonFields, type JsonValue } from '../../wire/canonical.ts';
import { fingerprint, type Key, parseKey, signMessage, verifySignature } from '../../wire/signature.ts';
import { parseStrictJson } from '../../wire/strict-json.ts';
import { chosenAccount, withAccount } from '../account-choice.ts';
import { command } from '../command.ts';
import { inData, keysOf } from '../compose.ts';
import { UsageError } from '../errors.ts';
import { asTyped, STDIN } from '../files.ts';
import { withData } from '../options.ts';
import { print, printJson, say } from '../output.ts';

export const signCommand = command({
  usage: 'sign <file>',
  describe: 'print the signature of a JSON message: its encryption_data',
  examples: [
    ['sign refund.json', 'with the newest key of the account that the message names'],
    ['sign refund.json --key-file a1.key', 'with the key in a file; needs no data directory'],
    ['sign refund.json --canonical', 'the text that is signed, to compare with what another program signs'],
  ],
  build: (yargs) =>
    withAccount(withData(yargs))
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'file with one JSON object; - is standard input',
      })
      .option('key-file', { type: 'string', requiresArg: true, describe: 'file with the key' })
      .option('canonical', {
        type: 'boolean',
        default: false,
        describe: 'print the canonical JSON instead of the signature',
      })
      .option('json', { type: 'boolean', default: false, describe: 'one JSON document on standard output' }),
  run: async (args) => {
    const message = await readMessage(args.file);
    const { encryption_data: given, ...unsigned } = message;
    if (args.canonical) {
      print(canonicalJson(unsigned));
      return EXIT.done;
    }
    const key =
      args.keyFile === undefined ? await keyOfAccount(args, message) : await keyInFile(args.keyFile);
    const signature = signMessage(message, key);
    if (args.json) printJson({ encryption_data: signature, key: fingerprint(key) });
    else print(signature);
    if (given !== undefined)
      say(
        `the message carries encryption_data, and it ${verifySignature(message, given, key) ? 'is right' : 'is wrong'}`,
      );
    return EXIT.done;
  },
});

async function readMessage(path: string): Promise<JsonFields> {
  const bytes = path === STDIN ? Buffer.from(await text(process.stdin)) : await readFile(path);
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${asTyped(path)} is not UTF-8`);
  }
  const parsed = parseStrictJson(content);
  if ('fault' in parsed) throw new UsageError(`${asTyped(path)}: ${parsed.fault}`);
  if (!isFields(parsed.value)) throw new UsageError(`${asTyped(path)} is not one JSON object`);
  return parsed.value;
}

function isFields(value: JsonValue): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The newest valid key of the account that the flags, else the message, name. */
function keyOfAccount(
  args: {
    readonly data: string | undefined;
    readonly merchant: string | undefined;
    readonly account: string | undefined;
  },
  message: JsonFields,
): Promise<Key> {
  return inData(loadConfig(args), async (opened) => {
    const account = await chosenAccount(opened, {
      merchant: args.merchant ?? textOf(message.merchant_id),
      account: args.account ?? textOf(message.account_id),
    });
    const key = (await keysOf(opened.folders, account)).at(-1);
    if (key !== undefined) return key;
    throw new UsageError(
      `account ${account.merchantId}/${account.accountId} has no valid key`,
      'Make one: batchgate account rotate-key',
    );
  });
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

async function keyInFile(path: string): Promise<Key> {
  const parsed = parseKey(await readFile(path, 'utf8'));
  if ('fault' in parsed) throw new UsageError(`${path}: ${parsed.fault}`);
  return parsed.key;
}
