import type { Route } from '../../../rest-adapter/route.ts';
import { clientMetadataPath } from '../../oauth/index.ts';
import type { Metrics } from '../../platform/metrics.ts';

/** Paths that are no route of REST, with the methods that they serve and their area. */
const otherPaths: readonly (readonly [path: string, methods: readonly string[], area: string])[] = [
  ['/graphql', ['GET', 'POST'], 'graphql'],
  ['/api/registry/github/callback', ['GET'], 'registry'],
  ['/api/oauth/callback', ['GET'], 'oauth'],
  ['/api/oauth/cleanup-pkce', ['GET', 'POST'], 'oauth'],
  ...[
    '/',
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/docs/api',
    '/docs/api/start.js',
    '/docs/api/swagger-ui.css',
    '/docs/api/swagger-ui-bundle.js',
    '/docs/api/favicon-32x32.png',
    '/dev/mail',
    '/favicon.svg',
    '/mcp-servers',
    '/registry',
    clientMetadataPath,
  ].map((path) => [path, ['GET'], 'pages'] as const),
  ['/sign-in', ['GET', 'POST'], 'pages'],
  ['/sign-out', ['POST'], 'pages'],
];

export type CountRequest = ReturnType<typeof createRequestMetrics>;

/** The class of a status. A redirect and `304` count as `2xx`: one more class would be a fourth of all series. */
const classOf = (status: number): string => `${status < 400 ? 2 : Math.floor(status / 100)}xx`;

/** Counts requests under labels of closed sets: a path as its route has it, a method that it serves, the class of a status. */
export function createRequestMetrics(
  metrics: Pick<Metrics, 'httpRequests' | 'httpResponses' | 'httpRequestSeconds'>,
  routes: readonly Pick<Route, 'method' | 'path' | 'tag'>[],
) {
  const areas = new Map<string, string>();
  for (const [path, methods, area] of otherPaths) for (const method of methods) areas.set(`${method} ${path}`, area);
  for (const { method, path, tag } of routes) areas.set(`${method} ${path}`, tag.toLowerCase().replaceAll(' ', '-'));

  /** @param request.path As the route has it; undefined for none. */
  return ({
    method,
    path,
    status,
    seconds,
  }: {
    method: string;
    path: unknown;
    status: number;
    seconds: number;
  }): void => {
    const served = method === 'HEAD' ? 'GET' : method;
    const area = areas.get(`${served} ${path}`);
    metrics.httpRequests.inc({
      method: area ? served : 'other',
      route: area ? String(path) : 'unmatched',
      status: classOf(status),
    });
    metrics.httpResponses.inc({ status: String(status) });
    metrics.httpRequestSeconds.observe({ area: area ?? 'unmatched' }, seconds);
  };
}
