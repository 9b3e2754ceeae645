/** `batchgate sign`: the signature of a message, for merchants' developers. */
import { EXIT } from '../../batch/exit.ts';
import { canonicalJson } from '../../wire/canonical.ts';
import { fingerprint, signMessage, verifySignature } from '../../wire/signature.ts';
import { withAccount } from '../account-choice.ts';
import { command } from '../command.ts';
import { withData } from '../options.ts';
import { print, printJson, say } from '../output.ts';
import { keyInFile, readMessage, signerOf } from '../signing.ts';

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
      args.keyFile === undefined ? (await signerOf(args, message)).key : await keyInFile(args.keyFile);
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
