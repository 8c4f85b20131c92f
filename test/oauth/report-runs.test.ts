import { beforeAll, describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { createTestServices, openTestInfrastructure, signUp, type TestServices } from '../support/services.ts';
import { addServer, startChecked, surelyDueMs, takeQueued, tick, weekMs, work } from './report-stage.ts';

let stand: TestServices;
let owner: Caller;

beforeAll(async () => {
  stand = await createTestServices();
});

const reportOf = async (uuid: string, caller = owner) => (await stand.services.oauth.reports.of(caller, [uuid]))[0];

async function failing(uuid: string): Promise<string[]> {
  const [outcomes] = await stand.services.oauth.reports.outcomesOf(owner, [uuid]);
  return (outcomes ?? []).filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule);
}

const toldOf = async (uuid: string) => {
  const { rows } = {
    rows: await stand.database.query<{ data: Record<string, unknown> }>({
      text: `SELECT data::jsonb AS data FROM outbox_events WHERE type = 'server.authorization_report_changed'
        AND data::jsonb ->> 'server_uuid' = $1 ORDER BY seq`,
      values: [uuid],
    }),
  };
  const notifications = await stand.database.query<{ type: string; title: string; message: string }>({
    text: `SELECT type, title, message FROM notifications WHERE metadata::jsonb ->> 'server_id' = $1 ORDER BY created_at, uuid`,
    values: [uuid],
  });
  return { events: rows.map(({ data }) => data), notifications };
};

async function stage(options?: { isPublic?: boolean }) {
  owner = await signUp(stand.services);
  const checked = await startChecked();
  return { checked, uuid: await addServer(stand, owner, checked.url, options) };
}

describe('politeness', () => {
  it('checks a host once a week, however many servers and urls it has', async () => {
    const { checked, uuid } = await stage();
    const same = await addServer(stand, owner, checked.url);
    const other = await addServer(stand, owner, `${checked.origin}/mcp/two`);
    expect(await tick(stand)).toContain(checked.origin);
    expect(checked.checks()).toBe(2);
    for (const each of [uuid, same, other]) expect(await reportOf(each)).not.toBeNull();

    const added = await addServer(stand, owner, `${checked.origin}/mcp/three`);
    stand.clock.advance(weekMs - 1);
    expect(await tick(stand)).not.toContain(checked.origin);
    expect(await reportOf(added)).toBeNull();
    stand.clock.advance(surelyDueMs - weekMs + 1);
    expect(await tick(stand)).toContain(checked.origin);
    expect(checked.checks()).toBe(2 + 3);
    expect(await tick(stand)).not.toContain(checked.origin);
  });

  it('is not requested again because its servers were deleted and added again', async () => {
    const { checked, uuid } = await stage();
    await tick(stand);
    await stand.services.mcpServers.configurations.remove(owner, uuid);
    await addServer(stand, owner, checked.url);
    stand.clock.advance(3_600_000);
    expect(await tick(stand)).not.toContain(checked.origin);
    expect(checked.checks()).toBe(1);
  });

  it('is taken by one of two processes that tick at once', async () => {
    const { checked } = await stage();
    const second = createServices(await openTestInfrastructure({ url: stand.url, clock: stand.clock }));
    await Promise.all([stand.services.oauth.reportRuns.runDue(), second.oauth.reportRuns.runDue()]);
    const runs = await takeQueued(stand.database);
    expect(runs.filter(({ origin }) => origin === checked.origin)).toHaveLength(1);
  });

  it('leaves private servers, stdio servers and those that omit their report alone', async () => {
    const { checked, uuid } = await stage({ isPublic: false });
    expect(await tick(stand)).not.toContain(checked.origin);
    await stand.services.mcpServers.configurations.setVisibility(owner, uuid, { isPublic: true });
    await stand.services.oauth.serverSettings.configure(owner, { serverUuid: uuid, omitsReport: true });
    expect(await tick(stand)).not.toContain(checked.origin);
    expect(checked.requests).toEqual([]);
    const [event] = (await stand.services.oauth.securityEvents.connection(owner, {})).edges;
    expect(event?.node).toMatchObject({ type: 'exceptions_changed', serverUuid: uuid });
    await stand.services.oauth.serverSettings.configure(owner, { serverUuid: uuid, omitsReport: false });
    expect(await tick(stand)).toContain(checked.origin);
  });

  it('checks the other servers when one host does not answer, and one cannot be stored', async () => {
    const silent = await stage();
    silent.checked.answer('/mcp', null);
    const good = await startChecked();
    const uuid = await addServer(stand, owner, good.url);
    await stand.services.oauth.reportRuns.worker.handle([{ origin: 7, serverUuid: 'none' }]);
    expect(await tick(stand)).toEqual(expect.arrayContaining([silent.checked.origin, good.origin]));
    expect(await reportOf(silent.uuid)).toMatchObject({ grade: null, failed: 0 });
    expect(await reportOf(uuid)).toMatchObject({ grade: expect.any(String) });
  });

  it('forgets hosts that have had no server for a month', async () => {
    const { checked, uuid } = await stage();
    await tick(stand);
    const known = async () =>
      (await stand.database.prisma.oauthReportHost.count({ where: { origin: checked.origin } })) === 1;
    const { configurations } = stand.services.mcpServers;
    await configurations.setVisibility(owner, uuid, { isPublic: false });
    stand.clock.advance(surelyDueMs + 29 * 86_400_000);
    await stand.services.oauth.reportRuns.purge();
    expect(await known()).toBe(true);
    stand.clock.advance(86_400_000);
    await stand.services.oauth.reportRuns.purge();
    expect(await known()).toBe(true);
    await configurations.remove(owner, uuid);
    await stand.services.oauth.reportRuns.purge();
    expect(await known()).toBe(false);
  });
});

describe('the report', () => {
  it('is removed when its owner switches it off, and is of the present url alone', async () => {
    const { checked, uuid } = await stage();
    await tick(stand);
    expect(await reportOf(uuid)).not.toBeNull();
    await stand.services.mcpServers.configurations.update(owner, uuid, { url: `${checked.origin}/mcp/moved` });
    expect(await reportOf(uuid)).toBeNull();
    await stand.services.mcpServers.configurations.update(owner, uuid, { url: checked.url });
    expect(await reportOf(uuid)).not.toBeNull();
    await stand.services.oauth.serverSettings.configure(owner, { serverUuid: uuid, omitsReport: true });
    expect(await reportOf(uuid)).toBeNull();
    expect(await stand.database.prisma.oauthReportOutcome.count({ where: { serverUuid: uuid } })).toBe(0);
  });

  it('is not stored for a server that has another url when the answer comes', async () => {
    const { checked, uuid } = await stage();
    await stand.services.oauth.reportRuns.runDue();
    const { update } = stand.services.mcpServers.configurations;
    checked.on('/mcp', () => {
      void update(owner, uuid, { url: 'https://elsewhere.example/mcp' });
      return { status: 401 };
    });
    await work(stand);
    await expect
      .poll(async () => (await stand.database.prisma.mcpServer.findUnique({ where: { uuid } }))?.url)
      .toBe('https://elsewhere.example/mcp');
    expect(await reportOf(uuid)).toBeNull();
  });

  it('is not stored where another url is listed by now', async () => {
    const { checked, uuid } = await stage();
    await stand.services.oauth.reportRuns.runDue();
    await stand.services.mcpServers.configurations.update(owner, uuid, { url: `${checked.origin}/mcp/moved` });
    await stand.services.oauth.reportRuns.runDue();
    await takeQueued(stand.database);
    const counts = { passed: 0, failed: 0, not_applicable: 0, unknown: 0 };
    const { store } = stand.services.oauth.reports;
    expect(await store({ uuid, url: checked.url }, { grade: null, counts, evaluated: [] })).toBe(false);
    expect(await reportOf(uuid)).toBeNull();
    expect(await store({ uuid, url: `${checked.origin}/mcp/moved` }, { grade: null, counts, evaluated: [] })).toBe(
      true,
    );
  });

  it('notifies its owner once of failures, and once of recoveries', async () => {
    const { checked, uuid } = await stage();
    await tick(stand);
    expect(await toldOf(uuid)).toEqual({ events: [], notifications: [] });
    const before = await reportOf(uuid);
    const again = async () => {
      stand.clock.advance(surelyDueMs);
      expect(await tick(stand)).toContain(checked.origin);
    };

    checked.advertisePkce(false);
    stand.clock.advance(86_400_000);
    await again();
    await again();
    const worse = await toldOf(uuid);
    expect(worse.notifications).toHaveLength(1);
    expect(worse.notifications[0]).toMatchObject({
      type: 'WARNING',
      message: 'Fails now: PKCE with S256 is advertised.',
    });
    expect(worse.events).toEqual([
      { server_uuid: uuid, checked_at: expect.any(String), grade: 'D', worse: ['pkce_s256'], recovered: [] },
    ]);

    // An outage in between is neither worse nor a recovery.
    checked.answer('/mcp', null);
    await again();
    expect((await toldOf(uuid)).events).toHaveLength(1);
    checked.answer('/mcp', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
    checked.advertisePkce(true);
    await again();
    const { events, notifications } = await toldOf(uuid);
    expect(events[1]).toMatchObject({ recovered: ['pkce_s256'] });
    expect(notifications[1]?.message).toContain('Passes again: PKCE with S256 is advertised.');
    expect(notifications).toHaveLength(2);

    const [changes] = await stand.services.oauth.reports.changesOf(owner, [uuid]);
    expect(changes?.filter(({ rule }) => rule === 'pkce_s256').map(({ before: was, after }) => [was, after])).toEqual([
      ['failed', 'passed'],
      ['passed', 'failed'],
    ]);
    const [outcomes] = await stand.services.oauth.reports.outcomesOf(owner, [uuid]);
    const since = (rule: string) => outcomes?.find((each) => each.rule === rule)?.since;
    expect(since('server_secure')).toEqual(before?.checkedAt);
    expect(since('pkce_s256')).toEqual((await reportOf(uuid))?.checkedAt);
  });

  it('keeps the latest 50 changes of a server', async () => {
    const { checked, uuid } = await stage();
    await tick(stand);
    for (let run = 0; run < 51; run++) {
      checked.advertisePkce(run % 2 === 1);
      await stand.services.oauth.reportRuns.worker.handle([{ origin: checked.origin, serverUuid: uuid }]);
      stand.clock.advance(1_000);
    }
    const [changes] = await stand.services.oauth.reports.changesOf(owner, [uuid]);
    expect(changes).toHaveLength(50);
    expect(changes?.[0]).toMatchObject({ rule: 'pkce_s256', after: 'failed' });
  });

  it('does not notify disabled owners, and stores their reports', async () => {
    const { checked, uuid } = await stage();
    await tick(stand);
    await stand.database.query({
      text: 'UPDATE users SET disabled_at = $2 WHERE uuid = $1',
      values: [owner.principal?.userUuid, stand.clock.now()],
    });
    checked.advertisePkce(false);
    stand.clock.advance(surelyDueMs);
    await tick(stand);
    expect(await failing(uuid)).toContain('pkce_s256');
    expect(await toldOf(uuid)).toEqual({ events: [], notifications: [] });
  });
});

describe('the request of an owner', () => {
  it('checks the server now, a private one too, at most once a day for its host', async () => {
    const { checked, uuid } = await stage({ isPublic: false });
    const { reports } = stand.services.oauth;
    await reports.request(owner, { serverUuid: uuid });
    await work(stand);
    expect(await reportOf(uuid)).not.toBeNull();
    const third = await signUp(stand.services);
    expect(await reportOf(uuid, third)).toBeNull();
    const theirs = await addServer(stand, third, checked.url);
    for (const [caller, serverUuid] of [
      [owner, uuid],
      [third, theirs],
    ] as const)
      await expect(reports.request(caller, { serverUuid })).rejects.toMatchObject({
        code: 'CONFLICT',
        retryAfter: 86_400,
      });
    expect(await takeQueued(stand.database)).toEqual([]);
    stand.clock.advance(86_400_000);
    await reports.request(third, { serverUuid: theirs });
    await work(stand);
    expect(await reportOf(theirs, third)).not.toBeNull();
    // The private server of another is not checked with it.
    expect((await reportOf(uuid))?.checkedAt).not.toEqual((await reportOf(theirs, third))?.checkedAt);
    expect(checked.checks()).toBe(2);
  });

  it('is made by one of two at once', async () => {
    const { uuid } = await stage();
    const { reports } = stand.services.oauth;
    const both = await Promise.allSettled([1, 2].map(() => reports.request(owner, { serverUuid: uuid })));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await takeQueued(stand.database)).toHaveLength(1);
  });

  it('is refused for stdio, for a server that omits its report, and for a server of another', async () => {
    const { uuid } = await stage();
    const { services } = stand;
    const { reports } = services.oauth;
    const other = await signUp(services);
    await expect(reports.request(other, { serverUuid: uuid })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await services.oauth.serverSettings.configure(owner, { serverUuid: uuid, omitsReport: true });
    await expect(reports.request(owner, { serverUuid: uuid })).rejects.toMatchObject({ code: 'CONFLICT' });
    const stdio = await services.mcpServers.configurations.create(owner, { name: 'Local', command: 'npx' });
    await expect(reports.request(owner, { serverUuid: stdio.uuid })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await takeQueued(stand.database)).toEqual([]);
  });
});
