import { systemClock } from '../../src/platform/clock.ts';
import { each, fillBy, type GrowthArea, get, graphql, valuesOf } from './stage.ts';

/** Names for the public servers of the area mcp-servers with one version each, one name with 200, and submissions of the owner. */
export const registry: GrowthArea = {
  name: 'registry',
  page: 'registry',
  async fill(pool, { owner, own }) {
    await pool.query('ANALYZE mcp_servers, registry_servers');
    await fillBy(
      pool,
      `WITH state AS (SELECT seq FROM registry_state WHERE id = 1),
        nameless AS MATERIALIZED (
          SELECT uuid, slug, created_at FROM mcp_servers s
          WHERE is_public AND NOT EXISTS (SELECT FROM registry_servers r WHERE r.server_uuid = s.uuid)),
        made AS (
          INSERT INTO registry_servers (uuid, name, name_key, server_uuid, created_at)
          SELECT gen_random_uuid(), 'io.github.' || slug || '/server', 'io.github.' || slug || '/server', uuid, created_at
          FROM nameless RETURNING *),
        numbered AS (SELECT *, row_number() OVER (ORDER BY created_at, uuid) AS n FROM made),
        versions AS (
          SELECT uuid, '1.0.0' AS version, name, n, true AS is_latest FROM numbered
          UNION ALL SELECT uuid, '0.0.' || v, name, (SELECT count(*) FROM numbered) + v, false FROM numbered, generate_series(1, 200) v WHERE n = 1)
        INSERT INTO registry_versions (registry_uuid, version, document, status, status_changed_at, published_at, updated_at, is_latest, seq)
        SELECT uuid, version, '{"name":"' || name || '","description":"A server","version":"' || version || '"}', 'active', at, at, at, is_latest, state.seq + n
        FROM versions, state, LATERAL (SELECT now() - interval '1 year' + (state.seq + n) * interval '1 second' AS at) clock`,
    );
    await fillBy(
      pool,
      `UPDATE registry_state SET seq = (SELECT max(seq) FROM registry_versions), updated_at = now(),
        total_servers = (SELECT count(*) FROM registry_versions WHERE is_latest)`,
    );
    await fillBy(
      pool,
      `INSERT INTO registry_submissions (uuid, user_uuid, profile_uuid, repository_id, repository, package_type, transports, environment_variables,
          name, version, document, status, created_at, submitted_at)
        SELECT gen_random_uuid(), $1, $2, last.id + n, 'owner/name-' || n, 'npm', '{stdio}', '{}', 'io.github.owner/name-' || n, '1.0.0', '{}',
          CASE WHEN n % 100 = 0 THEN 'pending' ELSE 'accepted' END, now() - n * interval '1 second', now()
        FROM generate_series(1, $3::int) n, (SELECT coalesce(max(repository_id), 0) AS id FROM registry_submissions) last`,
      [owner.userUuid, owner.profileUuid, own],
    );
  },
  async operations(pool) {
    const names = await valuesOf<string>(
      pool,
      `SELECT name FROM registry_servers WHERE name ~ '-[0-9]*0/server$' LIMIT 100`,
    );
    const [withVersions] = await valuesOf<string>(
      pool,
      `SELECT name FROM registry_servers JOIN registry_versions ON registry_uuid = uuid WHERE version = '0.0.7' LIMIT 1`,
    );
    const [name] = names;
    const soon = encodeURIComponent(new Date(systemClock.now().getTime() - 60_000).toISOString());
    const path = (server: string) => `/v0.1/servers/${encodeURIComponent(server)}/versions`;
    const list = (text: string) => graphql(`{ registryServers(${text}) { nodes { name } } }`);
    return [
      { name: 'first page', calls: [get('/v0.1/servers?limit=20')] },
      { name: 'first page of the latest', calls: [get('/v0.1/servers?limit=20&version=latest')] },
      {
        name: 'search of a rare name',
        calls: [get(`/v0.1/servers?limit=20&search=${encodeURIComponent(String(name))}`)],
      },
      { name: 'search of a common name', calls: [get('/v0.1/servers?limit=20&search=server')] },
      { name: 'search of no name', calls: [get('/v0.1/servers?limit=20&search=no-such-name')] },
      { name: 'changes of the last minute', calls: [get(`/v0.1/servers?limit=20&updated_since=${soon}`)] },
      { name: 'latest version', calls: each(names, (server) => get(`${path(server)}/latest`)) },
      { name: 'versions', calls: [get(path(withVersions as string))] },
      { name: 'health', calls: [get('/api/registry/health')] },
      { name: 'connection, first page', calls: [list('first: 20')] },
      { name: 'connection, total', calls: [graphql('{ registryServers(first: 0) { totalCount } }')] },
      {
        name: 'connection, total of the latest',
        calls: [graphql('{ registryServers(first: 0, version: "latest") { totalCount } }')],
      },
      { name: 'submissions', calls: [get('/api/registry/submissions?limit=20')] },
      {
        name: 'submissions, connection',
        calls: [graphql('{ registrySubmissions(first: 20) { nodes { name } } }')],
      },
      { name: 'submissions, total', calls: [graphql('{ registrySubmissions(first: 0) { totalCount } }')] },
    ];
  },
};
