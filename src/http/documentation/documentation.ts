/**
 * `/openapi.json` and `/docs`: the interface described, and a page to read it and try it on. The page is swagger-ui from
 * its package; it loads nothing from anywhere else.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Context, Hono } from 'hono';
import { type DocumentOptions, type OpenApiDocument, openApiDocument } from './document.ts';
import { type ExampleMessages, withExamples } from './examples.ts';
import { DOCS_PAGE, DOCS_SCRIPT, DOCS_STYLE } from './page.ts';

export interface DocumentationOptions extends DocumentOptions {
  /** Without them the document has no examples. */
  readonly messages?: ExampleMessages | undefined;
}

const NO_MESSAGES: ExampleMessages = { examples: [], sign: undefined, fresh: () => '' };

/** Files of swagger-ui that the page needs, and their types. */
const PACKAGE_FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

/** Inline styles are swagger-ui's own; scripts come from here alone. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The routes, to be mounted at the root. */
export function documentation(options: DocumentationOptions): Hono {
  const app = new Hono();
  let document: OpenApiDocument | undefined;
  app.get('/openapi.json', (context) => {
    document ??= openApiDocument(options);
    harden(context, 'no-store');
    // Examples are made anew for every reader: an order number works once.
    return context.json(withExamples(document, options.messages ?? NO_MESSAGES));
  });
  app.get('/docs', (context) => {
    context.header('Content-Security-Policy', CSP);
    harden(context, 'no-cache');
    return context.html(DOCS_PAGE);
  });
  app.get('/docs/docs.css', (context) => asset(context, DOCS_STYLE, 'text/css; charset=utf-8'));
  app.get('/docs/docs.js', (context) => asset(context, DOCS_SCRIPT, 'text/javascript; charset=utf-8'));
  for (const [name, type] of Object.entries(PACKAGE_FILES)) {
    app.get(`/docs/${name}`, async (context) => asset(context, await packageFile(name), type));
  }
  return app;
}

function harden(context: Context, caching: string): void {
  context.header('Cache-Control', caching);
  context.header('X-Content-Type-Options', 'nosniff');
  context.header('Referrer-Policy', 'no-referrer');
}

function asset(context: Context, content: string | Uint8Array<ArrayBuffer>, type: string): Response {
  harden(context, 'public, max-age=3600');
  context.header('Content-Type', type);
  return context.body(content);
}

const require = createRequire(import.meta.url);

async function packageFile(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(require.resolve(`swagger-ui-dist/${name}`)));
}
