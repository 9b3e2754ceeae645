/** What the documentation says before the operations: how messages are signed and written, what codes and states mean. */
import { CODES, type Code } from '../../core/code.ts';
import { STATES } from '../../core/state.ts';

/** Codes that an answer of /v1 can have; those of files are no concern here. */
const API_CODES = (Object.keys(CODES) as Code[]).filter((code) => !code.startsWith('B'));

/** Markdown. */
export function guide(environment: string): string {
  const notice =
    environment === 'sandbox' ? '**SANDBOX: no money moved outside this ledger.**' : 'Environment: live.';
  return [notice, SIGNATURES, BODIES, RETRIES, ERRORS, stateTable(), codeTable()].join('\n\n');
}

const SIGNATURES = `## Signatures

\`encryption_data\` is the lower-case hex HMAC-SHA-256, with the account's key (the text of its file without the trailing
newline, as UTF-8), over the [RFC 8785](https://www.rfc-editor.org/rfc/rfc8785) canonical JSON of the message without
\`encryption_data\`: keys sorted, no spaces. Answers are signed in the same way; check them.

\`\`\`sh
batchgate sign capture.json               # the signature of a message
batchgate sign capture.json --canonical   # the text that it covers
batchgate call capture capture.json       # signs, sends, checks the answer
\`\`\``;

const BODIES = `## Bodies

A message is JSON under \`application/json\`; JSON under \`application/x-www-form-urlencoded\`, as it is, when it begins
with \`{\`; or true form fields, nested ones as JSON text. Checkout also takes \`application/xml\`: root \`request\`, elements
by field name. At most 1 MiB. Duplicate keys, \`__proto__\`, halves of surrogate pairs and nesting deeper than 32 are
refused. Ids and amounts are strings; numbers only where a field is typed as one. What is signed is the message that comes
out of a body: in form fields and XML every plain value is text.`;

const RETRIES = `## Sending again

After a time-out nobody knows what happened. With the header \`Idempotency-Key\` the same request can be sent again: the
first answer under a key is stored for 30 days and given again; another request under the same key is refused (409), one
that is still being worked on, too (409 with \`Retry-After\`). Orders of a batch may carry a \`reference\` to the same effect,
each for itself. Errors 429, 500 and 503 are not stored.`;

const ERRORS = `## Errors

Whole-request errors are JSON for every operation and never change anything, but for 500 with E0001: then the outcome is
unknown, and a query tells it. Checks are made in this order: size (413), type (415), syntax (400), account and signature (401), rate
limit (429), address (403, query only), idempotency key (409), fields (400). Every answer has the header \`X-Request-Id\`.`;

function stateTable(): string {
  const rows = Object.entries(STATES).map(([name, number]) => `| ${number} | ${name.replaceAll('_', ' ')} |`);
  return folded('States', ['| payment_status | state |', '| --- | --- |', ...rows]);
}

function codeTable(): string {
  const rows = API_CODES.map((code) => `| ${code} | ${CODES[code].sentence} | ${CODES[code].retry} |`);
  return folded('Codes', ['| code | meaning | does a retry help |', '| --- | --- | --- |', ...rows]);
}

/** A long table that opens when somebody asks for it. */
function folded(title: string, table: readonly string[]): string {
  return [`<details><summary><b>${title}</b></summary>`, '', ...table, '', '</details>'].join('\n');
}
