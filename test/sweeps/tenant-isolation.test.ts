import { randomUUID } from 'node:crypto';
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import { schema } from '../../schema/index.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { secondProfileOf } from '../support/people.ts';
import { titleOf } from '../support/route-requests.ts';
import { type Call, callerOf, startTestServer, type TestServer, tenantOf } from '../support/server.ts';

/** Who owns things: a user with a key of every scope and a browser. */
interface Tenant {
  readonly user: Caller;
  readonly key: Call;
  readonly session: Call;
  /** Makes one of a kind, new and its own. @returns What leads to it. */
  make(kind: Kind): Promise<string>;
}

/** What ids and selectors lead to. */
type Kind = 'project' | 'profile' | 'api key' | 'entry' | 'entry name' | 'entry index';

/** The same request for whatever the id leads to; it must be right, so that one's own is found by it. */
interface RestRow {
  readonly takes: Kind;
  readonly as: 'key' | 'session';
  readonly request: (id: string) => { path?: string; body?: unknown };
  /** Where a missing one is no error: the status of the answer. */
  readonly missing?: number;
}

/** A row for every route that takes an id or selector, and for every way to give it. A new route needs one here. */
const restRows: Record<string, RestRow[]> = {
  'GET /api/profiles (ListProfiles)': [
    { takes: 'project', as: 'key', request: (id) => ({ path: `/api/profiles?projectUuid=${id}` }) },
    { takes: 'project', as: 'session', request: (id) => ({ path: `/api/profiles?projectUuid=${id}` }) },
  ],
  'POST /api/profiles (CreateProfile)': [
    { takes: 'project', as: 'key', request: (id) => ({ body: { name: 'x', projectUuid: id } }) },
    { takes: 'project', as: 'session', request: (id) => ({ body: { name: 'x', projectUuid: id } }) },
  ],
  'POST /api/profiles/:uuid/activate (ActivateProfile)': [
    { takes: 'profile', as: 'session', request: (id) => ({ path: `/api/profiles/${id}/activate` }) },
  ],
  'GET /api/api-keys (ListApiKeys)': [
    { takes: 'profile', as: 'key', request: (id) => ({ path: `/api/api-keys?profileUuid=${id}` }) },
    { takes: 'profile', as: 'session', request: (id) => ({ path: `/api/api-keys?profileUuid=${id}` }) },
  ],
  'POST /api/api-keys (CreateApiKey)': [
    { takes: 'profile', as: 'key', request: (id) => ({ body: { name: 'x', profileUuid: id } }) },
    { takes: 'profile', as: 'session', request: (id) => ({ body: { name: 'x', profileUuid: id } }) },
  ],
  'DELETE /api/api-keys/:uuid (RevokeApiKey)': [
    { takes: 'api key', as: 'key', request: (id) => ({ path: `/api/api-keys/${id}` }) },
    { takes: 'api key', as: 'session', request: (id) => ({ path: `/api/api-keys/${id}` }) },
  ],
  'GET /api/clipboard (GetClipboardEntry)': [
    { takes: 'entry name', as: 'key', request: (id) => ({ path: `/api/clipboard?name=${id}` }) },
    { takes: 'entry index', as: 'key', request: (id) => ({ path: `/api/clipboard?idx=${id}` }) },
  ],
  'GET /api/clipboard/entries/:uuid (GetClipboardEntryByUuid)': [
    { takes: 'entry', as: 'key', request: (id) => ({ path: `/api/clipboard/entries/${id}` }) },
    { takes: 'entry', as: 'session', request: (id) => ({ path: `/api/clipboard/entries/${id}` }) },
  ],
  'POST /api/clipboard/get (GetClipboardEntry)': [
    { takes: 'entry name', as: 'key', request: (id) => ({ body: { name: id } }) },
    { takes: 'entry index', as: 'key', request: (id) => ({ body: { idx: Number(id) } }) },
  ],
  'DELETE /api/clipboard (DeleteClipboardEntry)': [
    { takes: 'entry name', as: 'key', request: (id) => ({ body: { name: id } }), missing: 200 },
    { takes: 'entry index', as: 'key', request: (id) => ({ body: { idx: Number(id) } }), missing: 200 },
  ],
};

/** The routes that take no id: what they show and change is the caller's own by nature. */
const restWithoutIds = [
  'POST /api/auth/sign-up (SignUp)',
  'POST /api/auth/sign-in (SignIn)',
  'POST /api/auth/sign-out (SignOut)',
  'GET /api/auth/session (GetSession)',
  'POST /api/auth/password (ChangePassword)',
  'GET /api/projects (ListProjects)',
  'POST /api/projects (CreateProject)',
  'GET /api/clipboard (ListClipboardEntries)',
  'POST /api/clipboard (SetClipboardEntry)', // The name is one of the caller's own profile; see "a name that another tenant has".
  'POST /api/clipboard/push (PushClipboardEntry)',
  'DELETE /api/clipboard/pop (PopClipboardEntry)',
  'POST /api/clipboard/pop (PopClipboardEntry)',
  'DELETE /api/clipboard (ClearClipboard)',
  'DELETE /api/clipboard/all (ClearClipboard)',
];

interface GraphqlRow {
  readonly takes: Kind;
  readonly as: 'key' | 'session';
  readonly query: string;
  readonly variables: (id: string) => Record<string, unknown>;
}

const both = (row: Omit<GraphqlRow, 'as'>): GraphqlRow[] => [
  { ...row, as: 'key' },
  { ...row, as: 'session' },
];

/** A row for every root field that takes an id or selector. A new root field needs one here. */
const graphqlRows: Record<string, GraphqlRow[]> = {
  'Query.apiKeyPage': both({
    takes: 'profile',
    query: 'query ($id: String) { apiKeyPage(profileUuid: $id) { total apiKeys { uuid name profile { uuid } } } }',
    variables: (id) => ({ id }),
  }),
  'Query.apiKeys': both({
    takes: 'profile',
    query: 'query ($id: String) { apiKeys(profileUuid: $id) { totalCount nodes { uuid name profile { uuid } } } }',
    variables: (id) => ({ id }),
  }),
  'Query.profilePage': both({
    takes: 'project',
    query: 'query ($id: String) { profilePage(projectUuid: $id) { total profiles { uuid name } } }',
    variables: (id) => ({ id }),
  }),
  'Query.profiles': both({
    takes: 'project',
    query: 'query ($id: String) { profiles(projectUuid: $id) { totalCount nodes { uuid name } } }',
    variables: (id) => ({ id }),
  }),
  'Query.clipboardEntry': [
    ...both({
      takes: 'entry name',
      query: 'query ($by: ClipboardEntrySelector!) { clipboardEntry(by: $by) { uuid value } }',
      variables: (name) => ({ by: { name } }),
    }),
    ...both({
      takes: 'entry index',
      query: 'query ($by: ClipboardEntrySelector!) { clipboardEntry(by: $by) { uuid value } }',
      variables: (idx) => ({ by: { idx: Number(idx) } }),
    }),
  ],
  'Query.clipboardEntryByUuid': both({
    takes: 'entry',
    query: 'query ($id: String!) { clipboardEntryByUuid(uuid: $id) { uuid value idx } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.apiKeyCreate': both({
    takes: 'profile',
    query: 'mutation ($id: String!) { apiKeyCreate(input: { name: "x", profileUuid: $id }) { apiKey { uuid } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.apiKeyRevoke': both({
    takes: 'api key',
    query: 'mutation ($id: String!) { apiKeyRevoke(input: { uuid: $id }) { apiKey { uuid name } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.profileActivate': [
    {
      takes: 'profile',
      as: 'session',
      query: 'mutation ($id: String!) { profileActivate(input: { uuid: $id }) { profile { uuid name } } }',
      variables: (id) => ({ id }),
    },
  ],
  'Mutation.profileCreate': both({
    takes: 'project',
    query: 'mutation ($id: String!) { profileCreate(input: { name: "x", projectUuid: $id }) { profile { uuid } } }',
    variables: (id) => ({ id }),
  }),
  'Mutation.clipboardDelete': [
    ...both({
      takes: 'entry name',
      query: 'mutation ($by: ClipboardEntrySelector!) { clipboardDelete(input: $by) { deleted deletedUuid } }',
      variables: (name) => ({ by: { name } }),
    }),
    ...both({
      takes: 'entry index',
      query: 'mutation ($by: ClipboardEntrySelector!) { clipboardDelete(input: $by) { deleted deletedUuid } }',
      variables: (idx) => ({ by: { idx: Number(idx) } }),
    }),
  ],
};

/** Judged below, by type, for every type that is a node. */
const nodeFields = ['Query.node', 'Query.nodes'];

/** The root fields that take no id: what they show and change is the caller's own by nature. */
const graphqlWithoutIds = [
  'Query.clipboardEntries',
  'Query.clipboardEntryPage',
  'Query.projectPage',
  'Query.projects',
  'Query.viewer',
  'Mutation.clipboardClear',
  'Mutation.clipboardPop',
  'Mutation.clipboardPush',
  'Mutation.clipboardSet', // The name is one of the caller's own profile.
  'Mutation.projectCreate',
  'Mutation.userPasswordChange',
  'Mutation.userSignIn',
  'Mutation.userSignOut',
  'Mutation.userSignUp',
  'Subscription.clipboardChanged', // test/platform/live.graphql.test.ts
];

/** What leads to a node of each type. A new node type needs a line here. */
const nodes: Record<string, Kind | 'user'> = {
  ApiKey: 'api key',
  ClipboardEntry: 'entry',
  Profile: 'profile',
  Project: 'project',
  User: 'user',
};

let server: TestServer;
let database: Client;
let own: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  server = await startTestServer();
  database = new Client({ connectionString: server.url });
  await database.connect();
  own = await tenant('own');
  stranger = await tenant('canary-of-a-stranger');
});

// One row makes another profile the active one; the next begins as if none had.
beforeEach(async () => {
  await server.services.auth.profiles.activate(own.user, { uuid: String(own.user.principal?.profileUuid) });
});

afterAll(() => database.end());

/** A tenant whose every name and value holds the mark. */
async function tenant(mark: string): Promise<Tenant> {
  const { auth, clipboard } = server.services;
  const { call: key, user, caller } = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
  const { email } = await auth.users.current(user);
  const { token } = await auth.users.signIn(
    { principal: null, address: '' },
    { email, password: 'correct horse battery' },
  );
  const bare = callerOf(server, null);
  const session: Call = (method, path, body, headers) =>
    bare(method, path, body, { Cookie: `session_token=${token}`, ...headers });
  let made = 0;
  const make = async (kind: Kind): Promise<string> => {
    const name = `${mark}-${++made}`;
    // A key acts within its own project; what it is to find must lie there.
    if (kind === 'project') return String(user.principal?.projectUuid);
    if (kind === 'profile') return (await auth.profiles.create(user, { name })).uuid;
    if (kind === 'api key') return (await auth.apiKeys.create(user, { name })).apiKey.uuid;
    if (kind === 'entry name') return (await clipboard.set(caller, { name, value: mark })).name ?? '';
    const { uuid } = await clipboard.push(caller, { value: mark });
    return kind === 'entry' ? uuid : '0';
  };
  return { user, key, session, make };
}

/** An id of a kind that leads to nothing. */
const unknown = (kind: Kind): string =>
  ({ 'entry name': 'there-is-none', 'entry index': '2000000000' })[kind as string] ?? randomUUID();

/** Everything that is stored, but for when a key was last used. */
async function stored(): Promise<string> {
  const tables = ['users', 'projects', 'profiles', 'api_keys', 'sessions', 'clipboard_entries'];
  const dumps = tables.map((table) =>
    database.query(`SELECT to_jsonb(t) - 'last_used_at' AS row FROM ${table} t ORDER BY t.uuid`),
  );
  return JSON.stringify((await Promise.all(dumps)).map(({ rows }) => rows));
}

const rootFields = (['Query', 'Mutation', 'Subscription'] as const).flatMap((kind) => {
  const type = schema.getType(kind);
  return isObjectType(type) ? Object.keys(type.getFields()).map((name) => `${kind}.${name}`) : [];
});

describe('the matrix', () => {
  it('has a row for every route that takes an id, and an excuse for every other', () => {
    expect([...Object.keys(restRows), ...restWithoutIds].sort()).toEqual(routes.map(titleOf).sort());
  });

  it('excuses no route with an id in its path, or with a uuid among its query or its input', () => {
    for (const route of routes.filter((each) => restWithoutIds.includes(titleOf(each)))) {
      expect(route.path).not.toContain(':');
      expect(
        Object.keys(route.query?.shape ?? {}).filter((name) => /uuid|id$/i.test(name)),
        titleOf(route),
      ).toEqual([]);
    }
  });

  it('has a row for every root field that takes an id, and an excuse for every other', () => {
    expect([...Object.keys(graphqlRows), ...nodeFields, ...graphqlWithoutIds].sort()).toEqual([...rootFields].sort());
  });

  it('has a way to every type that is a node', () => {
    const node = schema.getType('Node');
    const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
    expect(Object.keys(nodes).sort()).toEqual([...types].sort());
  });
});

describe("REST: another tenant's is answered byte by byte like one that does not exist (B01, B04)", () => {
  const rows = Object.entries(restRows).flatMap(([title, list]) =>
    list.map((row) => [title, row.takes, row.as, row] as const),
  );

  it.each(rows)(
    `%s, by %s, with a %s ${verifies('everywhere.foreign-ids', 'access.tenants', 'everywhere.profile-uuid')}`,
    async (title, takes, as, row) => {
      const route = routes.find((each) => titleOf(each) === title);
      // An index is a place in one's own stack: the stranger's is one that one's own has not.
      if (takes === 'entry index') await own.key('DELETE', '/api/clipboard/all');
      const foreign = await stranger.make(takes);
      const ask = (id: string) => {
        const { path = route?.path ?? '', body } = row.request(id);
        return own[as](route?.method ?? '', path, body);
      };
      const before = await stored();
      const [ofStranger, ofNobody] = [await ask(foreign), await ask(unknown(takes))];
      expect(await stored()).toBe(before);
      expect(ofStranger.status, ofStranger.text).toBe(row.missing ?? 404);
      expect(ofStranger.text).toBe(ofNobody.text);
      expect(ofStranger.status).toBe(ofNobody.status);
      expect(headersOf(ofStranger.headers)).toEqual(headersOf(ofNobody.headers));
      expect(ofStranger.text).not.toContain('canary');
      // The request itself is right: one's own is found by it.
      const found = await ask(await own.make(takes));
      expect(found.status, found.text).toBe(200);
      expect(found.text).not.toBe(ofNobody.text);
    },
  );

  const headersOf = (headers: Headers) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
});

describe("GraphQL: another tenant's is answered like one that does not exist (B02)", () => {
  const rows = Object.entries(graphqlRows).flatMap(([field, list]) =>
    list.map((row) => [field, row.takes, row.as, row] as const),
  );

  it.each(rows)(
    `%s, by %s, with a %s ${verifies('everywhere.foreign-ids', 'access.tenants')}`,
    async (_field, takes, as, row) => {
      if (takes === 'entry index') await own.key('DELETE', '/api/clipboard/all');
      const foreign = await stranger.make(takes);
      const ask = (id: string) => own[as]('POST', '/graphql', { query: row.query, variables: row.variables(id) });
      const before = await stored();
      const [ofStranger, ofNobody] = [await ask(foreign), await ask(unknown(takes))];
      expect(await stored()).toBe(before);
      expect([ofStranger.status, ofStranger.text]).toEqual([ofNobody.status, ofNobody.text]);
      expect(ofStranger.text).not.toContain('canary');
      const found = await ask(await own.make(takes));
      expect(found.body.errors, found.text).toBeUndefined();
      expect(found.text).not.toBe(ofNobody.text);
    },
  );
});

describe('node and nodes', () => {
  const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');
  const query = 'query ($id: ID!) { node(id: $id) { __typename id } }';
  const several = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
  const idOf = async (owner: Tenant, kind: Kind | 'user') =>
    kind === 'user' ? String(owner.user.principal?.userUuid) : owner.make(kind);
  const types = Object.entries(nodes);

  it.each(types)(
    `answer a %s of another tenant like one that does not exist, and one's own ${verifies('graph.node', 'everywhere.foreign-ids', 'access.tenants')}`,
    async (type, kind) => {
      const foreign = globalId(type, await idOf(stranger, kind));
      const nothing = globalId(type, randomUUID());
      const mine = globalId(type, await idOf(own, kind));
      for (const as of [own.key, own.session]) {
        const ask = async (id: string) => (await as('POST', '/graphql', { query, variables: { id } })).text;
        expect(await ask(foreign)).toBe(await ask(nothing));
        expect(JSON.parse(await ask(foreign))).toEqual({ data: { node: null } });
        expect(JSON.parse(await ask(mine))).toEqual({ data: { node: { __typename: type, id: mine } } });
        const list = (
          await as('POST', '/graphql', { query: several, variables: { ids: [foreign, mine, nothing, mine, foreign] } })
        ).body;
        expect(list).toEqual({
          data: { nodes: [null, { __typename: type, id: mine }, null, { __typename: type, id: mine }, null] },
        });
      }
    },
  );

  it.each(types)(`do not take a %s for another type (F05) ${verifies('graph.node')}`, async (type, kind) => {
    const id = await idOf(own, kind);
    for (const other of Object.keys(nodes).filter((each) => each !== type))
      expect((await own.session('POST', '/graphql', { query, variables: { id: globalId(other, id) } })).body).toEqual({
        data: { node: null },
      });
  });

  it(`answer ids that nobody made with null or an error about the id, never a fault (F05) ${verifies('graph.node')}`, async () => {
    const ids = [
      '',
      'x',
      '😀',
      globalId('Nothing', randomUUID()),
      globalId('Query', 'x'),
      globalId('ClipboardEntry', ''),
      globalId('ClipboardEntry', "' OR 1=1 --"),
      globalId('Profile', '\u0000'),
      globalId('User', 'x'.repeat(10_000)),
      globalId('ApiKey', '{"not":1}'),
      `ClipboardEntry:${randomUUID()}`,
      globalId('__proto__', 'x'),
      globalId('constructor', 'x'),
    ];
    for (const id of ids) {
      const { status, body, text } = await own.key('POST', '/graphql', { query, variables: { id } });
      expect([200, 400], text).toContain(status);
      if (body.errors) expect(body.errors[0].extensions.code, text).toBe('VALIDATION_ERROR');
      else expect(body, text).toEqual({ data: { node: null } });
    }
  });
});

describe('lists, counts and cursors', () => {
  const foreignWords = async () => {
    const { rows } = await database.query<{ uuid: string }>(
      `WITH theirs AS (SELECT uuid FROM projects WHERE user_uuid = $1), profile AS (SELECT uuid FROM profiles WHERE project_uuid IN (TABLE theirs))
       TABLE theirs UNION ALL TABLE profile UNION ALL SELECT uuid FROM api_keys WHERE profile_uuid IN (TABLE profile)
       UNION ALL SELECT uuid FROM clipboard_entries WHERE profile_uuid IN (TABLE profile) UNION ALL SELECT $1::uuid`,
      [stranger.user.principal?.userUuid],
    );
    expect(rows.length).toBeGreaterThan(5);
    const uuids = rows.map(({ uuid }) => uuid);
    return [
      'canary-of-a-stranger',
      ...uuids,
      ...uuids.map((uuid) => Buffer.from(uuid).toString('base64').slice(4, 40)),
    ];
  };

  beforeAll(async () => {
    for (const kind of ['profile', 'api key', 'entry', 'entry name'] as const)
      for (const owner of [own, stranger]) await owner.make(kind);
  });

  it(`of REST hold nothing of another tenant ${verifies('access.tenants')}`, async () => {
    const words = await foreignWords();
    for (const route of routes.filter(({ method, path }) => method === 'GET' && !path.includes(':')))
      for (const call of [own.key, own.session]) {
        const { text } = await call('GET', route.path);
        for (const word of words) expect(text.includes(word), `${titleOf(route)}: ${word}`).toBe(false);
      }
  });

  /** Every field of a type that needs no argument, to a depth: whatever leads from one's own to something else. */
  function selection(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type);
    if (isLeafType(named)) return '';
    if (!isObjectType(named)) return '{ __typename }';
    const isFree = (field: GraphQLField<unknown, unknown>) => field.args.every((arg) => !isNonNullType(arg.type));
    const fields = Object.values(named.getFields()).filter(isFree);
    const chosen = fields.filter((field) => depth > 0 || isLeafType(getNamedType(field.type)));
    return `{ __typename ${chosen.map((field) => `${field.name} ${selection(field.type, depth - 1)}`).join(' ')} }`;
  }

  it.each([3, 5])(
    `of the graph hold nothing of another tenant, %i steps along whatever leads on (B02) ${verifies('access.tenants')}`,
    async (depth) => {
      const words = await foreignWords();
      const type = schema.getQueryType();
      const free = Object.values(type?.getFields() ?? {}).filter(({ args }) =>
        args.every((arg) => !isNonNullType(arg.type)),
      );
      for (const field of free)
        for (const call of [own.key, own.session]) {
          const { body, text } = await call('POST', '/graphql', {
            query: `{ ${field.name} ${selection(field.type, depth)} }`,
          });
          expect(body.errors, `${field.name}: ${text.slice(0, 300)}`).toBeUndefined();
          for (const word of words) expect(text.includes(word), `${field.name}: ${word}`).toBe(false);
        }
    },
  );

  it(`count one's own alone ${verifies('access.tenants', 'graph.connections')}`, async () => {
    const {
      rows: [counts],
    } = await database.query(
      `SELECT (SELECT count(*)::int FROM clipboard_entries WHERE profile_uuid = $1) AS entries, (SELECT count(*)::int FROM api_keys WHERE profile_uuid = $1) AS keys,
        (SELECT count(*)::int FROM profiles WHERE project_uuid = $2) AS profiles`,
      [own.user.principal?.profileUuid, own.user.principal?.projectUuid],
    );
    const { body } = await own.key('POST', '/graphql', {
      query:
        '{ clipboardEntries { totalCount } clipboardEntryPage { total } apiKeys { totalCount } apiKeyPage { total } profiles { totalCount } profilePage { total } projects { totalCount } projectPage { total } }',
    });
    expect(body).toEqual({
      data: {
        clipboardEntries: { totalCount: counts.entries },
        clipboardEntryPage: { total: counts.entries },
        apiKeys: { totalCount: counts.keys },
        apiKeyPage: { total: counts.keys },
        profiles: { totalCount: counts.profiles },
        profilePage: { total: counts.profiles },
        projects: { totalCount: 1 },
        projectPage: { total: 1 },
      },
    });
  });

  it.each(['clipboardEntries', 'apiKeys', 'profiles', 'projects'])(
    `take another tenant's cursor of %s for a place, and show no more of whose it is ${verifies('access.tenants', 'graph.connections')}`,
    async (list) => {
      const query = `query ($after: String) { ${list}(after: $after) { edges { cursor node { uuid } } } }`;
      const theirs = (await stranger.key('POST', '/graphql', { query })).body.data[list].edges as {
        cursor: string;
        node: { uuid: string };
      }[];
      const words = await foreignWords();
      for (const { cursor, node } of theirs) {
        const answer = await own.key('POST', '/graphql', { query, variables: { after: cursor } });
        expect(answer.body.errors, answer.text).toBeUndefined();
        for (const word of words) expect(answer.text.includes(word), word).toBe(false);
        // The same place with an id that nobody has leads to the same page.
        const text = Buffer.from(cursor, 'base64url').toString();
        const next = node.uuid.replace(/.$/, (digit) =>
          digit === 'f' ? 'e' : (Number.parseInt(digit, 16) + 1).toString(16),
        );
        if (!text.includes(node.uuid)) continue;
        const near = Buffer.from(text.replace(node.uuid, next)).toString('base64url');
        expect((await own.key('POST', '/graphql', { query, variables: { after: near } })).text).toBe(answer.text);
      }
    },
  );
});

describe('bodies that name another tenant (B04)', () => {
  it(`write to one's own profile, and nothing to the other's ${verifies('everywhere.unknown-fields', 'access.tenants')}`, async () => {
    const profileUuid = String(stranger.user.principal?.profileUuid);
    const theirs = (await stranger.key('GET', '/api/clipboard')).text;
    const forged = {
      profileUuid,
      profile_uuid: profileUuid,
      userUuid: stranger.user.principal?.userUuid,
      uuid: randomUUID(),
      source: 'ui',
      createdAt: '2000-01-01T00:00:00Z',
    };
    const { body } = await own.key('POST', '/api/clipboard', { name: 'forged', value: 'mine', ...forged });
    expect(body.entry).toMatchObject({ name: 'forged', source: 'sdk' });
    expect(body.entry.uuid).not.toBe(forged.uuid);
    expect(body.entry.createdAt).not.toContain('2000');
    expect((await own.key('POST', '/api/clipboard/get', { name: 'forged', profileUuid })).body.entry.value).toBe(
      'mine',
    );
    expect((await stranger.key('GET', '/api/clipboard')).text).toBe(theirs);
  });

  it(`with a name that another tenant has, leave that one alone ${verifies('access.tenants')}`, async () => {
    const name = await stranger.make('entry name');
    await own.key('POST', '/api/clipboard', { name, value: 'mine' });
    expect((await stranger.key('POST', '/api/clipboard/get', { name })).body.entry.value).toBe('canary-of-a-stranger');
    expect((await own.key('DELETE', '/api/clipboard', { name })).body.deleted).toBe(true);
    expect((await stranger.key('POST', '/api/clipboard/get', { name })).status).toBe(200);
  });
});

describe('another project of the same user', () => {
  it(`is another tenant to a key, whatever its scopes, and not to the session ${verifies('access.tenants', 'everywhere.foreign-ids')}`, async () => {
    const { profileUuid, caller } = await secondProfileOf(server, own.user, 'new project');
    const projectUuid = (await own.session('GET', '/api/projects')).body.projects.find(
      (project: { uuid: string }) => project.uuid !== own.user.principal?.projectUuid,
    ).uuid;
    const entry = await server.services.clipboard.push(caller, { value: 'x', visibility: 'workspace' });
    const paths: [method: string, path: string, body?: unknown][] = [
      ['GET', `/api/profiles?projectUuid=${projectUuid}`],
      ['POST', '/api/profiles', { name: 'x', projectUuid }],
      ['GET', `/api/api-keys?profileUuid=${profileUuid}`],
      ['POST', '/api/api-keys', { name: 'x', profileUuid }],
      ['DELETE', `/api/api-keys/${caller.principal?.credentialUuid}`],
      ['GET', `/api/clipboard/entries/${entry.uuid}`],
    ];
    for (const [method, path, body] of paths) {
      const nobodys = JSON.parse(
        JSON.stringify([path, body ?? null]).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, randomUUID()),
      ) as [string, unknown];
      const [foreign, nothing] = [
        await own.key(method, path, body),
        await own.key(method, nobodys[0], nobodys[1] ?? undefined),
      ];
      expect([foreign.status, foreign.text], path).toEqual([404, nothing.text]);
    }
    expect((await own.session('GET', `/api/api-keys?profileUuid=${profileUuid}`)).body.total).toBe(1);
  });
});
