/** The document and the page: complete, in words, valid in itself, and nothing loaded from elsewhere. */
import { serve } from '@hono/node-server';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CODES } from '../../../src/core/code.ts';
import { openApiDocument } from '../../../src/http/documentation/document.ts';
import { documentation } from '../../../src/http/documentation/documentation.ts';
import { type ExampleMessages, withExamples } from '../../../src/http/documentation/examples.ts';
import { FIELD_EXAMPLES } from '../../../src/http/documentation/field-examples.ts';
import { FIELD_WORDS } from '../../../src/http/documentation/fields.ts';
import { ROUTES } from '../../../src/http/v1.ts';
import { errorAnswer } from '../../../src/wire/responses.ts';
import { HAS_BROWSER, launchBrowser } from '../../support/browser.ts';

const OPTIONS = { publicUrl: 'https://pay.example', version: '1.2.3', environment: 'sandbox' };
const DOCUMENT = openApiDocument(OPTIONS);

type Node = Readonly<Record<string, unknown>>;

/** Every object in the document, with the path to it. */
function nodes(node: unknown, path = '#'): readonly (readonly [string, Node])[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, value]) => nodes(value, `${path}/${name}`));
  return Array.isArray(node) ? inner : [[path, node as Node], ...inner];
}

function at(reference: string): unknown {
  const names = reference.replace(/^#\//, '').split('/');
  return names.reduce<unknown>((node, name) => (node as Node | undefined)?.[name], DOCUMENT);
}

/** Name and schema of every property of every schema. */
const PROPERTIES = nodes(DOCUMENT.components?.schemas).flatMap(([, node]) =>
  typeof node.properties === 'object' && node.properties !== null
    ? (Object.entries(node.properties) as [string, Node][])
    : [],
);

describe('the document', () => {
  test('is OpenAPI 3.1 and names where it is served, what it is and of what environment', () => {
    expect(DOCUMENT.openapi).toBe('3.1.0');
    expect(DOCUMENT.info.version).toBe('1.2.3');
    expect(DOCUMENT.servers).toEqual([{ url: 'https://pay.example' }]);
    expect(DOCUMENT.info.description).toContain('SANDBOX: no money moved outside this ledger');
    const live = openApiDocument({ ...OPTIONS, environment: 'live' });
    expect(live.info.description).not.toContain('SANDBOX');
  });

  test('has every route, by POST, and no other', () => {
    expect(Object.keys(DOCUMENT.paths ?? {}).sort()).toEqual(ROUTES.map(({ path }) => path).sort());
    for (const path of Object.values(DOCUMENT.paths ?? {})) expect(Object.keys(path)).toEqual(['post']);
  });

  test.each(ROUTES)(
    '$path says what may be sent and what comes back',
    ({ path, takesXml, changes, onlyRegistered }) => {
      const post = DOCUMENT.paths![path]!.post!;
      expect(post.summary).toMatch(/^[A-Z]/);
      expect(post.description).toMatch(/\.$/);
      const body = post.requestBody as unknown as { readonly content: Node };
      const forms = ['application/json', 'application/x-www-form-urlencoded'];
      expect(Object.keys(body.content)).toEqual(takesXml ? [...forms, 'application/xml'] : forms);
      const parameters = (post.parameters ?? []) as readonly { readonly name: string }[];
      expect(parameters.map(({ name }) => name)).toEqual(changes ? ['Idempotency-Key'] : []);
      const statuses = Object.keys(post.responses ?? {});
      expect(statuses).toEqual(
        expect.arrayContaining(['200', '400', '401', '413', '415', '429', '500', '503']),
      );
      expect(statuses.includes('409')).toBe(changes);
      expect(statuses.includes('403')).toBe(onlyRegistered);
      for (const response of Object.values(post.responses ?? {}))
        expect(Object.keys(response.headers)).toEqual(
          expect.arrayContaining(['X-Request-Id', 'X-Batchgate-Environment']),
        );
    },
  );

  test('refers only to what is in it', () => {
    const references = nodes(DOCUMENT).flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((reference) => at(reference) === undefined)).toEqual([]);
  });

  test('has objects without room for other fields, and patterns that are regular expressions', () => {
    for (const [path, node] of nodes(DOCUMENT.components?.schemas)) {
      if (node.type === 'object' && node.properties !== undefined)
        expect([path, node.additionalProperties]).toEqual([path, false]);
      if (typeof node.pattern === 'string') expect(() => new RegExp(node.pattern as string)).not.toThrow();
    }
  });

  test('has words for every field, and a field for all words', () => {
    const names = new Set(PROPERTIES.map(([name]) => name));
    expect(
      PROPERTIES.filter(([, schema]) => typeof schema.description !== 'string').map(([name]) => name),
    ).toEqual([]);
    expect(Object.keys(FIELD_WORDS).filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(FIELD_EXAMPLES).filter((name) => !names.has(name))).toEqual([]);
    for (const words of Object.values(FIELD_WORDS)) expect(words).toMatch(/[.]$/);
  });

  test('says the lengths of fields', () => {
    const property = (name: string) => PROPERTIES.find(([one]) => one === name)![1];
    expect(property('order_no')).toMatchObject({ minLength: 1, maxLength: 64 });
    expect(property('shopper_email')).toMatchObject({ maxLength: 254 });
    expect(property('notify_url')).toMatchObject({ maxLength: 2048 });
    expect(property('first_name')).toMatchObject({ maxLength: 255 });
    expect(property('note')).toMatchObject({ maxLength: 4096 });
    expect(at('#/components/schemas/CaptureRequest/properties/capture_orders')).toMatchObject({
      maxItems: 50,
    });
    expect(at('#/components/schemas/ReviewRequest/properties/review_orders')).toMatchObject({
      maxItems: 100,
    });
  });

  test('has a table of all codes that an answer can have, and error examples that are errors', () => {
    for (const code of Object.keys(CODES))
      expect(DOCUMENT.info.description!.includes(`| ${code} |`)).toBe(!code.startsWith('B'));
    const examples = nodes(DOCUMENT.paths).flatMap(([path, { example }]) =>
      example === undefined ? [] : [[path, example] as const],
    );
    expect(examples.length).toBeGreaterThan(50);
    for (const [, example] of examples) expect(errorAnswer.safeParse(example).error).toBeUndefined();
  });
});

describe('examples', () => {
  const messages: ExampleMessages = {
    examples: [
      {
        operation: 'capture',
        name: 'one',
        summary: 'One',
        message: { merchant_id: 'M1', capture_orders: [] },
      },
      { operation: 'authorise', name: 'two', summary: 'Two', message: { order_no: 'W' } },
    ],
    sign: (message) => `signed ${Object.keys(message).length}`,
    fresh: () => 'X1',
  };
  const valuesOf = (path: string, given: ExampleMessages) => {
    const body = withExamples(DOCUMENT, given).paths![path]!.post!.requestBody as never as {
      readonly content: { readonly 'application/json': { readonly examples: Node } };
    };
    return body.content['application/json'].examples;
  };

  test('carry their signature, and an order number that nobody has used', () => {
    expect(valuesOf('/v1/capture', messages)).toEqual({
      one: { summary: 'One', value: { merchant_id: 'M1', capture_orders: [], encryption_data: 'signed 2' } },
    });
    expect(valuesOf('/v1/authorise', messages)).toMatchObject({ two: { value: { order_no: 'W-X1' } } });
    expect(valuesOf('/v1/refund', messages)).toEqual({});
  });

  test('have a placeholder where the key may not be used', () => {
    const unsigned = valuesOf('/v1/capture', { ...messages, sign: undefined });
    expect(unsigned).toMatchObject({ one: { value: { encryption_data: '0'.repeat(64) } } });
  });
});

describe('served', () => {
  const app = documentation(OPTIONS);

  test('the document is JSON that is not kept, because its examples are made anew', async () => {
    const response = await app.request('/openapi.json');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(((await response.json()) as Node).openapi).toBe('3.1.0');
  });

  test('only the files that the page needs are there', async () => {
    const page = await (await app.request('/docs')).text();
    const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path!);
    expect(files.every((path) => path.startsWith('/'))).toBe(true);
    for (const file of files) expect([file, (await app.request(file)).status]).toEqual([file, 200]);
    for (const file of ['package.json', 'swagger-ui.js', '..%2fpackage.json'])
      expect((await app.request(`/docs/${file}`)).status).toBe(404);
  });

  test('a strict policy allows scripts of this server alone', async () => {
    const policy = (await app.request('/docs')).headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });
});

describe.skipIf(!HAS_BROWSER)('in a browser', () => {
  let browser: Browser;
  let server: ReturnType<typeof serve>;
  let url: string;

  beforeAll(async () => {
    url = await new Promise<string>((resolve) => {
      const app = documentation(OPTIONS);
      server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}`),
      );
    });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  test('the page lists every operation, asks nobody else and breaks no policy', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    const seen: string[] = [];
    page.on('request', (request) => {
      const address = request.url();
      if (!address.startsWith(`${url}/`) && !address.startsWith('data:')) seen.push(address);
    });
    page.on('console', (message) => seen.push(message.text()));
    page.on('pageerror', (error) => seen.push(error.message));
    await page.goto(`${url}/docs`);
    await page.waitForSelector('.opblock');
    expect(await page.locator('.opblock').count()).toBe(ROUTES.length);
    await page.click('#operations-Transactions-capture .opblock-summary-control');
    await page.waitForSelector('#operations-Transactions-capture .responses-table');
    expect(seen).toEqual([]);
    await page.close();
  });
});
