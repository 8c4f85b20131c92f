import type { z } from 'zod';
import { parse, requireUuid } from '../platform/input/input.ts';
import type { Events } from '../platform/messaging/events.ts';
import { streamOf } from '../platform/messaging/stream.ts';
import type { Platform } from '../platform/platform.ts';
import type { HeartbeatMode } from '../platform/settings/heartbeat-intervals.ts';
import type { Activation } from './activation.ts';
import { agentNotFound } from './agent.ts';
import { createCombined } from './combined.ts';
import { RecentRequest } from './input.ts';
import type { AgentMetrics } from './metrics.ts';
import type { Partitions } from './partitions.ts';
import type { Recovery } from './recovery.ts';
import * as statements from './telemetry-statements.ts';

/** Source: docs/specification/agents.md#heartbeats. */
export interface HeartbeatRecord {
  readonly id: string;
  readonly agentUuid: string;
  readonly mode: HeartbeatMode;
  readonly uptimeSeconds: number;
  readonly at: Date;
}

/** As it goes between processes. */
type Published = Omit<HeartbeatRecord, 'at'> & { readonly at: string };

export interface HeartbeatsDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly events: Pick<Events, 'publish' | 'subscribe'>;
  readonly partitions: Pick<Partitions, 'ready'>;
  readonly activation: Pick<Activation, 'activate'>;
  readonly recovery: Pick<Recovery, 'recover'>;
  readonly metrics: Pick<AgentMetrics, 'heartbeats' | 'batchRows'>;
}

/** The heartbeats of agents: that they live, and nothing else. Source: docs/specification/agents.md#heartbeats. */
export function createHeartbeats(deps: HeartbeatsDependencies) {
  const { database, clock, events, partitions, activation, recovery, metrics } = deps;
  const combined = createCombined<statements.NewHeartbeat, statements.StoredHeartbeatRow | null>({
    database,
    run: store,
    itemsMax: 1_000,
    waitingMax: 20_000,
  });

  async function store(heartbeats: readonly statements.NewHeartbeat[]) {
    await partitions.ready();
    const rows = await database.query<statements.StoredHeartbeatRow>(
      statements.recordHeartbeats(clock.pinned(), heartbeats),
    );
    metrics.batchRows.observe({ kind: 'heartbeats' }, heartbeats.length);
    const results = Array.from<statements.StoredHeartbeatRow | null>({ length: heartbeats.length }).fill(null);
    const byAgent = new Map<string, Published[]>();
    for (const row of rows) {
      const { agent, mode, uptimeSeconds } = heartbeats[row.place - 1] as statements.NewHeartbeat;
      results[row.place - 1] = row;
      metrics.heartbeats.inc({ mode });
      const published = { id: row.id, agentUuid: agent.uuid, mode, uptimeSeconds, at: row.at.toISOString() };
      const known = byAgent.get(agent.uuid);
      if (known) known.push(published);
      else byAgent.set(agent.uuid, [published]);
    }
    for (const [agentUuid, published] of byAgent) events.publish(channelOf(agentUuid), published);
    return results;
  }

  /**
   * Records a heartbeat. It is stored when this resolves, whatever becomes of a unit of work around it. The first heartbeat of a
   * provisioned agent makes it ACTIVE; a heartbeat of an unhealthy agent makes it healthy again. In NEW, TERMINATED and KILLED it is
   * recorded and changes nothing else.
   *
   * @param agent.profileUuid The caller's profile.
   * @param heartbeat.uptimeSeconds Finite, 0 or more.
   * @throws {ApiError} `NOT_FOUND` for an agent that is not in the profile; `UNAVAILABLE`.
   * @see docs/specification/agents.md#heartbeats
   */
  async function record(
    { uuid, profileUuid }: statements.AgentKey,
    { mode, uptimeSeconds }: { readonly mode: HeartbeatMode; readonly uptimeSeconds: number },
  ): Promise<void> {
    const agent = { uuid: requireUuid(uuid, agentNotFound), profileUuid };
    const stored = await combined.add({ agent, mode, uptimeSeconds });
    if (stored === null) throw agentNotFound();
    if (stored.state === 'PROVISIONED') await activation.activate(agent.uuid);
    if (stored.is_unhealthy) await recovery.recover(agent.uuid);
  }

  /**
   * The latest heartbeats of an agent, the newest first. The agent is taken to be the caller's.
   *
   * @param limit 1 to 10 000.
   * @param before The last of the page before.
   */
  async function latest(
    agentUuid: string,
    limit: number,
    before: statements.TelemetryPlace | null = null,
  ): Promise<HeartbeatRecord[]> {
    const rows = await database.read<statements.HeartbeatRow>(statements.heartbeats(agentUuid, limit, before));
    return rows.map((row) => recordOf(agentUuid, row));
  }

  /**
   * The latest heartbeats of each agent, the newest first, in one statement. The agents are taken to be the caller's.
   *
   * @param input.first Heartbeats of each: 0 to 100, 10 if left out.
   * @throws {ApiError} `VALIDATION_ERROR` out of these bounds.
   */
  async function latestOfAll(
    agentUuids: readonly string[],
    input: z.input<typeof RecentRequest>,
  ): Promise<HeartbeatRecord[][]> {
    const { first } = parse(RecentRequest, input);
    const rows = await database.read<statements.HeartbeatRow & { agent_uuid: string }>(
      statements.heartbeatsOfAll(agentUuids, first),
    );
    const byAgent = Map.groupBy(rows, (row) => row.agent_uuid);
    return agentUuids.map((uuid) => (byAgent.get(uuid) ?? []).map((row) => recordOf(uuid, row)));
  }

  /** The heartbeats of an agent from when this resolves. Some may be lost. The agent is taken to be the caller's. */
  async function follow(agentUuid: string): Promise<AsyncGenerator<HeartbeatRecord, void, void>> {
    const stream = await events.subscribe<Published[]>(channelOf(agentUuid));
    return eachOf(stream, ({ at, ...heartbeat }) => ({ ...heartbeat, at: new Date(at) }));
  }

  return { record, latest, latestOfAll, follow };
}

const recordOf = (agentUuid: string, row: statements.HeartbeatRow): HeartbeatRecord => ({
  id: row.id,
  agentUuid,
  mode: row.mode,
  uptimeSeconds: row.uptime_seconds,
  at: row.at,
});

const channelOf = (agentUuid: string) => `agent-heartbeats:${agentUuid}`;

/** Yields the items of published lists one by one. Returning it returns its source at once. */
export function eachOf<Published, Item>(
  stream: AsyncGenerator<readonly Published[], void, void>,
  itemOf: (published: Published) => Item,
): AsyncGenerator<Item, void, void> {
  let list: readonly Published[] = [];
  let place = 0;
  const next = async (): Promise<IteratorResult<Item, void>> => {
    while (place === list.length) {
      const published = await stream.next();
      if (published.done) return published;
      list = published.value;
      place = 0;
    }
    return { done: false, value: itemOf(list[place++] as Published) };
  };
  return streamOf(next, () => stream.return());
}
