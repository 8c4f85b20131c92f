import { describe, expect, it } from 'vitest';
import { routes } from '../../rest-adapter/index.ts';
import type { Infrastructure } from '../../src/main/services.ts';
import { addSampleData } from '../../src/sample-data/sample-data.ts';
import { verifies } from '../requirements.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { nowhere } from '../support/server-stage.ts';
import { createTestServices, openTestInfrastructure, signUp } from '../support/services.ts';

/** How many rows each table has of what the sample data makes. */
async function rowsOf({ database }: Pick<Infrastructure, 'database'>): Promise<Record<string, number>> {
  const tables = [
    'users',
    'profiles',
    'user_follows',
    'mcp_servers',
    'mcp_capabilities',
    'mcp_installations',
    'mcp_ratings',
    'mcp_server_days',
    'collections',
    'collection_servers',
    'notifications',
    'clipboard_entries',
    'webhooks',
    'outbox_events',
    'registry_versions',
    'registry_submissions',
    'search_query_days',
    'oauth_sessions',
    'oauth_security_events',
  ];
  const counted = await Promise.all(
    tables.map(async (table) => {
      const [row] = await database.query<{ count: number }>({ text: `SELECT count(*)::int FROM ${table}` });
      return [table, row?.count ?? 0] as const;
    }),
  );
  const [days] = await database.query<{ calls: number; installs: number }>({
    text: 'SELECT sum(calls)::int AS calls, sum(installs)::int AS installs FROM mcp_server_days',
  });
  return { ...Object.fromEntries(counted), ...days };
}

/** A platform of its own with one user, whose profile it tells. */
async function stage() {
  const { infrastructure, services, clock } = await createTestServices();
  const caller = await signUp(services);
  return { infrastructure, services, clock, caller, profileUuid: String(caller.principal?.profileUuid) };
}

describe('sample data', () => {
  it('has a question about its documents, and an answer that cites them', async () => {
    const { infrastructure, services, caller, profileUuid } = await stage();
    await addSampleData({ infrastructure, profileUuid });
    const { sessions } = await services.chat.sessions.page(caller, {});
    expect(sessions).toMatchObject([{ title: 'Questions about the library', model: 'extractive', lastOrdinal: 2 }]);
    const include = { citations: true };
    const { messages } = await services.chat.messages.page(caller, String(sessions[0]?.uuid), {}, { include });
    expect(messages).toMatchObject([
      { role: 'user', content: 'How many days of leave are there in a year?' },
      { status: 'complete', content: expect.stringContaining('thirty days of leave'), citations: expect.anything() },
    ]);
    const citations = await infrastructure.database.prisma.chatCitation.findMany();
    expect(citations[0]).toMatchObject({ title: 'Employee handbook', isVerified: true, staleAt: null });
  });

  it('fills every list of REST, and nothing of it is of the future', verifies('platform.sample-data'), async () => {
    const server = await startTestServer();
    const { call, caller } = await tenantOf(server);
    const profileUuid = String(caller.principal?.profileUuid);
    const infrastructure = await openTestInfrastructure({ url: server.url, clock: server.clock });
    expect(await addSampleData({ infrastructure, profileUuid })).toEqual({ isAdded: true, since: server.clock.now() });
    const paths = routes.flatMap(({ method, path }) => (method === 'GET' && !path.includes(':') ? [path] : []));
    const lists = [...new Set(paths), `/api/collections/${profileUuid}`];
    let seen = 0;
    for (const path of lists) {
      const { status, body } = await call('GET', path);
      if (status !== 200) continue;
      for (const list of [body, ...Object.values(body)].filter((each) => Array.isArray(each))) {
        expect(list.length, path).toBeGreaterThan(0);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(10);
    const searches = (await call('GET', '/api/service/search?q=browser%20automation')).body;
    expect(searches.top_results[0]?.clicks).toBeGreaterThan(0);
    expect(searches.unique_users).toBeGreaterThanOrEqual(3);
    const { body: servers } = await call('GET', '/api/mcp-servers');
    expect(servers.length).toBeGreaterThanOrEqual(24);
    const { body: stats } = await call('GET', `/api/servers/${servers[3].uuid}/stats`);
    expect(stats).toMatchObject({ installations: expect.any(Number), ratings_count: expect.any(Number) });
    const [latest] = await infrastructure.database.query<{ at: Date }>({
      text: `SELECT greatest((SELECT max(created_at) FROM notifications), (SELECT max(last_activity_at) FROM mcp_servers),
        (SELECT max(updated_at) FROM collections), (SELECT max(occurred_at) FROM outbox_events)) AS at`,
    });
    expect(latest?.at.getTime()).toBeLessThanOrEqual(server.clock.now().getTime());
    const days = await infrastructure.database.query({
      text: 'SELECT DISTINCT day FROM mcp_server_days WHERE calls > 0',
    });
    expect(days.length).toBeGreaterThanOrEqual(29);
  });

  it('is there once: a second run, and two at once, add nothing', verifies('platform.sample-data'), async () => {
    const { infrastructure, profileUuid, clock, services } = await stage();
    const both = await Promise.all([1, 2].map(() => addSampleData({ infrastructure, profileUuid })));
    expect(both.map(({ since }) => since)).toEqual([clock.now(), clock.now()]);
    const rows = await rowsOf(infrastructure);
    const since = clock.now();
    clock.advance(3_600_000);
    expect(await addSampleData({ infrastructure, profileUuid })).toEqual({ isAdded: false, since });
    expect(await rowsOf(infrastructure)).toEqual(rows);
    expect(await services.mcpServers.usage.recount()).toBe(0);
    expect(rows).toMatchObject({
      // The owner, six people, and the account of the registry.
      users: 8,
      webhooks: 1,
    });

    const other = await signUp(services, 'another');
    await addSampleData({ infrastructure, profileUuid: String(other.principal?.profileUuid) });
    const after = await rowsOf(infrastructure);
    expect(after).toMatchObject({ users: 9, webhooks: 2, user_follows: rows.user_follows });
    expect(after.clipboard_entries).toBe(2 * (rows.clipboard_entries ?? 0));
    expect(await services.mcpServers.usage.recount()).toBe(0);
  });

  it('goes on where it was broken off, to the same end', verifies('platform.sample-data'), async () => {
    const [whole, broken] = [await stage(), await stage()];
    await addSampleData(whole);
    const { infrastructure, profileUuid } = broken;
    expect(await addSampleData({ infrastructure, profileUuid, isResumedOnly: true })).toEqual({
      isAdded: false,
      since: null,
    });
    for (const days of [3, 20, 31]) {
      let left = days;
      const signal = {
        throwIfAborted: () => {
          if (left-- <= 0) throw new Error('broken off');
        },
      } as AbortSignal;
      await expect(addSampleData({ infrastructure, profileUuid, signal })).rejects.toThrow('broken off');
    }
    expect((await addSampleData({ infrastructure, profileUuid, isResumedOnly: true })).isAdded).toBe(true);
    expect(await rowsOf(infrastructure)).toEqual(await rowsOf(whole.infrastructure));
    expect((await addSampleData({ infrastructure, profileUuid })).isAdded).toBe(false);
  });

  it('asks no host, queues nothing, and sends nothing', verifies('platform.sample-data'), async () => {
    const { infrastructure, services, caller, profileUuid } = await stage();
    const asked: string[] = [];
    const egress = new Proxy(infrastructure.egress, {
      get: (of, name) =>
        name === 'validateUrl'
          ? of.validateUrl.bind(of)
          : () => {
              asked.push(String(name));
              throw new Error('asked');
            },
    });
    const sent: string[] = [];
    const queue = { ...infrastructure.queue, send: async (_tx: unknown, name: string) => void sent.push(name) };
    await addSampleData({ infrastructure: { ...infrastructure, egress, queue }, profileUuid });
    expect([asked, sent]).toEqual([[], []]);
    const { edges } = await services.mcpServers.configurations.connection(caller, { first: 100 });
    expect(new Set(edges.map(({ node }) => node.discoveryStatus))).toEqual(
      new Set(['never', 'succeeded', 'needs_authorization']),
    );
    const { webhooks } = await services.webhooks.registrations.page(caller);
    expect(webhooks.map(({ active }) => active)).toEqual([false]);
  });

  it('is for a profile that exists', async () => {
    const { infrastructure } = await stage();
    for (const profileUuid of [nowhere, 'x'])
      await expect(addSampleData({ infrastructure, profileUuid })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await rowsOf(infrastructure)).toMatchObject({ users: 1, mcp_servers: 0 });
  });

  it('takes another name if a user has one of the people’s', async () => {
    const { infrastructure, services, profileUuid } = await stage();
    await signUp(services, 'sample-ada');
    await addSampleData({ infrastructure, profileUuid });
    const names = await infrastructure.database.query<{ username: string }>({
      text: "SELECT username FROM users WHERE username LIKE 'sample-ada%' ORDER BY username",
    });
    expect(names.map(({ username }) => username)).toEqual([
      'sample-ada',
      expect.stringMatching(/^sample-ada-[0-9a-f]{8}$/),
    ]);
  });
});
