import { describe, expect, it } from 'vitest';
import { agentStates } from '../../src/agents/lifecycle.ts';
import { createServices } from '../../src/main/services.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { createAgentServices, ownerOf } from './agent-stage.ts';

const stage = await createAgentServices();
const { database, clock, rowOf, historyOf, outboxOf, scripted } = stage;
const { agents } = stage.services;
const owner = await ownerOf(stage);

const asAdmin = (caller: Caller, isAdmin = true): Caller => ({
  ...caller,
  principal: caller.principal && { ...caller.principal, isAdmin, scopes: new Set(['read', 'write', 'admin'] as const) },
});
const admin = asAdmin(await ownerOf(stage));
let names = 0;

/** An agent that is deployed and, by SQL, in a state. */
async function agentIn(state: (typeof agentStates)[number], appliedRevision = 1) {
  const { agent } = await agents.create(owner, { name: `agent-${++names}` });
  const text = `UPDATE agents SET state = $2, applied_revision = $3, due_at = NULL, drain_until = CASE WHEN $2 = 'DRAINING' THEN $4::timestamptz END,
    terminated_at = CASE WHEN $2 IN ('TERMINATED', 'KILLED') THEN $4::timestamptz END WHERE uuid = $1`;
  await database.query({ text, values: [agent.uuid, state, appliedRevision, clock.now()] });
  return { uuid: agent.uuid, name: agent.name };
}

/** What makes each state, with the event that it records. */
const causes = {
  ACTIVE: [
    'ACTIVATED',
    'system',
    (uuid: string) => agents.reports.heartbeat(owner, uuid, { mode: 'IDLE', uptime_seconds: 1 }),
  ],
  DRAINING: ['DRAINING', 'user', (uuid: string) => agents.changes.drain(owner, uuid)],
  TERMINATED: ['TERMINATED', 'user', (uuid: string) => agents.remove(owner, uuid)],
  KILLED: ['KILLED', 'control_plane', (uuid: string) => agents.kill(admin, uuid)],
} as const;

/** Copied by hand from docs/specification/agents.md#states. */
const allowed = {
  NEW: ['TERMINATED'],
  PROVISIONED: ['ACTIVE', 'TERMINATED', 'KILLED'],
  ACTIVE: ['DRAINING', 'KILLED'],
  DRAINING: ['KILLED'],
  TERMINATED: [],
  KILLED: [],
} as const satisfies Record<string, readonly (keyof typeof causes)[]>;

describe('the transition', () => {
  const rows = agentStates.flatMap((from) =>
    (Object.keys(causes) as (keyof typeof causes)[]).map((to) => [from, to] as const),
  );
  const isAllowed = (from: string, to: string) => (allowed as Record<string, readonly string[]>)[from]?.includes(to);

  it.each(rows.filter(([from, to]) => isAllowed(from, to)))(
    'from %s to %s is one lifecycle event and one webhook event',
    verifies('agents.transitions'),
    async (from, to) => {
      const { uuid, name } = await agentIn(from);
      const [event, triggered_by, cause] = causes[to];
      await cause(uuid);
      expect((await rowOf(uuid)).state).toBe(to);
      expect(await historyOf(uuid)).toEqual(['CREATED', event]);
      const [[latest] = []] = await agents.events.latest([uuid], {});
      expect(latest).toMatchObject({
        fromState: from,
        toState: to,
        metadata: { triggered_by },
        occurredAt: clock.now(),
      });
      const [, ...told] = await outboxOf(uuid);
      const data = { agent_uuid: uuid, agent_name: name, from_state: from, to_state: to };
      expect(told).toEqual([{ type: `agent.${event.toLowerCase()}`, profile_uuid: owner.profileUuid, data }]);
    },
  );

  it.each(rows.filter(([from, to]) => !isAllowed(from, to) && ['DRAINING', 'KILLED'].includes(to)))(
    'from %s to %s is CONFLICT and changes nothing',
    verifies('agents.transitions'),
    async (from, to) => {
      const { uuid } = await agentIn(from);
      const before = await rowOf(uuid);
      await expect(causes[to][2](uuid)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(from),
      });
      expect(await rowOf(uuid)).toEqual(before);
      expect([await historyOf(uuid), (await outboxOf(uuid)).length]).toEqual([['CREATED'], 1]);
    },
  );

  it.each(['NEW', 'ACTIVE', 'DRAINING', 'TERMINATED', 'KILLED'] as const)(
    'G09: by a heartbeat in %s does not happen',
    verifies('agents.transitions'),
    async (state) => {
      const { uuid } = await agentIn(state);
      await causes.ACTIVE[2](uuid);
      expect((await rowOf(uuid)).state).toBe(state);
      expect(await historyOf(uuid)).toEqual(['CREATED']);
    },
  );

  it.each(['TERMINATED', 'KILLED'] as const)(
    'G06: by a deletion of a %s agent does not happen',
    verifies('agents.delete'),
    async (state) => {
      const { uuid } = await agentIn(state);
      const before = await rowOf(uuid);
      expect((await agents.remove(owner, uuid)).agent.state).toBe(state);
      expect(await rowOf(uuid)).toEqual(before);
      expect(await historyOf(uuid)).toEqual(['CREATED']);
    },
  );
});

describe('at once', () => {
  it('G10: twenty first heartbeats are one ACTIVATED event', verifies('agents.activation'), async () => {
    const { uuid } = await agentIn('PROVISIONED');
    const others = createServices(stage.infrastructure).agents.reports;
    const beat = { mode: 'IDLE', uptime_seconds: 1 } as const;
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? agents.reports : others).heartbeat(owner, uuid, beat)),
    );
    expect(await historyOf(uuid)).toEqual(['CREATED', 'ACTIVATED']);
    expect((await agents.find(owner, uuid)).activatedAt).toEqual(clock.now());
  });

  it('G06: five deletions are one TERMINATED event', verifies('agents.delete'), async () => {
    const { uuid } = await agentIn('PROVISIONED');
    await Promise.all(Array.from({ length: 5 }, () => agents.remove(owner, uuid)));
    expect(await historyOf(uuid)).toEqual(['CREATED', 'TERMINATED']);
  });
});

describe('KILLED', () => {
  it('G13: is for administrators with a key of the scope admin', verifies('agents.kill'), async () => {
    const { uuid } = await agentIn('ACTIVE');
    await expect(agents.kill(owner, uuid)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(agents.kill(asAdmin(owner, false), uuid)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Agent not found',
    });
    expect((await rowOf(uuid)).state).toBe('ACTIVE');
    await agents.kill(admin, uuid);
    expect(await rowOf(uuid)).toMatchObject({ state: 'KILLED', terminated_at: clock.now() });
    await expect(agents.kill(admin, uuid)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('a drain', () => {
  it(
    'G11: terminates the agent at the end of its grace period; a deletion shortens it',
    verifies('agents.drain'),
    async () => {
      for (const isDeleted of [false, true]) {
        const { uuid } = await agentIn('ACTIVE');
        await agents.changes.drain(owner, uuid, { grace_seconds: 3_600 });
        await agents.reconciler.settle();
        expect(scripted.drained.has((await rowOf(uuid)).deployment)).toBe(true);
        if (isDeleted) await agents.remove(owner, uuid);
        else {
          clock.advance(3_599_999);
          await agents.reconciler.settle();
          expect((await rowOf(uuid)).state).toBe('DRAINING');
          clock.advance(1);
        }
        await agents.reconciler.settle();
        expect(await rowOf(uuid)).toMatchObject({
          state: 'TERMINATED',
          terminated_at: clock.now(),
          removed_at: clock.now(),
        });
        expect(await historyOf(uuid)).toEqual(['CREATED', 'DRAINING', 'TERMINATED']);
      }
    },
  );
});

describe('changes', () => {
  const changes = {
    SUSPENDED: (uuid: string) => agents.changes.suspend(owner, uuid),
    RESUMED: (uuid: string) => agents.changes.resume(owner, uuid),
    RESTARTED: (uuid: string) => agents.changes.restart(owner, uuid),
    REDEPLOYED: (uuid: string) => agents.changes.redeploy(owner, uuid, { image: 'ghcr.io/acme/agent:2' }),
  };

  it('reach the orchestrator, and are events that keep the state', verifies('agents.changes'), async () => {
    const { uuid } = await agentIn('ACTIVE');
    const { deployment } = await rowOf(uuid);
    const [sleep, wake] = [changes.SUSPENDED, changes.RESUMED];
    for (const change of [sleep, sleep, wake, wake, changes.RESTARTED, changes.REDEPLOYED]) {
      clock.advance(1_000);
      await change(uuid);
      await agents.reconciler.settle();
      if (change === sleep) expect(scripted.deployments.get(deployment)).toMatchObject({ replicas: 0 });
    }
    const restartedAt = new Date(clock.now().getTime() - 1_000);
    expect(scripted.deployments.get(deployment)).toMatchObject({
      replicas: 1,
      image: 'ghcr.io/acme/agent:2',
      restartedAt,
      revision: 5,
    });
    expect(await historyOf(uuid)).toEqual(['CREATED', ...Object.keys(changes)]);
    expect((await rowOf(uuid)).state).toBe('ACTIVE');
    expect((await outboxOf(uuid)).map(({ type }) => type)).toEqual([
      'agent.created',
      'agent.suspended',
      'agent.resumed',
    ]);
  });

  it.each(['DRAINING', 'TERMINATED', 'KILLED'] as const)(
    'of a %s agent are CONFLICT',
    verifies('agents.changes'),
    async (state) => {
      const { uuid } = await agentIn(state);
      const before = await rowOf(uuid);
      for (const change of Object.values(changes))
        await expect(change(uuid)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect([await rowOf(uuid), await historyOf(uuid)]).toEqual([before, ['CREATED']]);
    },
  );

  it("of another profile's agent are NOT_FOUND and change nothing", verifies('agents.changes'), async () => {
    const { uuid } = await agentIn('ACTIVE');
    const other = await ownerOf(stage);
    const before = await rowOf(uuid);
    for (const call of [
      () => agents.changes.suspend(other, uuid),
      () => agents.changes.resume(other, uuid),
      () => agents.changes.wake(other, uuid),
      () => agents.changes.setIdleAfter(other, uuid, { idle_after_seconds: 60 }),
      () => agents.changes.restart(other, uuid),
      () => agents.changes.redeploy(other, uuid, {}),
      () => agents.changes.drain(other, uuid),
      () => agents.remove(other, uuid),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Agent not found' });
    expect(await rowOf(uuid)).toEqual(before);
  });
});
