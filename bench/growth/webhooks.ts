import { each, fillBy, type GrowthArea, get, graphql, send, valuesOf } from './stage.ts';

/** Ended deliveries of one webhook, one in ten failed. An account has at most 50 webhooks; others have the rest. */
export const webhooks: GrowthArea = {
  name: 'webhooks',
  page: 'webhooks',
  async fill(pool, { owner, own, others }) {
    const webhook = (profile: string, from: string) =>
      `INSERT INTO webhooks (uuid, profile_uuid, url, events, active, secret, created_at, updated_at)
        SELECT gen_random_uuid(), ${profile}, 'https://example.com/' || number.n, '{notification.created}', false, '-', now(), now() FROM ${from}`;
    await fillBy(pool, webhook('$1', 'generate_series(1, least(50, $2::int)) number (n)'), [owner.profileUuid, own]);
    await fillBy(
      pool,
      webhook(
        'c.profile_uuid',
        'generate_series(1, $1::int) number (n) JOIN crowd c ON c.n = number.n % (SELECT count(*) FROM crowd)',
      ),
      [others / 10],
    );
    await fillBy(
      pool,
      `WITH made AS (
          INSERT INTO webhook_events (uuid, data, event_at, created_at)
          SELECT gen_random_uuid(), '{}', at, at
          FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - n * interval '20 days' / $2::int AS at) clock
          RETURNING uuid, created_at)
        INSERT INTO webhook_deliveries (uuid, webhook_uuid, event_uuid, event, attempt, status, due_at, response_status, created_at, updated_at)
        SELECT gen_random_uuid(), (SELECT uuid FROM webhooks WHERE profile_uuid = $1 LIMIT 1), uuid, 'notification.created', 1,
          CASE WHEN extract(milliseconds FROM created_at)::int % 10 = 0 THEN 'failed' ELSE 'succeeded' END, created_at, 200, created_at, created_at FROM made`,
      [owner.profileUuid, own],
    );
  },
  async operations(pool, { owner, own }) {
    const [uuid] = await valuesOf<string>(
      pool,
      'SELECT webhook_uuid FROM webhook_deliveries d JOIN webhooks w ON w.uuid = webhook_uuid WHERE profile_uuid = $1 LIMIT 1',
      [owner.profileUuid],
    );
    const deliveries = `/api/webhooks/${uuid}/deliveries`;
    return [
      { name: 'list', calls: [get('/api/webhooks')] },
      { name: 'one', calls: [get(`/api/webhooks/${uuid}`)] },
      { name: 'deliveries, first page', calls: [get(`${deliveries}?limit=20`)] },
      { name: 'deliveries, last page', calls: [get(`${deliveries}?limit=20&offset=${own - 20}`)] },
      { name: 'failed deliveries, first page', calls: [get(`${deliveries}?limit=20&status=failed`)] },
      {
        name: 'connections',
        calls: [
          graphql(
            '{ webhooks(first: 50) { nodes { url deliveries(first: 5) { nodes { event status } } } totalCount } }',
          ),
        ],
      },
      {
        name: 'deliveries, total',
        calls: [
          graphql('query ($uuid: String!) { webhook(uuid: $uuid) { deliveries(first: 0) { totalCount } } }', { uuid }),
        ],
      },
      {
        name: 'change',
        calls: each(['a', 'b'], (path) =>
          send('PATCH', `/api/webhooks/${uuid}`, { url: `https://example.com/${path}` }),
        ),
      },
    ];
  },
};
