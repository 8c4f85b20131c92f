import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { type PageAges, pageAges } from '../http/pages/page-ages.ts';
import { rememberFor } from '../http/remember.ts';

/**
 * What an orchestrator and a scraper ask of a worker, which serves nothing else: `/healthz` while the process lives, `/readyz`
 * while its database answers, and `/metrics`. Requests of one moment share a response, as with the pages of the product.
 *
 * @param options.port 0 for any free one.
 * @param options.ages Those of pages.ts, unless a test looks at one moment for longer.
 */
export async function serveWorkerStatus(options: {
  port: number;
  database: Pick<Database, 'ping'>;
  registry: Registry;
  ages?: PageAges;
}): Promise<{ port: number; close(): void }> {
  const { port, database, registry, ages = pageAges } = options;
  const isReady = rememberFor(ages.ready, () =>
    database.ping().then(
      () => true,
      () => false,
    ),
  );
  const metrics = rememberFor(ages.metrics, () => registry.metrics());
  const pages: Record<string, () => Promise<[status: number, type: string, text: string]>> = {
    '/healthz': async () => [200, 'application/json', '{"status":"ok"}'],
    '/readyz': async () =>
      (await isReady())
        ? [200, 'application/json', '{"status":"ready"}']
        : [503, 'application/json', '{"status":"not ready"}'],
    '/metrics': async () => [200, registry.contentType, await metrics()],
  };
  const server = createServer(async (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] as string;
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const [status, type, text] = page && isRead ? await page() : [404, 'application/json', '{"status":"not found"}'];
    res.writeHead(status, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' }).end(text);
  });
  // Its supervisor has no part in this port.
  server.listen({ port, exclusive: true });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
