import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readIso, textAt } from '../../../src/files/iso20022/xml.ts';
import { decodeXml, readXmlFile } from '../../../src/files/iso20022/xml-bytes.ts';
import { Unreadable } from '../../../src/files/unreadable.ts';
import { CAMT_053 } from '../../../src/reconcile/statements/camt.ts';
import { camt053, document, entry } from './iso-documents.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

function messageOf(body: string): string {
  return document('camt.053.001.08', `<BkToCstmrStmt>${body}</BkToCstmrStmt>`);
}

/** The refusal, which must come within a second. */
async function refusal(read: () => unknown): Promise<Unreadable> {
  const begin = performance.now();
  try {
    await read();
  } catch (error) {
    expect(error).toBeInstanceOf(Unreadable);
    expect(performance.now() - begin).toBeLessThan(1000);
    return error as Unreadable;
  }
  throw new Error('it was read');
}

describe('a document is read', () => {
  test.each<[string, string]>([
    ['with its default namespace', `<Document xmlns="${NAMESPACE}"><R><A>1</A></R></Document>`],
    ['with a prefix', `<ns:Document xmlns:ns="${NAMESPACE}"><ns:R><ns:A>1</ns:A></ns:R></ns:Document>`],
    [
      'with a prefix and single quotes',
      `<n-1:Document xmlns:n-1='${NAMESPACE}'><n-1:R><n-1:A>1</n-1:A></n-1:R></n-1:Document>`,
    ],
    [
      'with a comment and an instruction',
      `<?xml version="1.0"?>\n<?xml-stylesheet href="x.xsl"?><!-- <A> & --><Document xmlns="${NAMESPACE}"><R><!-- x --><A>1</A></R></Document>\n`,
    ],
    [
      'in an envelope',
      `<Envelope><AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><A>2</A></AppHdr><Document xmlns="${NAMESPACE}"><R><A>1</A></R></Document></Envelope>`,
    ],
    ['with blanks around a value', `<Document xmlns="${NAMESPACE}"><R>\n<A> 1\n</A>\n</R></Document>`],
    [
      'beside elements of other namespaces',
      `<Document xmlns="${NAMESPACE}" xmlns:x="urn:x"><R><x:A>2</x:A><A>1</A></R></Document>`,
    ],
  ])('%s', (_, text) => {
    const read = readIso(text);
    expect(read).toMatchObject({ name: 'camt.053', version: '001.08', root: 'R' });
    expect(textAt(read.body, 'A')).toBe('1');
  });

  test('with its references, thousands of them, and its CDATA', () => {
    const many = '&amp;'.repeat(5000);
    const { body } = readIso(messageOf(`<A>&lt;${many}&#65;&#x20AC;</A><B><![CDATA[<b> &x; ]]></B>`));
    expect(textAt(body, 'A')).toBe(`<${'&'.repeat(5000)}A€`);
    expect(textAt(body, 'B')).toBe('<b> &x;');
  });

  test('with amounts and ids as text', () => {
    const { body } = readIso(messageOf('<A>1e5</A><B>00123</B><C>10.00</C><D>true</D>'));
    expect(['A', 'B', 'C', 'D'].map((name) => textAt(body, name))).toEqual(['1e5', '00123', '10.00', 'true']);
  });
});

describe('an attack is refused at once', () => {
  const bomb = `<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "${'&a;'.repeat(1000)}">]>`;
  const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
  test.each<[string, string, string, number | undefined]>([
    [
      'a document type',
      `<!DOCTYPE Document SYSTEM "file:///etc/passwd">${messageOf('')}`,
      'document type',
      1,
    ],
    ['a document type in another case', `<!doctype x>${messageOf('')}`, 'document type', 1],
    [
      'an entity bomb',
      `<?xml version="1.0"?>\n${bomb}<Document xmlns="${NAMESPACE}">&b;</Document>`,
      'document type',
      2,
    ],
    [
      'an entity declared inside',
      messageOf('\n\n<!ENTITY x SYSTEM "http://example.com/x">'),
      'only a DTD has',
      4,
    ],
    ['an external entity', messageOf('<A>&xxe;</A>'), 'reference to an entity', 2],
    ['an entity of HTML', messageOf('<A>\n&nbsp;</A>'), 'reference to an entity', 3],
    ['an entity in an attribute', messageOf('<A b="&x;"/>'), 'reference to an entity', 2],
    ['a loose ampersand', messageOf('<A>a & b</A>'), 'reference to an entity', 2],
    ['a reference to NUL', messageOf('<A>&#0;</A>'), 'reference to an entity', 2],
    ['a reference beyond Unicode', messageOf('<A>&#x110000;</A>'), 'reference to an entity', 2],
    ['nesting 65 deep', nested(65), '64 deep', 1],
    ['nesting 100,000 deep', messageOf(nested(100_000)), '64 deep', 2],
    ['nesting two million deep', '<a>'.repeat(2_000_000), '64 deep', 1],
    ['a huge attribute', messageOf(`<A b="${'x'.repeat(5_000_000)}"/>`), 'longer than 4096', 2],
    [
      'a hundred thousand attributes',
      messageOf(`<A ${Array.from({ length: 100_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
      'longer than 4096',
      2,
    ],
    [
      'an attribute that hides its length',
      messageOf(`<A b="${'>'.repeat(1_000_000)}"/>`),
      'attribute has < or >',
      2,
    ],
    ['a huge name', messageOf(`<${'a'.repeat(1000)}/>`), 'name of an element', 2],
    ['NUL', messageOf('<A>\0</A>'), 'a character that XML does not have', 2],
    ['a control character', messageOf('<A>\n\u0001</A>'), 'a character that XML does not have', 3],
    ['a lone surrogate', messageOf('<A>\ud800</A>'), 'a character that XML does not have', 2],
    ['a dangerous name', messageOf('<constructor>1</constructor>'), 'forbidden name', undefined],
    ['the name __proto__', messageOf('<__proto__>1</__proto__>'), 'forbidden name', undefined],
  ])('%s', async (_, text, message, line) => {
    const refused = await refusal(() => readIso(text));
    expect(refused.message).toContain(message);
    expect(refused.line).toBe(line);
  });
});

describe('what is no whole document is refused', () => {
  const whole = messageOf('<A>1</A>\n<B>2</B>');
  test.each<[string, string, string]>([
    ['nothing', '', 'no element'],
    ['text', 'date;amount\n1;2', 'outside its root'],
    ['cut off between elements', whole.slice(0, whole.indexOf('<B>')), 'cut off'],
    ['cut off in a tag', whole.slice(0, whole.indexOf('<B>') + 2), 'middle of a tag'],
    ['cut off in an end tag', whole.slice(0, -4), 'middle of a tag'],
    ['cut off in a comment', `${whole.slice(0, whole.indexOf('<B>'))}<!-- `, 'middle of a comment'],
    ['cut off in CDATA', `${whole.slice(0, whole.indexOf('<B>'))}<![CDATA[ `, 'middle of a CDATA'],
    ['cut off in an attribute', messageOf('<A b="1></A>'), 'cut off'],
    ['an end too many', `${whole}</A>`, 'not open'],
    ['two roots', `${whole}${whole.slice(whole.indexOf('<Document'))}`, 'more than one root'],
    ['text behind the root', `${whole} x`, 'outside its root'],
    ['text behind the root and a comment', `${whole}<!-- --> x`, 'outside its root'],
    ['crossed elements', messageOf('<A><B></A></B>'), 'not well-formed'],
    ['an attribute twice', messageOf('<A b="1" b="2"/>'), 'not well-formed'],
    ['an attribute without quotes', messageOf('<A b=1/>'), 'not well-formed'],
    ['no namespace', '<Document><R/></Document>', 'no namespace'],
    ['another namespace', '<Document xmlns="urn:x"><R/></Document>', 'no namespace'],
    ['no Document', `<R xmlns="${NAMESPACE}"/>`, 'no element Document'],
    [
      'two messages',
      `<E><Document xmlns="${NAMESPACE}"><R/></Document><Document xmlns="urn:pain.001.001.03"><R/></Document></E>`,
      'two messages',
    ],
    ['two prefixes', `<Document xmlns="${NAMESPACE}" xmlns:n="${NAMESPACE}"><R/></Document>`, 'two prefixes'],
    ['two bodies', document('camt.053.001.08', '<A/><B/>'), 'exactly one message'],
  ])('%s', async (_, text, message) => {
    expect((await refusal(() => readIso(text))).message).toContain(message);
  });

  test('every beginning of a real message', async () => {
    const text = camt053(
      entry({ details: '<TxDtls><Refs><EndToEndId>E&amp;1</EndToEndId></Refs></TxDtls>' }),
    );
    for (let length = 0; length < text.length; length += 7)
      await refusal(() => readIso(text.slice(0, length)));
  });
});

describe('bytes are read in the encoding that they say', () => {
  const text = (encoding: string | undefined, body = 'Žmogus €') =>
    `<?xml version="1.0"${encoding === undefined ? '' : ` encoding="${encoding}"`}?><a>${body}</a>`;
  const wide = (content: string) => Buffer.from(`\ufeff${content}`, 'utf16le');
  const latin = (content: string) => Buffer.from(content, 'latin1');
  test.each<[string, Buffer, string]>([
    ['UTF-8 without a word', Buffer.from(text(undefined)), 'Žmogus €'],
    ['UTF-8 as declared', Buffer.from(text('utf-8')), 'Žmogus €'],
    ['UTF-8 by its mark', Buffer.from(`\ufeff${text(undefined)}`), 'Žmogus €'],
    ['UTF-8 by both', Buffer.from(`\ufeff${text('UTF-8')}`), 'Žmogus €'],
    ['UTF-16 by its mark', wide(text(undefined)), 'Žmogus €'],
    ['UTF-16 by both', wide(text('UTF-16')), 'Žmogus €'],
    ['UTF-16, the other way round', wide(text('UTF-16')).swap16(), 'Žmogus €'],
    ['ISO 8859-1', latin(text('ISO-8859-1', 'Müller')), 'Müller'],
    ['windows-1252 with its euro sign', latin(text('windows-1252', 'M\x80')), 'M€'],
    ['US-ASCII', latin(text('US-ASCII', 'Muller')), 'Muller'],
    [
      'a declaration in single quotes',
      latin(text('X').replace('"X"', "'iso-8859-1'").replace('Žmogus €', 'ü')),
      'ü',
    ],
  ])('%s', async (_, bytes, expected) => {
    expect(await decodeXml(bytes)).toContain(`<a>${expected}</a>`);
  });

  test.each<[string, Buffer, string, number | undefined]>([
    ['nothing', Buffer.alloc(0), 'empty', undefined],
    ['UTF-8 that is not', latin(`${text('UTF-8', 'a')}\n\n${'x'.repeat(70_000)}ü`), 'is not utf-8', 3],
    ['UTF-8 cut off in a character', Buffer.from(text(undefined, 'ü')).subarray(0, -5), 'is not utf-8', 1],
    ['UTF-8 declared as ISO 8859-1', Buffer.from(text('ISO-8859-1', 'Müller')), 'bytes are UTF-8', 1],
    [
      'a mark of UTF-8, declared as windows-1252',
      Buffer.from(`\ufeff${text('windows-1252')}`),
      'mark says UTF-8',
      1,
    ],
    ['a mark of UTF-16, declared as UTF-8', wide(text('UTF-8')), 'mark says UTF-16', 1],
    ['UTF-16 declared and absent', Buffer.from(text('UTF-16')), 'bytes are not UTF-16', 1],
    ['UTF-16 without its mark', Buffer.from(text(undefined), 'utf16le'), 'without its byte order mark', 1],
    ['UTF-32', Buffer.from('fffe00003c000000', 'hex'), 'UTF-32', 1],
    ['letters declared as ASCII', Buffer.from(text('us-ascii')), 'other characters', 1],
    ['an encoding that is unknown', Buffer.from(text('EBCDIC-CP-US')), 'which is not read here', 1],
    ['UTF-7', Buffer.from(text('UTF-7')), 'which is not read here', 1],
    ['NUL', Buffer.from(text('UTF-8', 'a\0')), 'NUL', 1],
    ['a ZIP file', Buffer.from('504b0304140000000800', 'hex'), 'ZIP', undefined],
    ['a gzip file', Buffer.from('1f8b0800000000000003', 'hex'), 'gzip', undefined],
  ])('%s is refused', async (_, bytes, message, line) => {
    const refused = await refusal(() => decodeXml(bytes));
    expect(refused.message).toContain(message);
    expect(refused.line).toBe(line);
    expect(refused.hint ?? '').not.toContain('--encoding');
  });
});

describe('a file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'statements-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('of more than 64 MiB is refused before it is read', async () => {
    const path = join(folder, 'large.xml');
    await writeFile(path, '');
    await truncate(path, 64 * 1024 * 1024 + 1);
    expect((await refusal(() => readXmlFile(path))).message).toContain('larger than 64 MiB');
  });

  test('that is cut off is refused with its line before anything of it is given', async () => {
    const path = join(folder, 'cut.xml');
    await writeFile(path, camt053(`\n${entry()}\n${entry()}`).slice(0, -60));
    const parts: unknown[] = [];
    const refused = await refusal(async () => {
      for await (const part of CAMT_053.read(path)) parts.push(part);
    });
    expect(refused.message).toContain('cut off');
    expect(refused.line).toBeGreaterThan(3);
    expect(parts).toEqual([]);
  });
});
