import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Refused } from '../../src/registry/imports.ts';
import { verifies } from '../requirements.ts';
import { accept, inPath, startRegistryStage, submission } from '../support/registry-stage.ts';
import { tenantOf } from '../support/server.ts';
import { documents } from '../support/server-stage.ts';
import { mistakesIn } from './server-schema.ts';

const stage = await startRegistryStage();
const { server, github, nobody } = stage;
const officialKey = 'io.modelcontextprotocol.registry/official';

const documentOf = (name: string, over: object = {}) => ({ name, description: 'A server.', version: '1.0.0', ...over });
const entryOf = (document: object, official: object) => ({ server: document, _meta: { [officialKey]: official } });

async function imported(text: string) {
  const refused: Refused[] = [];
  const summary = await server.services.registry.imports.run(Readable.from([Buffer.from(text)]), {
    onRefused: (each) => refused.push(each),
  });
  return { ...summary, told: refused };
}
const lines = (...values: unknown[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
const rowOf = async (name: string) =>
  (
    await server.database.query({
      text: `SELECT s.*, u.username AS owner, u.disabled_at FROM registry_servers r JOIN mcp_servers s ON s.uuid = r.server_uuid
        JOIN profiles p ON p.uuid = s.profile_uuid JOIN projects j ON j.uuid = p.project_uuid JOIN users u ON u.uuid = j.user_uuid
        WHERE r.name = $1`,
      values: [name],
    })
  )[0];
const countsOf = async () => {
  const [row] = await server.database.query({
    text: `SELECT (SELECT count(*)::int FROM registry_versions) AS versions, (SELECT count(*)::int FROM mcp_servers) AS servers,
      (SELECT max(seq) FROM registry_versions) AS seq`,
  });
  return row;
};

describe('an import', () => {
  it('takes up servers with what search needs of them', verifies('registry.import', 'registry.valid'), async () => {
    const remote = documentOf('com.example/remote', {
      title: 'Remote',
      remotes: [
        { type: 'sse', url: 'https://mcp.example.com/sse' },
        { type: 'streamable-http', url: 'https://mcp.example.com/mcp' },
      ],
    });
    const local = documentOf('io.github.somebody/local', {
      description: 'A local server.',
      repository: { url: 'https://github.com/somebody/local', source: 'github' },
      packages: [
        {
          registryType: 'pypi',
          identifier: 'local; rm -rf /',
          version: '1.0.0',
          transport: { type: 'stdio' },
          environmentVariables: [{ name: 'TOKEN', isSecret: true, value: 'hunter2' }],
        },
      ],
      vendor: { order: ['b', 'a'], z: 1, a: 2 },
    });
    const summary = await imported(
      JSON.stringify({
        servers: [
          entryOf(remote, { status: 'deprecated', publishedAt: '2025-01-02T03:04:05.678901Z' }),
          { server: local },
        ],
      }),
    );
    expect(summary).toEqual({ imported: 2, unchanged: 0, refused: 0, told: [] });
    expect(await rowOf(remote.name)).toMatchObject({
      owner: 'registry',
      source: 'registry',
      is_public: true,
      title: 'Remote',
      transport: 'sse',
      transports: ['sse', 'http'],
      url: 'https://mcp.example.com/sse',
      command: null,
      package_type: null,
    });
    const row = await rowOf(local.name);
    expect(row).toMatchObject({
      name: 'local',
      description: 'A local server.',
      transport: 'stdio',
      command: 'uvx',
      args: ['local; rm -rf /==1.0.0'],
      package_type: 'pypi',
      repository_url: 'https://github.com/somebody/local',
      version: '1.0.0',
      env_names: ['TOKEN'],
      env: null,
    });
    expect((await nobody('GET', `/api/servers/${row?.uuid}`)).body).toMatchObject({
      name: 'local',
      env: { TOKEN: '********' },
    });
    const { body } = await nobody('GET', '/v0.1/servers');
    expect(mistakesIn(body, 'list')).toEqual([]);
    expect(JSON.stringify(body.servers[1].server)).toBe(JSON.stringify(local));
    expect(body.servers[0]._meta[officialKey]).toMatchObject({
      status: 'deprecated',
      publishedAt: '2025-01-02T03:04:05.678Z',
      isLatest: true,
    });
    expect((await (await tenantOf(server)).call('GET', '/api/registry/health')).body).toMatchObject({
      total_servers: 2,
      last_indexed: server.clock.now().toISOString(),
    });
  });

  it('changes nothing the second time', verifies('registry.import'), async () => {
    const text = lines(
      documentOf('io.github.twice/a'),
      documentOf('io.github.twice/a', { version: '1.1.0' }),
      documentOf('io.github.twice/b'),
    );
    expect(await imported(text)).toMatchObject({ imported: 3, unchanged: 0 });
    const before = await countsOf();
    server.clock.advance(1_000);
    expect(await imported(text)).toMatchObject({ imported: 0, unchanged: 3 });
    expect(await countsOf()).toEqual(before);
    expect(await imported(text.replace('A server.', 'Another.'))).toMatchObject({ imported: 1, unchanged: 2 });
  });

  it(
    'reports line and reason of each rejected element, and imports the rest',
    verifies('registry.import'),
    async () => {
      const good = documentOf('io.github.mixed/good');
      const { told, ...summary } = await imported(
        lines(
          good,
          '{"name": broken}',
          documentOf('no-slash'),
          documentOf('io.github.mixed/range', { version: '^1.0.0' }),
          documentOf('io.github.mixed/nul', { title: 'a\u0000b' }),
          documentOf('io.github.mixed/lone', { vendor: '\ud800' }),
          documentOf('io.github.mixed/huge', { vendor: 'x'.repeat(300_000) }),
          documentOf('io.github.mixed/old', { packages: [{ registry_type: 'npm', identifier: 'x' }] }),
          7,
          'null',
          entryOf(documentOf('io.github.mixed/meta'), { status: 'strange', publishedAt: 'never', statusMessage: 7 }),
          '{"name": "\u001b[31m',
        ),
      );
      expect(summary).toEqual({ imported: 2, unchanged: 0, refused: 10 });
      expect(told.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 12]);
      expect(told[0]?.reason).toBe('it is not valid JSON');
      expect(told[1]?.reason).toMatch(/^name: /);
      expect(told[5]?.reason).toBe('it is larger than 256 kB');
      for (const { reason } of told) expect(reason).not.toMatch(/\p{C}/u);
      expect(
        (await nobody('GET', `/v0.1/servers/${inPath('io.github.mixed/meta')}/versions/latest`)).body._meta[officialKey]
          .status,
      ).toBe('active');
    },
  );

  it('is the same when two run at once', verifies('registry.import'), async () => {
    const text = lines(
      ...Array.from({ length: 60 }, (_, at) => documentOf(`io.github.race/s${at % 30}`, { version: `1.${at}.0` })),
    );
    const summaries = await Promise.all([imported(text), imported(text), imported(text)]);
    expect(summaries.reduce((sum, each) => sum + each.imported, 0)).toBe(60);
    const [row] = await server.database.query<{ names: number; latest: number; servers: number }>({
      text: `SELECT count(DISTINCT r.uuid)::int AS names, count(*) FILTER (WHERE v.is_latest)::int AS latest, count(DISTINCT r.server_uuid)::int AS servers
        FROM registry_servers r JOIN registry_versions v ON v.registry_uuid = r.uuid WHERE r.name LIKE 'io.github.race/%'`,
    });
    expect(row).toEqual({ names: 30, latest: 30, servers: 30 });
  });

  it(
    'that breaks in the middle keeps committed elements, and continues when it is run again',
    verifies('registry.import'),
    async () => {
      const documents = Array.from({ length: 1_200 }, (_, at) => documentOf(`io.github.broken/s${at}`));
      const text = lines(...documents);
      async function* halfOf(): AsyncGenerator<Buffer> {
        yield Buffer.from(text.slice(0, Math.floor(text.length * 0.6)));
        throw new Error('the disk is gone');
      }
      await expect(server.services.registry.imports.run(halfOf())).rejects.toThrow('the disk is gone');
      expect(await imported(text)).toMatchObject({ imported: 700, unchanged: 500, refused: 0 });
    },
  );

  it(
    'takes a number of statements for a batch that does not grow with it',
    verifies('registry.statements'),
    async () => {
      const statementsOf = async (count: number) => {
        server.statements.length = 0;
        await imported(lines(...Array.from({ length: count }, () => documentOf(`io.github.counted/${randomUUID()}`))));
        return server.statements.length;
      };
      const one = await statementsOf(1);
      expect(await statementsOf(400)).toBe(one);
      expect(one).toBeLessThan(16);
    },
  );

  it('names that differ in case alone are one', verifies('registry.import'), async () => {
    await imported(
      lines(documentOf('io.github.Case/Server'), documentOf('io.github.case/server', { version: '2.0.0' })),
    );
    const { servers } = (await nobody('GET', `/v0.1/servers/${inPath('IO.GITHUB.CASE/SERVER')}/versions`)).body;
    expect(servers).toHaveLength(2);
  });
});

describe('a name whose owner has proved it', () => {
  it("is not changed by an import, and was the import's before", verifies('registry.import.owned'), async () => {
    const name = 'io.github.claimer/tool';
    await imported(lines(documentOf(name, { description: 'Not from its owner.' })));
    const before = await rowOf(name);
    const installer = await stage.person();
    await installer.graphql(documents.install, { input: { uuid: before?.uuid } });
    const submitter = await stage.submitter('claimer');
    github.repository(submitter.account, 'tool');
    // It is the same server, with its installations; it has another owner now.
    expect(await stage.published(submitter, 'claimer/tool')).toEqual({ uuid: before?.uuid, name });
    const after = await rowOf(name);
    expect(after).toMatchObject({
      profile_uuid: submitter.profileUuid,
      installations: 1,
      version: '1.2.3',
      disabled_at: null,
    });
    const { told, ...summary } = await imported(
      lines(documentOf(name.toUpperCase(), { version: '9.9.9' }), documentOf('io.github.claimer/other')),
    );
    expect(summary).toEqual({ imported: 1, unchanged: 0, refused: 1 });
    expect(told).toEqual([{ line: 1, reason: 'its owner has published it here' }]);
    expect(await rowOf(name)).toEqual(after);
    expect((await nobody('GET', `/v0.1/servers/${inPath(name)}/versions/9.9.9`)).status).toBe(404);
  });

  it(
    "becomes its owner's although the import was word for word the same",
    verifies('registry.import.owned'),
    async () => {
      const submitter = await stage.submitter('same');
      github.repository(submitter.account, 'tool');
      const { body } = await submitter.call('POST', '/api/registry/submit', submission('same/tool'));
      const [row] = await server.database.query<{ document: string }>({
        text: 'SELECT document FROM registry_submissions WHERE uuid = $1',
        values: [body.uuid],
      });
      await imported(String(row?.document));
      expect((await accept(stage.admin, body.uuid)).status).toBe(200);
      expect(await rowOf('io.github.same/tool')).toMatchObject({
        owner: expect.stringMatching(/^reg-/),
        profile_uuid: submitter.profileUuid,
      });
      expect((await imported(String(row?.document))).refused).toBe(1);
    },
  );
});

describe('the account that imported servers belong to', () => {
  it('is one that no user can sign in as, see, follow or notify', verifies('registry.import.account'), async () => {
    const name = 'io.github.account/server';
    await Promise.all([imported(lines(documentOf(name))), imported(lines(documentOf(name)))]);
    const row = await rowOf(name);
    expect(row).toMatchObject({ owner: 'registry', disabled_at: expect.any(Date) });
    const [users] = await server.database.query<{ count: number }>({
      text: "SELECT count(*)::int AS count FROM users WHERE username_key = 'registry'",
    });
    expect(users?.count).toBe(1);
    for (const password of ['', 'registry', 'correct horse battery'])
      for (const who of [{ username: 'registry' }, { email: 'registry@internal' }])
        expect([400, 401]).toContain((await nobody('POST', '/api/auth/sign-in', { ...who, password })).status);
    for (const email of ['registry@internal', 'x@example.com'])
      expect(
        (await nobody('POST', '/api/auth/sign-up', { email, username: 'registry', password: 'correct horse battery' }))
          .status,
      ).toBe(400);
    const person = await stage.person();
    expect((await person.call('GET', '/api/users/registry')).status).toBe(404);
    expect((await person.call('POST', '/api/users/registry/follow')).status).toBe(404);
    await person.graphql(documents.install, { input: { uuid: row?.uuid } });
    const [notices] = await server.database.query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM notifications WHERE profile_uuid = $1',
      values: [row?.profile_uuid],
    });
    expect(notices?.count).toBe(0);
  });
});
