import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openApiDocument } from '../../../../rest-adapter/openapi.ts';
import type { Route } from '../../../../rest-adapter/route.ts';
import { clientMetadata, clientMetadataPath } from '../../../oauth/index.ts';
import type { Config } from '../../../platform/config.ts';
import { version } from '../../version.ts';
import { withLineFeed } from '../line-feed.ts';
import type { PackedPage } from './packed-page.ts';

const referenceFolder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const referenceFiles = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
] as const;

type FixedPage = Omit<PackedPage, 'isFixed'>;

/** Seconds for which others may keep the client id metadata document. A change of APP_URL makes another document at another URL. */
const clientMetadataAge = 3_600;

/** The OpenAPI document and a page that shows it, all from our own files; the client id metadata document. */
export function documentPages(
  routes: readonly Route[],
  { APP_URL }: Pick<Config, 'APP_URL'>,
): ReadonlyMap<string, FixedPage> {
  const document = JSON.stringify(openApiDocument(routes, { version, url: APP_URL }));
  return new Map<string, FixedPage>([
    ['/openapi.json', { type: 'application/json; charset=utf-8', content: Buffer.from(withLineFeed(document)) }],
    [
      clientMetadataPath,
      {
        type: 'application/json',
        content: Buffer.from(withLineFeed(JSON.stringify(clientMetadata(APP_URL)))),
        headers: { 'Cache-Control': `public, max-age=${clientMetadataAge}` },
      },
    ],
    [
      '/docs/api',
      {
        type: 'text/html; charset=utf-8',
        content: Buffer.from(referencePage),
        headers: {
          'Content-Security-Policy':
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
        },
      },
    ],
    ['/docs/api/start.js', { type: 'text/javascript; charset=utf-8', content: Buffer.from(referenceScript) }],
    ...referenceFiles.map(
      ([file, type]) =>
        [
          `/docs/api/${file}`,
          {
            type,
            content: readFileSync(path.join(referenceFolder, file)),
            headers: { 'Cache-Control': 'public, max-age=86400' },
          },
        ] as const,
    ),
  ]);
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
