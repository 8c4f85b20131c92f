import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { routes } from '../../../../rest-adapter/index.ts';
import type { Auth } from '../../../auth/index.ts';
import type { Config } from '../../../platform/config.ts';
import type { Database } from '../../../platform/database/database.ts';
import { ApiError, isApiError, statusOfCode } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Mail } from '../../../platform/mail/mail.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { sendJson } from '../json-response.ts';
import { rememberFor } from '../remember.ts';
import { requestIdOf } from '../requests.ts';
import { documentPages } from './documents.ts';
import { formMethods, type HomeDependencies, serveHome } from './home.ts';
import { landingPaths, serveLandings } from './landing.ts';
import { type LocalMailDependencies, serveLocalMail } from './local-mail.ts';
import { createPackedPage, type SpendPage } from './packed-page.ts';
import type { PageAges } from './page-ages.ts';

export interface PageDependencies extends LocalMailDependencies, HomeDependencies {
  readonly database: Pick<Database, 'ping' | 'prisma'>;
  readonly auth: Pick<Auth, 'accounts'>;
  readonly mail: Pick<Mail, 'isLocal' | 'kept'>;
  readonly metrics: Pick<Metrics, 'registry'> & { text(): Promise<string> };
  readonly config: Pick<Config, 'APP_URL' | 'DATA_DIR' | 'NODE_ENV'>;
  readonly log: Logger;
  /** False once the process has been asked to stop. */
  readonly isOpen: () => boolean;
  readonly pageAges: PageAges;
  readonly spendPage: SpendPage;
}

/**
 * Pages for people, and endpoints for monitoring: /healthz, /readyz, /metrics, /openapi.json, /docs/api, /mcp-servers, /registry,
 * /dev/mail.
 * None needs a credential but the last, and those that cost something are counted by address.
 */
export function createPages(deps: PageDependencies): Router {
  const { database, metrics, config, log, isOpen, pageAges: ages, spendPage } = deps;
  const pages = Router({ caseSensitive: true, strict: true });
  pages.get('/healthz', (req, res) => sendJson(req, res, { status: 200, text: JSON.stringify({ status: 'ok' }) }));

  const isDatabaseUp = rememberFor(ages.ready, () =>
    database.ping().then(
      () => true,
      () => false,
    ),
  );
  pages.get('/readyz', async (req, res) => {
    const isReady = isOpen() && (await isDatabaseUp());
    const text = JSON.stringify({ status: isReady ? 'ready' : 'not ready' });
    sendJson(req, res, { status: isReady ? 200 : 503, text });
  });

  const scrape = rememberFor(ages.metrics, async () =>
    createPackedPage({
      type: metrics.registry.contentType,
      content: Buffer.from(await metrics.text()),
      isFixed: false,
    }),
  );
  pages.get('/metrics', async (req, res) => {
    await spendPage(req, res);
    const page = await scrape();
    await page(req, res, async () => {});
  });

  const documents = documentPages(routes, config);
  for (const [path, document] of documents) {
    const page = createPackedPage({ ...document, isFixed: true });
    pages.get(path, (req, res) => page(req, res, spendPage));
  }

  serveHome(pages, deps);
  serveLandings(pages, deps);
  serveLocalMail(pages, deps);
  const paths = [
    '/',
    '/favicon.svg',
    ...landingPaths,
    '/healthz',
    '/readyz',
    '/metrics',
    ...documents.keys(),
    ...(deps.mail.isLocal ? ['/dev/mail'] : []),
  ];
  const methods = new Map([...paths.map((path) => [path, 'GET, HEAD'] as const), ...formMethods]);
  pages.all([...methods.keys()], (req, res) => {
    res.set('Allow', methods.get(req.path));
    refuse(new ApiError('METHOD_NOT_ALLOWED', `${req.method} is not allowed here`), req, res);
  });
  const onError: ErrorRequestHandler = (error, req: Request, res: Response, _next) => {
    if (!isApiError(error)) log.error({ requestId: requestIdOf(req), error }, 'a page failed');
    refuse(isApiError(error) ? error : new ApiError('SERVER_ERROR', 'Internal server error'), req, res);
  };
  pages.use(onError);
  return pages;
}

function refuse({ code, message, retryAfter }: ApiError, req: Request, res: Response): void {
  if (res.headersSent || res.destroyed) return;
  if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
  sendJson(req, res, { status: statusOfCode[code], text: JSON.stringify({ error: { code, message } }) });
}
