import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { initialized, resultOf, startMcpHost, tool } from '../support/mcp-host.ts';
import { createTestServices } from '../support/services.ts';
import { discoveryStage } from './discovery-stage.ts';

const test = await createTestServices();
const { services, clock, database } = test;
const { configurations, discoveries, changes } = services.mcpServers;
const { owner, added, namesOf, statusOf, jobsOf, asked } = discoveryStage(test);

const quick = { initialize: { ...initialized, capabilities: { tools: {} } }, 'tools/list': { tools: [tool('read')] } };
const asksOf = ({ received }: Awaited<ReturnType<typeof startMcpHost>>) =>
  received.filter(({ method }) => method === 'initialize').length;

/** The state in which a killed worker leaves a server. */
const beginAndDie = (uuid: string) =>
  database.query({
    text: "UPDATE mcp_servers SET discovery_status = 'running', discovery_at = $2 WHERE uuid = $1",
    values: [uuid, clock.now()],
  });

it('waits once, however often and however long it is asked for', verifies('servers.discovery'), async () => {
  const caller = await owner();
  const host = await startMcpHost(quick);
  const uuids = [await added(caller, host.url), await added(caller, host.url)];
  for (let minutes = 0; minutes < 5; minutes++) {
    clock.advance(61_000);
    // Each is still to be asked, by the job that it has.
    expect(await discoveries.request(caller, null)).toBe(2);
  }
  for (const path of ['/a', '/b']) await configurations.update(caller, String(uuids[0]), { url: host.url + path });
  const jobs = (await Promise.all(uuids.map(jobsOf))).flat();
  expect(jobs).toHaveLength(2);
  // What is handed out twice is done once.
  await discoveries.worker.handle(jobs);
  await discoveries.worker.handle(jobs);
  expect(asksOf(host)).toBe(2);
  for (const uuid of uuids) expect(await statusOf(caller, uuid)).toBe('succeeded');
});

it('is queued again if the queue has lost it', verifies('servers.discovery'), async () => {
  const caller = await owner();
  const host = await startMcpHost(quick);
  const uuid = await added(caller, host.url);
  await database.query({ text: "DELETE FROM pgboss.job WHERE name = 'discoveries'" });
  expect(await discoveries.request(caller, uuid)).toBe(0);
  clock.advance(61_000);
  expect(await discoveries.request(caller, uuid)).toBe(1);
  const jobs = await jobsOf(uuid);
  expect(jobs).toHaveLength(1);
  await discoveries.worker.handle(jobs);
  expect(await statusOf(caller, uuid)).toBe('succeeded');
});

it('comes again where its worker was killed, and gives way to a later one', verifies('servers.discovery'), async () => {
  const caller = await owner();
  const host = await startMcpHost(quick);
  const uuid = await added(caller, host.url);
  await beginAndDie(uuid);
  await discoveries.worker.handle(await jobsOf(uuid));
  expect(asksOf(host)).toBe(1);
  expect(await statusOf(caller, uuid)).toBe('succeeded');
  await discoveries.request(caller, uuid);
  await beginAndDie(uuid);
  expect(await discoveries.request(caller, uuid)).toBe(0);
  clock.advance(61_000);
  expect(await discoveries.request(caller, uuid)).toBe(1);
  const jobs = await jobsOf(uuid);
  expect(jobs).toHaveLength(3);
  // Those that come again, each beside the one that counts, and after it.
  await discoveries.worker.handle(jobs);
  await discoveries.worker.handle(jobs);
  expect(asksOf(host)).toBe(2);
  expect(await statusOf(caller, uuid)).toBe('succeeded');
});

it('that was queued before jobs had an id is done', verifies('servers.discovery'), async () => {
  const caller = await owner();
  const host = await startMcpHost(quick);
  const uuid = await added(caller, host.url);
  await database.query({ text: 'UPDATE mcp_servers SET discovery_job = NULL WHERE uuid = $1', values: [uuid] });
  await discoveries.worker.handle([{ serverUuid: uuid }]);
  expect(await statusOf(caller, uuid)).toBe('succeeded');
  expect((await namesOf(caller, uuid))[0]).toEqual(['read']);
});

it('whose server is another meanwhile does not fail for the new one', verifies('servers.discovery'), async () => {
  const caller = await owner();
  const host = await startMcpHost({
    initialize: (_request: never, res: import('node:http').ServerResponse) =>
      void configurations.update(caller, uuid, { url: `${host.url}2` }).then(() => res.writeHead(500).end()),
  });
  const uuid = await added(caller, host.url);
  await asked(caller, uuid);
  expect(await configurations.find(caller, uuid)).toMatchObject({ discoveryStatus: 'queued', discoveryError: null });
  Object.assign(host.answers, quick);
  await discoveries.worker.handle(await jobsOf(uuid));
  expect(await statusOf(caller, uuid)).toBe('succeeded');
});

it(
  'ends for a server that becomes stdio, and starts again when it is reachable again',
  verifies('servers.discovery', 'servers.report'),
  async () => {
    const caller = await owner();
    const host = await startMcpHost(quick);
    const uuid = await added(caller, host.url);
    const local = { transport: 'stdio', command: 'npx' } as const;
    await configurations.update(caller, uuid, local);
    expect(await statusOf(caller, uuid)).toBe('never');
    await discoveries.worker.handle(await jobsOf(uuid));
    expect(await statusOf(caller, uuid)).toBe('never');
    await configurations.update(caller, uuid, { transport: 'http', url: host.url });
    expect(await statusOf(caller, uuid)).toBe('queued');
    // While it is asked, too: what it says then is of a server that is no more.
    host.answers['tools/list'] = (request: never, res: import('node:http').ServerResponse) =>
      void configurations.update(caller, uuid, local).then(() => {
        res.writeHead(200, { 'Content-Type': 'application/json' });
        res.end(resultOf(request, { tools: [tool('of the old one')] }));
      });
    await discoveries.worker.handle(await jobsOf(uuid));
    expect(asksOf(host)).toBe(1);
    expect(await statusOf(caller, uuid)).toBe('never');
    expect((await namesOf(caller, uuid))[0]).toEqual([]);
    await discoveries.report(caller, uuid, { tools: [tool('own')] });
    await configurations.update(caller, uuid, { title: 'another' });
    expect(await statusOf(caller, uuid)).toBe('succeeded');
  },
);

it(
  'records nothing for the first discovery, and everything after an empty list',
  verifies('servers.changes', 'servers.report'),
  async () => {
    const caller = await owner();
    const one = (await configurations.create(caller, { name: 'local', command: 'npx' })).uuid;
    await discoveries.report(caller, one, { prompts: [{ name: 'p' }] });
    await discoveries.report(caller, one, { tools: [tool('a'), tool('b')] });
    expect(await changes.count(caller, one)).toBe(0);
    await discoveries.report(caller, one, { prompts: [] });
    await discoveries.report(caller, one, { tools: [tool('a')] });
    expect(await changes.count(caller, one)).toBe(1);
    const other = (await configurations.create(caller, { name: 'local', command: 'npx' })).uuid;
    await discoveries.report(caller, other, { tools: [] });
    await discoveries.report(caller, other, { tools: [tool('a')] });
    expect(await changes.count(caller, other)).toBe(1);
    // One that was asked has told of all kinds, also of those that it has none of.
    const host = await startMcpHost({ ...quick, initialize: { ...initialized, capabilities: {} } });
    const remote = await added(caller, host.url);
    await asked(caller, remote);
    Object.assign(host.answers, quick);
    await asked(caller, remote);
    expect(await changes.count(caller, remote)).toBe(1);
  },
);
