import { gzipSync } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { Request, Response } from 'express';
import { version } from './version.ts';

/** The page holds all of its scripts: nine megabytes, made and packed once, and kept by browsers. */
let page: { plain: Buffer; gzipped: Buffer } | undefined;

/** GraphiQL, from our own files. */
export function serveGraphiql(req: Request, res: Response): void {
  if (!page) {
    const plain = Buffer.from(renderGraphiQL({ title: 'Patchbay', endpoint: '/graphql', defaultQuery: firstQuery }));
    page = { plain, gzipped: gzipSync(plain) };
  }
  const isGzip = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '');
  res.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    ETag: `"graphiql-${version}${isGzip ? '-gzip' : ''}"`,
    Vary: 'Accept, Accept-Encoding',
    'Content-Security-Policy': "frame-ancestors 'none'",
  });
  if (req.fresh) return void res.status(304).end();
  if (isGzip) res.set('Content-Encoding', 'gzip');
  res.end(isGzip ? page.gzipped : page.plain);
}

const firstQuery = `# Your key goes into the headers below: { "Authorization": "Bearer pbk_..." }

query Clipboard {
  clipboardEntries(first: 10) {
    nodes { name idx value contentType expiresAt }
    totalCount
  }
}

mutation Remember {
  clipboardSet(input: { name: "greeting", value: "hello" }) {
    entry { uuid name value expiresAt }
  }
}

subscription Watch {
  clipboardChanged { kind name at entry { idx value } }
}
`;
