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
    expect((await readerFor(written(bytes), CSV_READERS, undefined)).name).toBe('batchgate');
  });

  test('takes the one that is asked for, whatever the file is', async () => {
    const path = written('nothing\n');
    expect((await readerFor(path, CSV_READERS, 'mercadopago')).name).toBe('mercadopago');
  });

  test.each([
    [
      'nothing,of,this\n',
      undefined,
      CSV_READERS,
      /^statement\.csv: it is no statement that is known; there are batchgate, stripe-balance, /,
    ],
    ['', undefined, CSV_READERS, /^statement\.csv: it is no statement that is known/],
    [HEADER, undefined, [...CSV_READERS, mapped()], /^statement\.csv: it could be any of batchgate, test\.$/],
    [HEADER, 'paypal', CSV_READERS, /^statement\.csv: there is no profile "paypal"; there are batchgate, /],
  ])('%j with profile %s is refused', async (content, profile, readers, message) => {
    const attempt = readerFor(written(content), readers, profile);
    await expect(attempt).rejects.toThrow(Unreadable);
    await expect(attempt).rejects.toThrow(message);
  });

  test('a misspelt profile is told the one that is meant', async () => {
    const attempt = readerFor(written(HEADER), CSV_READERS, 'mercado-pago');
    await expect(attempt).rejects.toMatchObject({ hint: 'Did you mean mercadopago?' });
  });

  test('a compressed file is refused', async () => {
    const path = written(Buffer.from('1f8b0800000000000000', 'hex'));
    await expect(readerFor(path, CSV_READERS, undefined)).rejects.toThrow(Unreadable);
  });
});
