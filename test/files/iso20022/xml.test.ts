import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
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

/** The refusal, which says what to do. */
async function refusal(read: () => unknown): Promise<Unreadable> {
  try {
    await read();
  } catch (error) {
    expect(error).toBeInstanceOf(Unreadable);
    expect((error as Unreadable).message).toMatch(/^[A-Z].*\.$/s);
    expect((error as Unreadable).hint).toMatch(/^[A-Z].*\.$/);
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
    [
      'beside elements of no namespace, and empty ones',
      `<n:Document xmlns:n="${NAMESPACE}"><n:R><A>2</A><A/><n:B/><n:A>1</n:A></n:R></n:Document>`,
    ],
    [
      'in an envelope whose header has a prefix',
      `<E xmlns:h="urn:h"><h:AppHdr><h:A>2</h:A></h:AppHdr><Document xmlns="${NAMESPACE}"><R><A>1</A></R></Document></E>`,
    ],
    [
      'behind a byte order mark, with a declaration of every part',
      `\ufeff<?xml version='1.0' encoding = "utf-8" standalone="no" ?><Document xmlns="${NAMESPACE}"><R><A>1</A></R></Document>`,
    ],
    ['with blanks in its tags', `<Document\n\txmlns = "${NAMESPACE}"\n><R ><A\n>1</A\n></R ></Document >`],
    [
      'with an attribute that begins like markup',
      `<Document xmlns="${NAMESPACE}"><R b="--]" c='"'><A>1</A></R></Document>`,
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

  test('with a text as it stands, but for lines that end as elsewhere', () => {
    const { body } = readIso(messageOf('<A> a >\r\n<B/></A><C>x ></C>\n <D> \n </D><E>]] ></E>'));
    expect(body).toEqual({ A: { '#text': ' a >\n', B: '' }, C: 'x >', D: '', E: ']] >' });
  });

  test('with amounts and ids as text', () => {
    const { body } = readIso(messageOf('<A>1e5</A><B>00123</B><C>10.00</C><D>true</D>'));
    expect(['A', 'B', 'C', 'D'].map((name) => textAt(body, name))).toEqual(['1e5', '00123', '10.00', 'true']);
  });
});

describe('an attack is refused', () => {
  const bomb = `<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "${'&a;'.repeat(1000)}">]>`;
  const outside = (markup: string) => messageOf('').replace('<Document', `${markup}<Document`);
  const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
  const numbered = (count: number, one: (number: number) => string) =>
    Array.from({ length: count }, (_, number) => one(number)).join('');
  test.each<[string, string, string, number]>([
    [
      'a document type',
      `<!DOCTYPE Document SYSTEM "file:///etc/passwd">${messageOf('')}`,
      'document type',
      1,
    ],
    ['a document type in another case', `<!doctype x>${messageOf('')}`, 'document type', 1],
    ['a document type from elsewhere', outside('<!DOCTYPE a PUBLIC "a" "http://example.com/a">'), 'type', 2],
    [
      'a parameter entity',
      outside('<!DOCTYPE a [<!ENTITY % p SYSTEM "http://a/"> %p;]>'),
      'document type',
      2,
    ],
    ['an inner document type', messageOf('\n<!DOCTYPE a [<!ENTITY x "y">]><A>&x;</A>'), 'document type', 3],
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
    ['a loose ampersand between comments', messageOf('<!-- & -->\n&<!-- & -->'), 'reference to an entity', 3],
    ['a parameter reference', messageOf('<A>&%p;</A>'), 'reference to an entity', 2],
    ['a reference to NUL', messageOf('<A>&#0;</A>'), 'reference to an entity', 2],
    ['a reference to half a character', messageOf('<A>&#xD800;</A>'), 'reference to an entity', 2],
    ['a reference beyond Unicode', messageOf('<A>&#x110000;</A>'), 'reference to an entity', 2],
    ['nesting 65 deep', nested(65), '64 deep', 1],
    ['nesting 100,000 deep', messageOf(nested(100_000)), '64 deep', 2],
    ['nesting two million deep', '<a>'.repeat(2_000_000), '64 deep', 1],
    ['a huge attribute', messageOf(`<A b="${'x'.repeat(5_000_000)}"/>`), 'longer than 4096', 2],
    [
      'a hundred thousand attributes',
      messageOf(`<A ${numbered(100_000, (number) => `a${number}="1" `)}/>`),
      'longer than 4096',
      2,
    ],
    [
      '65 attributes',
      messageOf(`<A${numbered(65, (number) => ` a${number}=""`)}/>`),
      'more than 64 attributes',
      2,
    ],
    [
      'an attribute that hides its length',
      messageOf(`<A b="${'>'.repeat(1_000_000)}"/>`),
      'attribute has < or >',
      2,
    ],
    ['a huge name', messageOf(`<${'a'.repeat(1000)}/>`), 'name of an element', 2],
    ['a name of a million letters', messageOf(`<${'a'.repeat(1_000_000)}/>`), 'longer than 4096', 2],
    [
      'the huge name of an attribute',
      messageOf(`<A ${'a'.repeat(1000)}=""/>`),
      'or an attribute is longer',
      2,
    ],
    ['a huge closing tag', messageOf(`<A></A${' '.repeat(5000)}>`), 'longer than 4096', 2],
    ['a huge text', messageOf(`<A>${'x'.repeat(5_000_000)}</A>`), 'text in it is longer than 100000', 2],
    ['blanks without end', messageOf(`${' '.repeat(5_000_000)}<A/>`), 'text in it is longer', 2],
    ['blanks behind the root', messageOf('') + '\n'.repeat(5_000_000), 'text in it is longer', 2],
    ['a huge comment', messageOf(`<!--${'x'.repeat(5_000_000)}-->`), 'comment of more than 100000', 2],
    [
      'a huge CDATA section',
      messageOf(`<A><![CDATA[${'<'.repeat(5_000_000)}]]></A>`),
      'CDATA section of more',
      2,
    ],
    ['a huge instruction', messageOf(`<?a ${'x'.repeat(5_000_000)}?>`), 'instruction of more than', 2],
    ['a huge declaration', `<?xml version="1.0"${' '.repeat(500)}?>`, 'declaration is longer than 256', 1],
    ['comments without number', messageOf('<!---->'.repeat(1_000_001)), 'more than 1000000 comments', 2],
    ['elements without number', messageOf('<a/>'.repeat(4_000_001)), 'more than 4000000 elements', 2],
    ['entries without number', messageOf('<Ntry/>'.repeat(4_000_001)), 'more than 4000000 elements', 2],
    [
      'names without number',
      messageOf(numbered(20_001, (number) => `<a${number}/>`)),
      '20000 different tags',
      2,
    ],
    [
      'bulk beside all lists',
      messageOf('<A>1</A>'.repeat(140_000)),
      'more than 1048576 characters beside',
      1,
    ],
    [
      'bulk beside the lists of a list',
      messageOf(`<A/>\n<Stmt>${'<A>1</A>'.repeat(140_000)}</Stmt>`),
      'more than 1048576 characters beside',
      3,
    ],
    ['lists cut up', messageOf('<Ntry/>x'.repeat(100_000)), 'more than 1048576 characters beside', 1],
    ['NUL', messageOf('<A>\0</A>'), 'a character that XML does not have', 2],
    ['a control character', messageOf('<A>\n\u0001</A>'), 'a character that XML does not have', 3],
    [
      'a control character behind many others',
      messageOf(`<A>${'😀\n'.repeat(3000)}\u0001</A>`),
      'a character that XML does not have',
      3002,
    ],
    ['a lone surrogate', messageOf('<A>\ud800</A>'), 'a character that XML does not have', 2],
    ['a character that is none', messageOf('<A>\uffff</A>'), 'a character that XML does not have', 2],
    ['a dangerous name', messageOf('<constructor>1</constructor>'), 'forbidden name', 2],
    ['the name __proto__', messageOf('<__proto__>1</__proto__>'), 'forbidden name', 2],
    ['the name prototype', messageOf('<A>\n<prototype/></A>'), 'forbidden name', 3],
    ['the name toString', messageOf('<toString/>'), 'forbidden name', 2],
    ['a dangerous name behind a prefix', messageOf('<A xmlns:x="u"><x:__proto__/></A>'), 'forbidden name', 2],
    ['an attribute __proto__', messageOf('<A __proto__="1"/>'), 'forbidden name', 2],
    [
      'an instruction that hides an element from parsers that look at quotes',
      messageOf("<?a it's?>\n<Ntry/>\n<?a it's?>"),
      'open quote',
      2,
    ],
    ['a name that ends in the middle for others', messageOf('<Ntry\ufeffA/>'), 'is no name', 2],
  ])('%s', async (_, text, message, line) => {
    const refused = await refusal(() => readIso(text).body);
    expect(refused.message).toContain(message);
    expect(refused.line).toBe(line);
  });

  test.each<[string, string]>([
    ['64 elements inside each other', nested(62)],
    ['a text of 100,000 characters', `<A>${'x'.repeat(100_000)}</A>`],
    ['64 attributes', `<A${numbered(64, (number) => ` a${number}=""`)}/>`],
    ['20,000 different tags, some of them again', numbered(19_990, (n) => `<a${n}/>`) + '<a1/>'.repeat(100)],
  ])('but not %s', (_, body) => {
    expect(readIso(messageOf(body)).root).toBe('BkToCstmrStmt');
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
    [
      'crossed elements',
      messageOf('<A>\n<B></A></B>'),
      'not well-formed XML: the element "B" of line 3 is still open where "A" is closed',
    ],
    ['an element that is not closed', messageOf('<A>'), 'the element "A" of line 2 is still open'],
    ['an element closed in another case', messageOf('<A></a>'), 'where "a" is closed'],
    ['an element closed by the beginning of its name', messageOf('<Ab></A>'), 'where "A" is closed'],
    ['an element closed by more than its name', messageOf('<A></Ab>'), 'where "Ab" is closed'],
    ['an element closed with an attribute', messageOf('<A></A b="1">'), 'is closed'],
    ['an attribute twice', messageOf('<A b="1" b="2"/>'), 'not well-formed'],
    ['an attribute without quotes', messageOf('<A b=1/>'), 'not well-formed'],
    ['an attribute without a value', messageOf('<A b/>'), 'not well-formed'],
    ['attributes without a blank between', messageOf('<A b="1"c="2"/>'), 'not well-formed'],
    ['a slash in the middle of a tag', messageOf('<A / b="1">'), 'not well-formed'],
    ['a tag in a tag', messageOf('<A <B/>>'), '< or >'],
    ['a loose <', messageOf('<A>1 < 2</A>'), 'begins no tag'],
    ['a name that is none', messageOf('<1A/>'), 'is no name'],
    ['a name of three parts', messageOf('<a:b:c/>'), 'is no name'],
    ['a prefix without a namespace', messageOf('<x:Ntry/>'), 'prefix of "x:Ntry" has no namespace'],
    ['a loose ]]>', messageOf('<A>]]></A>'), 'loose "]]>"'],
    ['two hyphens in a comment', messageOf('<!-- a -- b -->'), '"--" in it'],
    ['a comment that ends in three hyphens', messageOf('<!-- a --->'), '"--" in it'],
    ['a declaration that is not the first', ` ${whole}`, 'does not stand at its beginning'],
    ['a declaration inside', messageOf('<?xml version="1.0"?>'), 'does not stand at its beginning'],
    ['a declaration without a version', whole.replace(' version="1.0"', ''), 'declaration is malformed'],
    ['an instruction without a name', messageOf('<? a?>'), 'is no name'],
    ['CDATA outside the root', `${whole}<![CDATA[x]]>`, 'outside its root'],
    ['cut off before a comment is one', `${whole.slice(0, whole.indexOf('<B>'))}<!-`, 'cut off'],
    ['cut off before CDATA is one', `${whole.slice(0, whole.indexOf('<B>'))}<![CDA`, 'cut off'],
    ['cut off in an instruction', `${whole.slice(0, whole.indexOf('<B>'))}<?a `, 'middle of a processing'],
    ['no namespace', '<Document><R/></Document>', 'no namespace'],
    [
      'a namespace that is declared too late',
      `<Document><R><Ntry>1</Ntry><A xmlns="${NAMESPACE}"/></R></Document>`,
      'no namespace',
    ],
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
    ...['ü', '€', '😀'].flatMap((character) =>
      Array.from(
        { length: Buffer.byteLength(character) - 1 },
        (_, kept): [string, Buffer, string, number] => [
          `UTF-8 cut off after byte ${kept + 1} of ${character}`,
          Buffer.concat([Buffer.from('<a>\n'), Buffer.from(character).subarray(0, kept + 1)]),
          'in the middle of a character: it was cut off',
          2,
        ],
      ),
    ),
    ['UTF-16 cut off in a character', wide('<a>\nü').subarray(0, -1), 'in the middle of a character', 2],
    ['UTF-16 cut off between halves', wide('<a>\n😀').subarray(0, -2), 'is not utf-16le', 2],
    ['half a character of UTF-8', Buffer.from('3c613ee282', 'hex'), 'in the middle of a character', 1],
    ['a character of UTF-8 that is too long', Buffer.from('3c613ec0af3c2f613e', 'hex'), 'is not utf-8', 1],
    ['a surrogate in UTF-8', Buffer.from('3c613eeda0803c2f613e', 'hex'), 'is not utf-8', 1],
    [
      'a mark of UTF-8, declared as windows-1252',
      Buffer.from(`\ufeff${text('windows-1252')}`),
      'mark says UTF-8',
      1,
    ],
    ['a mark of UTF-16, declared as UTF-8', wide(text('UTF-8')), 'mark says UTF-16', 1],
    ['UTF-16 declared and absent', Buffer.from(text('UTF-16')), 'bytes are not UTF-16', 1],
    ['UTF-16 without its mark', Buffer.from(text(undefined), 'utf16le'), 'without its byte order mark', 1],
    [
      'UTF-16 declared, without its mark',
      Buffer.from(text('UTF-16'), 'utf16le'),
      'without its byte order',
      1,
    ],
    [
      'UTF-16 without its mark, the other way round',
      Buffer.from(text(undefined), 'utf16le').swap16(),
      'without its byte order mark',
      1,
    ],
    ['a mark of UTF-16, declared as ISO 8859-1', wide(text('ISO-8859-1')), 'mark says UTF-16', 1],
    ['a mark of UTF-8, declared as UTF-16', Buffer.from(`\ufeff${text('UTF-16')}`), 'mark says UTF-8', 1],
    ['UTF-32', Buffer.from('fffe00003c000000', 'hex'), 'UTF-32', 1],
    ['UTF-32 without its mark', Buffer.from('3c0000003f000000', 'hex'), 'UTF-32', 1],
    ['EBCDIC', Buffer.from('4c6fa794934085958396848995877e', 'hex'), 'EBCDIC', 1],
    ['UTF-7 by its mark', Buffer.from('+/v8-<a/>'), 'UTF-7', 1],
    ['UTF-7 without a word', Buffer.from('+ADw-a/+AD4-'), 'UTF-7', 1],
    ['letters declared as ASCII', Buffer.from(text('us-ascii')), 'other characters', 1],
    ['an encoding that is unknown', Buffer.from(text('EBCDIC-CP-US')), 'which is not read here', 1],
    ['UTF-7', Buffer.from(text('UTF-7')), 'which is not read here', 1],
    [
      'an encoding named like what every object has',
      Buffer.from(text('constructor')),
      'which is not read here',
      1,
    ],
    [
      'an encoding declared behind many blanks',
      Buffer.from(`<?xml version="1.0"${' '.repeat(200)} encoding="EBCDIC-CP-US"?><a/>`),
      'which is not read here',
      1,
    ],
    ['NUL', Buffer.from(text('UTF-8', 'a\0')), 'NUL', 1],
    ['a ZIP file', Buffer.from('504b0304140000000800', 'hex'), 'ZIP', undefined],
    ['a gzip file', Buffer.from('1f8b0800000000000003', 'hex'), 'gzip', undefined],
  ])('%s is refused', async (_, bytes, message, line) => {
    const refused = await refusal(() => decodeXml(bytes));
    expect(refused.message).toContain(message);
    expect(refused.line).toBe(line);
    expect(refused.hint).not.toContain('--encoding');
  });
});

describe('whatever is read', () => {
  /** Pieces of which mutations are made. */
  const PARTS = [
    ...[
      '<',
      '>',
      '/',
      '"',
      "'",
      '&',
      '&amp;',
      '&#65;',
      '&x;',
      '<!--',
      '-->',
      '--',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
    ],
    ...[
      ' ',
      '\t',
      '\n',
      '\r',
      '=',
      ':',
      'a',
      'b="1"',
      '<a>',
      '</a>',
      '<a/>',
      '</n:B>',
      '<n:Ntry>',
      '<n:Ntry/>',
    ],
    ...[
      '<Ntry/>',
      '<n:TxDtls/>',
      '\u00a0',
      '\ufeff',
      '\u1680',
      'é',
      '😀',
      '\u0085',
      '!',
      '1',
      ']',
      '<x:Ntry/>',
    ],
  ];
  const SMALL = `<?xml version="1.0"?>
<n:Document xmlns:n="${NAMESPACE}"><!-- c --><n:B a='1' b="2"><n:Stmt><n:Id>S&amp;&#65;</n:Id><n:Ntry><n:A>1</n:A>
<n:NtryDtls><n:TxDtls>x</n:TxDtls><n:TxDtls/></n:NtryDtls></n:Ntry> <n:Ntry >t</n:Ntry ><![CDATA[<x> & ]]><?pi a="b"?>
</n:Stmt></n:B></n:Document>\n`;
  const mutation = fc.record({
    at: fc.nat(SMALL.length),
    removed: fc.nat(3),
    added: fc.constantFrom('', ...PARTS),
  });
  const mutated = fc
    .array(mutation, { maxLength: 3 })
    .map((mutations) =>
      mutations.reduce(
        (text, { at, removed, added }) => text.slice(0, at) + added + text.slice(at + removed),
        SMALL,
      ),
    );

  function readOrRefused(text: string, block?: number): unknown {
    try {
      return readIso(text, block).body;
    } catch (error) {
      expect(error).toBeInstanceOf(Unreadable);
      return undefined;
    }
  }

  test("is well-formed in the library's eyes too, and else refused in words", () => {
    fc.assert(
      fc.property(mutated, (text) => {
        if (readOrRefused(text) !== undefined) expect(XMLValidator.validate(text)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('is the same whatever is parsed at a time', () => {
    fc.assert(
      fc.property(mutated, fc.integer({ min: 1, max: 300 }), (text, block) => {
        expect(readOrRefused(text, block)).toEqual(readOrRefused(text, 1_000_000));
      }),
      { numRuns: 2000 },
    );
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

  test('that is a pipe is read, as long as it is not too large', async () => {
    const path = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [path]);
    const text = messageOf(`<A>${'<B>ü</B>'.repeat(50_000)}</A>`);
    const [read] = await Promise.all([readXmlFile(path), writeFile(path, text)]);
    expect(read).toBe(text);
    const all = Promise.all([
      refusal(() => readXmlFile(path)),
      writeFile(path, Buffer.alloc(2 ** 26 + 1)).catch(() => {}),
    ]);
    expect((await all)[0].message).toContain('larger than 64 MiB');
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
