import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Router } from 'express';
import { openApiDocument } from '../../rest-adapter/openapi.ts';
import type { Route } from '../../rest-adapter/route.ts';
import type { Config } from '../platform/config.ts';
import { version } from './version.ts';

const referenceFolder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const referenceFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** The OpenAPI document and a page that shows it, all from our own files. */
export function serveDocuments(pages: Router, routes: readonly Route[], { APP_URL }: Pick<Config, 'APP_URL'>): void {
  const document = JSON.stringify(openApiDocument(routes, { version, url: APP_URL }));
  pages.get('/openapi.json', (_req, res) => void res.type('application/json').send(document));
  pages.get('/', (_req, res) => res.redirect('/docs/api'));
  pages.get('/docs/api', (_req, res) => {
    res.set(
      'Content-Security-Policy',
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    );
    res.type('html').send(referencePage);
  });
  pages.get('/docs/api/start.js', (_req, res) => void res.type('js').send(referenceScript));
  for (const file of referenceFiles) {
    const content = readFileSync(path.join(referenceFolder, file));
    pages.get(`/docs/api/${file}`, (_req, res) => {
      res.set('Cache-Control', 'public, max-age=86400');
      res.type(path.extname(file)).send(content);
    });
  }
}

const referencePage = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Patchbay API reference</title>
  <link rel="icon" href="/docs/api/favicon-32x32.png">
  <link rel="stylesheet" href="/docs/api/swagger-ui.css">
</head>
<body>
  <main id="reference"></main>
  <script src="/docs/api/swagger-ui-bundle.js"></script>
  <script src="/docs/api/start.js"></script>
</body>
</html>
`;

const referenceScript = `SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;
