import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { added, documents, newServer, nowhere, serversPath as path } from '../support/server-stage.ts';

const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8' });
const nobody = callerOf(server, null);
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('POST /api/mcp-servers', () => {
  it(
    'answers the details plus slug, url, notes and created_at',
    verifies('servers.create', 'servers.secrets'),
    async () => {
      const { call } = await tenantOf(server);
      const body = await added(call, { env: { TOKEN: 'top secret' }, notes: 'mine' });
      expect(body).toEqual({
        uuid: expect.stringMatching(uuidPattern),
        name: 'Files',
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'files-server'],
        env: { TOKEN: '********' },
        tools: [],
        resources: [],
        prompts: [],
        slug: `files-${body.uuid.slice(0, 8)}`,
        url: null,
        notes: 'mine',
        created_at: server.clock.now().toISOString(),
      });
    },
  );

  it.each([
    [{ transport: 'http', command: null, args: null, url: 'https://mcp.example.com/mcp?key=x' }, 'http'],
    [{ transport: 'sse', command: 'ignored', url: 'http://mcp.example.com/sse' }, 'sse'],
    [{ transport: undefined, command: undefined, url: 'https://mcp.example.com/mcp' }, 'http'],
    [{ transport: undefined, url: undefined }, 'stdio'],
  ])(
    'takes %j as %s, and nothing that belongs to another transport',
    verifies('servers.create'),
    async (over, transport) => {
      const { call } = await tenantOf(server);
      const body = await added(call, over);
      expect(body).toMatchObject({ transport, url: over.url ?? null, command: over.url ? null : 'npx' });
      if (over.url) expect(body.args).toEqual([]);
    },
  );

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: ['x'] }, 'name'],
    [{ transport: 'STDIO' }, 'transport'],
    [{ transport: 'grpc' }, 'transport'],
    [{ transport: 7 }, 'transport'],
    [{ command: undefined }, 'command'],
    [{ command: '' }, 'command'],
    [{ args: 'x' }, 'args'],
    [{ args: [7] }, 'args'],
    [{ args: ['\ud800'] }, 'args'],
    [{ args: Array(257).fill('x') }, 'args'],
    [{ args: Array(10).fill('x'.repeat(8_000)) }, 'args'],
    [{ transport: 'http', url: undefined }, 'url'],
    [{ transport: 'sse', url: 'not a url' }, 'url'],
    [{ transport: 'http', url: 'ftp://mcp.example.com/' }, 'url'],
    [{ transport: 'http', url: 'http://169.254.169.254/latest' }, 'url'],
    [{ transport: 'http', url: 'http://[::1]:8080/' }, 'url'],
    [{ transport: 'http', url: 'https://user:secret@mcp.example.com/' }, 'url'],
    [{ env: 'x' }, 'env'],
    [{ env: ['x'] }, 'env'],
    [{ env: { TOKEN: 7 } }, 'env'],
    [{ env: { 'A B': 'x' } }, 'env'],
    [{ env: { TOKEN: 'a\u0000b' } }, 'env'],
    [{ env: { TOKEN: '********' } }, 'env'],
    [{ headers: { Host: 'x' } }, 'headers'],
    [{ headers: { 'X-Key': 'a\r\nb' } }, 'headers'],
    [{ notes: 'x'.repeat(10_001) }, 'notes'],
    [{ tags: 'x' }, 'tags'],
    [{ packageType: 'gem' }, 'packageType'],
    [{ repositoryUrl: 'javascript:alert(document.domain)' }, 'repositoryUrl'],
    [{ repositoryUrl: 'github.com/owner/name' }, 'repositoryUrl'],
  ])('refuses %j naming %s', verifies('servers.fields', 'servers.create'), async (over, field) => {
    const { call } = await tenantOf(server);
    const { status, body } = await call('POST', path, newServer(over));
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', message: 'Validation error' });
    expect(Object.keys(body.error.details).map((name) => name.split('.')[0])).toEqual([field]);
  });

  it('ignores what the client must not say', verifies('servers.fields'), async () => {
    const { call } = await tenantOf(server);
    const other = await tenantOf(server);
    const forged = { uuid: nowhere, slug: 'mine', profileUuid: other.caller.principal?.profileUuid, isPublic: true };
    const body = await added(call, { ...forged, installations: 99, source: 'registry', created_at: '2000-01-01' });
    expect(body.uuid).not.toBe(nowhere);
    expect(body.slug).not.toBe('mine');
    expect((await nobody('GET', `/api/servers/${body.uuid}`)).status).toBe(404);
    expect((await call('GET', `/api/servers/${body.uuid}/stats`)).body.installations).toBe(0);
    expect((await other.call('GET', path)).body).toEqual([]);
  });

  it('H02: keeps a hostile command and its args as data, byte for byte', verifies('servers.never-run'), async () => {
    const { call } = await tenantOf(server);
    const command = '; rm -rf / #';
    const args = [
      '$(touch /tmp/patchbay-was-here)',
      '`id`',
      '| cat /etc/passwd',
      "'; DROP TABLE users; --",
      '\u001b[2J\n',
    ];
    const { uuid } = await added(call, { command, args });
    expect((await call('GET', `/api/servers/${uuid}`)).body).toMatchObject({ command, args });
    expect((await call('GET', path)).body[0]).toMatchObject({ command, args });
  });

  it('is done once for one Idempotency-Key', async () => {
    const { call } = await tenantOf(server);
    const again = { 'Idempotency-Key': 'one-server' };
    const answers = [await call('POST', path, newServer(), again), await call('POST', path, newServer(), again)];
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect((await call('GET', path)).body).toHaveLength(1);
  });

  it('refuses the 201st server of a profile', async () => {
    const { call, caller } = await tenantOf(server);
    const { uuid } = await added(call);
    await server.database.query({
      text: `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 'many-' || n, 'many', 'stdio', now(), now() FROM generate_series(1, 199) n`,
      values: [caller.principal?.profileUuid],
    });
    expect((await call('POST', path, newServer())).status).toBe(409);
    await server.services.mcpServers.configurations.remove(caller, uuid);
    expect((await call('POST', path, newServer())).status).toBe(200);
  });
});

describe('GET /api/servers/{uuid}', () => {
  it(
    "H01: is the same 404 for a private server, without a key and with another's, as for none",
    verifies('servers.private', 'servers.details'),
    async () => {
      const owner = await tenantOf(server);
      const other = await tenantOf(server);
      const { uuid } = await added(owner.call);
      for (const suffix of ['', '/stats'])
        for (const call of suffix ? [other.call] : [nobody, other.call]) {
          const [private_, none, malformed] = [
            await call('GET', `/api/servers/${uuid}${suffix}`),
            await call('GET', `/api/servers/${nowhere}${suffix}`),
            await call('GET', `/api/servers/nothing${suffix}`),
          ];
          expect(private_.status).toBe(404);
          expect(private_.text).toBe(none.text);
          expect(private_.text).toBe(malformed.text);
          expect(private_.body).toEqual({ error: { code: 'NOT_FOUND', message: 'Server not found' } });
        }
    },
  );

  it(
    'shows a public server to every caller, masked and without notes',
    verifies('servers.details', 'servers.secrets'),
    async () => {
      const owner = await tenantOf(server);
      const other = await tenantOf(server);
      const { uuid } = await added(owner.call, { env: { TOKEN: 'top secret' }, notes: 'for me' });
      await owner.graphql(documents.show, { input: { uuid, isPublic: true } });
      for (const call of [nobody, other.call, owner.call]) {
        const { status, body, text } = await call('GET', `/api/servers/${uuid}`);
        expect(status).toBe(200);
        expect(Object.keys(body)).toEqual([
          'uuid',
          'name',
          'transport',
          'command',
          'args',
          'env',
          'tools',
          'resources',
          'prompts',
        ]);
        expect(body.env).toEqual({ TOKEN: '********' });
        expect(text).not.toContain('for me');
      }
      expect((await nobody('GET', `/api/servers/${uuid}/stats`)).status).toBe(401);
      expect((await other.call('GET', `/api/servers/${uuid}/stats`)).status).toBe(200);
      await owner.graphql(documents.show, { input: { uuid, isPublic: false } });
      expect((await nobody('GET', `/api/servers/${uuid}`)).status).toBe(404);
      expect((await other.call('GET', `/api/servers/${uuid}/stats`)).status).toBe(404);
    },
  );

  it('refuses a key that may not read, also for public servers', verifies('servers.private'), async () => {
    const writer = await tenantOf(server, { scopes: ['write'] });
    const { uuid } = await added(writer.call);
    expect((await writer.call('GET', `/api/servers/${uuid}`)).status).toBe(403);
    expect((await writer.call('GET', `/api/servers/${uuid}/stats`)).status).toBe(403);
    expect((await writer.graphql(documents.install, { input: { uuid } })).data.serverInstall.server.uuid).toBe(uuid);
  });
});

describe('GET /api/servers/{uuid}/stats', () => {
  it(
    'answers the figures, thirty days with the oldest first',
    verifies('servers.stats', 'servers.install', 'servers.rate', 'servers.activity'),
    async () => {
      const owner = await tenantOf(server);
      const { uuid } = await added(owner.call);
      const stats = async () => (await owner.call('GET', `/api/servers/${uuid}/stats`)).body;
      expect(await stats()).toEqual({
        installations: 0,
        rating: 0,
        ratings_count: 0,
        trending_rank: expect.any(Number),
        last_activity: null,
        daily_installs: Array(30).fill(0),
      });
      await owner.graphql(documents.show, { input: { uuid, isPublic: true } });
      const others = [await tenantOf(server), await tenantOf(server), await tenantOf(server)];
      for (const [at, { graphql }] of others.entries()) {
        await graphql(documents.install, { input: { uuid } });
        await graphql(documents.rate, { input: { uuid, rating: [5, 4, 4][at] } });
      }
      server.clock.advance(24 * 3_600_000);
      await others[0]?.graphql(documents.uninstall, { input: { uuid } });
      await owner.graphql(documents.install, { input: { uuid } });
      const activity = { action: 'tool_call', serverUuid: uuid, serverName: 'Files', itemName: 'read', success: true };
      expect((await others[1]?.call('POST', '/api/notifications/mcp-activity', activity))?.body).toEqual({
        success: true,
        counted: true,
      });
      const now = await stats();
      expect(now).toMatchObject({ installations: 3, rating: 4.33, ratings_count: 3, trending_rank: 1 });
      expect(now.last_activity).toBe(server.clock.now().toISOString());
      expect(now.daily_installs).toEqual([...Array(28).fill(0), 3, 1]);
    },
  );

  it.each([
    [{ action: 'explode' }, 'action'],
    [{ action: undefined }, 'action'],
    [{ success: 'yes' }, 'success'],
  ])('POST /api/notifications/mcp-activity refuses %j naming %s', verifies('servers.activity'), async (over, field) => {
    const { call } = await tenantOf(server);
    const { uuid } = await added(call);
    const body = { action: 'tool_call', serverUuid: uuid, ...over };
    const answer = await call('POST', '/api/notifications/mcp-activity', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(field), code: 'VALIDATION_ERROR' });
  });
});
