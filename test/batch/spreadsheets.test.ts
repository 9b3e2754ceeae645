/** F45: what Excel does to ids and amounts, found in the value alone or by comparing with what the ledger has. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { csv, ENTRY, outcomes, readCsv, results, Sandbox } from '../support/ledger.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.make();
});
afterEach(() => sandbox.remove());

describe('F45 seen in the value', () => {
  test.each([
    ['transaction_id', '1.23E+15'],
    ['transaction_id', '1,23E+15'],
    ['transaction_id', '#REF!'],
    ['transaction_id', '#NAME?'],
    ['transaction_id', '=A2'],
    ['order_no', '01-Mar'],
    ['order_no', '10.Dez'],
    ['amount', '01-Mar'],
    ['amount', '10.Dez'],
    ['amount', '2026-01-03'],
    ['amount', '#####'],
    ['reference', '#DIV/0!'],
  ])('%s %j: the line is invalid (B0013), and says what Excel did', async (column, value) => {
    await sandbox.given({ id: 'T1' });
    const fields: Record<string, string> = {
      transaction_id: 'T1',
      order_no: 'O-T1',
      currency: 'USD',
      amount: '1.00',
      reference: 'R1',
      [column]: value,
    };
    const document = await sandbox.run(
      'capture.csv',
      csv(Object.keys(fields).join(';'), Object.values(fields).join(';')),
    );
    expect(outcomes(document)).toEqual(['invalid B0013']);
    expect(results(document)[0]!.message).toContain(value);
    expect(readCsv(document.reports.fixme, ';')[0]!._hint).toContain('text');
    expect(await sandbox.transfers()).toEqual([]);
  });

  test('one in ten rejects the file, as one that was read wrongly', async () => {
    const rows = Array.from(
      { length: 10 },
      (_, index) => `${index === 0 ? '1.23E+15' : `T${index}`},O,USD,1.00`,
    );
    const document = await sandbox.run('capture.csv', csv(ENTRY, ...rows));
    expect(document).toMatchObject({ exit: 6, errors: [{ code: 'B0020' }] });
  });

  test('ids that somebody chose are not damage', async () => {
    await sandbox.given({ id: '1e5' }, { id: '2026-01-03' }, { id: '00123' });
    const document = await sandbox.run(
      'capture.csv',
      csv(ENTRY, ...['1e5', '2026-01-03', '00123'].map((id) => `${id},O-${id},USD,1.00`)),
    );
    expect(outcomes(document)).toEqual(Array(3).fill('succeeded'));
  });
});

describe('F45 seen by comparing with what the ledger has', () => {
  const capture = (...ids: string[]) => csv(ENTRY, ...ids.map((id) => `${id},O,USD,1.00`));

  test.each([
    ['leading zeros are gone', '0012345', '12345', 'leading zeros'],
    ['many of them', '00000000000000012345', '12345', 'leading zeros'],
    ['the digits after the fifteenth are zeros', '1234567890123456', '1234567890123450', '15 digits'],
    ['of nineteen as well', '1234567890123456789', '1234567890123450000', '15 digits'],
  ])('%s', async (_, known, unknown, words) => {
    await sandbox.given({ id: known });
    const document = await sandbox.run('capture.csv', capture(unknown));
    expect(outcomes(document)).toEqual(['invalid B0013']);
    expect(results(document)[0]!.message).toMatch(new RegExp(`${unknown}.*${known}.*${words}`));
    expect(readCsv(document.reports.fixme)).toMatchObject([{ transaction_id: unknown }]);
  });

  test.each([
    ['nothing resembles it', '12399', 'refused V0001'],
    ['it is not a number', 'X12345', 'refused V0001'],
    ['it is longer than the known one', '123450', 'refused V0001'],
    ['it has sixteen digits, but not the same', '1234567890123990', 'refused V0001'],
    ['it has sixteen digits, and no zero at the end', '1234567890123451', 'refused V0001'],
  ])('an id that is simply unknown: %s', async (_, unknown, outcome) => {
    await sandbox.given({ id: '0012345' }, { id: '1234567890123456' });
    expect(outcomes(await sandbox.run('capture.csv', capture(unknown)))).toEqual([outcome]);
  });

  test('an id that is known is meant, whatever it resembles', async () => {
    await sandbox.given(
      { id: '12345' },
      { id: '0012345' },
      { id: '1234567890123450' },
      { id: '1234567890123456' },
    );
    const document = await sandbox.run(
      'capture.csv',
      csv(ENTRY, '12345,O-12345,USD,1.00', '1234567890123450,O-1234567890123450,USD,1.00'),
    );
    expect(outcomes(document)).toEqual(['succeeded', 'succeeded']);
  });

  test('another account’s ids do not count', async () => {
    await sandbox.account();
    await sandbox.given({ id: '0012345', account: 2 });
    expect(
      outcomes(await sandbox.run('capture.csv', capture('12345'), { merchantId: 'M1', accountId: 'A1' })),
    ).toEqual(['refused V0001']);
  });

  test('the corrected line runs', async () => {
    await sandbox.given({ id: '0012345' });
    await sandbox.run('capture.csv', capture('12345'));
    expect(outcomes(await sandbox.run('capture-2.csv', csv(ENTRY, '0012345,O-0012345,USD,1.00')))).toEqual([
      'succeeded',
    ]);
  });
});
