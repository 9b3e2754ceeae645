import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayReader, formatFault } from '../../../src/reconcile/statements/dates.ts';

describe('dayReader', () => {
  test.each([
    ['iso', '2026-11-20', '2026-11-20'],
    ['iso', '2026-11-20 23:59:59', '2026-11-20'],
    // The day as written: in UTC it is the 12th already.
    ['iso', '2019-08-11T22:20:19.000-04:00', '2019-08-11'],
    ['iso', '2026-07-09T18:07:06.844', '2026-07-09'],
    ['iso', '2026-07-09T18:07Z', '2026-07-09'],
    ['iso', '2024-02-29', '2024-02-29'],
    ['yyyy-MM-dd', '2026-11-20', '2026-11-20'],
    ['dd/MM/yyyy HH:mm:ss', '20/11/2026 07:08:09', '2026-11-20'],
    ['dd.MM.yyyy', '20.11.2026', '2026-11-20'],
    ['M/d/yyyy', '1/2/2026', '2026-01-02'],
    ['M/d/yyyy h:mm a', '11/20/2026 7:08 PM', '2026-11-20'],
    ['yyyyMMdd', '20261120', '2026-11-20'],
    ['d MMM yyyy', '3 Feb 2026', '2026-02-03'],
    ['yyyy/MM/dd HH:mm:ss XXX', '2024/08/20 23:01:17 -0700', '2024-08-20'],
    ["yyyy-MM-dd'T'HH:mm:ss.SXXX", '2026-11-20T01:02:03.123456+05:30', '2026-11-20'],
    ['yyyy-MM-dd HH:mm z', '2026-11-20 10:00 CEST', '2026-11-20'],
    ['epoch', '1615770276', '2021-03-15'],
  ])('%s reads %s', (format, text, day) => {
    expect(dayReader([format])(text)).toBe(day);
  });

  test.each([
    ['iso', '2026-02-29'],
    ['iso', '1900-02-29'],
    ['iso', '2026-04-31'],
    ['iso', '2026-13-01'],
    ['iso', '2026-00-10'],
    ['iso', '2026-11-00'],
    ['iso', '0026-11-20'],
    ['iso', '2026-11-20T24:00:00'],
    ['iso', '2026-11-20T10:60'],
    ['iso', ' 2026-11-20'],
    ['iso', '2026-1-2'],
    ['iso', '20.11.2026'],
    ['iso', ''],
    ['dd/MM/yyyy', '11/20/2026'],
    ['dd/MM/yyyy', '20/11/26'],
    ['dd/MM/yyyy', '20/11/2026 10:00'],
    ['dd.MM.yyyy', '20x11x2026'],
    ['M/d/yyyy h:mm a', '11/20/2026 13:08 PM'],
    ['d MMM yyyy', '3 Foo 2026'],
    ['epoch', '1615770276000'],
    ['epoch', '-5'],
  ])('%s does not read %j', (format, text) => {
    expect(dayReader([format])(text)).toBeUndefined();
  });

  test('of several formats, those that fit must agree', () => {
    const read = dayReader(['dd/MM/yyyy', 'MM/dd/yyyy']);
    expect(read('20/11/2026')).toBe('2026-11-20');
    expect(read('11/20/2026')).toBe('2026-11-20');
    expect(read('05/05/2026')).toBe('2026-05-05');
    expect(read('05/06/2026')).toBeUndefined();
  });

  test('every day that exists is read, and no other', () => {
    const read = dayReader(['dd/MM/yyyy']);
    const part = (most: number) => fc.integer({ min: 0, max: most });
    fc.assert(
      fc.property(part(33), part(14), fc.integer({ min: 1900, max: 2100 }), (day, month, year) => {
        const two = (number: number) => String(number).padStart(2, '0');
        const iso = `${year}-${two(month)}-${two(day)}`;
        const moment = new Date(`${iso}T00:00:00Z`);
        const exists = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(iso);
        expect(read(`${two(day)}/${two(month)}/${year}`)).toBe(exists ? iso : undefined);
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['yyyy-MM', 'must have a year, a month and a day, each once'],
  ['yyyy-MM-dd dd', 'must have a year, a month and a day, each once'],
  ['yyyy-MMM-MM-dd', 'must have a year, a month and a day, each once'],
  ['yy-MM-dd', 'has letters that stand for nothing'],
  ['DD/MM/YYYY', 'has letters that stand for nothing'],
  ['ISO', 'has letters that stand for nothing'],
])('%s is no format', (format, fault) => {
  expect(formatFault(format)).toContain(fault);
});
