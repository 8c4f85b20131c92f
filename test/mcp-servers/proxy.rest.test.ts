import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { tool } from '../support/mcp-host.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { added, nowhere } from '../support/server-stage.ts';
import { discoveryStage } from './discovery-stage.ts';

const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8' });

/** A tenant with two servers that offer some of the same. */
async function staged() {
  const tenant = await tenantOf(server);
  const one = await added(tenant.call, { name: 'One', env: { TOKEN: 'secret' } });
  server.clock.advance(1);
  const two = await added(tenant.call, { name: 'Two' });
  const report = (uuid: string, body: unknown) => tenant.call('POST', `/api/servers/${uuid}/capabilities`, body);
  const answer = await report(one.uuid, {
    tools: [tool('read'), { ...tool('write'), _serverUuid: nowhere, name: 'write' }],
    resources: [{ uri: 'file:///a', name: 'a' }],
    resourceTemplates: [{ uriTemplate: 'file:///{name}', name: 'any' }],
    prompts: [{ name: 'p', description: 'd' }],
  });
  expect(answer.body).toEqual({ success: true, tools: 2, resources: 1, prompts: 1 });
  await report(two.uuid, { tools: [tool('read', 'of two')] });
  return { ...tenant, one, two, report };
}

describe('what existing proxies ask', () => {
  it(
    'GET /api/tools names them as their servers do, or with the slug; whose they are is ours to say',
    verifies('servers.proxy'),
    async () => {
      const { call, one, two } = await staged();
      const names = async (query: string) =>
        (await call('GET', `/api/tools${query}`)).body.tools.map(({ name }: { name: string }) => name);
      expect(await names('')).toEqual(['read', 'write', 'read']);
      expect(await names('?prefix_tools=false')).toEqual(['read', 'write', 'read']);
      expect(await names('?prefix_tools=true')).toEqual([
        `${one.slug}__read`,
        `${one.slug}__write`,
        `${two.slug}__read`,
      ]);
      const { tools } = (await call('GET', '/api/tools')).body;
      expect(tools[1]).toEqual({
        ...tool('write'),
        _serverUuid: one.uuid,
        _serverSlug: one.slug,
        _serverName: 'One',
      });
      const { status, body } = await call('GET', '/api/tools?prefix_tools=maybe');
      expect([status, body]).toEqual([400, { error: 'prefix_tools must be true or false', code: 'VALIDATION_ERROR' }]);
    },
  );

  it(
    'GET /api/resources, /api/resource-templates and /api/prompts list what there is',
    verifies('servers.proxy'),
    async () => {
      const { call, one } = await staged();
      const whose = { _serverUuid: one.uuid, _serverSlug: one.slug, _serverName: 'One' };
      expect((await call('GET', '/api/resources')).body).toEqual([{ uri: 'file:///a', name: 'a', ...whose }]);
      expect((await call('GET', '/api/resource-templates')).body).toEqual([
        { uriTemplate: 'file:///{name}', name: 'any', ...whose },
      ]);
      expect((await call('GET', '/api/prompts')).body).toEqual([{ name: 'p', description: 'd', ...whose }]);
    },
  );

  it(
    'GET /api/resolve finds the server of a tool, a prompt and a resource, masked',
    verifies('servers.proxy', 'servers.secrets'),
    async () => {
      const { call, one, two } = await staged();
      const found = async (path: string) => (await call('GET', `/api/resolve/${path}`)).body;
      expect(await found('tool?name=read')).toEqual({
        uuid: one.uuid,
        slug: one.slug,
        name: 'One',
        type: 'STDIO',
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'files-server'],
        url: null,
        env: { TOKEN: '********' },
        headers: {},
      });
      expect((await found(`tool?name=${two.slug}__read`)).uuid).toBe(two.uuid);
      expect((await found(`tool?name=${two.uuid}__read`)).uuid).toBe(two.uuid);
      expect((await found('prompt?name=p')).uuid).toBe(one.uuid);
      expect((await found('resource?uri=file:///a')).uuid).toBe(one.uuid);
      for (const path of ['tool?name=nothing', 'prompt?name=read', 'resource?uri=%00', 'tool?name='])
        expect([400, 404]).toContain((await call('GET', `/api/resolve/${path}`)).status);
      for (const path of ['tool', 'prompt?uri=x', 'resource?name=x'])
        expect((await call('GET', `/api/resolve/${path}`)).status).toBe(400);
    },
  );

  it(
    'POST /api/discover asks for one or all, and answers alike when there is nothing to ask',
    verifies('servers.proxy'),
    async () => {
      const { call, caller, one } = await staged();
      const none = { success: true, queued: 0, message: expect.stringContaining('No discovery was queued') };
      expect((await call('POST', `/api/discover/${one.uuid}`, { force_refresh: true })).body).toEqual(none);
      expect((await call('POST', '/api/discover/all')).body).toEqual(none);
      const remote = await added(call, { transport: 'http', command: null, url: 'http://127.0.0.1:65531/mcp' });
      expect((await call('POST', `/api/discover/${remote.uuid}`)).body).toEqual(none);
      await discoveryStage(server).asked(caller, remote.uuid);
      expect((await call('POST', '/api/discover/all')).body).toEqual({
        success: true,
        queued: 1,
        message: 'Discovery initiated',
      });
      for (const uuid of [nowhere, 'nothing']) expect((await call('POST', `/api/discover/${uuid}`)).status).toBe(404);
    },
  );

  it.each([
    [{ tools: 'x' }, 'tools'],
    [{ tools: { name: 'x' } }, 'tools'],
    [{ prompts: ['x'] }, 'prompts'],
    [{ resources: [7] }, 'resources'],
  ])('POST /api/servers/{uuid}/capabilities refuses %j', verifies('servers.report'), async (body, field) => {
    const { report, one } = await staged();
    const answer = await report(one.uuid, body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)[0]).toMatch(new RegExp(`^${field}`));
  });
});

describe('the graph', () => {
  it('shows how discoveries go and what changed of tools', verifies('servers.graph', 'servers.changes'), async () => {
    const { graphql, report, one } = await staged();
    await report(one.uuid, { tools: [tool('read', 'another')] });
    const query = `query ($uuid: String!) { server(uuid: $uuid) { discoveryStatus discoveredAt discoveryError tools { name description
        parameters definition } resourceTemplates { uriTemplate name } }
      serverToolChanges(uuid: $uuid, first: 1) { totalCount pageInfo { hasNextPage } nodes { name change before after createdAt } } }`;
    const { server: shown, serverToolChanges: list } = (await graphql(query, { uuid: one.uuid })).data;
    expect(shown).toMatchObject({ discoveryStatus: 'SUCCEEDED', discoveryError: null });
    expect(shown.tools).toMatchObject([{ name: 'read', description: 'another', parameters: { type: 'object' } }]);
    expect(shown.resourceTemplates).toEqual([{ uriTemplate: 'file:///{name}', name: 'any' }]);
    expect(list).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
    expect(['CHANGED', 'REMOVED']).toContain(list.nodes[0].change);
  });
});
