/** F44, F100: card data has no business in a file of instructions, and none of it stays under the data directory. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BatchDocument } from '../../src/report/document.ts';
import { csv, ENTRY, outcomes, readCsv, readJson, Sandbox } from '../support/ledger.ts';

const CARDS = ['4111111111111111', '4242424242424242', '5555555555554444'] as const;
const SPACED = '4000 0000 0000 9995';
const IDS = ['T1', 'T2', 'T3', 'T4'];

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
  await sandbox.given(...IDS.map((id) => ({ id })));
});
afterEach(() => sandbox.remove());

/** A file of one line per transaction, with one more column. */
function withColumn(column: string, cells: readonly string[]): string {
  return csv(
    `${ENTRY},${column}`,
    ...cells.map((cell, index) => `${IDS[index]},O-${IDS[index]},USD,1.00,${cell}`),
  );
}

/** Every file under the data directory in which a number stands, in whichever encoding. */
async function filesWith(number: string): Promise<readonly string[]> {
  const forms = [
    Buffer.from(number),
    Buffer.from(number, 'utf16le'),
    Buffer.from(number.replaceAll(/\D/g, '')),
  ];
  const files = await sandbox.files();
  return files.filter(({ bytes }) => forms.some((form) => bytes.includes(form))).map(({ path }) => path);
}

/** The file is rejected, and neither it nor any of the numbers is anywhere. */
async function expectDestroyed(
  document: BatchDocument,
  column: string | undefined,
  numbers: readonly string[] = CARDS,
): Promise<void> {
  expect(document).toMatchObject({ status: 'rejected', exit: 6 });
  expect(document.errors[0]).toMatchObject(
    column === undefined ? { code: 'B0012' } : { code: 'B0012', column },
  );
  expect(readdirSync(sandbox.folders.rejectedOf('2026-11-20', document.batch))).toEqual([
    'errors.csv',
    'errors.json',
  ]);
  for (const number of numbers) {
    expect(await filesWith(number)).toEqual([]);
    expect(JSON.stringify(document)).not.toContain(number);
  }
  expect(existsSync(sandbox.folders.workOf(document.batch))).toBe(false);
  expect(await sandbox.transfers()).toEqual([]);
}

describe('F44 a column of card data rejects the file', () => {
  test.each([
    'card',
    'PAN',
    'cvv',
    'CVC',
    'security_code',
    'Card Number',
    'card.number',
    'kreditkartennummer',
  ])('called %j', async (column) => {
    const document = await sandbox.run('capture.csv', withColumn(column, ['1', '2']));
    expect(document).toMatchObject({ exit: 6, errors: [{ code: 'B0012', column: column.toLowerCase() }] });
    expect(document.errors[0]!.message).toContain(column.toLowerCase());
  });

  test('called so, with numbers in it', async () => {
    await expectDestroyed(await sandbox.run('capture.csv', withColumn('card', CARDS)), 'card');
  });

  test.each<[string, readonly string[]]>([
    ['nothing but numbers', CARDS],
    ['half of the filled cells', [...CARDS.slice(0, 2), '', SPACED, 'x', 'y', 'z'].slice(0, 4)],
    ['with spaces, as on the card', [SPACED, SPACED, SPACED]],
  ])('whatever its name, when it holds them: %s', async (_, cells) => {
    await expectDestroyed(
      await sandbox.run('capture.csv', withColumn('remark', cells)),
      'remark',
      cells.filter((cell) => /^\d/.test(cell)),
    );
  });

  test('in JSON, by name and by content, however deep', async () => {
    const entry = (id: string) => ({
      transaction_id: id,
      order_no: `O-${id}`,
      currency: 'USD',
      amount: '1.00',
    });
    const named = [{ ...entry('T1'), payment: { card: { number: CARDS[0] } } }];
    await expectDestroyed(await sandbox.run('capture.json', JSON.stringify(named)), 'payment.card.number', [
      CARDS[0],
    ]);
    const full = CARDS.map((card, index) => ({ ...entry(IDS[index]!), notes: { first: card } }));
    await expectDestroyed(await sandbox.run('capture.json', JSON.stringify(full)), 'notes.first');
    const numbers = `[${CARDS.map((card, index) => `{"transaction_id":"${IDS[index]}","x":${card}}`).join()}]`;
    await expectDestroyed(await sandbox.run('capture.json', numbers), 'x');
  });

  test('in the message around the entries, where there is no line that could be invalid', async () => {
    const entry = { transaction_id: 'T1', order_no: 'O-T1', currency: 'USD', amount: '1.00' };
    const named = JSON.stringify({
      merchant_id: 'M1',
      account_id: 'A1',
      card: CARDS[0],
      capture_orders: [entry],
    });
    await expectDestroyed(await sandbox.run('capture.json', named), 'card', [CARDS[0]]);
    const text = JSON.stringify({ capture_orders: [entry], note: { text: `card ${CARDS[1]}` } });
    await expectDestroyed(await sandbox.run('capture.json', text), undefined, [CARDS[1]]);
  });

  test('also when the file is rejected for something else', async () => {
    const full = withColumn('remark', CARDS);
    const others: Readonly<Record<string, string>> = {
      'a missing column': full.replace('currency', 'money'),
      'a misspelt column': full.replace('currency', 'curency'),
      'a quote that is never closed': `${full}T4,O-T4,USD,1.00,"x\n`,
      'a line of another account': full
        .replace('remark', 'account_id,remark')
        .replaceAll('1.00,', '1.00,A2,'),
    };
    for (const [what, content] of Object.entries(others)) {
      const document = await sandbox.run('capture.csv', content, { merchantId: 'M1', accountId: 'A1' });
      expect([what, document.errors.map(({ code }) => code)]).toEqual([
        what,
        expect.arrayContaining(['B0012']),
      ]);
      await expectDestroyed(document, 'remark');
    }
  });

  test('the name of the file is kept, without a number that stands in it', async () => {
    const document = await sandbox.run(`capture-${CARDS[0]}.csv`, withColumn('card', ['x']));
    expect(document.file).toBe('capture-411111******1111.csv');
    await expectDestroyed(document, 'card', [CARDS[0]]);
  });

  test('the journal knows the file again by a keyed hash only', async () => {
    const content = withColumn('card', CARDS);
    const document = await sandbox.run('capture.csv', content, {}, { keyedHash: () => 'k'.repeat(64) });
    expect(document.sha256).toBe('k'.repeat(64));
    expect(await sandbox.record(document.batch)).toMatchObject({
      status: 'rejected',
      sha256: 'k'.repeat(64),
      name: 'capture.csv',
    });
    // It is rejected as often as it comes.
    expect(await sandbox.run('capture.csv', content)).toMatchObject({ exit: 6, repeat: false });
  });
});

describe('F44 a single card number in free text is an invalid line, masked in every output', () => {
  test('in CSV', async () => {
    const document = await sandbox.run(
      'capture.csv',
      withColumn('remark', ['paid', `card ${CARDS[0]}!`, SPACED, 'paid']),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'invalid B0012', 'invalid B0012', 'succeeded']);
    expect(readCsv(document.reports.result).map(({ remark }) => remark)).toEqual([
      'paid',
      'card 411111******1111!',
      '4000 00** **** 9995',
      'paid',
    ]);
    expect(readCsv(document.reports.fixme).map(({ remark }) => remark)).toEqual([
      'card 411111******1111!',
      '4000 00** **** 9995',
    ]);
    await expectOnlyInTheKeptCopy(document, [CARDS[0], SPACED]);
  });

  test('in JSON', async () => {
    const content = JSON.stringify([
      {
        transaction_id: 'T1',
        order_no: 'O-T1',
        currency: 'USD',
        amount: '1.00',
        note: { text: `card ${CARDS[0]}` },
      },
    ]);
    const document = await sandbox.run('capture.json', content);
    expect(outcomes(document)).toEqual(['invalid B0012']);
    expect(readJson(document.reports.result)).toMatchObject([{ note: { text: 'card 411111******1111' } }]);
    await expectOnlyInTheKeptCopy(document, [CARDS[0]]);
  });

  test('the card number comes before whatever else is wrong with the line, and no message repeats it', async () => {
    const document = await sandbox.run(
      'refund.csv',
      csv(
        `${ENTRY},refund_amount,refund_reason`,
        `T1,O-T1,USD,x,y,${CARDS[0]}`,
        `T2,O-T2,USD,x,y,${CARDS[1]},${CARDS[2]}`,
      ),
    );
    expect(outcomes(document)).toEqual(['invalid B0012', 'invalid B0012']);
    await expectOnlyInTheKeptCopy(document, CARDS);
  });

  /** The copy that reports are made of is the file itself. */
  async function expectOnlyInTheKeptCopy(document: BatchDocument, numbers: readonly string[]): Promise<void> {
    const copy = join(sandbox.folders.workOf(document.batch), 'input');
    for (const number of numbers)
      expect((await filesWith(number)).filter((path) => path !== copy)).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(new RegExp(numbers.join('|')));
    expect(readFileSync(document.reports.html!, 'utf8')).not.toMatch(new RegExp(numbers.join('|')));
  }
});

describe('F100 what only looks like a card number stays whole', () => {
  test('ids, order numbers and references of 16 digits that pass Luhn', async () => {
    await sandbox.given(...CARDS.map((id) => ({ id })));
    const document = await sandbox.run(
      'capture.csv',
      csv(
        `${ENTRY},reference,shop_id,phone`,
        ...CARDS.map((id) => `${id},O-${id},USD,1.00,${id},${id},${id}`),
      ),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(
      readCsv(document.reports.result).map(({ transaction_id, reference, phone }) => [
        transaction_id,
        reference,
        phone,
      ]),
    ).toEqual(CARDS.map((id) => [id, id, id]));
    expect((await sandbox.transfers()).map((row) => row.split(' ')[0])).toEqual([...CARDS]);
  });

  test('digits that do not pass, or belong to no card, in free text', async () => {
    const document = await sandbox.run(
      'capture.csv',
      withColumn('remark', ['4111111111111112', '9999999999999995', '12345', '']),
    );
    expect(outcomes(document)).toEqual(Array(4).fill('succeeded'));
  });
});
