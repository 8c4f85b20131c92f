import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Refused } from '../../src/registry/imports.ts';
import { verifies } from '../requirements.ts';
import { startRegistryStage } from '../support/registry-stage.ts';

const stage = await startRegistryStage();
const { server, nobody } = stage;

const documentOf = (name: string, over: object = {}) => ({ name, description: 'A server.', version: '1.0.0', ...over });

async function imported(...values: unknown[]) {
  const refused: Refused[] = [];
  const text = values.map((value) => JSON.stringify(value)).join('\n');
  const summary = await server.services.registry.imports.run(Readable.from([Buffer.from(text)]), {
    onRefused: (each) => refused.push(each),
  });
  return { ...summary, told: refused };
}

describe('what a dump calls a kind of package', () => {
  it('is nothing that objects inherit, and does not break search', verifies('registry.import'), async () => {
    const types = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'NPM'];
    const documents = types.map((registryType, at) =>
      documentOf(`proto.example/prototypal-${at}`, {
        packages: [{ registryType, identifier: 'x', version: '1', transport: { type: 'stdio' } }],
      }),
    );
    expect(await imported(...documents)).toMatchObject({ imported: types.length, refused: 0 });
    const rows = await server.database.query({
      text: "SELECT package_type FROM mcp_servers WHERE name LIKE 'prototypal-%' ORDER BY name",
    });
    expect(rows.map(({ package_type }) => package_type)).toEqual([null, null, null, null, 'npm']);
    const found = await nobody('GET', '/api/search?q=prototypal');
    expect([found.status, found.text.includes('prototypal-0')]).toEqual([200, true]);
  });

  it('is one that search knows, or the database refuses it', async () => {
    await expect(
      server.database.query({ text: "UPDATE mcp_servers SET package_type = '{}' WHERE name = 'prototypal-0'" }),
    ).rejects.toMatchObject({ code: '23514' });
  });
});

describe('when a dump says that something was published', () => {
  it(
    'is left out where no calendar of ours has it, and the rest is taken up',
    verifies('registry.import'),
    async () => {
      const key = 'io.modelcontextprotocol.registry/official';
      const times = [
        '0000-01-01T00:00:00Z',
        '0001-01-01T00:00:00+23:00',
        '1969-12-31T23:59:59Z',
        '9999-12-31T23:59:59-23:00',
        '9999-12-31T23:59:59Z',
        '1970-01-01T00:00:00Z',
      ];
      const entries = times.map((publishedAt, at) => ({
        server: documentOf(`times.example/t${at}`),
        _meta: { [key]: { publishedAt } },
      }));
      expect(await imported(...entries, documentOf('times.example/t6'))).toMatchObject({ imported: 7, refused: 0 });
      const { servers } = (await nobody('GET', '/v0.1/servers?search=times.example')).body;
      const now = server.clock.now().toISOString();
      const kept = ['9999-12-31T23:59:59.000Z', '1970-01-01T00:00:00.000Z'];
      expect(servers.map((each: { _meta: Record<string, object> }) => each._meta[key])).toMatchObject(
        [now, now, now, now, ...kept, now].map((publishedAt) => ({ publishedAt })),
      );
    },
  );
});

describe('where a dump says that a repository is', () => {
  it('is shown if it is an address of the web', verifies('registry.import'), async () => {
    const urls = [
      'javascript:alert(document.domain)',
      'data:text/html,x',
      'https://example.com/x',
      'HTTP://example.com/y',
    ];
    const documents = urls.map((url, at) =>
      documentOf(`links.example/linked-${at}`, { repository: { url, source: 'github' } }),
    );
    expect(await imported(...documents)).toMatchObject({ imported: 4, refused: 0 });
    const rows = await server.database.query({
      text: "SELECT repository_url FROM mcp_servers WHERE name LIKE 'linked-%' ORDER BY name",
    });
    expect(rows.map(({ repository_url }) => repository_url)).toEqual([null, null, urls[2], urls[3]]);
  });
});

describe('what was withdrawn here', () => {
  const stateOf = async (name: string) =>
    (
      await server.database.query({
        text: `SELECT v.status, s.is_public, s.source, s.uuid FROM registry_servers r JOIN registry_versions v ON v.registry_uuid = r.uuid
          JOIN mcp_servers s ON s.uuid = r.server_uuid WHERE r.name = $1 AND v.is_latest`,
        values: [name],
      })
    )[0];

  it('is not brought back by an import, under no version', verifies('registry.import'), async () => {
    const [bad, good] = [documentOf('evil.example/malware'), documentOf('evil.example/harmless')];
    await imported(bad, good);
    const { uuid } = (await stateOf(bad.name)) as { uuid: string };
    const withdrawn = await stage.admin('POST', `/api/registry/servers/${uuid}/withdraw`, { message: 'malware' });
    expect(withdrawn.status).toBe(200);
    const state = { status: 'deleted', is_public: false, source: 'community', uuid };
    expect(await stateOf(bad.name)).toEqual(state);
    const again = [bad, good, { ...bad, version: '9.0.0' }, { ...bad, name: bad.name.toUpperCase() }];
    expect(await imported(...again)).toEqual({
      imported: 0,
      // The last is another spelling of the first, in one batch: the later one counts.
      unchanged: 2,
      refused: 2,
      told: [
        { line: 4, reason: 'it was withdrawn here' },
        { line: 3, reason: 'it was withdrawn here' },
      ],
    });
    expect(await stateOf(bad.name)).toEqual(state);
    expect((await nobody('GET', '/v0.1/servers?search=evil.example/malware')).body.servers).toEqual([]);
  });

  it('comes back when its owner submits it, and an administrator accepts', verifies('registry.import'), async () => {
    const name = 'io.github.penitent/tool';
    await imported(documentOf(name));
    const { uuid } = (await stateOf(name)) as { uuid: string };
    await stage.admin('POST', `/api/registry/servers/${uuid}/withdraw`, { message: 'not yet' });
    const submitter = await stage.submitter('penitent');
    stage.github.repository(submitter.account, 'tool');
    await stage.published(submitter, 'penitent/tool');
    expect(await stateOf(name)).toMatchObject({ status: 'active', is_public: true, source: 'registry' });
    expect(await imported(documentOf(name, { version: '2.0.0' }))).toMatchObject({
      refused: 1,
      told: [{ reason: 'its owner has published it here' }],
    });
    await submitter.call('POST', `/api/registry/servers/${(await stateOf(name))?.uuid}/withdraw`, {
      message: 'enough',
    });
    expect((await imported(documentOf(name))).told).toEqual([{ line: 1, reason: 'it was withdrawn here' }]);
  });
});
