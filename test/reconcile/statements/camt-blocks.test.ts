/** A document is parsed a block at a time: what is read must not depend on where the blocks end. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readIso } from '../../../src/files/iso20022/xml.ts';
import type { StatementPart } from '../../../src/reconcile/statement.ts';
import { CAMT_053, readCamt } from '../../../src/reconcile/statements/camt.ts';
import { ACCOUNT, balance, camt053, document, entry, prefixed } from '../../files/iso20022/iso-documents.ts';

/** Longer than any document of this file: each long list is one block. */
const ALL = 1_000_000_000;

function read(text: string, block: number): unknown {
  return readCamt(readIso(text, block), 'camt.053');
}

const detail = fc
  .record({
    amount: fc.constantFrom('1.00', '4.00', '6.00'),
    reference: fc.constantFrom('E-1', 'E-2', 'Ž&amp;'),
  })
  .map(
    ({ amount, reference }) =>
      `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt></TxDtls>`,
  );

const oneEntry = fc
  .record({
    amount: fc.constantFrom('10.00', '5.00', '2.00'),
    sign: fc.constantFrom('CRDT', 'DBIT'),
    status: fc.constantFrom('BOOK', 'BOOK', 'BOOK', 'PDNG'),
    reference: fc.option(fc.constantFrom('B-1', 'B-2', 'B-3'), { nil: undefined }),
    details: fc.array(detail, { maxLength: 4 }),
    groups: fc.constantFrom('', '</NtryDtls><NtryDtls>', '</NtryDtls>\n<!-- <TxDtls> --><NtryDtls>'),
    more: fc.constantFrom(
      '',
      '<AddtlNtryInf><![CDATA[</Ntry> & > \n]]></AddtlNtryInf>',
      '<AddtlNtryInf>a >\n</AddtlNtryInf>',
    ),
  })
  .map(({ status, reference, details, groups, ...parts }) =>
    entry({
      ...parts,
      status: `<Sts><Cd>${status}</Cd></Sts>`,
      ...(reference === undefined ? {} : { reference }),
      ...(details.length === 0 ? {} : { details: details.join(groups) }),
    }),
  );

/** What may stand between two entries. */
const between = fc.constantFrom('', '\n', '<!-- <Ntry> -->', balance('CLBD', '3.00'), '<?a b?>', ' stray ');

const oneStatement = fc
  .array(fc.tuple(between, oneEntry), { maxLength: 12 })
  .map(
    (entries) =>
      `<Stmt><Id>S</Id><CreDtTm>2026-11-20T06:00:00Z</CreDtTm>${ACCOUNT}${entries.flat().join('')}</Stmt>`,
  );

const whole = fc
  .record({ statements: fc.array(oneStatement, { minLength: 1, maxLength: 3 }), prefix: fc.boolean() })
  .map(({ statements, prefix }) => {
    const text = document(
      'camt.053.001.08',
      `<BkToCstmrStmt><GrpHdr/>${statements.join('\n')}</BkToCstmrStmt>`,
    );
    return prefix ? prefixed(text) : text;
  });

describe('statements are the same', () => {
  test('whatever is parsed at a time', () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 5000 }), (text, block) => {
        expect(read(text, block)).toEqual(read(text, ALL));
      }),
      { numRuns: 300 },
    );
  });

  const one = entry({
    reference: 'B-1',
    details: '<TxDtls><Refs><EndToEndId>E</EndToEndId></Refs></TxDtls>',
  });
  test.each<[string, number]>([
    ['at every character', 1],
    ['one character before the end of an entry', one.length - 1],
    ['at the end of an entry', one.length],
    ['one character behind it', one.length + 1],
    ['one character before the end of the third', 3 * one.length - 1],
    ['at the end of the third', 3 * one.length],
    ['at the end of the last', 7 * one.length],
  ])('where a block would end %s', (_, block) => {
    const text = camt053(one.repeat(7));
    expect(readCamt(readIso(text, block), 'camt.053')[0]!.lines).toHaveLength(7);
    expect(read(text, block)).toEqual(read(text, ALL));
  });

  test('where one entry has more details than a block holds', () => {
    const count = 3000;
    const details = Array.from(
      { length: count },
      (_, number) =>
        `<TxDtls><Refs><EndToEndId>E-${number}</EndToEndId></Refs><Amt Ccy="EUR">0.01</Amt></TxDtls>`,
    );
    const text = camt053(entry({ amount: '30.00', reference: 'B', details: details.join('') }) + entry());
    const { lines } = readCamt(readIso(text), 'camt.053')[0]!;
    expect(lines).toHaveLength(count + 1);
    expect(lines[count - 1]).toMatchObject({
      line: count,
      net: 1,
      references: [`E-${count - 1}`],
      id: `B/${count}`,
      group: 'B',
    });
    expect(lines[count]).toMatchObject({ line: count + 1, net: 1000 });
  });
});

describe('a statement with many entries', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'camt-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** The parts of a file up to its end or its fault. */
  async function partsOf(inside: string): Promise<{ parts: StatementPart[]; fault: Error | undefined }> {
    const path = join(folder, 'statement.xml');
    await writeFile(path, camt053(inside));
    const parts: StatementPart[] = [];
    try {
      for await (const part of CAMT_053.read(path)) parts.push(part);
    } catch (error) {
      return { parts, fault: error as Error };
    }
    return { parts, fault: undefined };
  }

  const linesIn = (parts: readonly StatementPart[]) =>
    parts.flatMap((part) => (part.is === 'lines' ? part.lines : []));

  test('comes in parts, none of them large', async () => {
    const { parts, fault } = await partsOf(entry().repeat(1001));
    expect(fault).toBeUndefined();
    expect([parts[0]!.is, parts.at(-1)!.is]).toEqual(['begin', 'end']);
    expect(linesIn(parts).map(({ line }) => line)).toEqual(Array.from({ length: 1001 }, (_, at) => at + 1));
    for (const part of parts) if (part.is === 'lines') expect(part.lines.length).toBeLessThanOrEqual(250);
  });

  test('is refused where an entry is wrong, with the line of that entry', async () => {
    const nested = entry({ more: '<SplmtryData><Envlp><Ntry>1</Ntry></Envlp></SplmtryData>' });
    const { parts, fault } = await partsOf(`\n${nested}\n${entry().repeat(600)}\n${entry({ amount: 'x' })}`);
    expect(fault).toMatchObject({ message: 'Entry 602: The amount "x" is no amount.', line: 1208 });
    expect(linesIn(parts).length).toBeLessThanOrEqual(601);
    expect(parts.some(({ is }) => is === 'end')).toBe(false);
  });

  test('is refused before its first part where it is not well-formed at its end', async () => {
    const { parts, fault } = await partsOf(`${entry().repeat(600)}<A><B></A></B>`);
    expect(fault!.message).toContain('not well-formed');
    expect(parts).toEqual([]);
  });
});
