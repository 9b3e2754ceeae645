import { describe, expect, test } from 'vitest';
import { Unreadable } from '../../../src/files/unreadable.ts';
import { CSV_READERS } from '../../../src/reconcile/statements/profiles.ts';
import { readerFor } from '../../../src/reconcile/statements/recognise.ts';
import { mapped, written } from './csv-support.ts';

const HEADER = 'reference,type,order_no,currency,gross,fee,net,date\n';

describe('readerFor', () => {
  test.each([
    ['as it is', Buffer.from(HEADER)],
    ['with a byte order mark', Buffer.from(`\ufeff${HEADER}`)],
    ['in UTF-16', Buffer.from(`\ufeff${HEADER}`, 'utf16le')],
    ['in windows-1252', Buffer.from(`${HEADER}Käse,`, 'latin1')],
    ['in capitals', Buffer.from(HEADER.toUpperCase())],
  ])('knows a file by its header, %s', async (_, bytes) => {
    expect((await readerFor(written(bytes), CSV_READERS)).name).toBe('batchgate');
  });

  test.each([
    [
      'nothing,of,this\n',
      CSV_READERS,
      /^statement\.csv: it is no statement that is known; there are batchgate, stripe-balance, /,
    ],
    ['', CSV_READERS, /^statement\.csv: it is no statement that is known/],
    [HEADER, [...CSV_READERS, mapped()], /^statement\.csv: it could be any of batchgate, test\.$/],
  ])('%j is refused', async (content, readers, message) => {
    const attempt = readerFor(written(content), readers);
    await expect(attempt).rejects.toThrow(Unreadable);
    await expect(attempt).rejects.toThrow(message);
  });

  test('a compressed file is refused', async () => {
    const path = written(Buffer.from('1f8b0800000000000000', 'hex'));
    await expect(readerFor(path, CSV_READERS)).rejects.toThrow(Unreadable);
  });
});
