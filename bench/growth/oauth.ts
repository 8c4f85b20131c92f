import { fillBy, type GrowthArea, get, graphql, valuesOf } from './stage.ts';

/** Of the sessions of a profile at most 500 are not over; others have the rest. Security events are all its own. */
export const oauth: GrowthArea = {
  name: 'oauth',
  page: 'oauth',
  async fill(pool, { owner, own, others }) {
    const session = (profile: string, user: string, from: string) =>
      `INSERT INTO oauth_sessions (uuid, profile_uuid, user_uuid, provider, issuer, metadata, redirect_uri, scopes, status, access_token, expires_at,
          created_at, updated_at)
        SELECT gen_random_uuid(), ${profile}, ${user}, 'provider', 'https://issuer.example', '{}', 'https://example.com', '{}', 'active', '-',
          now() + interval '1 year', now() - number.n * interval '1 second', now() FROM ${from}`;
    await fillBy(pool, session('$1', '$2', 'generate_series(1, least(500, $3::int)) number (n)'), [
      owner.profileUuid,
      owner.userUuid,
      own,
    ]);
    await fillBy(
      pool,
      session(
        'c.profile_uuid',
        'c.user_uuid',
        'generate_series(1, $1::int) number (n) JOIN crowd c ON c.n = number.n % (SELECT count(*) FROM crowd)',
      ),
      [others],
    );
    await fillBy(
      pool,
      `INSERT INTO oauth_security_events (uuid, profile_uuid, user_uuid, type, severity, outcome, created_at)
        SELECT gen_random_uuid(), $1, $2, 'session_authorized', 'low', 'succeeded', now() - n * interval '300 days' / $3::int
        FROM generate_series(1, $3::int) n`,
      [owner.profileUuid, owner.userUuid, own],
    );
  },
  async operations(pool, { owner }) {
    const [uuid] = await valuesOf<string>(pool, 'SELECT uuid FROM oauth_sessions WHERE profile_uuid = $1 LIMIT 1', [
      owner.profileUuid,
    ]);
    return [
      { name: 'sessions', calls: [get('/api/mcp/oauth/session')] },
      { name: 'session', calls: [get(`/api/mcp/oauth/session/${uuid}`)] },
      {
        name: 'sessions, connection',
        calls: [graphql('{ oauthSessions(first: 20) { nodes { uuid status } totalCount } }')],
      },
      {
        name: 'security events',
        calls: [graphql('{ oauthSecurityEvents(first: 20) { nodes { type createdAt } } }')],
      },
      { name: 'security events, total', calls: [graphql('{ oauthSecurityEvents(first: 0) { totalCount } }')] },
    ];
  },
};
