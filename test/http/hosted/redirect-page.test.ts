import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redirectHeaders, redirectPage } from '../../../src/http/hosted/redirect-page.ts';
import { tagsOf } from './tags.ts';

const ACTION = 'https://pay.example/hosted/abc';

function page(inputs: readonly (readonly [string, string])[]): string {
  return String(redirectPage({ action: ACTION, inputs, nonce: 'bm9uY2U=' }));
}

test('a form of hidden inputs, in their order, and one script that submits it', () => {
  const text = page([
    ['order_no', 'O-1'],
    ['the service', 'shop'],
  ]);
  expect(text).toContain(`<form class="sheet notice" method="post" action="${ACTION}">`);
  expect(text).toContain(
    '<input type="hidden" name="order_no" value="O-1">\n<input type="hidden" name="the service" value="shop">',
  );
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).toContain('<script nonce="bm9uY2U=">HTMLFormElement.prototype.submit');
  expect(text).toMatch(/<noscript><button[^>]*>Go on<\/button><\/noscript>/);
});

test('the policy lets in that script and that style sheet alone, and the form go to the hosted page alone', () => {
  const policy =
    "default-src 'none'; script-src 'nonce-bm9uY2U='; style-src 'nonce-bm9uY2U='; form-action https://pay.example; base-uri 'none'";
  const headers = redirectHeaders({ action: ACTION, inputs: [], nonce: 'bm9uY2U=' });
  expect(headers['Content-Security-Policy']).toBe(policy);
  expect(headers['Cache-Control']).toBe('no-store');
  // A merchant may pass on the page without its headers.
  expect(page([])).toContain(`content="${policy.replaceAll("'", '&#39;')}"`);
});

describe('F85 what an order holds stays text', () => {
  test.each([
    ['"><script>alert(1)</script>'],
    ["' autofocus onfocus=alert(1) x='"],
    ['</form><form action="https://evil.example">'],
    ['javascript:alert(1)'],
    ['&quot;&#34;'],
    ['</title><base href="https://evil.example">'],
  ])('%s', (hostile) => {
    const text = page([
      ['note', hostile],
      [hostile, 'x'],
    ]);
    expect(tagsOf(text)).toEqual(
      tagsOf(
        page([
          ['note', 'x'],
          ['x', 'x'],
        ]),
      ),
    );
    expect(text).toContain(`action="${ACTION}"`);
  });

  test('any text comes out of the page as it went in', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (name, value) => {
        const [input] = page([[name, value]]).match(/<input[^>]*>/)!;
        const [, readName, readValue] = /name="([^"]*)" value="([^"]*)"/s.exec(input)!;
        expect([unescaped(readName!), unescaped(readValue!)]).toEqual([name, value]);
      }),
    );
  });
});

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name]!);
}
