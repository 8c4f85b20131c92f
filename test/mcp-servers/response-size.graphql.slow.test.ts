import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { graphqlOf, startTestServer, tenantOf } from '../support/server.ts';
import { serversPath } from '../support/server-stage.ts';
import { errorOf } from '../support/webhook-documents.ts';

const server = await startTestServer();
type Tenant = Awaited<ReturnType<typeof tenantOf>>;

/** A field that may be null is refused alone, so that there may be many errors of one code. */
const codesOf = ({ errors }: { errors: { extensions: { code: string } }[] }) => [
  ...new Set(errors.map(({ extensions }) => extensions.code)),
];

const profileOf = ({ caller }: Tenant) => String(caller.principal?.profileUuid);
const times = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

/** So many servers of a tenant, beside the service, which takes a call for each. */
async function servers(owner: Tenant, count: number, isPublic = false): Promise<string[]> {
  const rows = await server.database.query<{ uuid: string }>({
    text: `INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, transports, args, env_names, header_names, tags,
        is_public, created_at, updated_at)
      SELECT uuid, $1, 'listed-' || uuid, 'many', 'stdio', '{stdio}', '{}', '{}', '{}', '{}', $3, $4, $4 FROM (
        SELECT gen_random_uuid() AS uuid FROM generate_series(1, $2)) made RETURNING uuid`,
    values: [profileOf(owner), count, isPublic, server.clock.now()],
  });
  return rows.map(({ uuid }) => uuid);
}

/** So many tools of each server, or offers of another kind. */
const offer = (uuids: readonly string[], count: number, { bytes = 50, kind = 'tool' } = {}) =>
  server.database.query({
    text: `INSERT INTO mcp_capabilities (server_uuid, kind, name, position, definition, bytes)
      SELECT uuid, $4, 'tool-' || n, n, json_build_object('name', 'tool-' || n, 'title', 'Tool'), $3
      FROM unnest($1::uuid[]) t (uuid), generate_series(1, $2) n`,
    values: [uuids, count, bytes, kind],
  });

const megabyte = 1024 * 1024;

describe('a profile with 100 servers of 500 tools each', () => {
  let owner: Tenant;
  beforeAll(async () => {
    owner = await tenantOf(server);
    // Not at once: a statement has its time.
    for (let each = 0; each < 10; each++) await offer(await servers(owner, 10, true), 500);
  });

  it('shows all of its tools, but not a hundred times over', verifies('graph.counted'), async () => {
    const { data } = await owner.graphql('{ serverOffers(kind: TOOL) { serverUuid name } }');
    expect(data.serverOffers).toHaveLength(50_000);
    const refused = await owner.graphql(`{ serverOffers(kind: TOOL) { ${times(100, (i) => `a${i}: name`)} } }`);
    expect(refused.data).toBeNull();
    expect(refused.errors).toHaveLength(1);
    expect(errorOf(refused)).toMatchObject({ code: 'TOO_LARGE' });
  });

  it('over REST as usual', async () => {
    const { status, body } = await owner.call('GET', '/api/tools');
    expect([status, body.tools.length]).toEqual([200, 50_000]);
  });

  it('is not a search with which a client can end the process', verifies('graph.counted'), async () => {
    const search = (fields: string) =>
      graphqlOf(server, null)(`{ servers(query: "", first: 100) { nodes { tools { ${fields} } } } }`);
    const { data } = await search('title');
    expect(data.servers.nodes.flatMap(({ tools }: { tools: object[] }) => tools)).toHaveLength(50_000);
    const refused = await search(times(98, (i) => `a${i}: title`));
    expect(refused.errors).toHaveLength(1);
    expect(errorOf(refused)).toMatchObject({ code: 'TOO_LARGE' });
  });

  it('is not read where it is more than 200 000', verifies('graph.counted'), async () => {
    const { nodes } = (await owner.graphql('{ ownServers(first: 100) { nodes { uuid } } }')).data.ownServers;
    for (const kind of ['resource', 'resource_template', 'prompt'])
      for (let each = 0; each < 100; each += 10)
        await offer(
          nodes.slice(each, each + 10).map(({ uuid }: { uuid: string }) => uuid),
          500,
          { kind },
        );
    await server.database.query({
      text: `INSERT INTO mcp_capabilities (server_uuid, kind, name, position, definition, bytes) VALUES ($1, 'tool', 'more', 501, '{}', 2)`,
      values: [nodes[0].uuid],
    });
    const lists = 'tools { name } resources { uri } resourceTemplates { uriTemplate } prompts { name }';
    const refused = await owner.graphql(`{ ownServers(first: 100) { nodes { ${lists} } } }`);
    expect(refused.errors).toMatchObject([
      { message: expect.stringContaining('200 000 capabilities'), extensions: { code: 'TOO_LARGE' } },
    ]);
  });
});

describe('what servers offer', () => {
  it.each([
    ['tools', 'tool', 'title'],
    ['tools', 'tool', 'name'],
    ['resources', 'resource', 'uri'],
    ['resourceTemplates', 'resource_template', 'uriTemplate'],
    ['prompts', 'prompt', 'name'],
  ])(
    '%s: %s counts each time that %s is shown, in fragments too',
    verifies('graph.counted'),
    async (list, kind, field) => {
      const owner = await tenantOf(server);
      const [uuid] = await servers(owner, 1);
      // Names are as long as they can be only where the service lets them: here each is 20 kB.
      await server.database.query({
        text: `INSERT INTO mcp_capabilities (server_uuid, kind, name, position, definition, bytes)
          SELECT $1, $2, repeat('n', 20000) || n, n, json_build_object('title', repeat('t', 20000)), 20000
          FROM generate_series(1, 50) n`,
        values: [uuid, kind],
      });
      const ask = (count: number) =>
        owner.graphql(
          `query ($uuid: String!) { server(uuid: $uuid) { ${list} { ...A } } }
            fragment A on ${{ tools: 'McpTool', prompts: 'McpPrompt', resources: 'McpResource' }[list] ?? 'McpResourceTemplate'} {
              ${times(count, (i) => `a${i}: ${field}`)} skipped: ${field} @skip(if: true) }`,
          { uuid },
        );
      // A megabyte each time.
      expect((await ask(15)).errors).toBeUndefined();
      const refused = await ask(18);
      expect(refused.errors).toHaveLength(1);
      expect(errorOf(refused)).toMatchObject({ code: 'TOO_LARGE' });
    },
  );

  it('is at most 16 MB in an answer, however many looks it takes', verifies('graph.counted'), async () => {
    const owner = await tenantOf(server);
    const [one, other] = await servers(owner, 2);
    await offer([String(one), String(other)], 1, { bytes: 9 * megabyte });
    // Mutations are made one after the other, so that each is a look of its own.
    const install = (uuid: string | undefined, list: string) =>
      `serverInstall(input: { uuid: "${uuid}" }) { server { ${list} { name } } }`;
    const alone = await owner.graphql(`mutation { a: ${install(one, 'tools')} b: ${install(other, 'prompts')} }`);
    expect(alone.errors).toBeUndefined();
    const both = await owner.graphql(`mutation { a: ${install(one, 'tools')} b: ${install(other, 'tools')} }`);
    expect(errorOf(both)).toMatchObject({ code: 'TOO_LARGE' });
    expect(errorOf(await owner.graphql('{ serverOffers(kind: TOOL) { name } }'))).toMatchObject({ code: 'TOO_LARGE' });
  });

  it(
    "is at most 16 MB of all lists side by side, of which small ones do not stand in each other's way",
    verifies('graph.counted'),
    async () => {
      const owner = await tenantOf(server);
      const uuids = await servers(owner, 1);
      const lists = `{ a: serverOffers(kind: TOOL) { name } b: serverOffers(kind: RESOURCE) { name }
      c: serverOffers(kind: PROMPT) { name } d: serverOffering(kind: TOOL, name: "tool-1") { name } }`;
      await offer(uuids, 1);
      expect((await owner.graphql(lists)).errors).toBeUndefined();
      await offer(uuids, 1, { bytes: 9 * megabyte, kind: 'resource' });
      expect((await owner.graphql(lists)).errors).toBeUndefined();
      await offer(uuids, 1, { bytes: 9 * megabyte, kind: 'prompt' });
      expect(errorOf(await owner.graphql(lists))).toMatchObject({ code: 'TOO_LARGE' });
    },
  );

  it('counts from 0 for each answer of one client', verifies('graph.counted'), async () => {
    const owner = await tenantOf(server);
    const [uuid] = await servers(owner, 1);
    await offer([String(uuid)], 1, { bytes: 9 * megabyte });
    for (let each = 0; each < 3; each++)
      expect(
        (await owner.graphql('query ($uuid: String!) { server(uuid: $uuid) { tools { name } } }', { uuid })).errors,
      ).toBeUndefined();
  });

  it('changes of tools count each time that they are shown', verifies('graph.counted'), async () => {
    const owner = await tenantOf(server);
    const [uuid] = await servers(owner, 1);
    await server.database.query({
      text: `INSERT INTO mcp_tool_changes (uuid, server_uuid, name, change, before, after, created_at)
        SELECT gen_random_uuid(), $1, 'tool-' || n, 'changed', d, d, $2
        FROM generate_series(1, 100) n, LATERAL (SELECT json_build_object('title', repeat('x', 50000)) AS d) made`,
      values: [uuid, server.clock.now()],
    });
    const ask = (fields: string) =>
      owner.graphql(`query ($uuid: String!) { serverToolChanges(uuid: $uuid, first: 100) { nodes { ${fields} } } }`, {
        uuid,
      });
    expect((await ask('before after')).errors).toBeUndefined();
    expect(codesOf(await ask(times(10, (i) => `a${i}: after`)))).toEqual(['TOO_LARGE']);
  });
});

describe('what is long of servers', () => {
  it.each(['description', 'command', 'args', 'url', 'env', 'headers', 'notes'])(
    '%s counts each time that it is shown',
    verifies('graph.counted'),
    async (column) => {
      const owner = await tenantOf(server);
      await servers(owner, 50);
      // 20 kB, which is 1 MB of all.
      const values = {
        args: "ARRAY[repeat('x', 20000)]",
        env: "ARRAY[repeat('x', 20000)]",
        headers: "ARRAY[repeat('x', 20000)]",
      } as Record<string, string>;
      const stored = { env: 'env_names', headers: 'header_names' }[column] ?? column;
      await server.database.query({
        text: `UPDATE mcp_servers SET ${stored} = ${values[column] ?? "repeat('x', 20000)"} WHERE profile_uuid = $1`,
        values: [profileOf(owner)],
      });
      const own = (count: number) =>
        owner.graphql(`{ ownServers(first: 100) { nodes { ${times(count, (i) => `a${i}: ${column}`)} } } }`);
      const proxied = (count: number) =>
        owner.graphql(`{ proxiedServers { ${times(count, (i) => `a${i}: ${column}`)} } }`);
      for (const ask of [own, proxied]) {
        expect((await ask(15)).errors).toBeUndefined();
        expect(codesOf(await ask(18))).toEqual(['TOO_LARGE']);
      }
      expect((await owner.call('GET', serversPath)).body).toHaveLength(50);
    },
  );
});

describe('what is long of others', () => {
  const long = "repeat('x', 20000)";
  it.each([
    [
      'collections',
      'description',
      `collections (uuid, profile_uuid, name, created_at, updated_at, description) SELECT gen_random_uuid(), $1, 'c', $2, $2, ${long}`,
    ],
    [
      'webhooks',
      'url',
      `webhooks (uuid, profile_uuid, events, active, secret, created_at, updated_at, url)
        SELECT gen_random_uuid(), $1, '{}', false, '', $2, $2, ${long}`,
    ],
    [
      'webhooks',
      'events',
      `webhooks (uuid, profile_uuid, url, active, secret, created_at, updated_at, events)
        SELECT gen_random_uuid(), $1, '', false, '', $2, $2, ARRAY[${long}]`,
    ],
    [
      'registrySubmissions',
      'environmentVariables',
      `registry_submissions (uuid, user_uuid, profile_uuid, repository_id, repository, package_type, transports, name, version, document,
          status, created_at, submitted_at, environment_variables)
        SELECT gen_random_uuid(), $3, $1, n, 'a/b', 'npm', '{stdio}', 'io.github.a/b', '1', '{}', 'pending', $2, $2, ARRAY[${long}]`,
    ],
  ])('%s: %s counts each time that it is shown', verifies('graph.counted'), async (list, field, rows) => {
    const owner = await tenantOf(server);
    const user = rows.includes('$3') ? [owner.caller.principal?.userUuid] : [];
    await server.database.query({
      text: `INSERT INTO ${rows} FROM generate_series(1, 50) n`,
      values: [profileOf(owner), server.clock.now(), ...user],
    });
    const ask = (count: number) =>
      owner.graphql(`{ ${list}(first: 50) { nodes { ${times(count, (i) => `a${i}: ${field}`)} } } }`);
    expect((await ask(15)).errors).toBeUndefined();
    expect(codesOf(await ask(18))).toEqual(['TOO_LARGE']);
  });
});

describe('figures', () => {
  it(
    'are there of every server of an answer, also of more than a thousand',
    verifies('servers.stats', 'servers.statements'),
    async () => {
      const owner = await tenantOf(server);
      const uuids = await servers(owner, 1_500);
      const last = uuids.at(-1);
      for (let each = 0; each < 3; each++) {
        const collection = randomUUID();
        await server.database.query({
          text: `INSERT INTO collections (uuid, profile_uuid, name, created_at, updated_at) VALUES ($1, $2, 'all', $3, $3)`,
          values: [collection, profileOf(owner), server.clock.now()],
        });
        await server.database.query({
          text: `INSERT INTO collection_servers (collection_uuid, position, server_uuid)
          SELECT $1, place - 1, uuid FROM unnest($2::uuid[]) WITH ORDINALITY AS t (uuid, place)`,
          values: [collection, uuids.slice(500 * each, 500 * (each + 1))],
        });
      }
      // One that is used is before all of them.
      const [used] = await servers(owner, 1, true);
      await server.services.mcpServers.usage.install((await tenantOf(server)).caller, String(used));
      await server.services.analytics.trending.rollUp();
      await offer([String(last)], 1);
      const { data, errors } = await owner.graphql(
        `{ collections(first: 3) { nodes { servers(first: 500) { nodes { uuid stats { installations trendingRank } tools { name } } } } } }`,
      );
      expect(errors).toBeUndefined();
      const nodes: { uuid: string; stats: object | null; tools: object[] }[] = data.collections.nodes.flatMap(
        ({ servers }: { servers: { nodes: object[] } }) => servers.nodes,
      );
      expect(nodes).toHaveLength(1_500);
      expect(nodes.filter(({ stats }) => stats === null)).toEqual([]);
      expect(new Set(nodes.map(({ stats }) => JSON.stringify(stats)))).toEqual(
        new Set([JSON.stringify({ installations: 0, trendingRank: 2 })]),
      );
      expect(nodes.filter(({ tools }) => tools.length > 0).map(({ uuid }) => uuid)).toEqual([last]);
    },
  );
});
