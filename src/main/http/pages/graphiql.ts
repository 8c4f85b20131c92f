import type { Request, Response } from 'express';
import { createPackedPage, type SpendPage } from './packed-page.ts';

/** The page holds all of its scripts: nine megabytes, made and packed once, and kept by browsers. */
let page: ReturnType<typeof createPackedPage> | undefined;

/** GraphiQL, from our own files. @throws {ApiError} `RATE_LIMITED` for an address that asks too often. */
export async function serveGraphiql(req: Request, res: Response, spend: SpendPage): Promise<void> {
  // Loaded for the first who opens it: it takes 20 MB.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  page ??= createPackedPage({
    type: 'text/html; charset=utf-8',
    content: Buffer.from(renderGraphiQL({ title: 'Patchbay', endpoint: '/graphql', defaultQuery: firstQuery })),
    headers: { 'Cache-Control': 'public, max-age=3600', 'Content-Security-Policy': "frame-ancestors 'none'" },
    isFixed: true,
  });
  // The same address without text/html is the graph.
  res.vary('Accept');
  await page(req, res, spend);
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
