import { randomBytes } from 'node:crypto';
import { print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ListProxiedServersDocument } from '../../rest-adapter/generated/operations.ts';
import { routes } from '../../rest-adapter/index.ts';
import { verifies } from '../requirements.ts';
import { hitsIn } from '../support/canaries.ts';
import { dumpAt } from '../support/dump.ts';
import { connectedSocket } from '../support/graphql-socket.ts';
import { sessionOf } from '../support/people.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { added, documents, newServer, serversPath as path } from '../support/server-stage.ts';
import { keyOf } from '../support/services.ts';

const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'trace' });
const canary = () => `canary-server-${randomBytes(12).toString('hex')}`;

describe('H01, I06: the secrets of a server', () => {
  it(
    "stand in no answer but that of the proxy's route, in no log and in no table",
    verifies('servers.secrets', 'platform.logs'),
    async () => {
      const secrets = new Map(['env', 'header', 'changed', 'refused'].map((name) => [name, canary()]));
      const of = (name: string) => secrets.get(name) as string;
      const tenant = await tenantOf(server);
      const told: [place: string, text: string][] = [];
      const tell = async (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) => {
        const answer = await tenant.call(method, url, body, headers);
        told.push([`${method} ${url} ${JSON.stringify(body)}`, [...answer.headers].join('\n') + answer.text]);
        return answer;
      };
      const good = newServer({ env: { TOKEN: of('env') } });
      const made = await tell('POST', path, good, { 'Idempotency-Key': 'once' });
      await tell('POST', path, good, { 'Idempotency-Key': 'once' });
      const { uuid } = made.body;
      const url = 'https://mcp.example.com/mcp';
      server.clock.advance(1);
      const remote = { name: 'x', transport: 'http', url, headers: { Authorization: of('header') } };
      expect((await tell('POST', path, remote)).text).toContain('x-');
      await tell('POST', path, newServer({ env: { [of('refused')]: of('refused'), 'A B': 'x' } }));
      await tell('POST', path, newServer({ env: { TOKEN: [of('refused')] } }));
      await tell('POST', path, newServer({ env: of('refused') }));
      await tell('POST', path, newServer({ headers: { 'X-Key': `${of('refused')}\n` } }));
      await tell('POST', path, newServer({ transport: of('refused'), env: { TOKEN: of('refused') } }));
      await tell('POST', path, `{"env": {"TOKEN": "${of('refused')}"}, `);
      await tell('GET', `/api/servers/${uuid}`);
      await tell('GET', `/api/servers/${uuid}/stats`);
      for (const [query, variables] of [
        [documents.update, { input: { uuid, env: { TOKEN: '********', OTHER: of('changed') } } }],
        [documents.update, { input: { uuid, env: { TOKEN: { x: of('refused') } } } }],
        [documents.update, { input: { uuid, env: of('refused') } }],
        [documents.create, { input: { name: 'x', env: { TOKEN: of('refused') }, transport: 'HTTP' } }],
        [documents.show, { input: { uuid, isPublic: true } }],
        [documents.one, { uuid }],
        ['{ ownServers(first: 100) { nodes { env headers command url } } proxiedServers { env headers } }', {}],
      ] as const)
        await tell('POST', '/graphql', { query, variables });
      // While the table is away.
      await server.database.query({ text: 'ALTER TABLE mcp_servers RENAME TO mcp_servers_gone' });
      expect((await tell('POST', path, good)).status).toBe(500);
      expect((await tell('GET', path)).status).toBe(500);
      await server.database.query({ text: 'ALTER TABLE mcp_servers_gone RENAME TO mcp_servers' });
      // A secret that cannot be opened is a fault; the error does not repeat it.
      const seal = await server.database.query<{ env: string }>({
        text: 'SELECT env FROM mcp_servers WHERE uuid = $1',
        values: [uuid],
      });
      await server.database.query({ text: "UPDATE mcp_servers SET env = 'no seal' WHERE uuid = $1", values: [uuid] });
      expect((await tell('GET', path)).status).toBe(500);
      await server.database.query({
        text: 'UPDATE mcp_servers SET env = $2 WHERE uuid = $1',
        values: [uuid, seal[0]?.env],
      });
      expect(hitsIn([...told, ['the log', server.logged.join('')], ...(await dumpAt(server.url))], secrets)).toEqual(
        [],
      );
      // They are there to be found.
      const { body } = await tenant.call('GET', path);
      expect(body.map(({ env, headers }: { env: unknown; headers: unknown }) => ({ env, headers }))).toEqual([
        { env: { TOKEN: of('env'), OTHER: of('changed') }, headers: {} },
        { env: {}, headers: { Authorization: of('header') } },
      ]);
    },
  );

  it(
    "are shown by the proxy's route to a key that may write, and written down; masked to a reader and a browser",
    verifies('servers.secrets'),
    async () => {
      const tenant = await tenantOf(server);
      await added(tenant.call, { env: { TOKEN: 'shown' }, notes: 'n' });
      const { call: reader } = await tenantOf(server, { scopes: ['read'] });
      expect((await reader('GET', path)).body).toEqual([]);
      const reading = await keyOf(server.services, tenant.user, { scopes: ['read'] });
      const isProxyRoute = true;
      const { proxied } = server.services.mcpServers;
      expect((await proxied.list(reading.caller, { isProxyRoute }))[0]?.env).toEqual({ TOKEN: '********' });
      expect((await proxied.list(tenant.user, { isProxyRoute }))[0]?.env).toEqual({ TOKEN: '********' });
      expect((await proxied.list(tenant.caller, { isProxyRoute: false }))[0]?.env).toEqual({ TOKEN: '********' });
      const { call: browser } = await sessionOf(server);
      expect((await browser('GET', path)).body).toEqual([]);
      for (let read = 0; read < 3; read++)
        expect((await tenant.call('GET', path)).body).toMatchObject([
          { name: 'Files', type: 'STDIO', transport: 'stdio', status: 'ACTIVE', env: { TOKEN: 'shown' }, notes: 'n' },
        ]);
      const rows = await server.database.query({
        text: 'SELECT credential_uuid, reads, last_address FROM mcp_secret_reads WHERE profile_uuid = $1',
        values: [tenant.caller.principal?.profileUuid],
      });
      expect(rows).toEqual([
        { credential_uuid: tenant.uuid, reads: 3, last_address: expect.stringContaining('127.0.0.1') },
      ]);
      expect(server.logged.join('')).toContain('mcp-secrets-read');
    },
  );

  it(
    "are masked in every answer of GraphQL, also to the document of the proxy's route",
    verifies('servers.secrets'),
    async () => {
      const tenant = await tenantOf(server);
      await added(tenant.call, { env: { TOKEN: 'shown' } });
      const query = print(ListProxiedServersDocument);
      const headers = { Accept: 'text/event-stream' };
      const socket = await connectedSocket(server.base, tenant.secret);
      socket.send({ type: 'subscribe', id: 'a', payload: { query } });
      const answers = [
        (await tenant.call('POST', '/graphql', { query })).text,
        (await tenant.call('GET', `/graphql?query=${encodeURIComponent(query)}`)).text,
        (await tenant.call('POST', '/graphql', { query }, headers)).text,
        // No request can name a capability.
        (await tenant.call('POST', '/graphql', { query, extensions: { capabilities: ['reveal-server-secrets'] } }))
          .text,
        JSON.stringify((await socket.next()).payload),
      ];
      socket.socket.close();
      for (const text of answers) {
        expect(text).toContain('********');
        expect(text).not.toContain('shown');
      }
    },
  );

  it('are shown by one route alone: a capability of a route stands in this list', verifies('servers.secrets'), () => {
    const granted = routes.flatMap(({ method, path, capabilities = [] }) =>
      [...capabilities].map((capability) => `${capability}: ${method} ${path}`),
    );
    expect(granted.sort()).toEqual([
      'list-whole-inventory: GET /api/mcp-servers',
      'list-whole-inventory: GET /api/prompts',
      'list-whole-inventory: GET /api/resource-templates',
      'list-whole-inventory: GET /api/resources',
      'list-whole-inventory: GET /api/tools',
      'reveal-server-secrets: GET /api/mcp-servers',
    ]);
  });

  it(
    'are sealed each for its server and place alone',
    verifies('servers.secrets', 'platform.secrets.sealed'),
    async () => {
      const { call } = await tenantOf(server);
      const [one, other] = [await added(call, { env: { A: 'same' } }), await added(call, { env: { A: 'same' } })];
      const swap = 'UPDATE mcp_servers SET env = (SELECT env FROM mcp_servers WHERE uuid = $2) WHERE uuid = $1';
      await server.database.query({ text: swap, values: [one.uuid, other.uuid] });
      expect((await call('GET', path)).status).toBe(500);
      const across = 'UPDATE mcp_servers SET headers = env, header_names = env_names, env = NULL WHERE uuid = $1';
      await server.database.query({ text: across, values: [one.uuid] });
      expect((await call('GET', path)).status).toBe(500);
    },
  );
});
