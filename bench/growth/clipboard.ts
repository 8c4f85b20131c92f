import { each, fillBy, type GrowthArea, get, graphql, send, valuesOf } from './stage.ts';

const page = 'query ($after: String) { clipboardEntries(first: 20, after: $after) { nodes { uuid name idx value } } }';

/** Half of the entries have names, the others are the stack. One in a hundred is of another content type. */
export const clipboard: GrowthArea = {
  name: 'clipboard',
  page: 'clipboard',
  fill: (pool, { owner, own }) =>
    fillBy(
      pool,
      `INSERT INTO clipboard_entries (uuid, profile_uuid, name, seq, value, content_type, encoding, size_bytes, visibility, source,
          created_at, updated_at, expires_at)
        SELECT gen_random_uuid(), $1, CASE WHEN n % 2 = 0 THEN 'n' || n END, CASE WHEN n % 2 = 1 THEN nextval('clipboard_seq') END,
          'value ' || n, CASE WHEN n % 100 < 2 THEN 'application/json' ELSE 'text/plain' END, 'utf-8', 12, 'private', 'sdk', at, at,
          now() + interval '1 day'
        FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - make_interval(secs => ($2::int - n) / 1000.0) AS at) clock`,
      [owner.profileUuid, own],
    ),
  async operations(pool, { owner, own }) {
    const cursors = (kind: 's' | 'n', offset: number) =>
      valuesOf<string>(
        pool,
        `SELECT CASE WHEN $2 = 's' THEN 's:' || seq ELSE 'n:' || floor(extract(epoch FROM created_at) * 1000)::bigint || ':' || uuid END
          FROM clipboard_entries WHERE profile_uuid = $1 AND (seq IS NULL) = ($2 = 'n')
          ORDER BY seq DESC, created_at DESC, uuid DESC OFFSET $3 LIMIT 1`,
        [owner.profileUuid, kind, offset],
      );
    const after = async (kind: 's' | 'n', offset: number) =>
      each(await cursors(kind, offset), (cursor) =>
        graphql(page, { after: Buffer.from(cursor).toString('base64url') }),
      );
    const half = own / 2;
    const names = Array.from({ length: 200 }, (_, turn) => `n${2 * (1 + ((turn * 7_919) % half))}`);
    const uuids = await valuesOf<string>(
      pool,
      'SELECT uuid FROM clipboard_entries WHERE profile_uuid = $1 AND seq IS NOT NULL ORDER BY seq DESC OFFSET $2 LIMIT 20',
      [owner.profileUuid, half / 2],
    );
    const entry = { value: 'a value of a name', ttlSeconds: 86_400 };
    return [
      { name: 'get by name', calls: each(names, (name) => get(`/api/clipboard?name=${name}`)) },
      { name: 'get index 0', calls: [get('/api/clipboard?idx=0')] },
      { name: 'get an index in the middle', calls: [get(`/api/clipboard?idx=${half / 2}`)] },
      {
        name: 'get a stack entry by id',
        calls: each(uuids, (uuid) => get(`/api/clipboard/entries/${uuid}`)),
      },
      { name: 'first page', calls: [get('/api/clipboard?limit=20')] },
      { name: 'last page', calls: [get(`/api/clipboard?limit=20&offset=${own - 20}`)] },
      { name: 'first page of a content type', calls: [get('/api/clipboard?limit=20&contentType=application/json')] },
      { name: 'connection, first page', calls: [graphql(page)] },
      { name: 'connection, second page', calls: await after('s', 19) },
      { name: 'connection, middle of the stack', calls: await after('s', half / 2) },
      { name: 'connection, middle of the names', calls: await after('n', half / 2) },
      { name: 'connection, total', calls: [graphql('{ clipboardEntries(first: 0) { totalCount } }')] },
      { name: 'set', calls: each(names, (name) => send('POST', '/api/clipboard', { name, ...entry })) },
      {
        name: 'set, then delete',
        calls: [
          send('POST', '/api/clipboard', { name: 'growth', ...entry }),
          send('DELETE', '/api/clipboard', { name: 'growth' }),
        ],
      },
      {
        name: 'push, then pop',
        calls: [send('POST', '/api/clipboard/push', entry), { method: 'DELETE', path: '/api/clipboard/pop' }],
      },
    ];
  },
};
