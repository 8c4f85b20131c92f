import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { inPath } from '../support/registry-stage.ts';
import { callerOf, graphqlOf, startTestServer } from '../support/server.ts';
import { mistakesIn } from './server-schema.ts';

const server = await startTestServer();
const nobody = callerOf(server, null);
const officialKey = 'io.modelcontextprotocol.registry/official';
const list = '/v0.1/servers';

const documentOf = (name: string, version: string, over: object = {}) => ({
  name,
  description: `The server ${name}.`,
  version,
  packages: [{ registryType: 'npm', identifier: name, version, transport: { type: 'stdio' } }],
  ...over,
});

const imported = (...documents: unknown[]) =>
  server.services.registry.imports.run(Readable.from([Buffer.from(JSON.stringify(documents))]));

const many = Array.from({ length: 45 }, (_, at) =>
  documentOf(`io.github.many/server-${String(at).padStart(2, '0')}`, '1.0.0'),
);
await imported(...many);

// biome-ignore lint/suspicious/noExplicitAny: what a server.json holds is not typed
const namesOf = (servers: any[]): string[] => servers.map(({ server: { name } }) => name);

describe('GET /v0.1/servers', () => {
  it(
    'answers pages as the official registry does, to any origin',
    verifies('registry.official', 'registry.valid'),
    async () => {
      const { status, body, headers } = await nobody('GET', list, undefined, { Origin: 'https://editor.example' });
      expect(status).toBe(200);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(mistakesIn(body, 'list')).toEqual([]);
      expect([body.servers.length, body.metadata.count]).toEqual([30, 30]);
      const next = (await nobody('GET', `${list}?cursor=${body.metadata.nextCursor}`)).body;
      expect(mistakesIn(next, 'list')).toEqual([]);
      expect(next.metadata).toEqual({ count: 15 });
      expect(namesOf([...body.servers, ...next.servers])).toEqual(many.map(({ name }) => name));
      expect(body.servers[0].server).toEqual(many[0]);
    },
  );

  it.each([1, 7, 44, 45, 100])(
    'gives every server once, %i at a time',
    verifies('registry.official'),
    async (limit) => {
      const names: string[] = [];
      let cursor = '';
      do {
        const { body } = await nobody('GET', `${list}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        names.push(...namesOf(body.servers));
        cursor = body.metadata.nextCursor ?? '';
      } while (cursor);
      expect(names).toEqual(many.map(({ name }) => name));
    },
  );

  it.each([
    ['SERVER-07', ['io.github.many/server-07']],
    ['many/server-4', [40, 41, 42, 43, 44].map((at) => `io.github.many/server-${at}`)],
    ['%', []],
    ['_', []],
    ["' OR 1=1 --", []],
    ['\\', []],
    ['😀', []],
  ])(
    'finds a part of a name in any case, and takes it as it is: %j',
    verifies('registry.official'),
    async (search, expected) => {
      const { body } = await nobody('GET', `${list}?search=${encodeURIComponent(search)}`);
      expect(namesOf(body.servers)).toEqual(expected);
    },
  );

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=99999999999999999999', 'limit'],
    ['limit=10&limit=10', 'limit'],
    ['cursor=x', 'cursor'],
    ['cursor=AAAA', 'cursor'],
    [`cursor=${'a'.repeat(5_000)}`, 'cursor'],
    ['updated_since=yesterday', 'updated_since'],
    ['updated_since=2026-02-30', 'updated_since'],
    ['updated_since=2026-01-01T00:00:00', 'updated_since'],
    ['updated_since=2026-02-30T00:00:00Z', 'updated_since'],
    ['updated_since=9999999-01-01T00:00:00Z', 'updated_since'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['search=%00', 'search'],
    ['include_deleted=maybe', 'include_deleted'],
    [`version=${'1'.repeat(256)}`, 'version'],
  ])(
    'refuses %s naming %s, in the shape of the official registry',
    verifies('registry.official'),
    async (query, field) => {
      const { status, body } = await nobody('GET', `${list}?${query}`);
      expect([status, body.status, body.title]).toEqual([400, 400, 'Bad Request']);
      expect(body.errors.map(({ location }: { location: string }) => location)).toEqual([field]);
      // The message is for the client, and not the validator's own.
      expect(body.errors[0].message).toMatch(new RegExp(`^${field} `));
    },
  );

  it('takes an empty value as none', async () => {
    const { status, body } = await nobody('GET', `${list}?cursor=&search=&version=&limit=1`);
    expect([status, body.servers.length]).toEqual([200, 1]);
  });

  it('takes as many statements for a hundred as for one', verifies('registry.statements'), async () => {
    const statementsOf = async (limit: number) => {
      server.statements.length = 0;
      await nobody('GET', `${list}?limit=${limit}`);
      return server.statements.length;
    };
    const [one, hundred] = [await statementsOf(1), await statementsOf(100)];
    expect(hundred).toBe(one);
    expect(one).toBe(1);
  });

  it('is the same in the graph, with cursors and a count', verifies('registry.official'), async () => {
    const query = `query ($after: String) { registryServers(first: 40, after: $after, version: "latest") {
      totalCount pageInfo { hasNextPage endCursor } nodes { name version status isLatest serverUuid document } } }`;
    const { data } = await graphqlOf(server, null)(query);
    expect(data.registryServers).toMatchObject({ totalCount: 45, pageInfo: { hasNextPage: true } });
    const rest = (await graphqlOf(server, null)(query, { after: data.registryServers.pageInfo.endCursor })).data
      .registryServers;
    expect(rest.nodes).toHaveLength(5);
    expect(rest.nodes[4]).toMatchObject({ name: many[44]?.name, status: 'ACTIVE', isLatest: true, document: many[44] });
  });

  it('reads documents only if they are selected: each may have 64 kB', verifies('registry.official'), async () => {
    const graphql = graphqlOf(server, null);
    const isRead = async (document: string) => {
      server.statements.length = 0;
      expect((await graphql(document)).errors).toBeUndefined();
      return server.statements.some((text) => text.includes('v.document'));
    };
    const name = String(many[0]?.name);
    expect([
      await isRead('{ registryServers { nodes { name version } } }'),
      await isRead(`{ registryServerVersions(name: "${name}") { version status } }`),
      await isRead('{ registryServers { nodes { ...whole } } } fragment whole on RegistryEntry { document }'),
      await isRead(`{ registryServerVersions(name: "${name}") { document } }`),
    ]).toEqual([false, false, true, true]);
  });
});

describe('GET /v0.1/servers/{serverName}/versions', () => {
  const name = 'io.github.versions/Server.One';
  const at = (version: string) => `${list}/${inPath(name)}/versions/${encodeURIComponent(version)}`;

  it(
    'answers all versions, the latest, and each',
    verifies('registry.official', 'registry.versions', 'registry.valid'),
    async () => {
      for (const version of ['1.0.0', '1.10.0', '1.9.0', '2.0.0-beta.1', '1.0.0+build.7']) {
        server.clock.advance(1_000);
        await imported(documentOf(name, version));
      }
      const all = (await nobody('GET', `${list}/${inPath(name)}/versions`)).body;
      expect(mistakesIn(all, 'list')).toEqual([]);
      expect(all.servers.map((each: { server: { version: string } }) => each.server.version)).toEqual([
        '1.0.0+build.7',
        '2.0.0-beta.1',
        '1.9.0',
        '1.10.0',
        '1.0.0',
      ]);
      expect(all.metadata).toEqual({ count: 5 });
      const latest = (await nobody('GET', at('latest'))).body;
      expect(mistakesIn(latest, 'response')).toEqual([]);
      expect(latest.server.version).toBe('2.0.0-beta.1');
      expect((await nobody('GET', at('1.0.0+build.7'))).body.server).toEqual(documentOf(name, '1.0.0+build.7'));
      expect((await nobody('GET', `${list}/${inPath(name.toUpperCase())}/versions/1.0.0`)).body.server.name).toBe(name);
      expect(namesOf((await nobody('GET', `${list}?version=latest&search=versions/`)).body.servers)).toEqual([name]);
      expect((await nobody('GET', `${list}?version=1.9.0&search=versions/`)).body.servers[0].server.version).toBe(
        '1.9.0',
      );
    },
  );

  it.each([
    [`${list}/${inPath('io.github.nobody/nothing')}/versions`],
    [`${list}/${inPath('io.github.nobody/nothing')}/versions/latest`],
    [`${list}/${inPath(name)}/versions/9.9.9`],
    [`${list}/${inPath(name)}/versions/%00`],
    [`${list}/%00/versions/latest`],
    [`${list}/${'x'.repeat(300)}/versions/latest`],
    [`${list}/%F0%9F%98%80/versions`],
  ])('is 404 in the shape of the official registry: %s', verifies('registry.official'), async (path) => {
    const { status, body, headers } = await nobody('GET', path);
    expect([status, body]).toEqual([404, { title: 'Not Found', status: 404, detail: 'Server not found' }]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it(
    'refuses what cannot be decoded, other methods and wrong keys in that shape, too',
    verifies('registry.official'),
    async () => {
      expect((await nobody('GET', `${list}/%zz/versions`)).body).toMatchObject({ title: 'Bad Request', status: 400 });
      const put = await nobody('PUT', at('1.0.0'), {});
      expect([put.status, put.headers.get('allow'), put.body.title]).toEqual([405, 'GET, HEAD', 'Method Not Allowed']);
      expect((await nobody('GET', list, undefined, { Authorization: 'Bearer pbk_x' })).body).toMatchObject({
        title: 'Unauthorized',
        status: 401,
      });
    },
  );
});

describe('the feed of changes', () => {
  // biome-ignore lint/suspicious/noExplicitAny: what a server.json holds is not typed
  const since = async (time: string, query = ''): Promise<any[]> =>
    (await nobody('GET', `${list}?updated_since=${encodeURIComponent(time)}&limit=100${query}`)).body.servers;
  const withStatus = (document: object, status: string) => ({
    server: document,
    _meta: { [officialKey]: { status, statusMessage: 'Gone.' } },
  });

  it('lists new, changed and deleted versions', verifies('registry.feed'), async () => {
    server.clock.advance(60_000);
    const begin = server.clock.now().toISOString();
    expect(await since(begin)).toEqual([]);
    const [one, two] = [documentOf('io.github.feed/one', '1.0.0'), documentOf('io.github.feed/two', '1.0.0')];
    await imported(one, two);
    expect(namesOf(await since(begin))).toEqual([one.name, two.name]);
    server.clock.advance(1_000);
    const later = server.clock.now().toISOString();
    await imported(documentOf(one.name, '1.1.0'));
    // The version that is the latest no more has changed, too.
    expect(
      (await since(later)).map(({ server: { version }, _meta }) => [version, _meta[officialKey].isLatest]).sort(),
    ).toEqual([
      ['1.0.0', false],
      ['1.1.0', true],
    ]);
    server.clock.advance(1_000);
    const last = server.clock.now().toISOString();
    await imported(withStatus(two, 'deleted'));
    const [tombstone, ...others] = await since(last);
    expect(others).toEqual([]);
    expect(tombstone).toMatchObject({
      server: two,
      _meta: { [officialKey]: { status: 'deleted', statusMessage: 'Gone.', updatedAt: last } },
    });
    expect(namesOf((await nobody('GET', `${list}?search=feed/&version=latest`)).body.servers)).toEqual([one.name]);
    expect(namesOf((await nobody('GET', `${list}?search=feed/&include_deleted=true`)).body.servers)).toContain(
      two.name,
    );
    expect(await since(last.replace('Z', '+00:00'))).toHaveLength(1);
    await imported(withStatus(two, 'deleted'), one);
    expect(await since(new Date(Date.parse(last) + 1).toISOString())).toEqual([]);
  });

  it('misses no change while a client pages', verifies('registry.feed'), async () => {
    const seen = new Set<string>();
    let cursor = '';
    let turn = 0;
    do {
      const { body } = await nobody('GET', `${list}?limit=10${cursor && `&cursor=${cursor}`}`);
      for (const each of body.servers) seen.add(`${each.server.name} ${each.server.description}`);
      cursor = body.metadata.nextCursor ?? '';
      // Of those seen and of those still to come, some change.
      if (++turn <= 3)
        await imported(
          ...many.filter((_, at) => at % 9 === turn).map((each) => ({ ...each, description: `Changed ${turn}.` })),
        );
    } while (cursor);
    for (const [at, { name, description }] of many.entries()) {
      const turnOf = at % 9;
      expect([...seen]).toContain(`${name} ${turnOf >= 1 && turnOf <= 3 ? `Changed ${turnOf}.` : description}`);
    }
  });

  it('is in the order of the commits, also of concurrent writers', verifies('registry.feed'), async () => {
    const writers = Array.from({ length: 6 }, (_, writer) =>
      imported(...Array.from({ length: 5 }, (__, at) => documentOf(`io.github.writers/w${writer}-${at}`, '1.0.0'))),
    );
    const seen: string[] = [];
    let cursor = '';
    let isOver = false;
    void Promise.all(writers).then(() => {
      isOver = true;
    });
    // Follows the feed by its cursor alone while they write: a client that reads on must have seen all earlier changes.
    for (let isLast = false; ; isLast = isOver) {
      const { body } = await nobody('GET', `${list}?limit=100${cursor && `&cursor=${cursor}`}`);
      seen.push(...namesOf(body.servers).filter((name) => name.includes('writers/')));
      if (body.servers.length > 0) cursor = body.metadata.nextCursor ?? cursorOfSeq(await seqOf(body.servers.at(-1)));
      if (isLast && body.servers.length === 0) break;
    }
    expect(new Set(seen).size).toBe(30);
  });

  const seqOf = async (entry: { server: { name: string; version: string } }) =>
    (
      await server.database.query<{ seq: string }>({
        text: 'SELECT v.seq FROM registry_versions v JOIN registry_servers r ON r.uuid = v.registry_uuid WHERE r.name = $1 AND v.version = $2',
        values: [entry.server.name, entry.server.version],
      })
    )[0]?.seq ?? '0';
  const cursorOfSeq = (seq: string) => Buffer.from(BigInt(seq).toString(36)).toString('base64url');
});
