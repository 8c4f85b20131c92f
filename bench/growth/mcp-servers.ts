import { copyServers, fillServers } from '../search-data.ts';
import { each, fillBy, type GrowthArea, get, graphql, send, valuesOf } from './stage.ts';

/** A profile has at most 200 servers. */
const serversOwn = 200;
/** Public servers that are made one by one; the others are copies of them. */
const originals = 20_000;

/** Private servers of the owner with five tools each and one with changes of tools, and public servers of the crowd. */
export const mcpServers: GrowthArea = {
  name: 'mcp-servers',
  page: 'mcp-servers',
  async fill(pool, { owner, own, others }) {
    const publicServers = Math.max(own, others);
    const [stored = 0] = await valuesOf<number>(pool, 'SELECT count(*)::int FROM mcp_servers WHERE is_public');
    const [profile] = await valuesOf<string>(pool, 'SELECT profile_uuid FROM crowd WHERE n = 0');
    const made = Math.min(publicServers, originals) - stored;
    await fillServers(pool, profile as string, stored, stored + made);
    if (publicServers > originals)
      await copyServers(
        pool,
        publicServers / originals,
        `SELECT profile_uuid FROM crowd WHERE n = (p.n * 7 + $1::int) % (SELECT count(*) FROM crowd)`,
      );
    await fillBy(
      pool,
      `UPDATE mcp_servers SET category = 'category-' || abs(hashtext(slug)) % 10 WHERE is_public AND category IS NULL`,
    );
    await fillBy(
      pool,
      `WITH made AS (
          INSERT INTO mcp_servers (uuid, profile_uuid, slug, name, transport, transports, args, env_names, header_names, is_public, tags,
            discovery_status, are_tools_known, created_at, updated_at)
          SELECT gen_random_uuid(), $1, $3::text || '-' || n, 'server ' || n, 'stdio', '{stdio}', '{}', '{}', '{}', false, '{}', 'succeeded', true,
            now() - n * interval '1 second', now() FROM generate_series(1, least(${serversOwn}, $2::int)) n RETURNING uuid),
        installed AS (
          INSERT INTO mcp_installations (uuid, profile_uuid, server_uuid, installed_at) SELECT gen_random_uuid(), $1, uuid, now() FROM made)
        INSERT INTO mcp_capabilities (server_uuid, kind, name, position, definition, bytes)
        SELECT uuid, 'tool', 'tool-' || n, n, json_build_object('name', 'tool-' || n, 'inputSchema', json_build_object('type', 'object')), 60
        FROM made, generate_series(1, 5) n`,
      [owner.profileUuid, own, owner.username],
    );
    await fillBy(
      pool,
      `INSERT INTO mcp_tool_changes (uuid, server_uuid, name, change, created_at)
        SELECT gen_random_uuid(), s.uuid, 'tool', 'changed', now() - n * interval '1 minute'
        FROM generate_series(1, 100) n, (SELECT uuid FROM mcp_servers WHERE profile_uuid = $1 LIMIT 1) s`,
      [owner.profileUuid],
    );
  },
  async operations(pool, { owner }) {
    const [uuid] = await valuesOf<string>(
      pool,
      'SELECT server_uuid FROM mcp_tool_changes c JOIN mcp_servers s ON s.uuid = server_uuid WHERE profile_uuid = $1 LIMIT 1',
      [owner.profileUuid],
    );
    const popular = await valuesOf<string>(
      pool,
      'SELECT uuid FROM mcp_servers WHERE is_public ORDER BY installations DESC LIMIT 100',
    );
    return [
      { name: 'list of a proxy', calls: [get('/api/mcp-servers')] },
      { name: 'tools of a proxy', calls: [get('/api/tools')] },
      { name: 'public server', calls: each(popular, (server) => get(`/api/servers/${server}`)) },
      { name: 'figures of a public server', calls: each(popular, (server) => get(`/api/servers/${server}/stats`)) },
      { name: 'own servers', calls: [graphql('{ ownServers(first: 20) { nodes { name } totalCount } }')] },
      {
        name: 'changes of tools',
        calls: [
          graphql(
            'query ($uuid: String!) { serverToolChanges(uuid: $uuid, first: 20) { nodes { name } totalCount } }',
            {
              uuid,
            },
          ),
        ],
      },
      {
        name: 'install and remove',
        calls: popular.flatMap((serverUuid) =>
          ['serverInstall', 'serverUninstall'].map((mutation) =>
            graphql(`mutation ($uuid: String!) { ${mutation}(input: {uuid: $uuid}) { server { uuid } } }`, {
              uuid: serverUuid,
            }),
          ),
        ),
      },
      {
        name: 'report capabilities',
        calls: [
          send('POST', `/api/servers/${uuid}/capabilities`, {
            tools: [{ name: 'tool', inputSchema: { type: 'object' } }],
          }),
        ],
      },
    ];
  },
};
