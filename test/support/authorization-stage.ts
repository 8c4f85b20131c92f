import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExchanges } from '../../src/oauth/exchanges/index.ts';
import { OauthError } from '../../src/oauth/exchanges/oauth-error.ts';
import { allowancesOf, noAllowances } from '../../src/platform/egress/allowances.ts';
import { createEgress } from '../../src/platform/egress/egress.ts';
import { cleanUp } from './cleanup.ts';

export interface StageRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly form: URLSearchParams;
}

export interface StageResponse {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** A string or bytes as they are; anything else as JSON. */
  readonly body?: unknown;
}

/** Null closes the connection without an answer; undefined never answers. */
export type StageRoute =
  | StageResponse
  | null
  | undefined
  | ((request: StageRequest) => StageResponse | null | undefined);

/** An HTTP server on loopback that answers each path as a test tells it to, and 404 elsewhere. */
export async function createStageServer(routes: Record<string, StageRoute> = {}) {
  const table = new Map(Object.entries(routes));
  const requests: StageRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body, form: new URLSearchParams(body) };
      requests.push(request);
      const route = table.get(path) ?? table.get(path.replace(/\?.*/, ''));
      const isKnown = table.has(path) || table.has(path.replace(/\?.*/, ''));
      const answer =
        typeof route === 'function' ? route(request) : isKnown ? route : { status: 404, body: 'no such page' };
      if (answer === undefined) return;
      if (answer === null) return void incoming.socket.destroy();
      const isText = typeof answer.body === 'string' || answer.body instanceof Buffer;
      outgoing.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      outgoing.end(isText ? answer.body : JSON.stringify(answer.body ?? {}));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** The paths that were asked, in order. */
    paths: () => requests.map(({ path }) => path),
    on(path: string, route: StageRoute): void {
      table.set(path, route);
    },
  };
}

/** The exchanges over a real egress that lets loopback through. */
export function createStageExchanges(options: Partial<Parameters<typeof createExchanges>[0]> = {}) {
  const egress = createEgress({ isProduction: false, allow: allowancesOf('127.0.0.0/8') ?? noAllowances });
  cleanUp(() => egress.close());
  return createExchanges({ egress, ...options });
}

/** The metadata of an authorization server that is good. */
export const goodMetadata = (issuer: string, over: Record<string, unknown> = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  ...over,
});

/**
 * A protected MCP server at `/mcp` and its authorization server, both on one origin.
 *
 * @param over Members of the metadata of the authorization server and of the resource.
 */
export async function createProtectedStage(
  over: { metadata?: Record<string, unknown>; resource?: Record<string, unknown>; challenge?: string } = {},
) {
  const stage = await createStageServer();
  const { origin } = stage;
  const place = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const challenge = over.challenge ?? `Bearer resource_metadata="${place}"`;
  stage.on('/mcp', { status: 401, headers: { 'www-authenticate': challenge } });
  stage.on('/.well-known/oauth-protected-resource/mcp', {
    body: { resource: `${origin}/mcp`, authorization_servers: [origin], ...over.resource },
  });
  stage.on('/.well-known/oauth-authorization-server', { body: goodMetadata(origin, over.metadata) });
  return { ...stage, url: `${origin}/mcp` };
}

export const noExceptions = { allowsOtherIssuer: false, omitsResource: false };

/** The reason that an exchange fails with, and its code where it has one; `done` where it does not fail. */
export async function reasonOf(exchange: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof exchange === 'function' ? exchange() : exchange);
    return 'done';
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    return error.code === null ? error.reason : `${error.reason} ${error.code}`;
  }
}
