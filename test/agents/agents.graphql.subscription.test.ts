import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { openEventStream } from '../support/event-stream.ts';
import { tenantOf } from '../support/server.ts';
import { nil, startAgentServer } from './agent-stage.ts';
import { agentStage } from './telemetry-stage.ts';

const server = await startAgentServer();
const { statements, database, clock } = server;
const watch = (secret: string | null, query: string) =>
  openEventStream(server.base, query, secret === null ? {} : { Authorization: `Bearer ${secret}` });
type Tenant = Awaited<ReturnType<typeof tenantOf>>;
let names = 0;

async function agentOf({ call }: Tenant) {
  const { body } = await call('POST', '/api/agents', { name: `live-${++names}` });
  const uuid: string = body.agent.uuid;
  const beat = (mode = 'IDLE') => call('POST', `/api/agents/${uuid}/heartbeat`, { mode, uptime_seconds: 1 });
  return { uuid, beat, end: () => call('DELETE', `/api/agents/${uuid}`) };
}

const lifecycle = (args = '') =>
  `subscription { agentLifecycle${args} { id agentUuid eventType fromState toState metadata } }`;

it(
  'agentLifecycle sends each event of the profile, or of one agent, once and in order, and nothing of others',
  verifies('agents.live.lifecycle'),
  async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const first = await agentOf(owner);
    const all = await watch(owner.secret, lifecycle());
    const ofFirst = await watch(owner.secret, lifecycle(`(agentUuid: "${first.uuid.toUpperCase()}")`));
    await (await agentOf(other)).beat();
    const second = await agentOf(owner);
    await first.beat();
    await second.end();
    await first.end();
    const next = async (stream: typeof all) => (await stream.next())?.data.data.agentLifecycle;
    const got = [];
    for (let n = 0; n < 6; n++) got.push(await next(all));
    expect(got.map(({ agentUuid, eventType }) => [agentUuid, eventType])).toEqual([
      [second.uuid, 'CREATED'],
      [second.uuid, 'PROVISIONED'],
      [first.uuid, 'ACTIVATED'],
      [second.uuid, 'TERMINATED'],
      [first.uuid, 'DRAINING'],
      [first.uuid, 'TERMINATED'],
    ]);
    expect(got[2]).toMatchObject({ fromState: 'PROVISIONED', toState: 'ACTIVE', metadata: { triggered_by: 'system' } });
    for (const place of [2, 4, 5]) expect(await next(ofFirst)).toEqual(got[place]);
    all.close();
    ofFirst.close();

    const resumed = await watch(owner.secret, lifecycle(`(sinceId: "${got[1].id}")`));
    for (const place of [2, 3, 4, 5]) expect(await next(resumed)).toEqual(got[place]);
    const third = await agentOf(owner);
    expect(await next(resumed)).toMatchObject({ agentUuid: third.uuid, eventType: 'CREATED' });
    resumed.close();
  },
);

it('agentHeartbeats and agentMetrics send what arrives of one agent', verifies('agents.live.telemetry'), async () => {
  const owner = await tenantOf(server);
  const { uuid, beat } = await agentOf(owner);
  const sibling = await agentOf(owner);
  const beats = await watch(
    owner.secret,
    `subscription { agentHeartbeats(agentUuid: "${uuid}") { agentUuid mode uptimeSeconds at } }`,
  );
  const reports = await watch(
    owner.secret,
    `subscription { agentMetrics(agentUuid: "${uuid}") { agentUuid cpuPercent customMetrics } }`,
  );
  await sibling.beat();
  await beat('SLEEP');
  const body = { cpu_percent: 7, memory_mb: 1, requests_handled: 1, custom_metrics: { depth: 3 } };
  await owner.call('POST', `/api/agents/${sibling.uuid}/metrics`, body);
  await owner.call('POST', `/api/agents/${uuid}/metrics`, body);
  const at = clock.now().toISOString();
  expect((await beats.next())?.data.data.agentHeartbeats).toEqual({
    agentUuid: uuid,
    mode: 'SLEEP',
    uptimeSeconds: 1,
    at,
  });
  expect((await reports.next())?.data.data.agentMetrics).toEqual({
    agentUuid: uuid,
    cpuPercent: 7,
    customMetrics: { depth: 3 },
  });
  beats.close();
  reports.close();
});

it(
  'F07: no subscription leads to an agent of another profile',
  verifies('agents.live.lifecycle', 'agents.live.telemetry'),
  async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const { uuid } = await agentOf(owner);
    const writer = await tenantOf(server, { scopes: ['write'] });
    for (const each of [uuid, nil, 'x']) {
      for (const query of [
        lifecycle(`(agentUuid: "${each}")`),
        `subscription { agentHeartbeats(agentUuid: "${each}") { id } }`,
        `subscription { agentMetrics(agentUuid: "${each}") { id } }`,
      ])
        for (const [secret, code] of [
          [other.secret, 'NOT_FOUND'],
          [writer.secret, 'FORBIDDEN'],
          [null, 'UNAUTHORIZED'],
        ] as const) {
          const stream = await watch(secret, query);
          const error = (await stream.next())?.data.errors[0];
          expect(error.extensions.code, query).toBe(code);
          if (code === 'NOT_FOUND') expect(error.message).toBe('Agent not found');
          stream.close();
        }
    }
  },
);

it(
  'F11: a list of 100 agents with all that belongs to them costs as many statements as a list of one',
  verifies('agents.statements'),
  async () => {
    const owner = await tenantOf(server);
    const profileUuid = owner.caller.principal?.profileUuid ?? '';
    await agentStage({ database, clock }).agents(profileUuid, 100);
    const query = `query ($first: Int!) { agents(first: $first) { nodes { name state health lastHeartbeatAt unhealthySince
    orchestratorStatus { ready } lifecycleEvents(first: 1) { eventType } recentHeartbeats(first: 1) { mode } recentMetrics(first: 1) { cpuPercent } } } }`;
    const costOf = async (first: number) => {
      statements.length = 0;
      const { data, errors } = await owner.graphql(query, { first });
      expect([errors, data?.agents.nodes.length]).toEqual([undefined, first]);
      return statements.filter((text) => !/agent_orchestrator_lease AS l|a\.due_at <=/.test(text)).length;
    };
    const one = await costOf(1);
    expect(await costOf(100)).toBe(one);
  },
);
