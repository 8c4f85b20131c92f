import { randomUUID } from 'node:crypto';
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import { schema } from '../../schema/index.ts';
import { verifies } from '../requirements.ts';
import { secondProfileOf } from '../support/people.ts';
import { titleOf } from '../support/route-requests.ts';
import type { TestServer } from '../support/server.ts';
import { type Tenant, twoTenants } from './two-tenants.ts';

let server: TestServer;
let database: Client;
let own: Tenant;
let otherTenant: Tenant;

beforeAll(async () => {
  ({ server, database, own, otherTenant } = await twoTenants());
});

// One row makes another profile the active one; the next begins as if none had.
beforeEach(async () => {
  await server.services.auth.profiles.activate(own.user, { uuid: String(own.user.principal?.profileUuid) });
});
describe('lists, counts and cursors', () => {
  const foreignWords = async () => {
    const { rows } = await database.query<{ uuid: string }>(
      `WITH theirs AS (SELECT uuid FROM projects WHERE user_uuid = $1), profile AS (SELECT uuid FROM profiles WHERE project_uuid IN (TABLE theirs))
       TABLE theirs UNION ALL TABLE profile UNION ALL SELECT uuid FROM api_keys WHERE profile_uuid IN (TABLE profile)
       UNION ALL SELECT uuid FROM clipboard_entries WHERE profile_uuid IN (TABLE profile)
       UNION ALL SELECT uuid FROM notifications WHERE profile_uuid IN (TABLE profile) UNION ALL SELECT $1::uuid
       UNION ALL SELECT uuid FROM mcp_servers WHERE profile_uuid IN (TABLE profile)
       UNION ALL SELECT uuid FROM collections WHERE profile_uuid IN (TABLE profile)
       UNION ALL SELECT uuid FROM registry_submissions WHERE profile_uuid IN (TABLE profile)
       UNION ALL SELECT uuid FROM chat_sessions WHERE profile_uuid IN (TABLE profile)
       UNION ALL SELECT uuid FROM chat_messages WHERE profile_uuid IN (TABLE profile)
       UNION ALL SELECT uuid FROM webhooks WHERE profile_uuid IN (TABLE profile)
       UNION ALL SELECT unnest(ARRAY[d.uuid, d.event_uuid]) FROM webhook_deliveries d JOIN webhooks w ON w.uuid = d.webhook_uuid WHERE w.profile_uuid IN (TABLE profile)`,
      [otherTenant.user.principal?.userUuid],
    );
    expect(rows.length).toBeGreaterThan(5);
    const uuids = rows.map(({ uuid }) => uuid);
    return [
      'canary-of-another-tenant',
      ...uuids,
      ...uuids.map((uuid) => Buffer.from(uuid).toString('base64').slice(4, 40)),
    ];
  };

  beforeAll(async () => {
    for (const kind of [
      'profile',
      'api key',
      'entry',
      'entry name',
      'notification',
      'webhook',
      'delivery',
      'server',
      'collection',
      'chat answer',
      'submission',
    ] as const)
      for (const owner of [own, otherTenant]) await owner.make(kind);
  });

  it('of REST hold nothing of another tenant', verifies('access.tenants'), async () => {
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
    return `{ __typename ${chosen.map((field) => `${asked(field)} ${selection(field.type, depth - 1)}`).join(' ')} }`;
  }

  /** Lists are asked for two of theirs: lists within lists of their usual length are more than an operation may cost. */
  function asked({ name, args }: GraphQLField<unknown, unknown>): string {
    const length = args.find((arg) => arg.name === 'first' || arg.name === 'limit');
    return length ? `${name}(${length.name}: 2)` : name;
  }

  it.each([3, 5])(
    'of the graph hold nothing of another tenant, %i steps along whatever leads on (B02)',
    verifies('access.tenants'),
    async (depth) => {
      const words = await foreignWords();
      const type = schema.getQueryType();
      const free = Object.values(type?.getFields() ?? {}).filter(({ args }) =>
        args.every((arg) => !isNonNullType(arg.type)),
      );
      for (const field of free)
        for (const call of [own.key, own.session]) {
          const { body, text } = await call('POST', '/graphql', {
            query: `{ ${asked(field)} ${selection(field.type, depth)} }`,
          });
          expect(body.errors, `${field.name}: ${text.slice(0, 300)}`).toBeUndefined();
          for (const word of words) expect(text.includes(word), `${field.name}: ${word}`).toBe(false);
        }
    },
  );

  it("count one's own alone", verifies('access.tenants', 'graph.connections'), async () => {
    const {
      rows: [counts],
    } = await database.query(
      `SELECT (SELECT count(*)::int FROM clipboard_entries WHERE profile_uuid = $1) AS entries, (SELECT count(*)::int FROM api_keys WHERE profile_uuid = $1) AS keys,
        (SELECT count(*)::int FROM notifications WHERE profile_uuid = $1) AS notifications,
        (SELECT count(*)::int FROM profiles WHERE project_uuid = $2) AS profiles, (SELECT count(*)::int FROM webhooks WHERE profile_uuid = $1) AS webhooks,
        (SELECT count(*)::int FROM registry_submissions WHERE profile_uuid = $1) AS submissions,
        (SELECT count(*)::int FROM mcp_servers WHERE profile_uuid = $1) AS servers,
        (SELECT count(*)::int FROM collections WHERE profile_uuid = $1) AS collections,
        (SELECT count(*)::int FROM chat_sessions WHERE profile_uuid = $1) AS chats`,
      [own.user.principal?.profileUuid, own.user.principal?.projectUuid],
    );
    const { body } = await own.key('POST', '/graphql', {
      query:
        '{ clipboardEntries { totalCount } clipboardEntryPage { total } notifications { totalCount } notificationPage { total unreadCount } unreadNotificationCount apiKeys { totalCount } apiKeyPage { total } profiles { totalCount } profilePage { total } projects { totalCount } projectPage { total } webhooks { totalCount } webhookPage { total } ownServers { totalCount } collections { totalCount } collectionPage { total } chatSessions { totalCount } chatSessionPage { total } registrySubmissions { totalCount } }',
    });
    expect(body).toEqual({
      data: {
        clipboardEntries: { totalCount: counts.entries },
        clipboardEntryPage: { total: counts.entries },
        notifications: { totalCount: counts.notifications },
        notificationPage: { total: counts.notifications, unreadCount: counts.notifications },
        unreadNotificationCount: counts.notifications,
        apiKeys: { totalCount: counts.keys },
        apiKeyPage: { total: counts.keys },
        profiles: { totalCount: counts.profiles },
        profilePage: { total: counts.profiles },
        ownServers: { totalCount: counts.servers },
        collections: { totalCount: counts.collections },
        collectionPage: { total: counts.collections },
        chatSessions: { totalCount: counts.chats },
        chatSessionPage: { total: counts.chats },
        registrySubmissions: { totalCount: counts.submissions },
        projects: { totalCount: 1 },
        projectPage: { total: 1 },
        webhooks: { totalCount: counts.webhooks },
        webhookPage: { total: counts.webhooks },
      },
    });
  });

  it.each(['clipboardEntries', 'notifications', 'apiKeys', 'profiles', 'projects', 'webhooks'])(
    "take another tenant's cursor of %s for a place, and show no more of whose it is",
    verifies('access.tenants', 'graph.connections'),
    async (list) => {
      const query = `query ($after: String) { ${list}(after: $after) { edges { cursor node { uuid } } } }`;
      const theirs = (await otherTenant.key('POST', '/graphql', { query })).body.data[list].edges as {
        cursor: string;
        node: { uuid: string };
      }[];
      const words = await foreignWords();
      for (const { cursor, node } of theirs) {
        const answer = await own.key('POST', '/graphql', { query, variables: { after: cursor } });
        expect(answer.body.errors, answer.text).toBeUndefined();
        for (const word of words) expect(answer.text.includes(word), word).toBe(false);
        // The same place with an unknown id leads to the same page.
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
  it(
    "write to one's own profile, and nothing to the other's",
    verifies('everywhere.unknown-fields', 'access.tenants'),
    async () => {
      const profileUuid = String(otherTenant.user.principal?.profileUuid);
      const theirs = (await otherTenant.key('GET', '/api/clipboard')).text;
      const forged = {
        profileUuid,
        profile_uuid: profileUuid,
        userUuid: otherTenant.user.principal?.userUuid,
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
      expect((await otherTenant.key('GET', '/api/clipboard')).text).toBe(theirs);
    },
  );

  it('with a name that another tenant has, leave that one alone', verifies('access.tenants'), async () => {
    const name = await otherTenant.make('entry name');
    await own.key('POST', '/api/clipboard', { name, value: 'mine' });
    expect((await otherTenant.key('POST', '/api/clipboard/get', { name })).body.entry.value).toBe(
      'canary-of-another-tenant',
    );
    expect((await own.key('DELETE', '/api/clipboard', { name })).body.deleted).toBe(true);
    expect((await otherTenant.key('POST', '/api/clipboard/get', { name })).status).toBe(200);
  });
});

describe('another project of the same user', () => {
  it(
    'is another tenant to a key, whatever its scopes, and not to the session',
    verifies('access.tenants', 'everywhere.foreign-ids'),
    async () => {
      const { profileUuid, caller } = await secondProfileOf(server, own.user, 'new project');
      const projectUuid = (await own.session('GET', '/api/projects')).body.projects.find(
        (project: { uuid: string }) => project.uuid !== own.user.principal?.projectUuid,
      ).uuid;
      const entry = await server.services.clipboard.push(caller, { value: 'x', visibility: 'workspace' });
      const { notification } = await server.services.notifications.create(caller, { message: 'x' });
      const paths: [method: string, path: string, body?: unknown][] = [
        ['GET', `/api/profiles?projectUuid=${projectUuid}`],
        ['POST', '/api/profiles', { name: 'x', projectUuid }],
        ['GET', `/api/api-keys?profileUuid=${profileUuid}`],
        ['POST', '/api/api-keys', { name: 'x', profileUuid }],
        ['DELETE', `/api/api-keys/${caller.principal?.credentialUuid}`],
        ['GET', `/api/clipboard/entries/${entry.uuid}`],
        ['PATCH', `/api/notifications/${notification.uuid}/read`],
        ['DELETE', `/api/notifications/${notification.uuid}`],
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
    },
  );
});
