import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startRegistryStage } from '../support/registry-stage.ts';
import { tenantOf } from '../support/server.ts';
import { documents } from '../support/server-stage.ts';

const stage = await startRegistryStage();
const { server, github, admin } = stage;
const { lifecycle, imports } = server.services.registry;

const entryOf = (name: string, version: string, status = 'active') => ({
  server: { name, description: 'A server.', version },
  _meta: { 'io.modelcontextprotocol.registry/official': { status } },
});
const imported = (...values: object[]) =>
  imports.run(Readable.from([Buffer.from(values.map((value) => JSON.stringify(value)).join('\n'))]));
const total = async () => (await (await tenantOf(server)).call('GET', '/api/registry/health')).body.total_servers;
const noted = async () => (await server.database.query({ text: 'SELECT 1 FROM registry_orphans' })).length;

describe('the number of servers', () => {
  it('follows what changes, and is what a count would find', verifies('registry.health'), async () => {
    const [a, b, c] = ['a.example/one', 'a.example/two', 'a.example/three'] as const;
    const steps: [object[], number][] = [
      [[entryOf(a, '1.0.0'), entryOf(a, '2.0.0'), entryOf(b, '1.0.0')], 2],
      [[entryOf(a, '2.0.0', 'deleted')], 2],
      [[entryOf(a, '1.0.0', 'deleted'), entryOf(c, '1.0.0', 'deleted')], 1],
      [[entryOf(a, '3.0.0', 'deprecated'), entryOf(c, '1.0.0')], 3],
      [[entryOf(a, '3.0.0', 'deprecated')], 3],
    ];
    for (const [entries, expected] of steps) {
      await imported(...entries);
      expect(await total()).toBe(expected);
      expect(await lifecycle.recount()).toBe(expected);
    }
    const [row] = await server.database.query<{ server_uuid: string }>({
      text: 'SELECT server_uuid FROM registry_servers WHERE name = $1',
      values: [b],
    });
    await admin('POST', `/api/registry/servers/${row?.server_uuid}/withdraw`, { message: 'x' });
    expect([await total(), await lifecycle.recount()]).toEqual([2, 2]);
  });

  it('is recounted every night', verifies('registry.health'), async () => {
    await server.database.query({ text: 'UPDATE registry_state SET total_servers = 77' });
    expect(await lifecycle.recount()).toBe(2);
    expect(await total()).toBe(2);
  });

  it('is what the graph says of all; of a part it counts', verifies('registry.health'), async () => {
    await server.database.query({ text: 'UPDATE registry_state SET total_servers = 77' });
    const { data } = await stage.adminGraphql(`{
      all: registryServers(version: "latest") { totalCount }
      some: registryServers(version: "latest", search: "THREE") { totalCount }
      versions: registryServers { totalCount }
      deleted: registryServers(version: "latest", includeDeleted: true) { totalCount } }`);
    expect(data).toEqual({
      all: { totalCount: 77 },
      some: { totalCount: 1 },
      versions: { totalCount: 2 },
      deleted: { totalCount: 3 },
    });
    await lifecycle.recount();
  });
});

describe('the job that writes tombstones', () => {
  it('processes only noted servers, and deletes the notes', verifies('registry.feed'), async () => {
    await lifecycle.settleOrphans();
    expect(await noted()).toBe(0);
    server.statements.length = 0;
    expect(await lifecycle.settleOrphans()).toBe(0);
    expect(server.statements).toHaveLength(1);
    expect(server.statements[0]).toContain('registry_orphans');
    const owner = await stage.submitter();
    github.repository(owner.account, 'tool');
    const { uuid } = await stage.published(owner, `${owner.account.login}/tool`);
    const show = (isPublic: boolean) => owner.graphql(documents.show, { input: { uuid, isPublic } });
    // Hidden and shown again before the job has come: nothing is left to do.
    await show(false);
    await show(true);
    expect(await noted()).toBe(1);
    expect(await lifecycle.settleOrphans()).toBe(0);
    expect([await noted(), await total()]).toEqual([0, 3]);
    await show(false);
    expect(await noted()).toBe(1);
    expect(await lifecycle.settleOrphans()).toBe(1);
    expect([await noted(), await total()]).toEqual([0, 2]);
  });

  it('finds a server that its owner has deleted', verifies('registry.feed'), async () => {
    const owner = await stage.submitter();
    github.repository(owner.account, 'tool');
    const { uuid } = await stage.published(owner, `${owner.account.login}/tool`);
    await owner.graphql(documents.delete, { input: { uuid } });
    expect(await noted()).toBe(1);
    expect(await lifecycle.settleOrphans()).toBe(1);
    expect([await noted(), await total(), await lifecycle.recount()]).toEqual([0, 2, 2]);
  });
});
