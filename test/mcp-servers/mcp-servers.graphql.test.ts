import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { graphqlOf, startTestServer, tenantOf } from '../support/server.ts';
import { added, documents, nowhere, serversPath } from '../support/server-stage.ts';
import { errorOf } from '../support/webhook-documents.ts';

const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8' });

/** What was written to the outbox of a profile, the oldest first. */
async function written(profileUuid: string | undefined): Promise<{ type: string; data: unknown }[]> {
  const rows = await server.database.query<{ type: string; data: string }>({
    text: "SELECT type, data FROM outbox_events WHERE profile_uuid = $1 AND type LIKE 'server.%' ORDER BY seq",
    values: [profileUuid],
  });
  return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }));
}

const publicServer = async (owner: Awaited<ReturnType<typeof tenantOf>>, over: Record<string, unknown> = {}) => {
  const { uuid } = await added(owner.call, over);
  await owner.graphql(documents.show, { input: { uuid, isPublic: true } });
  return uuid as string;
};

describe('a server in the graph', () => {
  it('is created, changed, shown and deleted as over REST', verifies('servers.graph', 'servers.update'), async () => {
    const { graphql, caller } = await tenantOf(server);
    const input = {
      name: 'Échelle & Co',
      transport: 'HTTP',
      url: 'https://mcp.example.com/mcp?key=x',
      headers: { Authorization: 'Bearer x' },
      env: { A: '1', B: '2' },
      tags: ['a', 'a', 'b'],
      packageType: 'NPM',
    };
    const made = (await graphql(documents.create, { input })).data.serverCreate.server;
    expect(made).toMatchObject({
      slug: `echelle-co-${made.uuid.slice(0, 8)}`,
      transport: 'HTTP',
      transports: ['HTTP'],
      url: input.url,
      env: { A: '********', B: '********' },
      headers: { Authorization: '********' },
      tags: ['a', 'b'],
      isOwn: true,
      isPublic: false,
      source: 'COMMUNITY',
      packageType: 'NPM',
      rating: 0,
    });
    const { uuid } = made;
    server.clock.advance(1_000);
    const env = { A: '********', C: '3' };
    const changed = (await graphql(documents.update, { input: { uuid, title: 'T', env } })).data.serverUpdate.server;
    expect(changed).toEqual({
      ...made,
      title: 'T',
      env: { A: '********', C: '********' },
      updatedAt: server.clock.now().toISOString(),
    });
    const { call } = await tenantOf(server);
    expect((await call('GET', `/api/servers/${uuid}`)).status).toBe(404);
    await graphql(documents.update, { input: { uuid, notes: null } });
    expect((await graphql(documents.delete, { input: { uuid } })).data.serverDelete).toEqual({ uuid });
    expect(errorOf(await graphql(documents.one, { uuid })).code).toBe('NOT_FOUND');
    expect(await written(caller.principal?.profileUuid)).toEqual([
      {
        type: 'server.updated',
        data: { server_uuid: uuid, changes: { title: 'T', env: { A: '********', C: '********' } } },
      },
    ]);
  });

  it(
    'keeps a value that comes back masked, and refuses one that never was',
    verifies('servers.update', 'servers.secrets'),
    async () => {
      const { graphql, call } = await tenantOf(server);
      const { uuid } = await added(call, { env: { A: 'first', B: 'second' } });
      await graphql(documents.update, { input: { uuid, env: { A: '********', B: 'other', C: 'third' } } });
      expect((await call('GET', serversPath)).body[0].env).toEqual({ A: 'first', B: 'other', C: 'third' });
      const refused = await graphql(documents.update, { input: { uuid, env: { D: '********' } } });
      expect(errorOf(refused)).toMatchObject({ code: 'VALIDATION_ERROR', details: { env: expect.any(String) } });
      await graphql(documents.update, { input: { uuid, env: null } });
      expect((await call('GET', serversPath)).body[0].env).toEqual({});
    },
  );

  it.each([
    [{ transport: 'HTTP' }, 'url'],
    [{ command: null }, 'command'],
    [{ name: '' }, 'name'],
    [{ env: { 'A B': 'x' } }, 'env'],
    [{ transport: 'SSE', url: 'http://10.0.0.1/' }, 'url'],
  ])('is not changed by %j, naming %s', verifies('servers.update', 'servers.fields'), async (change, field) => {
    const { graphql, call } = await tenantOf(server);
    const { uuid } = await added(call);
    const answer = await graphql(documents.update, { input: { uuid, ...change } });
    expect(errorOf(answer)).toMatchObject({ code: 'VALIDATION_ERROR', details: { [field]: expect.any(String) } });
  });

  it('shows other users neither notes nor the query of its url', verifies('servers.private'), async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const url = 'https://mcp.example.com/mcp?api_key=secret';
    const uuid = await publicServer(owner, { transport: 'http', url, notes: 'for me' });
    expect((await owner.graphql(documents.one, { uuid })).data.server).toMatchObject({
      url,
      notes: 'for me',
      isOwn: true,
    });
    expect((await other.graphql(documents.one, { uuid })).data.server).toMatchObject({
      url: 'https://mcp.example.com/mcp?********',
      notes: null,
      isOwn: false,
    });
  });

  it(
    'is not changed, shown or deleted by other users, also when it is public',
    verifies('servers.private'),
    async () => {
      const [owner, other] = [await tenantOf(server), await tenantOf(server)];
      const uuid = await publicServer(owner);
      for (const [document, input] of [
        [documents.update, { name: 'taken' }],
        [documents.show, { isPublic: false }],
        [documents.delete, {}],
      ] as const) {
        const ofOther = await other.graphql(document, { input: { uuid, ...input } });
        const ofNothing = await other.graphql(document, { input: { uuid: nowhere, ...input } });
        expect(errorOf(ofOther)).toEqual(errorOf(ofNothing));
        expect(errorOf(ofOther).code).toBe('NOT_FOUND');
      }
      expect((await owner.graphql(documents.one, { uuid })).data.server).toMatchObject({
        name: 'Files',
        isPublic: true,
      });
    },
  );
});

describe('installing', () => {
  it(
    'counts once, emits the event in the same transaction, and notifies the owner of the first time',
    verifies('servers.install'),
    async () => {
      const [owner, other] = [await tenantOf(server), await tenantOf(server)];
      const uuid = await publicServer(owner);
      const { profileUuid, userUuid } = other.caller.principal ?? {};
      const install = () => other.graphql(documents.install, { input: { uuid } });
      const answers = await Promise.all([install(), install(), install(), install()]);
      expect(answers.map(({ data }) => data.serverInstall.server.installationCount)).toEqual([1, 1, 1, 1]);
      await other.graphql(documents.uninstall, { input: { uuid } });
      expect(errorOf(await other.graphql(documents.uninstall, { input: { uuid } })).code).toBe('NOT_FOUND');
      await install();
      const who = { server_uuid: uuid, user_id: userUuid, profile_uuid: profileUuid };
      const installed = {
        type: 'server.installed',
        data: { ...who, metadata: { source: 'community', version: null } },
      };
      expect(await written(profileUuid)).toEqual([installed, { type: 'server.uninstalled', data: who }, installed]);
      const { notifications } = (await owner.call('GET', '/api/notifications')).body;
      expect(notifications).toHaveLength(1);
      expect(notifications[0]).toMatchObject({
        type: 'server_installed',
        metadata: { server_id: uuid, user_id: userUuid },
      });
    },
  );

  it(
    'can be undone after the server was hidden, although it can no longer be installed',
    verifies('servers.install', 'servers.private'),
    async () => {
      const [owner, other, late] = [await tenantOf(server), await tenantOf(server), await tenantOf(server)];
      const uuid = await publicServer(owner);
      await other.graphql(documents.install, { input: { uuid } });
      await owner.graphql(documents.show, { input: { uuid, isPublic: false } });
      expect(errorOf(await late.graphql(documents.install, { input: { uuid } })).code).toBe('NOT_FOUND');
      const reported = await other.graphql(documents.report, { input: { uuid, action: 'TOOL_CALL' } });
      expect(reported.data.serverActivityReport).toEqual({ uuid: null });
      expect((await other.graphql(documents.uninstall, { input: { uuid } })).data.serverUninstall).toEqual({ uuid });
      expect((await owner.graphql(documents.one, { uuid })).data.server.installationCount).toBe(0);
    },
  );

  it('is not needed to see, but to report calls', verifies('servers.activity'), async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const uuid = await publicServer(owner);
    const report = () => other.graphql(documents.report, { input: { uuid, action: 'PROMPT_GET', success: false } });
    expect((await report()).data.serverActivityReport).toEqual({ uuid: null });
    await other.graphql(documents.install, { input: { uuid } });
    expect((await report()).data.serverActivityReport).toEqual({ uuid });
    const [day] = await server.database.query({
      text: 'SELECT installs, calls, failures FROM mcp_server_days WHERE server_uuid = $1',
      values: [uuid],
    });
    expect(day).toEqual({ installs: 1, calls: 1, failures: 1 });
  });
});

describe('rating', () => {
  it('is one of a user, also side by side; a later one replaces it', verifies('servers.rate'), async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const uuid = await publicServer(owner);
    const rate = (rating: number) => other.graphql(documents.rate, { input: { uuid, rating } });
    await Promise.all([rate(5), rate(5), rate(5)]);
    expect((await rate(2)).data.serverRate.server).toMatchObject({ rating: 2, ratingsCount: 1 });
    for (const wrong of [0, 6, -1])
      expect(errorOf(await rate(wrong))).toMatchObject({
        details: { rating: 'rating must be an integer from 1 to 5' },
      });
  });

  it('and installations are recounted after users were deleted', async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const uuid = await publicServer(owner);
    await other.graphql(documents.rate, { input: { uuid, rating: 1 } });
    await other.graphql(documents.install, { input: { uuid } });
    const gone = [other.caller.principal?.userUuid];
    await server.database.query({ text: 'DELETE FROM users WHERE uuid = $1', values: gone });
    expect(await server.services.mcpServers.usage.recount()).toBe(1);
    expect((await owner.graphql(documents.one, { uuid })).data.server).toMatchObject({
      installationCount: 0,
      rating: 0,
      ratingsCount: 0,
    });
  });
});

describe('rating of a server of the same user', () => {
  it(
    'is FORBIDDEN from any profile of its user, public or not, and counts nothing',
    verifies('servers.rate.own'),
    async () => {
      const owner = await tenantOf(server);
      const other = await server.services.auth.profiles.create(owner.user, { name: 'other' });
      const { secret } = await server.services.auth.apiKeys.create(owner.user, { name: 'k', profileUuid: other.uuid });
      const uuid = await publicServer(owner);
      for (const graphql of [owner.graphql, graphqlOf(server, secret)])
        expect(errorOf(await graphql(documents.rate, { input: { uuid, rating: 5 } })).code).toBe('FORBIDDEN');
      await owner.graphql(documents.show, { input: { uuid, isPublic: false } });
      expect(errorOf(await owner.graphql(documents.rate, { input: { uuid, rating: 5 } })).code).toBe('FORBIDDEN');
      expect((await owner.graphql(documents.one, { uuid })).data.server).toMatchObject({ rating: 0, ratingsCount: 0 });
    },
  );
});

describe('servers', () => {
  const list = `query ($first: Int, $after: String) { ownServers(first: $first, after: $after) { totalCount
    edges { cursor } pageInfo { hasNextPage endCursor }
    nodes { uuid name env args tools { name parameters } resources { uri } resourceTemplates { uriTemplate } prompts { name }
      stats { installations dailyInstalls } } } }`;

  it('pages by cursor, the newest first', verifies('servers.graph', 'graph.connections'), async () => {
    const { graphql, call } = await tenantOf(server);
    const uuids: string[] = [];
    for (let made = 0; made < 5; made++) {
      uuids.unshift((await added(call)).uuid);
      server.clock.advance(1);
    }
    const servers = (await graphql(list, { first: 2 })).data.ownServers;
    expect(servers.totalCount).toBe(5);
    const rest = (await graphql(list, { first: 5, after: servers.pageInfo.endCursor })).data.ownServers;
    expect([...servers.nodes, ...rest.nodes].map(({ uuid }: { uuid: string }) => uuid)).toEqual(uuids);
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });

  it('F11: a hundred with what they offer take as many statements as one', verifies('servers.statements'), async () => {
    const { graphql, call, caller } = await tenantOf(server);
    await added(call);
    const counted = async () => {
      await graphql(list, { first: 100 });
      server.statements.length = 0;
      const { nodes } = (await graphql(list, { first: 100 })).data.ownServers;
      return { rows: nodes.length, statements: server.statements.length };
    };
    const one = await counted();
    await server.database.query({
      text: `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 'listed-' || n, 'many', 'stdio', now(), now() FROM generate_series(1, 99) n`,
      values: [caller.principal?.profileUuid],
    });
    const hundred = await counted();
    expect([one.rows, hundred.rows]).toEqual([1, 100]);
    expect(hundred.statements).toBe(one.statements);
    // The credential, the page, the count, what they offer, and their figures.
    expect(one.statements).toBeLessThanOrEqual(5);
  });
});
