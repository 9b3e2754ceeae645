/** The package's sample requests as examples of the documentation, signed where that hurts nobody. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExampleMessages } from '../http/documentation/examples.ts';
import { readAccounts } from '../ledger/accounts.ts';
import { isFields } from '../wire/messages/values.ts';
import { API_OPERATIONS } from '../wire/paths.ts';
import { signMessage } from '../wire/signature.ts';
import { parseStrictJson } from '../wire/strict-json.ts';
import { keysOf, type Opened } from './compose.ts';
import { DEMO_ACCOUNT, hasDemo } from './demo.ts';

const SAMPLES = fileURLToPath(new URL('../../samples/http/', import.meta.url));

/** What a sample shows, by the name of its file. */
const SUMMARIES: Readonly<Record<string, string>> = {
  authorise: 'By card: approved, the card is kept',
  'authorise-declined': 'By card: declined, insufficient funds',
  'authorise-subscription': 'By card: approved, and charged again every month',
  'authorise-apm': 'By bank transfer: the shopper goes on at issuer_url',
  checkout: 'By redirect to the hosted page',
  query: 'Three orders, one of which is not there',
  capture: 'One is captured, one is more than was authorised',
  cancel: 'Gives back what is not captured',
  review: 'Accepts what is held',
  refund: 'A part, under a reference',
  payout: 'To an IBAN',
};

/** Examples that carry the signature of the account of `init --demo`, in a sandbox that has it; else a placeholder. */
export async function exampleMessages(opened: Opened): Promise<ExampleMessages> {
  const key = await demoKey(opened);
  return {
    examples: Object.entries(SUMMARIES).map(([name, summary]) => ({ ...readSample(name), name, summary })),
    sign: key === undefined ? undefined : (message) => signMessage(message, key),
    fresh: () => Date.now().toString(36).toUpperCase(),
  };
}

async function demoKey(opened: Opened) {
  if (opened.environment !== 'sandbox' || !hasDemo(opened)) return undefined;
  const accounts = await readAccounts(opened.database.reads);
  const account = accounts.find(
    ({ merchantId, accountId }) =>
      merchantId === DEMO_ACCOUNT.merchantId && accountId === DEMO_ACCOUNT.accountId,
  );
  return account === undefined ? undefined : (await keysOf(opened.folders, account)).at(-1);
}

function readSample(name: string) {
  const operation = API_OPERATIONS.find((one) => name.split('-', 1)[0] === one);
  const parsed = parseStrictJson(readFileSync(join(SAMPLES, `${name}.json`), 'utf8'));
  if (operation === undefined || 'fault' in parsed || !isFields(parsed.value))
    throw new Error(`the sample ${name} is no message`);
  return { operation, message: parsed.value };
}
