import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createProtectedStage } from '../support/authorization-stage.ts';
import { appUrl, type OauthStage, startOauthStage } from '../support/oauth/stage.ts';
import { type RegistryStage, startRegistryStage } from '../support/registry-stage.ts';
import type { Answer, Call } from '../support/server.ts';

/** An MCP server of the stage's user, with an authorization server that does what a test tells it to. */
export interface ScriptedServer {
  readonly uuid: string;
  readonly on: Awaited<ReturnType<typeof createProtectedStage>>['on'];
  initiate(): Promise<Answer>;
  /** @returns The state of a flow that was started. */
  begin(): Promise<string>;
  /** @returns Where the callback leads: the code of an error, or `success`. */
  back(query: string, browser?: Call): Promise<string>;
  authorize(): Promise<void>;
  refresh(): Promise<number>;
  /** Changes stored rows of this server. `$1` is its uuid. */
  tamper(statement: string): Promise<void>;
}

export interface FiguresStage {
  readonly oauth: OauthStage;
  readonly registry: RegistryStage;
  /** Issuer of the provider `acme` of OAUTH_PROVIDERS. */
  readonly acme: string;
  scripted(over?: Parameters<typeof createProtectedStage>[0]): Promise<ScriptedServer>;
}

/** The code of a redirect, or `success`. */
export function outcomeOf({ status, text, headers }: Answer): string {
  expect(status, text).toBe(302);
  const query = new URL(headers.get('location') ?? '', appUrl).searchParams;
  return query.get('oauth_error') ?? query.get('link_error') ?? 'success';
}

/** An authorization server, and an MCP server on the same origin, that register any client and give tokens for any code. */
async function startScripted(over: Parameters<typeof createProtectedStage>[0] = {}) {
  const stage = await createProtectedStage(over);
  stage.on('/register', ({ body }) => ({
    status: 201,
    body: { ...JSON.parse(body), client_id: randomUUID(), client_secret: 'secret', client_secret_expires_at: 0 },
  }));
  stage.on('/token', () => ({
    body: { access_token: randomUUID(), refresh_token: randomUUID(), token_type: 'Bearer', expires_in: 3_600 },
  }));
  stage.on('/revoke', {});
  return stage;
}

/** The product with GitHub, a provider that the operator has named, and a real authorization server. */
export async function startFiguresStage(): Promise<FiguresStage> {
  const { origin: acme } = await startScripted();
  const registry = await startRegistryStage({
    APP_URL: appUrl,
    OAUTH_PROVIDERS: JSON.stringify({ acme: { issuer: acme, clientId: 'platform' } }),
  });
  const { server } = registry;
  const oauth = await startOauthStage({ server });
  const { browser, user } = oauth;

  async function scripted(over?: Parameters<typeof createProtectedStage>[0]): Promise<ScriptedServer> {
    const { url, on } = await startScripted(over);
    const name = `Scripted ${randomUUID().slice(0, 8)}`;
    const { uuid } = await server.services.mcpServers.configurations.create(user, { name, transport: 'http', url });
    const scriptedServer: ScriptedServer = {
      uuid,
      on,
      initiate: () => browser('POST', '/api/oauth/initiate', { serverUuid: uuid }),
      async begin() {
        const { status, text, body } = await scriptedServer.initiate();
        expect(status, text).toBe(200);
        return body.state;
      },
      back: async (query, as = browser) => outcomeOf(await as('GET', `/api/oauth/callback?${query}`)),
      async authorize() {
        const state = await scriptedServer.begin();
        expect(await scriptedServer.back(`code=c&state=${state}`)).toBe('success');
      },
      refresh: async () => (await browser('POST', '/api/oauth/refresh', { serverUuid: uuid })).status,
      async tamper(statement) {
        await server.database.query({ text: statement, values: [uuid] });
      },
    };
    return scriptedServer;
  }

  return { oauth, registry, acme, scripted };
}

/** The values of the labels of each series of a family, in alphabetical order of the labels' names; those of a histogram once. */
export function seriesOf(text: string, family: string): string[] {
  const labels = new Set<string>();
  for (const line of text.split('\n')) {
    const [, name, list = '', value] = /^(\w+?)(?:_count)?(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === family && Number(value) > 0) labels.add(sorted(list.match(/\w+="[^"]*"/g) ?? []));
  }
  return [...labels].sort();
}

export const sorted = (pairs: readonly string[]): string => [...pairs].sort().join();
