import { each, fillBy, type GrowthArea, get, graphql, send, valuesOf } from './stage.ts';

/** A profile has at most 200 collections, here with five public servers each; others have the rest. */
export const collections: GrowthArea = {
  name: 'collections',
  page: 'collections',
  async fill(pool, { owner, own, others }) {
    const values = `gen_random_uuid(), 'collection ' || number.n, true, now() - number.n * interval '1 second', now()`;
    await fillBy(
      pool,
      `INSERT INTO collections (profile_uuid, uuid, name, is_public, created_at, updated_at)
        SELECT $1, ${values} FROM generate_series(1, least(200, $2::int)) number (n)`,
      [owner.profileUuid, own],
    );
    await fillBy(
      pool,
      `INSERT INTO collection_servers (collection_uuid, position, server_uuid)
        SELECT c.uuid, place, s.uuid FROM collections c
        CROSS JOIN LATERAL (SELECT uuid, row_number() OVER () - 1 AS place FROM (
          SELECT uuid FROM mcp_servers WHERE is_public ORDER BY installations DESC LIMIT 5) popular) s
        WHERE c.profile_uuid = $1`,
      [owner.profileUuid],
    );
    await fillBy(
      pool,
      `WITH made AS (
          INSERT INTO collections (profile_uuid, uuid, name, is_public, created_at, updated_at)
          SELECT c.profile_uuid, ${values} FROM generate_series(1, $1::int) number (n)
          JOIN crowd c ON c.n = number.n % (SELECT count(*) FROM crowd) RETURNING uuid),
        popular AS (SELECT uuid FROM mcp_servers WHERE is_public ORDER BY installations DESC LIMIT 1)
        INSERT INTO collection_servers (collection_uuid, position, server_uuid)
        SELECT made.uuid, 0, popular.uuid FROM made, popular`,
      [others],
    );
  },
  async operations(pool, { owner }) {
    const uuids = await valuesOf<string>(
      pool,
      'SELECT uuid FROM collections WHERE profile_uuid = $1 ORDER BY created_at DESC LIMIT 100',
      [owner.profileUuid],
    );
    return [
      // The path of one's own collections names the profile.
      { name: 'list', calls: [get(`/api/collections/${owner.profileUuid}?limit=20`)] },
      { name: 'one', calls: each(uuids, (uuid) => get(`/api/collections/public/${uuid}`)) },
      {
        name: 'connections',
        calls: [
          graphql(
            '{ collections(first: 20) { nodes { name servers(first: 5) { nodes { name } totalCount } } totalCount } }',
          ),
        ],
      },
      {
        name: 'change',
        calls: each(uuids, (uuid) => send('PATCH', `/api/collections/${uuid}`, { name: 'another name' })),
      },
    ];
  },
};
