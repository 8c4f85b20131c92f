import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { graphqlOf, startTestServer, tenantOf } from '../support/server.ts';
import { nowhere } from '../support/server-stage.ts';
import { errorOf } from '../support/webhook-documents.ts';
import { made, path, profileOf, serversOf, show } from './collection-stage.ts';

const server = await startTestServer();

const collection =
  'collection { uuid profileUuid name description isPublic isOwn servers { totalCount nodes { uuid name } } }';
const documents = {
  create: `mutation ($input: CollectionCreateInput!) { collectionCreate(input: $input) { ${collection} } }`,
  update: `mutation ($input: CollectionUpdateInput!) { collectionUpdate(input: $input) { ${collection} } }`,
  delete: 'mutation ($input: CollectionDeleteInput!) { collectionDelete(input: $input) { uuid } }',
  import: `mutation ($input: CollectionImportInput!) { collectionImport(input: $input) { installed alreadyInstalled ${collection} } }`,
  one: `query ($uuid: String!) { ${collection.replace('collection', 'collection(uuid: $uuid)')} }`,
  list: `query ($profile: String, $first: Int, $after: String) { collections(profileUuid: $profile, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { name } } }`,
  servers: `query ($uuid: String!, $first: Int, $after: String) { collection(uuid: $uuid) {
    servers(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { uuid } } } } }`,
};

interface Page {
  readonly totalCount: number;
  readonly edges: { readonly node: { readonly uuid: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

describe('a collection in the graph', () => {
  it('is made, changed, imported and deleted as over REST', verifies('collections.graph'), async () => {
    const owner = await tenantOf(server);
    const [first = '', second = ''] = await serversOf(owner, 2);
    const input = { name: 'Tools', serverUuids: [second, first] };
    const { collection: created } = (await owner.graphql(documents.create, { input })).data.collectionCreate;
    expect(created).toEqual({
      uuid: expect.any(String),
      profileUuid: profileOf(owner),
      name: 'Tools',
      description: null,
      isPublic: false,
      isOwn: true,
      servers: {
        totalCount: 2,
        nodes: [
          { uuid: second, name: 'Server 1' },
          { uuid: first, name: 'Server 0' },
        ],
      },
    });
    const { uuid } = created;
    const change = { uuid, name: 'Others', isPublic: true, serverUuids: [first] };
    const { collection: changed } = (await owner.graphql(documents.update, { input: change })).data.collectionUpdate;
    expect(changed).toMatchObject({
      name: 'Others',
      isPublic: true,
      servers: { totalCount: 1, nodes: [{ uuid: first }] },
    });
    const other = await tenantOf(server);
    expect((await other.graphql(documents.one, { uuid })).data.collection).toMatchObject({
      isOwn: false,
      servers: { totalCount: 0, nodes: [] },
    });
    expect((await owner.graphql(documents.import, { input: { uuid } })).data.collectionImport).toEqual({
      installed: 1,
      alreadyInstalled: 0,
      collection: changed,
    });
    expect(errorOf(await other.graphql(documents.delete, { input: { uuid } })).code).toBe('NOT_FOUND');
    expect((await owner.graphql(documents.delete, { input: { uuid } })).data.collectionDelete).toEqual({ uuid });
    expect(errorOf(await owner.graphql(documents.one, { uuid })).code).toBe('NOT_FOUND');
  });

  it(
    'is refused with the codes of REST',
    verifies('collections.graph', 'collections.servers', 'collections.fields'),
    async () => {
      const { graphql } = await tenantOf(server);
      const refused = async (document: string, input: object) => {
        const { code, details } = errorOf(await graphql(document, { input }));
        return [code, Object.keys(details ?? {})];
      };
      expect(await refused(documents.create, { name: '' })).toEqual(['VALIDATION_ERROR', ['name']]);
      expect(await refused(documents.create, { name: 'x', serverUuids: [nowhere] })).toEqual([
        'VALIDATION_ERROR',
        ['serverUuids.0'],
      ]);
      expect(await refused(documents.create, { name: 'x', profileUuid: nowhere })).toEqual(['NOT_FOUND', []]);
      for (const document of [documents.update, documents.delete, documents.import])
        expect(await refused(document, { uuid: nowhere })).toEqual(['NOT_FOUND', []]);
      expect(errorOf(await graphql(documents.list, { first: 101 }))).toMatchObject({
        details: { first: expect.any(String) },
      });
      const { collection: created } = (await graphql(documents.create, { input: { name: 'x' } })).data.collectionCreate;
      const { uuid } = created;
      for (const [field, variables] of [
        ['first', { first: 501 }],
        ['first', { first: -1 }],
        ['after', { after: 'x' }],
        ['after', { after: Buffer.from('p:99999999').toString('base64url') }],
      ] as const)
        expect(errorOf(await graphql(documents.servers, { uuid, ...variables }))).toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { [field]: expect.any(String) },
        });
    },
  );

  it(
    'is listed page by page, and can be read by every caller when it is public',
    verifies('collections.graph', 'collections.list', 'collections.list.foreign', 'collections.public'),
    async () => {
      const [owner, other] = [await tenantOf(server), await tenantOf(server)];
      const nobody = graphqlOf(server, null);
      for (const name of ['a', 'b', 'c']) {
        server.clock.advance(1_000);
        await made(owner, { name, isPublic: name !== 'b' });
      }
      const names = (answer: { data: { collections: { nodes: { name: string }[] } } }) =>
        answer.data.collections.nodes.map(({ name }) => name);
      const first = await owner.graphql(documents.list, { first: 2 });
      expect([names(first), first.data.collections.totalCount]).toEqual([['c', 'b'], 3]);
      const { endCursor: after, hasNextPage } = first.data.collections.pageInfo;
      expect([hasNextPage, names(await owner.graphql(documents.list, { first: 2, after }))]).toEqual([true, ['a']]);
      for (const graphql of [other.graphql, nobody]) {
        const seen = await graphql(documents.list, { profile: profileOf(owner) });
        expect([names(seen), seen.data.collections.totalCount]).toEqual([['c', 'a'], 2]);
        const unknown = errorOf(await graphql(documents.list, { profile: nowhere }));
        expect(unknown).toMatchObject({ code: 'NOT_FOUND' });
        await tenantOf(server).then(async (third) =>
          expect(errorOf(await graphql(documents.list, { profile: profileOf(third) }))).toEqual(unknown),
        );
      }
      expect(errorOf(await nobody(documents.list)).code).toBe('UNAUTHORIZED');
    },
  );

  it(
    'shows its servers page by page, passing over those that one may not see',
    verifies('collections.graph', 'collections.private'),
    async () => {
      const [owner, other] = [await tenantOf(server), await tenantOf(server)];
      const uuids = await serversOf(owner, 5, true);
      const { uuid } = await made(owner, { serverUuids: uuids, isPublic: true });
      await show(owner, uuids[1] as string, false);
      await show(owner, uuids[3] as string, false);
      const seen: string[] = [];
      let after: string | null = null;
      for (let more = true; more; ) {
        const answer: { data: { collection: { servers: Page } } } = await other.graphql(documents.servers, {
          uuid,
          first: 1,
          after,
        });
        const { servers } = answer.data.collection;
        expect(servers.totalCount).toBe(3);
        seen.push(...servers.edges.map(({ node }) => node.uuid));
        ({ hasNextPage: more, endCursor: after } = servers.pageInfo);
      }
      expect(seen).toEqual([uuids[0], uuids[2], uuids[4]]);
    },
  );

  it(
    'has cursors that do not reveal how many servers are left out before them',
    verifies('collections.private'),
    async () => {
      const [owner, other] = [await tenantOf(server), await tenantOf(server)];
      const uuids = await serversOf(owner, 12, true);
      const { uuid } = await made(owner, { serverUuids: uuids, isPublic: true });
      for (const hidden of uuids.slice(0, 11)) await show(owner, hidden, false);
      const page = async (of: string, after: string | null = null): Promise<Page> =>
        (await other.graphql(documents.servers, { uuid: of, first: 1, after })).data.collection.servers;
      const { cursor } = (await page(uuid)).edges[0] as unknown as { cursor: string };
      const own = await made(other, { serverUuids: await serversOf(other, 1) });
      const { cursor: first } = (await page(own.uuid)).edges[0] as unknown as { cursor: string };
      expect(cursor).toHaveLength(first.length);
      // Nor in a collection whose places one knows.
      expect(errorOf(await other.graphql(documents.servers, { uuid: own.uuid, after: cursor }))).toMatchObject({
        details: { after: expect.any(String) },
      });
    },
  );
});

describe('statements', () => {
  it(
    'a list of a hundred collections with their servers takes as many as one of one',
    verifies('collections.statements'),
    async () => {
      const owner = await tenantOf(server);
      const uuids = await serversOf(owner, 3);
      await made(owner, { name: 'first', serverUuids: uuids });
      const query = `{ collections(first: 100) { totalCount nodes { name isOwn
      servers(first: 10) { totalCount nodes { uuid name description tools { name } stats { installations } } } } } }`;
      const counted = async (ask: () => Promise<unknown>) => {
        await ask();
        server.statements.length = 0;
        await ask();
        return server.statements.length;
      };
      const inGraph = () => owner.graphql(query);
      const overRest = () => owner.call('GET', `${path}/${profileOf(owner)}?limit=100`);
      const ofOne = [await counted(inGraph), await counted(overRest)];
      for (let each = 1; each < 100; each++) await made(owner, { serverUuids: uuids.slice(each % 3) });
      expect([await counted(inGraph), await counted(overRest)]).toEqual(ofOne);
      expect(Math.max(...ofOne)).toBeLessThan(10);
      const { body } = await overRest();
      expect(body.total).toBe(100);
      expect(
        body.collections
          .map((each: { servers: object[] }) => each.servers.length)
          .sort()
          .slice(-34),
      ).toEqual(Array.from({ length: 34 }, () => 3));
    },
  );

  it('an import takes as many for thirty servers as for two', verifies('collections.import'), async () => {
    const owner = await tenantOf(server);
    const uuids = await serversOf(owner, 30, true);
    const counted = async (serverUuids: string[]) => {
      const importer = await tenantOf(server);
      const { uuid } = await made(owner, { serverUuids, isPublic: true });
      server.statements.length = 0;
      expect((await importer.call('POST', `${path}/import/${uuid}`)).body.installed).toBe(serverUuids.length);
      return server.statements.length;
    };
    await counted(uuids.slice(2, 4));
    expect(await counted(uuids)).toBe(await counted(uuids.slice(0, 2)));
  });
});
