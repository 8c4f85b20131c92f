import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { graphqlOf, startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
type Graphql = ReturnType<typeof graphqlOf>;
const nobody = graphqlOf(server, null);
const fields =
  'id uuid username bio avatarUrl isPublic socialLinks followersCount followingCount serversCount followedByViewer';
const globalId = (uuid: string) => Buffer.from(`UserProfile:${uuid}`).toString('base64');

async function dataOf(graphql: Graphql, query: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await graphql(query, variables);
  expect(errors).toBeUndefined();
  return data;
}
async function errorOf(graphql: Graphql, query: string, variables: Record<string, unknown> = {}) {
  const { errors } = await graphql(query, variables);
  expect(errors).toHaveLength(1);
  return { message: errors[0].message, ...errors[0].extensions };
}
const update = `mutation ($input: UserProfileUpdateInput!) { userProfileUpdate(input: $input) { profile { ${fields} } } }`;
async function someone(input: object | null = { isPublic: true }) {
  const { graphql, caller } = await tenantOf(server);
  if (input) await dataOf(graphql, update, { input });
  const { username } = (await dataOf(graphql, '{ viewer { user { username } } }')).viewer.user;
  return { graphql, caller, username: username as string, uuid: String(caller.principal?.userUuid) };
}
const profileOf = `query ($username: String!) { userProfile(username: $username) { ${fields} } }`;
const follow =
  'mutation ($username: String!) { userFollow(input: { username: $username }) { following profile { followersCount followedByViewer } } }';
const unfollow =
  'mutation ($username: String!) { userUnfollow(input: { username: $username }) { following profile { followersCount followedByViewer } } }';

describe('the graph', () => {
  it(
    'shows a profile by name, as a node and from its user, and changes it',
    verifies('users.profile', 'users.profile.update', 'graph.node'),
    async () => {
      const { graphql, uuid, username } = await someone(null);
      const socialLinks = { github: 'https://github.com/me' };
      const input = { bio: 'b', isPublic: true, avatarUrl: 'https://example.com/a.png', socialLinks };
      const { profile } = (await dataOf(graphql, update, { input })).userProfileUpdate;
      expect(profile).toEqual({
        id: globalId(uuid),
        uuid,
        username,
        ...input,
        followersCount: 0,
        followingCount: 0,
        serversCount: 0,
        followedByViewer: false,
      });
      const node = `query ($id: ID!) { node(id: $id) { ... on UserProfile { ${fields} } } }`;
      for (const as of [graphql, nobody]) {
        expect((await dataOf(as, profileOf, { username })).userProfile).toEqual(profile);
        expect((await dataOf(as, node, { id: profile.id })).node).toEqual(profile);
      }
      expect((await dataOf(graphql, `{ viewer { user { publicProfile { ${fields} } } } }`)).viewer.user).toEqual({
        publicProfile: profile,
      });
      await dataOf(graphql, update, { input: { isPublic: false } });
      expect(await errorOf(nobody, profileOf, { username })).toMatchObject({
        code: 'NOT_FOUND',
        message: 'User not found',
      });
      expect((await dataOf(nobody, node, { id: profile.id })).node).toBeNull();
    },
  );

  it.each([
    ['bio', { bio: 'x'.repeat(1_001) }],
    ['avatarUrl', { avatarUrl: 'javascript:alert(1)' }],
    ['socialLinks.x', { socialLinks: { x: 'javascript:alert(1)' } }],
    ['socialLinks.x', { socialLinks: { x: { y: 1 } } }],
  ])('refuses a wrong %s by name (B14)', verifies('users.profile.form'), async (field, input) => {
    expect(await errorOf((await someone()).graphql, update, { input })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { [field]: expect.any(String) },
    });
  });

  it(
    'knows no field by which users could make themselves administrators (B14)',
    verifies('users.profile.assignment'),
    async () => {
      const { graphql } = await someone();
      for (const name of ['isAdmin', 'username', 'email', 'uuid', 'followersCount'])
        expect(await errorOf(graphql, update, { input: { [name]: true } })).toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );

  it('shows whether a name can be had, to every caller with a key', verifies('users.check-username'), async () => {
    const { graphql, username } = await someone();
    const ask = 'query ($username: String!) { usernameAvailable(username: $username) }';
    const isFree = async (name: string) => (await dataOf(graphql, ask, { username: name })).usernameAvailable;
    expect(await Promise.all(['not-taken-yet', username, 'admin', 'x'].map(isFree))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await errorOf(graphql, ask, { username: '' })).toMatchObject({
      details: { username: 'username is required' },
    });
    expect(await errorOf(nobody, ask, { username })).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('follows and unfollows, and says what came of it', verifies('users.follow'), async () => {
    const [one, other] = [await someone(), await someone()];
    const { username } = other;
    for (let i = 0; i < 2; i++)
      expect((await dataOf(one.graphql, follow, { username })).userFollow).toEqual({
        following: true,
        profile: { followersCount: 1, followedByViewer: true },
      });
    await dataOf(other.graphql, update, { input: { isPublic: false } });
    expect((await dataOf(one.graphql, unfollow, { username })).userUnfollow).toEqual({
      following: false,
      profile: null,
    });
    expect(await errorOf(one.graphql, follow, { username })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await errorOf(one.graphql, follow, { username: one.username })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { username: expect.any(String) },
    });
    expect(await errorOf(nobody, follow, { username })).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('lists followers and following by cursor', verifies('users.lists', 'graph.connections'), async () => {
    const star = await someone();
    for (let i = 0; i < 3; i++) {
      const fan = await someone(i === 1 ? null : { isPublic: true });
      await dataOf(fan.graphql, follow, { username: star.username });
      server.clock.advance(1_000);
    }
    const query = `query ($username: String!, $after: String) { userProfile(username: $username) { followersCount
      followers(first: 1, after: $after) { totalCount nodes { username following { nodes { username } } } edges { cursor node { uuid } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
    const page = async (after: string | null) =>
      (await dataOf(nobody, query, { username: star.username, after })).userProfile;
    const first = await page(null);
    // The one who is not public counts, and does not stand there.
    expect(first).toMatchObject({ followersCount: 3, followers: { totalCount: 2, pageInfo: { hasNextPage: true } } });
    expect(first.followers.nodes[0].following.nodes).toEqual([{ username: star.username }]);
    const second = await page(first.followers.pageInfo.endCursor);
    expect(second.followers.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    expect(second.followers.nodes[0].username).not.toBe(first.followers.nodes[0].username);
    for (const [field, args] of [
      ['first', 'first: 101'],
      ['after', 'after: "x"'],
    ])
      expect(
        await errorOf(nobody, `{ userProfile(username: "${star.username}") { followers(${args}) { totalCount } } }`),
      ).toMatchObject({ code: 'VALIDATION_ERROR', details: { [String(field)]: expect.any(String) } });
  });
});

describe('what it costs', () => {
  const size = 101;
  const name = randomUUID().slice(0, 8);
  const circle = (async () => {
    const { rows } = await sql(
      `WITH made AS (
          INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, created_at, updated_at)
          SELECT gen_random_uuid(), n, n, n, n, '', now(), now()
          FROM (SELECT '${name}-' || i AS n FROM generate_series(1, ${size}) i) names RETURNING uuid)
        INSERT INTO user_profiles (user_uuid, is_public, bio, social_links)
        SELECT uuid, true, repeat('b', 1000), json_build_object('x', 'https://x.com/' || repeat('x', 2000)) FROM made
        RETURNING user_uuid AS uuid`,
    );
    const uuids = rows.map(({ uuid }) => uuid as string);
    await sql(
      'INSERT INTO user_follows SELECT a, b, now() FROM unnest($1::uuid[]) a, unnest($1::uuid[]) b WHERE a <> b',
      [uuids],
    );
    return uuids;
  })();
  async function sql(text: string, values: unknown[] = []): Promise<{ rows: Record<string, unknown>[] }> {
    return { rows: await server.database.query({ text, values }) };
  }
  const statementsOf = async (query: string) => {
    await circle;
    const before = server.statements.length;
    const data = await dataOf(nobody, query);
    return { data, count: server.statements.slice(before).length };
  };

  it.each([1, 10, 100])(
    'a list of %i is three statements, one more to count, and so is a list within it (F11)',
    verifies('users.statements'),
    async (first) => {
      const { data, count } = await statementsOf(`{ userProfile(username: "${name}-1") {
        followers(first: ${first}) { totalCount nodes { username serversCount followedByViewer
          following(first: 20) { totalCount nodes { username followersCount } } } } } }`);
      const { followers } = data.userProfile;
      expect([followers.totalCount, followers.nodes.length]).toEqual([size - 1, first]);
      for (const { following } of followers.nodes)
        expect([following.totalCount, following.nodes.length]).toEqual([size - 1, 20]);
      expect(count).toBe(2 + 4 + 4);
    },
  );

  it('100 nodes are two statements', async () => {
    const ids = (await circle).slice(0, 100).map((uuid) => `"${globalId(uuid)}"`);
    expect(await statementsOf(`{ nodes(ids: [${ids.join()}]) { ... on UserProfile { bio } } }`)).toMatchObject({
      count: 2,
    });
  });

  it('reads what may be long for 16 MB at most, and only when it is asked for', async () => {
    await circle;
    const within = (inner: string) => `{ userProfile(username: "${name}-1") {
      followers(first: 100) { nodes { followers(first: 50) { nodes { username ${inner} } } } } } }`;
    const { errors } = await nobody(within('bio'));
    expect(errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toContain('TOO_LARGE');
    expect((await dataOf(nobody, within(''))).userProfile.followers.nodes).toHaveLength(100);
    expect(
      (await dataOf(nobody, `{ userProfile(username: "${name}-1") { followers(first: 100) { nodes { ${fields} } } } }`))
        .userProfile.followers.nodes,
    ).toHaveLength(100);
  });
});
