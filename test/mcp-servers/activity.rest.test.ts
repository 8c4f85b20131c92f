import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { added, documents, nowhere } from '../support/server-stage.ts';

const server = await startTestServer({ RATE_LIMITS: '{"*": "off", "general": "40/1m"}' });
const path = '/api/notifications/mcp-activity';

type Tenant = Awaited<ReturnType<typeof tenantOf>>;

/** A server of another tenant that everybody may see. */
async function publicServer(): Promise<string> {
  const owner = await tenantOf(server);
  const { uuid } = await added(owner.call);
  await owner.graphql(documents.show, { input: { uuid, isPublic: true } });
  return uuid;
}

const daysOf = (uuid: string) =>
  server.database.query({
    text: 'SELECT installs, calls, failures FROM mcp_server_days WHERE server_uuid = $1',
    values: [uuid],
  });

const report = (tenant: Tenant, body: object) => tenant.call('POST', path, body);

/** What is left of `general`, after the call that asks for it. */
const generalLeft = async ({ call }: Tenant) =>
  Number((await call('GET', '/api/notifications')).headers.get('X-RateLimit-Remaining'));

describe('POST /api/notifications/mcp-activity', () => {
  it(
    "answers 200 to reports of a proxy's own tools, counts nothing and spends no point of general",
    verifies('servers.activity', 'servers.activity.own-tools'),
    async () => {
      const [tenant, uuid] = [await tenantOf(server), await publicServer()];
      const before = await generalLeft(tenant);
      for (const serverUuid of [undefined, null, 7, {}, '', 'discover_tools', nowhere, `${nowhere}0`, uuid])
        for (const action of ['tool_call', 'prompt_get', 'resource_read', 'uninstall']) {
          const answer = await report(tenant, { action, serverUuid, itemName: 'clipboard_get', success: true });
          expect([answer.status, answer.body]).toEqual([200, { success: true, counted: false }]);
        }
      expect(await generalLeft(tenant)).toBe(before - 1);
      expect(await daysOf(uuid)).toEqual([]);
    },
  );

  it(
    'counts calls of a server that is installed, spends no point of general for them either',
    verifies('servers.activity'),
    async () => {
      const [tenant, uuid] = [await tenantOf(server), await publicServer()];
      await tenant.graphql(documents.install, { input: { uuid } });
      const before = await generalLeft(tenant);
      for (const success of [true, false, null])
        expect((await report(tenant, { action: 'tool_call', serverUuid: uuid.toUpperCase(), success })).body).toEqual({
          success: true,
          counted: true,
        });
      expect(await generalLeft(tenant)).toBe(before - 1);
      expect(await daysOf(uuid)).toEqual([{ installs: 1, calls: 3, failures: 1 }]);
    },
  );

  it(
    'installs and removes a server when a proxy reports that it did',
    verifies('servers.activity.installs'),
    async () => {
      const [tenant, uuid] = [await tenantOf(server), await publicServer()];
      const steps = [
        [{ action: 'install', success: false }, false, 0],
        [{ action: 'install' }, true, 1],
        [{ action: 'install' }, false, 1],
        [{ action: 'uninstall', success: false }, false, 1],
        [{ action: 'uninstall' }, true, 0],
        [{ action: 'uninstall' }, false, 0],
      ] as const;
      for (const [body, counted, installations] of steps) {
        expect((await report(tenant, { ...body, serverUuid: uuid })).body).toEqual({ success: true, counted });
        expect((await tenant.call('GET', `/api/servers/${uuid}/stats`)).body.installations).toBe(installations);
      }
      const events = await server.database.query<{ type: string }>({
        text: 'SELECT type FROM outbox_events WHERE profile_uuid = $1 ORDER BY seq',
        values: [tenant.caller.principal?.profileUuid],
      });
      expect(events.map(({ type }) => type)).toEqual(['server.installed', 'server.uninstalled']);
    },
  );

  it(
    'does not install a server that the caller may not see',
    verifies('servers.activity.installs', 'servers.private'),
    async () => {
      const [owner, tenant] = [await tenantOf(server), await tenantOf(server)];
      const { uuid } = await added(owner.call);
      expect((await report(tenant, { action: 'install', serverUuid: uuid })).body).toEqual({
        success: true,
        counted: false,
      });
      expect((await owner.call('GET', `/api/servers/${uuid}/stats`)).body.installations).toBe(0);
    },
  );

  it('names every wrong field in the text of its error', verifies('errors.proxy'), async () => {
    const tenant = await tenantOf(server);
    const { status, body } = await report(tenant, { action: 'explode', success: 'yes' });
    expect([status, body]).toEqual([
      400,
      {
        error:
          'action must be one of: tool_call, prompt_get, resource_read, install, uninstall; success must be true or false',
        code: 'VALIDATION_ERROR',
      },
    ]);
  });
});

describe('errors of the paths that only existing proxies use', () => {
  it.each([
    ['GET', '/api/resolve/tool?name=none', 404, 'NOT_FOUND'],
    ['GET', '/api/resolve/tool', 400, 'VALIDATION_ERROR'],
    ['POST', `/api/discover/${nowhere}`, 404, 'NOT_FOUND'],
    ['GET', '/api/tools?prefix_tools=7', 400, 'VALIDATION_ERROR'],
    ['POST', '/api/tools', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/api/discover/%zz', 400, 'VALIDATION_ERROR'],
    ['POST', '/api/notifications/custom', 400, 'VALIDATION_ERROR'],
  ])('%s %s is %i with a text and a code', verifies('errors.proxy'), async (method, at, status, code) => {
    const { call } = await tenantOf(server);
    const answer = await call(method, at);
    expect([answer.status, answer.body]).toEqual([status, { error: expect.any(String), code }]);
  });

  it('are 401 with a text and a code without a key', verifies('errors.proxy'), async () => {
    const answer = await fetch(`${server.base}/api/tools`);
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Unauthorized', code: 'UNAUTHORIZED' }]);
  });
});
