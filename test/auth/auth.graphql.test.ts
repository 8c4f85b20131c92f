import { describe, expect, it } from 'vitest';
import { sessionOf } from '../support/people.ts';
import { type Answer, type Call, callerOf, startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const anybody = callerOf(server, null);
const password = 'correct horse battery';
const unknownUuid = '00000000-0000-4000-8000-000000000000';
const globalId = (type: string, uuid: string | undefined) => Buffer.from(`${type}:${uuid}`).toString('base64');

const run = (call: Call, query: string, variables: object = {}): Promise<Answer> =>
  call('POST', '/graphql', { query, variables });
/** The data of an operation that must have none but good fields. */
async function dataOf(call: Call, query: string, variables: object = {}) {
  const { body } = await run(call, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}
async function errorOf(call: Call, query: string, variables: object = {}) {
  const { body } = await run(call, query, variables);
  expect(body.errors).toHaveLength(1);
  const [{ message, extensions }] = body.errors;
  return { message, code: extensions.code, details: extensions.details, data: body.data };
}
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = server.statements.length;
  await work();
  return server.statements.slice(before).filter((text) => !text.startsWith('UPDATE api_keys'));
}
const tokenOf = ({ headers }: Answer) =>
  /^session_token=([^;]*)/.exec(
    headers.getSetCookie().find((cookie) => cookie.startsWith('session_token=')) ?? '',
  )?.[1];

const viewer =
  'user { id uuid email username isAdmin createdAt } project { id name tier } profile { id name projectUuid }';
let people = 0;
const newPerson = () => ({ email: `graph-${++people}@example.com`, username: `graph-${people}`, password });

describe('sessions', () => {
  it('B10: sign-up, sign-in, password change and sign-out set the cookie, and answer no token', async () => {
    const input = newPerson();
    const signUp = `mutation ($input: UserSignUpInput!) { userSignUp(input: $input) { ${viewer} } }`;
    const up = await run(anybody, signUp, { input });
    expect(up.body.data.userSignUp).toMatchObject({
      user: { username: input.username, email: input.email, isAdmin: false },
      project: { name: 'Default', tier: 'FREE' },
      profile: { name: 'Default' },
    });
    const signIn = `mutation ($input: UserSignInInput!) { userSignIn(input: $input) { ${viewer} } }`;
    const signedIn = await run(anybody, signIn, { input: { username: input.username, password } });
    expect(signedIn.body.data.userSignIn).toEqual(up.body.data.userSignUp);
    const withToken =
      (token: string | undefined): Call =>
      (method, path, body) =>
        anybody(method, path, body, { Cookie: `session_token=${token}` });
    const change = `mutation ($input: UserPasswordChangeInput!) { userPasswordChange(input: $input) { user { uuid } } }`;
    const passwords = { currentPassword: password, newPassword: 'a better one' };
    const changed = await run(withToken(tokenOf(signedIn)), change, { input: passwords });
    const tokens = [up, signedIn, changed].map(tokenOf);
    expect(new Set(tokens)).toHaveProperty('size', 3);
    for (const { text } of [up, signedIn, changed]) for (const token of tokens) expect(text).not.toContain(token);
    const whoAmI = '{ viewer { user { username } } }';
    for (const token of tokens.slice(0, 2))
      expect(await errorOf(withToken(token), whoAmI)).toMatchObject({ code: 'UNAUTHORIZED', data: null });
    expect(await dataOf(withToken(tokens[2]), whoAmI)).toEqual({ viewer: { user: { username: input.username } } });
    const out = await run(withToken(tokens[2]), 'mutation { userSignOut { signedOut } }');
    expect(out.body.data).toEqual({ userSignOut: { signedOut: true } });
    expect(tokenOf(out)).toBe('');
    expect(await errorOf(withToken(tokens[2]), whoAmI)).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('B03: fields after a sign-in in the same operation run as the new user, and after a sign-out as an anonymous caller', async () => {
    const input = newPerson();
    const data = await dataOf(
      anybody,
      `mutation ($input: UserSignUpInput!) {
        userSignUp(input: $input) { project { profiles { nodes { name apiKeys { totalCount } } } } }
        apiKeyCreate(input: { name: "first" }) { apiKey { name profile { name } } secret }
        clipboardSet(input: { name: "greeting", value: "hello" }) { entry { source } }
      }`,
      { input },
    );
    expect(data).toMatchObject({
      userSignUp: { project: { profiles: { nodes: [{ name: 'Default', apiKeys: { totalCount: 0 } }] } } },
      apiKeyCreate: { apiKey: { name: 'first', profile: { name: 'Default' } }, secret: expect.stringMatching(/^pbk_/) },
      clipboardSet: { entry: { source: 'UI' } },
    });
    const other = newPerson();
    const { call } = await sessionOf(server);
    const { body } = await run(
      call,
      `mutation ($other: UserSignUpInput!) {
        before: projectCreate(input: { name: "mine" }) { project { name } }
        userSignUp(input: $other) { user { username } }
        after: projectCreate(input: { name: "theirs" }) { project { name } }
        userSignOut { signedOut }
        late: clipboardSet(input: { name: "greeting", value: "hello" }) { entry { name } }
      }`,
      { other },
    );
    expect(body.errors).toMatchObject([{ path: ['late'], extensions: { code: 'UNAUTHORIZED' } }]);
    const names = await server.database.prisma.project.findMany({
      where: { user: { username: other.username } },
      select: { name: true },
    });
    expect(names.map(({ name }) => name).sort()).toEqual(['Default', 'theirs']);
  });

  it('B15: refuses in the words of the service, with code and details', async () => {
    const person = newPerson();
    const signUp = 'mutation ($input: UserSignUpInput!) { userSignUp(input: $input) { user { uuid } } }';
    await dataOf(anybody, signUp, { input: person });
    expect(await errorOf(anybody, signUp, { input: { ...person, username: 'root' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { username: 'username is reserved' },
      data: null,
    });
    expect(await errorOf(anybody, signUp, { input: { ...newPerson(), username: person.username } })).toMatchObject({
      code: 'CONFLICT',
      details: { username: 'username is taken' },
    });
    const signIn = 'mutation ($input: UserSignInInput!) { userSignIn(input: $input) { user { uuid } } }';
    const wrong = { username: person.username, password: 'wrong password' };
    expect(await errorOf(anybody, signIn, { input: wrong })).toEqual(
      await errorOf(anybody, signIn, { input: { ...wrong, username: 'nobody-at-all' } }),
    );
  });
});

describe('projects, profiles and keys', () => {
  it('are made, listed by pages and revoked', async () => {
    const { call } = await sessionOf(server);
    const made = await dataOf(
      call,
      `mutation {
        project: projectCreate(input: { name: "Second" }) { project { id uuid name tier } }
        profile: profileCreate(input: { name: "Side" }) { profile { id uuid name project { name } } }
        key: apiKeyCreate(input: { name: "CI", scopes: [READ, ADMIN], channel: MCP, expiresAt: "2027-01-01T00:00:00Z" }) {
          apiKey { id uuid name prefix scopes channel state expiresAt revokedAt lastUsedAt } secret
        }
      }`,
    );
    expect(made).toMatchObject({
      project: { project: { name: 'Second', tier: 'FREE' } },
      profile: { profile: { name: 'Side', project: { name: 'Default' } } },
      key: {
        apiKey: { scopes: ['READ', 'ADMIN'], channel: 'MCP', state: 'ACTIVE', revokedAt: null, lastUsedAt: null },
      },
    });
    const lists = `{
      projects { totalCount nodes { name } edges { cursor node { name } } pageInfo { hasNextPage endCursor } }
      profiles(first: 1) { totalCount nodes { uuid } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
      apiKeys { totalCount nodes { name profile { name project { name } } } }
      projectPage(limit: 1, offset: 1) { total limit offset projects { name } }
      profilePage { total profiles { name } }
      apiKeyPage { total apiKeys { name } }
    }`;
    const data = await dataOf(call, lists);
    expect(data).toMatchObject({
      projects: { totalCount: 2, pageInfo: { hasNextPage: false } },
      profiles: { totalCount: 2, pageInfo: { hasNextPage: true, hasPreviousPage: false } },
      apiKeys: { totalCount: 1, nodes: [{ name: 'CI', profile: { name: 'Default', project: { name: 'Default' } } }] },
      projectPage: { total: 2, limit: 1, offset: 1 },
      profilePage: { total: 2 },
      apiKeyPage: { total: 1, apiKeys: [{ name: 'CI' }] },
    });
    const next = await dataOf(call, 'query ($after: String) { profiles(after: $after) { nodes { uuid } } }', {
      after: data.profiles.pageInfo.endCursor,
    });
    expect(next.profiles.nodes).toHaveLength(1);
    expect(next.profiles.nodes).not.toEqual(data.profiles.nodes);
    const revoke =
      'mutation ($input: ApiKeyRevokeInput!) { apiKeyRevoke(input: $input) { apiKey { state revokedAt } } }';
    const { uuid } = made.key.apiKey;
    const revoked = await dataOf(call, revoke, { input: { uuid } });
    expect(revoked).toMatchObject({ apiKeyRevoke: { apiKey: { state: 'REVOKED', revokedAt: expect.any(String) } } });
    const activate = 'mutation ($input: ProfileActivateInput!) { profileActivate(input: $input) { profile { name } } }';
    await dataOf(call, activate, { input: { uuid: made.profile.profile.uuid } });
    expect(await dataOf(call, '{ viewer { profile { name } } }')).toEqual({ viewer: { profile: { name: 'Side' } } });
  });

  it('are read in a number of statements that does not grow with the lists', async () => {
    const { user, call } = await sessionOf(server);
    const { projects, profiles, apiKeys } = server.services.auth;
    const grow = async () => {
      const { uuid: projectUuid } = await projects.create(user, { name: 'more' });
      for (const name of ['a', 'b']) {
        const { uuid: profileUuid } = await profiles.create(user, { projectUuid, name });
        await apiKeys.create(user, { profileUuid, name });
      }
    };
    await grow();
    const query = `{
      projects(first: 50) {
        nodes { name profiles(first: 10) { nodes { name project { tier } apiKeys(first: 5) { edges { node { name state } } } } } }
      }
    }`;
    const few = await statementsOf(() => dataOf(call, query));
    await grow();
    await grow();
    const many = await statementsOf(() => dataOf(call, query));
    expect(many).toHaveLength(few.length);
    expect(few.length).toBe(5);
  });

  it('B06: are read without the hashes', async () => {
    const { call } = await sessionOf(server);
    const statements = await statementsOf(async () => {
      await dataOf(call, `{ viewer { ${viewer} } apiKeys { nodes { name state } } apiKeyPage { apiKeys { name } } }`);
      await dataOf(call, 'mutation { apiKeyCreate(input: { name: "x" }) { apiKey { name } secret } }');
    });
    const reads = statements.filter((text) => /^SELECT (?!s\.uuid|k\.uuid)/.test(text));
    expect(reads.length).toBeGreaterThan(3);
    for (const text of reads) expect(text).not.toMatch(/password_hash|key_hash|token_hash/);
    const returned = statements.filter((text) => text.startsWith('INSERT'));
    for (const text of returned) expect(text.split('RETURNING')[1]).not.toContain('key_hash');
  });

  it('take cursors of their own lists alone, and sizes up to 100', async () => {
    const { call } = await sessionOf(server);
    for (const list of ['projects', 'profiles', 'apiKeys'])
      for (const [args, field] of [
        ['first: 101', 'first'],
        ['first: -1', 'first'],
        ['after: "x"', 'after'],
        ['after: ""', 'after'],
        ['after: "\\u0000"', 'after'],
      ])
        expect(await errorOf(call, `{ ${list}(${args}) { totalCount } }`)).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { [String(field)]: expect.any(String) },
        });
    for (const args of ['first: 101', 'after: "R1BDOlM6eA=="'])
      expect(await errorOf(call, `{ viewer { project { profiles(${args}) { totalCount } } } }`)).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
  });
});

describe('other tenants', () => {
  it('B02: node and nodes show nothing of them, and no difference to what does not exist', async () => {
    const [mine, theirs] = [await sessionOf(server), await sessionOf(server)];
    const { apiKey } = await server.services.auth.apiKeys.create(theirs.user, { name: 'theirs' });
    const { userUuid, projectUuid, profileUuid } = theirs.user.principal ?? {};
    const own = mine.user.principal;
    for (const [type, foreign, visible] of [
      ['User', userUuid, own?.userUuid],
      ['Project', projectUuid, own?.projectUuid],
      ['Profile', profileUuid, own?.profileUuid],
      ['ApiKey', apiKey.uuid, undefined],
    ] as const) {
      const ids = [foreign, foreign?.toUpperCase(), unknownUuid, 'x', '\u0000', `${foreign}:1`].map((uuid) =>
        globalId(type, uuid),
      );
      for (const id of ids) {
        const { body } = await run(mine.call, 'query ($id: ID!) { node(id: $id) { id } }', { id });
        expect(body).toEqual({ data: { node: null } });
      }
      const { body } = await run(mine.call, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
      expect(body).toEqual({ data: { nodes: ids.map(() => null) } });
      if (!visible) continue;
      const id = globalId(type, visible);
      expect(await dataOf(mine.call, 'query ($id: ID!) { node(id: $id) { __typename id } }', { id })).toEqual({
        node: { __typename: type, id },
      });
    }
  });

  it('B01 B04: mutations and lists answer their ids like unknown and malformed ones', async () => {
    const [mine, theirs] = [await sessionOf(server), await sessionOf(server)];
    const { apiKey } = await server.services.auth.apiKeys.create(theirs.user, { name: 'theirs' });
    const { projectUuid, profileUuid } = theirs.user.principal ?? {};
    for (const [foreign, document] of [
      [projectUuid, 'query ($uuid: String!) { profiles(projectUuid: $uuid) { totalCount } }'],
      [projectUuid, 'query ($uuid: String!) { profilePage(projectUuid: $uuid) { total } }'],
      [
        projectUuid,
        'mutation ($uuid: String!) { profileCreate(input: { projectUuid: $uuid, name: "x" }) { profile { id } } }',
      ],
      [profileUuid, 'query ($uuid: String!) { apiKeys(profileUuid: $uuid) { totalCount } }'],
      [profileUuid, 'query ($uuid: String!) { apiKeyPage(profileUuid: $uuid) { total } }'],
      [profileUuid, 'mutation ($uuid: String!) { apiKeyCreate(input: { profileUuid: $uuid, name: "x" }) { secret } }'],
      [profileUuid, 'mutation ($uuid: String!) { profileActivate(input: { uuid: $uuid }) { profile { id } } }'],
      [apiKey.uuid, 'mutation ($uuid: String!) { apiKeyRevoke(input: { uuid: $uuid }) { apiKey { id } } }'],
    ] as const) {
      const answers = await Promise.all(
        [foreign, unknownUuid, 'x', '\u0000'].map((uuid) => run(mine.call, document, { uuid })),
      );
      expect(answers[0]?.body.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
      expect(new Set(answers.map(({ text }) => text))).toHaveProperty('size', 1);
    }
  });

  it('B01: a key sees its own profile, and with the scope ADMIN its project, on every way through the graph', async () => {
    const { user, call } = await tenantOf(server, { scopes: ['read'] });
    const { profiles, projects, apiKeys } = server.services.auth;
    const sibling = await profiles.create(user, { name: 'Sibling' });
    const elsewhere = await projects.create(user, { name: 'Elsewhere' });
    const hidden = await profiles.create(user, { projectUuid: elsewhere.uuid, name: 'Hidden' });
    const admin = await apiKeys.create(user, { name: 'admin', scopes: ['read', 'admin'] });
    const ways = `{
      projects { totalCount nodes { name profiles { totalCount nodes { name project { profiles { nodes { name } } } } } } }
      viewer { project { name profiles { totalCount nodes { name } } } }
      profiles { totalCount nodes { name } }
    }`;
    const seen = await dataOf(call, ways);
    const names = (data: unknown) =>
      new Set([...JSON.stringify(data).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name));
    expect(names(seen)).toEqual(new Set(['Default']));
    expect(seen).toMatchObject({ projects: { totalCount: 1 }, profiles: { totalCount: 1 } });
    expect(seen.viewer.project.profiles.totalCount).toBe(1);
    const byAdmin = callerOf(server, admin.secret);
    expect(names(await dataOf(byAdmin, ways))).toEqual(new Set(['Default', 'Sibling']));
    const node = 'query ($id: ID!) { node(id: $id) { id } }';
    const id = globalId('Profile', sibling.uuid);
    expect(await dataOf(call, node, { id })).toEqual({ node: null });
    expect(await dataOf(byAdmin, node, { id })).toEqual({ node: { id } });
    for (const foreign of [globalId('Project', elsewhere.uuid), globalId('Profile', hidden.uuid)])
      expect(await dataOf(byAdmin, node, { id: foreign })).toEqual({ node: null });
    for (const document of [
      '{ apiKeys { totalCount } }',
      '{ viewer { profile { apiKeys { totalCount } } } }',
      `{ node(id: "${globalId('ApiKey', admin.apiKey.uuid)}") { id } }`,
      'mutation { projectCreate(input: { name: "x" }) { project { id } } }',
      'mutation { profileCreate(input: { name: "x" }) { profile { id } } }',
      'mutation { apiKeyCreate(input: { name: "x" }) { secret } }',
    ])
      expect(await errorOf(call, document)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('an anonymous caller gets nothing', async () => {
    for (const document of [
      '{ viewer { __typename } }',
      '{ projects { totalCount } }',
      '{ profiles { totalCount } }',
      '{ apiKeys { totalCount } }',
      '{ projectPage { total } }',
      '{ profilePage { total } }',
      '{ apiKeyPage { total } }',
      ...['User', 'Project', 'Profile', 'ApiKey'].map(
        (type) => `{ node(id: "${globalId(type, unknownUuid)}") { id } }`,
      ),
      'mutation { projectCreate(input: { name: "x" }) { project { id } } }',
      'mutation { profileCreate(input: { name: "x" }) { profile { id } } }',
      `mutation { profileActivate(input: { uuid: "${unknownUuid}" }) { profile { id } } }`,
      'mutation { apiKeyCreate(input: { name: "x" }) { secret } }',
      `mutation { apiKeyRevoke(input: { uuid: "${unknownUuid}" }) { apiKey { id } } }`,
      'mutation { userPasswordChange(input: { currentPassword: "x", newPassword: "y" }) { user { id } } }',
    ])
      expect(await errorOf(anybody, document)).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
