import { randomUUID } from 'node:crypto';
import { isInterfaceType, isObjectType } from 'graphql';
import type { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import { schema } from '../../schema/index.ts';
import { verifies } from '../requirements.ts';
import { titleOf } from '../support/route-requests.ts';
import type { TestServer } from '../support/server.ts';
import { noteChanges, stored } from './stored-rows.ts';
import {
  graphqlOfAdministrators,
  graphqlRows,
  graphqlWithoutIds,
  type Kind,
  nodeFields,
  nodes,
  restOfAdministrators,
  restOfPublic,
  restRows,
  restWithoutIds,
} from './tenant-matrix.ts';
import { type Tenant, twoTenants, unknown } from './two-tenants.ts';

let server: TestServer;
let database: Client;
let own: Tenant;
let otherTenant: Tenant;

beforeAll(async () => {
  ({ server, database, own, otherTenant } = await twoTenants());
  await noteChanges(database);
});

// One row makes another profile the active one; the next begins as if none had.
beforeEach(async () => {
  const { userUuid, profileUuid } = own.user.principal ?? {};
  const { rows } = await database.query({
    name: 'active',
    text: 'SELECT active_profile_uuid AS uuid FROM users WHERE uuid = $1',
    values: [userUuid],
  });
  if (rows[0]?.uuid !== profileUuid)
    await server.services.auth.profiles.activate(own.user, { uuid: String(profileUuid) });
});
const rootFields = (['Query', 'Mutation', 'Subscription'] as const).flatMap((kind) => {
  const type = schema.getType(kind);
  return isObjectType(type) ? Object.keys(type.getFields()).map((name) => `${kind}.${name}`) : [];
});

describe('the digest of what is stored', () => {
  it('differs after a row was made and after it was changed, and is as before once it is gone', async () => {
    const digests = [await stored(database)];
    const { uuid } = await server.services.auth.profiles.create(own.user, { name: 'one more' });
    digests.push(await stored(database));
    await database.query('UPDATE profiles SET name = $2 WHERE uuid = $1', [uuid, 'renamed']);
    digests.push(await stored(database));
    expect(new Set(digests).size).toBe(3);
    await database.query('DELETE FROM profiles WHERE uuid = $1', [uuid]);
    expect(await stored(database)).toBe(digests[0]);
  });
});

describe('the matrix', () => {
  it('has a row for every route that takes an id, and an excuse for every other', () => {
    expect([...Object.keys(restRows), ...restOfPublic, ...restOfAdministrators, ...restWithoutIds].sort()).toEqual(
      routes.map(titleOf).sort(),
    );
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
    expect(
      [...Object.keys(graphqlRows), ...nodeFields, ...graphqlOfAdministrators, ...graphqlWithoutIds].sort(),
    ).toEqual([...rootFields].sort());
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
    '%s, by %s, with a %s',
    verifies('everywhere.foreign-ids', 'access.tenants', 'everywhere.profile-uuid'),
    async (title, takes, as, row) => {
      const route = routes.find((each) => titleOf(each) === title);
      // An index is a place in one's own stack: the other tenant's index does not exist in it.
      if (takes === 'entry index') await own.key('DELETE', '/api/clipboard/all');
      const foreign = await otherTenant.make(takes);
      const ask = (id: string) => {
        const { path = route?.path ?? '', body, headers } = row.request(id);
        return own[as](route?.method ?? '', path, body, headers);
      };
      const before = await stored(database);
      const [ofOtherTenant, ofNobody] = [await ask(foreign), await ask(unknown(takes))];
      expect(await stored(database)).toBe(before);
      expect(ofOtherTenant.status, ofOtherTenant.text).toBe(row.missing ?? 404);
      expect(ofOtherTenant.text).toBe(ofNobody.text);
      expect(ofOtherTenant.status).toBe(ofNobody.status);
      expect(headersOf(ofOtherTenant.headers)).toEqual(headersOf(ofNobody.headers));
      expect(ofOtherTenant.text).not.toContain('canary');
      // The request itself is right: one's own is found by it.
      const found = await ask(await own.make(takes));
      expect(found.status, found.text).toBe(row.found ?? 200);
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
    '%s, by %s, with a %s',
    verifies('everywhere.foreign-ids', 'access.tenants'),
    async (_field, takes, as, row) => {
      if (takes === 'entry index') await own.key('DELETE', '/api/clipboard/all');
      const foreign = await otherTenant.make(takes);
      const ask = (id: string) => own[as]('POST', '/graphql', { query: row.query, variables: row.variables(id) });
      const before = await stored(database);
      const [ofOtherTenant, ofNobody] = [await ask(foreign), await ask(unknown(takes))];
      expect(await stored(database)).toBe(before);
      expect([ofOtherTenant.status, ofOtherTenant.text]).toEqual([ofNobody.status, ofNobody.text]);
      expect(ofOtherTenant.text).not.toContain('canary');
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
    "answer a %s of another tenant like one that does not exist, and one's own",
    verifies('graph.node', 'everywhere.foreign-ids', 'access.tenants'),
    async (type, kind) => {
      const foreign = globalId(type, await idOf(otherTenant, kind));
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

  it.each(types)('do not take a %s for another type (F05)', verifies('graph.node'), async (type, kind) => {
    const id = await idOf(own, kind);
    for (const other of Object.keys(nodes).filter((each) => each !== type && nodes[each] !== kind))
      expect((await own.session('POST', '/graphql', { query, variables: { id: globalId(other, id) } })).body).toEqual({
        data: { node: null },
      });
  });

  it('answer unknown ids with null or an error about the id, never a fault (F05)', verifies('graph.node'), async () => {
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
