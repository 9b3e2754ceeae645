import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonFields } from '../../src/wire/canonical.ts';
import { fitsXml, readXml, writeXml } from '../../src/wire/xml.ts';

function written(fields: JsonFields): string {
  const document = writeXml('respon', fields);
  if ('fault' in document) throw new Error(document.fault);
  return document.xml;
}

describe('a document is read', () => {
  test.each<[string, JsonFields]>([
    ['<request/>', {}],
    ['<request />\n', {}],
    ['<request></request >', {}],
    ['<request></request>', {}],
    [
      '<?xml version="1.0" encoding="utf-8"?>\n<request><amount>10.00</amount></request>\n',
      { amount: '10.00' },
    ],
    ['<request>\n  <a> 1 </a>\n  <b/>\n</request>', { a: ' 1 ', b: '' }],
    [
      '<request><order_no>00123</order_no><flag>true</flag><x>1e5</x></request>',
      { order_no: '00123', flag: 'true', x: '1e5' },
    ],
    ['<request><the_service>shop.example</the_service></request>', { 'the service': 'shop.example' }],
    [
      '<request><note>a &lt;b&gt; &amp;amp; &quot;c&quot; &apos;</note></request>',
      { note: 'a <b> &amp; "c" \'' },
    ],
    ['<request><note>&#65;&#x1F600;&#13;</note></request>', { note: 'A😀\r' }],
    ['<request><note>&#38;lt;</note></request>', { note: '&lt;' }],
    [
      '<request><note><![CDATA[<b> & &amp; <!-- x -->]]></note></request>',
      { note: '<b> & &amp; <!-- x -->' },
    ],
    ['<request><note>a\r\nb</note></request>', { note: 'a\nb' }],
    [
      '<request><subscription><interval>day</interval></subscription></request>',
      { subscription: { interval: 'day' } },
    ],
    [
      '<request><cart_items><basic_item_data><name>x</name></basic_item_data></cart_items></request>',
      { cart_items: [{ basic_item_data: { name: 'x' } }] },
    ],
    [
      '<request><total_discount><discount_type>a</discount_type></total_discount><total_discount><discount_type>b</discount_type></total_discount></request>',
      { total_discount: [{ discount_type: 'a' }, { discount_type: 'b' }] },
    ],
  ])('%s', (xml, fields) => {
    expect(readXml(xml, 'request')).toEqual({ fields });
  });
});

describe('F86 a document is refused', () => {
  test.each<[string, string]>([
    ['', 'it is not well-formed XML at line 1'],
    ['text', 'it is not well-formed XML at line 1'],
    ['<request><a>1</a>', 'it is not well-formed XML at line 1'],
    ['<request>\n<a>1</b></request>', 'it is not well-formed XML at line 2'],
    ['<request/><request/>', 'an element stands twice that is no list'],
    ['<request/><respon/>', 'it is not one element request'],
    ['<request/>x', 'it is not one element request'],
    ['<request></request>x>', 'it is not well-formed XML at line 1'],
    ['x<request/>', 'it is not well-formed XML at line 1'],
    ['<request>x</request>', 'there is text between elements'],
    ['<respon/>', 'it is not one element request'],
    [
      '<!DOCTYPE request [<!ENTITY x "y">]><request>&x;</request>',
      'it has a document type, a comment or an open CDATA section',
    ],
    [
      '<!doctype request SYSTEM "file:///etc/passwd"><request/>',
      'it has a document type, a comment or an open CDATA section',
    ],
    [
      '<request><amount>1<!-- -->0.00</amount></request>',
      'it has a document type, a comment or an open CDATA section',
    ],
    [
      '<request><note><![CDATA[x</note></request>',
      'it has a document type, a comment or an open CDATA section',
    ],
    ['<request><?php x ?></request>', 'it has a processing instruction'],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><request/>', 'it declares another encoding than UTF-8'],
    [
      '<request><note>&unknown;</note></request>',
      'it has a reference to something else than a character of XML',
    ],
    [
      '<request><note>&nbsp;</note></request>',
      'it has a reference to something else than a character of XML',
    ],
    ['<request><note>a & b</note></request>', 'it has a reference to something else than a character of XML'],
    ['<request><note>&#0;</note></request>', 'it has a reference to something else than a character of XML'],
    [
      '<request><note>&#x1f;</note></request>',
      'it has a reference to something else than a character of XML',
    ],
    [
      '<request><note>&#xD800;</note></request>',
      'it has a reference to something else than a character of XML',
    ],
    [
      '<request><note>&#1114112;</note></request>',
      'it has a reference to something else than a character of XML',
    ],
    ['<request><note>\u0001</note></request>', 'it has a character that XML does not have'],
    ['<request><note>\ufffe</note></request>', 'it has a character that XML does not have'],
    ['<request><amount>1</amount><amount>2</amount></request>', 'an element stands twice that is no list'],
    ['<request>x<amount>1</amount></request>', 'there is text between elements'],
    ['<request><amount unit="cent">1</amount></request>', 'an element has an attribute'],
    ['<request a="1"/>', 'an element has an attribute'],
    [
      `<request>${'<a>'.repeat(40)}${'</a>'.repeat(40)}</request>`,
      'it is nested too deep, or an element has a forbidden name',
    ],
    [
      '<request><__proto__>1</__proto__></request>',
      'it is nested too deep, or an element has a forbidden name',
    ],
    [`<request><a>${'x'.repeat(1024 * 1024)}</a></request>`, 'it is longer than 1048576 characters'],
  ])('%.60s', (xml, fault) => {
    expect(readXml(xml, 'request')).toEqual({ fault });
  });

  test('without a word of it', () => {
    for (const xml of [
      '<request><card>4111111111111111</card',
      '<request><c4111111111111111>1</c></request>',
    ]) {
      expect(JSON.stringify(readXml(xml, 'request'))).not.toContain('4111');
    }
  });

  test.each([
    ['<'],
    ['<a'],
    ['<a>'],
    ['<!--'],
    ['<![CDATA['],
    ['<a b="'],
    ['&'],
    ['&amp;'],
    ['<?a '],
    ['<a/>'],
    [']]>'],
  ])('in bounded time: %s again and again', (piece) => {
    const began = performance.now();
    readXml(`<request>${piece.repeat(Math.floor(900_000 / piece.length))}</request>`, 'request');
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe('a document is written', () => {
  test.each<[JsonFields, string]>([
    [{}, '<respon></respon>'],
    [{ note: '<a>&"\']]>' }, '<respon><note>&lt;a&gt;&amp;&quot;&apos;]]&gt;</note></respon>'],
    [{ note: 'a\r\nb' }, '<respon><note>a&#13;\nb</note></respon>'],
    [{ 'the service': 'x', a: '' }, '<respon><a></a><the_service>x</the_service></respon>'],
    [
      {
        risk_reasons: [
          { name: 'amount', status: 'pass' },
          { name: 'country', status: 'fail' },
        ],
      },
      '<respon><risk_reasons><name>amount</name><status>pass</status></risk_reasons><risk_reasons><name>country</name><status>fail</status></risk_reasons></respon>',
    ],
    [{ checkout_time: 12 }, '<respon><checkout_time>12</checkout_time></respon>'],
  ])('%j', (fields, xml) => {
    expect(written(fields)).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
  });

  test.each<[JsonFields, string]>([
    [{ note: 'a\u0000' }, 'a text has a character that XML does not have'],
    [{ note: '\ud800' }, 'a text has a character that XML does not have'],
    [{ risk_reasons: [{ name: '\u001b[2J' }] }, 'a text has a character that XML does not have'],
    [{ 'a b': 'x' }, 'a field has a name that no element can have'],
    [{ '1a': 'x' }, 'a field has a name that no element can have'],
    [{ a: { '<': 'x' } }, 'a field has a name that no element can have'],
  ])('F86 or refused: %j', (fields, fault) => {
    expect(writeXml('respon', fields)).toEqual({ fault });
  });
});

test('F86 property: whatever text is written comes back, or is refused', () => {
  const markup = fc.constantFrom(
    '<',
    '>',
    '&',
    '&lt;',
    ']]>',
    '<![CDATA[',
    '\r',
    '\n',
    '\t',
    ' ',
    '"',
    "'",
    '&#0;',
    '<!--',
    '\u0001',
    '\ufffe',
    '😀',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(markup).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(text, text, (one, other) => {
      const fields = {
        note: one,
        subscription: { contract_name: other },
        risk_reasons: [{ name: one, status: other }],
      };
      const document = writeXml('respon', fields);
      if ('fault' in document) expect(fitsXml(one) && fitsXml(other)).toBe(false);
      else expect(readXml(document.xml, 'respon')).toEqual({ fields });
    }),
    { numRuns: 500 },
  );
});

test('property: reading never throws', () => {
  const piece = fc.constantFrom(
    '<request>',
    '</request>',
    '<a>',
    '</a>',
    '<a/>',
    'x',
    '&amp;',
    '&',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?',
    '?>',
    '"',
    ' b="c"',
    '<constructor>',
    '</constructor>',
    '<toString/>',
    '<hasOwnProperty>1</hasOwnProperty>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const read = readXml(`<request>${pieces.join('')}</request>`, 'request');
      expect('fields' in read || typeof read.fault === 'string').toBe(true);
    }),
    { numRuns: 2000 },
  );
});
