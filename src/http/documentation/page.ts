/** The page at /docs and its own script and style; everything else on it is swagger-ui. */

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>batchgate: the merchant interface</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<main id="docs"></main>
<noscript>This page needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/docs.js"></script>
</body>
</html>
`;

/** Without a validator's address, which swagger-ui would ask for a badge. */
export const DOCS_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  tryItOutEnabled: true,
  requestSnippetsEnabled: true,
  displayRequestDuration: true,
});
`;

export const DOCS_STYLE = `html { box-sizing: border-box; overflow-y: scroll }
*, *::before, *::after { box-sizing: inherit }
body { margin: 0; background: #fff }
`;
