// `npm run demo`: makes ./demo-data with an account, transactions and sample files, executes them all, and shows the result.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/batchgate.js', import.meta.url));
const DATA = 'demo-data';
const MARK = join(DATA, '.made-by-npm-run-demo');

const FILES = [
  ['capture.csv', 'captures, saved from a shop: some lines are good, some are not'],
  ['cancel.csv', 'cancellations'],
  ['review.json', 'reviews, as a message of the API'],
  ['refunds-2026-11-20.csv', 'refunds, saved from Excel with semicolons; two lines look like one typed twice'],
  ['refund.json', 'more refunds; one of them was sent before'],
  ['payout.csv', 'payouts: one at a rate of exchange, one for the year 2099'],
  ['payout.ndjson', 'more payouts, one object a line'],
  ['payouts-2026-11-20.xml', 'payouts as banks take them (pain.001); one digit of an IBAN is wrong'],
  ['mixed.csv', 'all kinds in one file'],
  ['cancel-rejected.csv', 'a file with a misspelt column: nothing of it is executed'],
];

const paint = (code, text) => (process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text);

function chapter(story) {
  console.log(`\n${paint('1;36', `── ${story}`)}`);
}

/** Runs batchgate on the demo's data and lets it write to this terminal. */
function batchgate(...args) {
  const words = [...args, '--data', DATA];
  console.log(paint('2', `$ batchgate ${words.join(' ')}`));
  return spawnSync(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'inherit', 'ignore'] }).status;
}

function fail(message) {
  console.error(`demo: ${message}`);
  process.exit(1);
}

if (existsSync(DATA) && !existsSync(MARK)) fail(`./${DATA} is there and was not made by this demo; move it away first`);
rmSync(DATA, { recursive: true, force: true });
mkdirSync(DATA, { mode: 0o750 });
writeFileSync(MARK, 'npm run demo removes this folder and makes it again\n');

chapter('a data directory with an account, transactions and sample files');
if (batchgate('init', '--demo') !== 0) fail('init failed; run it by hand to see why');
for (const [name, story] of FILES) {
  chapter(story);
  batchgate('run', join(DATA, 'samples', name));
}
chapter('the first file once more, under another name: nothing is executed twice');
copyFileSync(join(DATA, 'samples', 'capture.csv'), join(DATA, 'samples', 'captures-again.csv'));
batchgate('run', join(DATA, 'samples', 'captures-again.csv'));
chapter('one transaction, told in words');
batchgate('explain', 'T1303');
chapter('everything that ran, and what the merchant has now');
batchgate('batch', 'list');
batchgate('account', 'show');
chapter('what the acquirer settled and what the bank has, against the ledger: some of it does not agree');
batchgate('reconcile', ...['settlement-2026-11-20.csv', 'bank-2026-11-21.xml'].map((name) => join(DATA, 'samples', name)));
chapter('does it all add up?');
const verified = batchgate('verify');

chapter('reports to open in a browser');
const reports = resolve(DATA, 'reports');
for (const batch of readdirSync(reports)) {
  if (batch === 'reconciliation') continue;
  const html = readdirSync(join(reports, batch)).find((name) => name.endsWith('.report.html'));
  if (html !== undefined) console.log(`  ${pathToFileURL(join(reports, batch, html))}`);
}
console.log(`\nGo on with, for example: node bin/batchgate.js explain T1003 --data ${DATA}`);
process.exitCode = verified === 0 ? 0 : 1;
