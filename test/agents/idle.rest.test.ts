import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { callerOf, tenantOf } from '../support/server.ts';
import { startAgentServer } from './agent-stage.ts';

const server = await startAgentServer();
const { clock, services, scripted, database } = server;
const { idleness } = services.agents;
let names = 0;

/** An active agent that is suspended after 10 minutes without activity. */
async function agentOf(idle_after_seconds: number | null = 600) {
  const tenant = await tenantOf(server);
  const { body } = await tenant.call('POST', '/api/agents', { name: `idle-${++names}`, idle_after_seconds });
  const { uuid, orchestrator_deployment: deployment } = body.agent;
  const path = `/api/agents/${uuid}`;
  const own = callerOf(server, scripted.deployments.get(deployment)?.secretEnv.PATCHBAY_API_KEY ?? '');
  const beat = () => own('POST', `${path}/heartbeat`, { mode: 'SLEEP', uptime_seconds: 1 });
  const report = (requests_handled: number) =>
    own('POST', `${path}/metrics`, { cpu_percent: 1, memory_mb: 1, requests_handled });
  await beat();
  const usage = async () => (await tenant.call('GET', `${path}/usage`)).body;
  return { ...tenant, uuid, deployment, path, own, beat, report, usage };
}
/** Seconds pass, and the leader looks. */
const pass = async (seconds: number) => {
  clock.advance(seconds * 1_000);
  await idleness.scan();
};
const longest = 75;

describe('an agent that may be idle', () => {
  it(
    'is suspended after its time, not sooner, with an event and a webhook, and woken',
    verifies('agents.idle', 'agents.wake'),
    async () => {
      const { call, path, uuid, usage } = await agentOf();
      await pass(600 + longest - 1);
      expect(await usage()).toMatchObject({ suspended_for: null, idle_after_seconds: 600 });
      await pass(1);
      expect((await usage()).suspended_for).toBe('IDLE');
      await pass(3_600);
      const { body } = await call('GET', path);
      expect(body.agent.state).toBe('ACTIVE');
      expect(body.lifecycleEvents[0]).toMatchObject({
        event_type: 'SUSPENDED',
        metadata: { triggered_by: 'system', reason: 'idle', idle_after_seconds: 600 },
      });
      expect((await call('POST', `${path}/wake`)).body).toEqual({ agent: body.agent });
      expect((await usage()).suspended_for).toBeNull();
      const [latest] = (await call('GET', path)).body.lifecycleEvents;
      expect(latest).toMatchObject({ event_type: 'RESUMED', metadata: { triggered_by: 'user', reason: 'wake' } });
      const text = 'SELECT type FROM outbox_events WHERE data LIKE $1 ORDER BY seq';
      const types = await database.query<{ type: string }>({ text, values: [`%${uuid}%`] });
      expect(types.slice(-2).map(({ type }) => type)).toEqual(['agent.suspended', 'agent.resumed']);
      await pass(600 + longest);
      expect((await usage()).suspended_for).toBe('IDLE');
    },
  );

  it(
    'stays by requests to it, calls of its own and requests that it reports, and not by reports alone',
    verifies('agents.idle'),
    async () => {
      const agent = await agentOf();
      await agent.report(1);
      for (const activity of [
        () => agent.call('POST', `${agent.path}/wake`),
        () => agent.own('GET', '/api/clipboard'),
        () => agent.report(2),
        () => agent.call('PATCH', agent.path, { idle_after_seconds: 600 }),
        () => agent.call('POST', `${agent.path}/restart`),
      ]) {
        await pass(590);
        await agent.beat();
        expect((await activity()).status).toBe(200);
      }
      await pass(590);
      expect((await agent.usage()).suspended_for).toBeNull();
      await agent.beat();
      await agent.report(2);
      await agent.call('GET', agent.path);
      await agent.call('GET', `${agent.path}/logs`);
      await pass(10 + longest);
      expect((await agent.usage()).suspended_for).toBe('IDLE');
    },
  );

  it('writes its activity at most once a minute', verifies('agents.idle'), async () => {
    const agent = await agentOf();
    const idleAt = async () =>
      (
        await database.query<{ at: Date }>({
          text: 'SELECT idle_at AS at FROM agents WHERE uuid = $1',
          values: [agent.uuid],
        })
      )[0]?.at;
    const instants = new Set<number | undefined>();
    for (let second = 0; second < 180; second += 5) {
      clock.advance(5_000);
      await agent.own('GET', '/api/clipboard');
      await agent.report(second);
      instants.add((await idleAt())?.getTime());
    }
    expect(instants.size).toBeLessThanOrEqual(4);
    expect(instants.size).toBeGreaterThan(1);
  });

  it('is not woken where its owner suspended it', verifies('agents.wake'), async () => {
    const { call, path, usage } = await agentOf();
    await pass(600 + longest);
    await call('POST', `${path}/suspend`);
    expect((await usage()).suspended_for).toBe('OWNER');
    const { status, body } = await call('POST', `${path}/wake`);
    expect([status, body]).toEqual([409, { error: 'The agent was suspended by its owner; resume starts it again' }]);
    expect((await call('POST', `${path}/resume`)).status).toBe(200);
    expect((await usage()).suspended_for).toBeNull();
  });

  it('always has a time while it drains, and one that fails stops no other', verifies('agents.idle'), async () => {
    const [never, draining, broken, other] = await Promise.all([agentOf(null), agentOf(), agentOf(), agentOf()]);
    await draining?.call('POST', `${draining.path}/drain`, { grace_seconds: 3_600 });
    await database.query({
      text: `CREATE FUNCTION refuse_suspension() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`,
    });
    await database.query({
      text: `CREATE TRIGGER refuse BEFORE UPDATE OF replicas ON agents FOR EACH ROW
        WHEN (OLD.uuid = '${broken?.uuid}') EXECUTE FUNCTION refuse_suspension()`,
    });
    await pass(600 + longest);
    await database.query({ text: 'DROP TRIGGER refuse ON agents' });
    const seen = await Promise.all([never, draining, broken, other].map((agent) => agent?.usage()));
    expect(seen.map(({ suspended_for }) => suspended_for)).toEqual([null, null, null, 'IDLE']);
    await idleness.scan();
    expect((await broken?.usage())?.suspended_for).toBe('IDLE');
  });

  it.each([59, 2_592_001, '60', 1.5])(
    'has a time from a minute to 30 days: %s is 400',
    verifies('agents.idle'),
    async (wrong) => {
      const { call, path } = await agentOf();
      for (const answer of [
        await call('PATCH', path, { idle_after_seconds: wrong }),
        await call('POST', '/api/agents', { name: `idle-${++names}`, idle_after_seconds: wrong }),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.text).toContain('idle_after_seconds');
      }
    },
  );
});
