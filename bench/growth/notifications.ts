import { each, fillBy, type GrowthArea, get, graphql, send, valuesOf } from './stage.ts';

/** One in ten is unread. */
export const notifications: GrowthArea = {
  name: 'notifications',
  page: 'notifications',
  async fill(pool, { owner, own }) {
    await fillBy(
      pool,
      `INSERT INTO notifications (uuid, profile_uuid, seq, type, title, message, severity, metadata, read_at, created_at)
        SELECT gen_random_uuid(), $1, n, 'INFO', 'A title', 'Message ' || n, 'INFO', '{}', CASE WHEN n % 10 > 0 THEN now() END,
          now() - ($2::int - n) * interval '30 days' / $2::int
        FROM generate_series(1, $2::int) n`,
      [owner.profileUuid, own],
    );
    await fillBy(
      pool,
      'INSERT INTO notification_counters (profile_uuid, last_seq, total, unread) VALUES ($1, $2::int, $2::int, $2::int / 10)',
      [owner.profileUuid, own],
    );
  },
  async operations(pool, { owner, own }) {
    const uuids = await valuesOf<string>(
      pool,
      'SELECT uuid FROM notifications WHERE profile_uuid = $1 AND seq % 7 = 0 ORDER BY seq LIMIT 100',
      [owner.profileUuid],
    );
    const list = (text: string) => `query { notifications(${text}) { nodes { uuid message } pageInfo { endCursor } } }`;
    return [
      { name: 'first page', calls: [get('/api/notifications?limit=20')] },
      { name: 'first page of the unread', calls: [get('/api/notifications?limit=20&unread=true')] },
      { name: 'last page', calls: [get(`/api/notifications?limit=20&offset=${own - 20}`)] },
      { name: 'connection, first page', calls: [graphql(list('first: 20'))] },
      { name: 'connection, total', calls: [graphql('{ notifications(first: 0) { totalCount } }')] },
      {
        name: 'connection, total of the unread',
        calls: [graphql('{ notifications(first: 0, unread: true) { totalCount } }')],
      },
      { name: 'number of unread', calls: [graphql('{ unreadNotificationCount }')] },
      { name: 'create', calls: [send('POST', '/api/notifications', { message: 'One more' })] },
      { name: 'mark as read', calls: each(uuids, (uuid) => send('PATCH', `/api/notifications/${uuid}/read`)) },
      {
        name: 'complete',
        calls: each(uuids, (uuid) => send('PATCH', `/api/notifications/${uuid}/completed`, { completed: true })),
      },
    ];
  },
};
