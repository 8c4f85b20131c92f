import { each, fillBy, type GrowthArea, get, graphql, send } from './stage.ts';

/** As many followers as users who are followed. One in ten is hidden. */
export const users: GrowthArea = {
  name: 'users',
  page: 'users',
  async fill(pool, { owner, own }) {
    await fillBy(
      pool,
      `INSERT INTO user_profiles (user_uuid, is_public, followers_count, following_count) VALUES ($1, true, $2::int, $2::int)`,
      [owner.userUuid, own],
    );
    await fillBy(
      pool,
      `WITH made AS (
          INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, created_at, updated_at)
          SELECT gen_random_uuid(), name || '@growth', name || '@growth', name, name, '-', now(), now()
          FROM (SELECT 'fan-' || n || '-of-' || $3::text AS name FROM generate_series(1, $2::int) n) named
          RETURNING uuid, username !~ '0-of-' AS is_public),
        shown AS (
          INSERT INTO user_profiles (user_uuid, is_public, followers_count, following_count) SELECT uuid, is_public, 1, 1 FROM made)
        INSERT INTO user_follows (follower_uuid, followed_uuid, created_at, is_follower_shown, is_followed_shown)
        SELECT uuid, $1, now() - random() * interval '300 days', is_public, true FROM made
        UNION ALL SELECT $1, uuid, now() - random() * interval '300 days', true, is_public FROM made`,
      [owner.userUuid, own, owner.username],
    );
  },
  async operations(_pool, { owner: { username }, own }) {
    const names = Array.from({ length: 100 }, (_, turn) => `fan-${1 + ((turn * 7_919) % own)}-of-${username}`).filter(
      (name) => !name.includes('0-of-'),
    );
    const list = (name: string, selection: string) =>
      graphql(`query ($username: String!) { userProfile(username: $username) { ${name} ${selection} } }`, { username });
    return [
      { name: 'profile', calls: [get(`/api/users/${username}`)] },
      { name: 'check a name', calls: [get('/api/check-username?username=not-taken')] },
      { name: 'followers', calls: [list('followers(first: 20)', '{ nodes { username } }')] },
      { name: 'following', calls: [list('following(first: 20)', '{ nodes { username } }')] },
      { name: 'followers, total', calls: [list('followers(first: 0)', '{ totalCount }')] },
      {
        name: 'follow and unfollow',
        calls: names.flatMap((name) => [
          { method: 'DELETE', path: `/api/users/${name}/follow` },
          send('POST', `/api/users/${name}/follow`),
        ]),
      },
      { name: 'change the profile', calls: each(['a', 'b'], (bio) => send('PATCH', '/api/users/profile', { bio })) },
      {
        name: 'hide and show',
        calls: each([false, true], (is_public) => send('PATCH', '/api/users/profile', { is_public })),
      },
    ];
  },
};
