/**
 * A bank statement is never a tree as a whole: one of 5 MB, whose tree takes over 80 MB, is read by a process whose heap has
 * room for 40.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { balance, camt053, entry } from '../files/iso20022/iso-documents.ts';

const CHILD = fileURLToPath(new URL('statement-child.mjs', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/reconcile/statements/camt.js', import.meta.url));

const MEGABYTE = 1024 * 1024;

/** Megabytes. The text alone takes 10, and the program 10. */
const HEAP = 40;

const ENTRIES = 8000;

const folder = mkdtempSync(join(tmpdir(), 'batchgate-statement-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An entry of a payment that came in, as banks tell it. */
function payment(number: number): string {
  return entry({
    amount: '10.00',
    reference: `BANK-${number}`,
    details: `<TxDtls>
  <Refs><EndToEndId>ORDER-${number}</EndToEndId><TxId>T-${number}</TxId></Refs>
  <Amt Ccy="EUR">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
  <RltdPties>
    <Dbtr><Pty><Nm>Žalgirio &amp; Co ${number}</Nm></Pty></Dbtr>
    <DbtrAcct><Id><IBAN>LT121000011101001000</IBAN></Id></DbtrAcct>
  </RltdPties>
  <RmtInf><Ustrd>Payment of invoice ${number} of November, with thanks for the prompt delivery</Ustrd></RmtInf>
</TxDtls>`,
  });
}

test('a bank statement of 5 MB is read in a heap that its tree would not fit in', async () => {
  if (!existsSync(BUILT)) throw new Error('there is no dist/: run `npm run build` first, as `npm test` does');
  const path = join(folder, 'statement.xml');
  const entries = Array.from({ length: ENTRIES }, (_, number) => payment(number));
  const text = camt053(`${balance('OPBD', '1.00')}\n${entries.join('\n')}`);
  expect(text.length).toBeGreaterThan(5_000_000);
  await writeFile(path, text);
  const ended = await promisify(execFile)(process.execPath, [`--max-old-space-size=${HEAP}`, CHILD, path]);
  const { lines, sum, peak } = JSON.parse(ended.stdout);
  console.log(`${ENTRIES} entries: ${Math.round(peak / MEGABYTE)} MB`);
  expect({ lines, sum }).toEqual({ lines: ENTRIES, sum: ENTRIES * 1000 });
});
