import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import type { Events } from '../platform/messaging/events.ts';
import { createWatches, over, resumed } from '../platform/messaging/watches.ts';
import { agentNotFound } from './agent.ts';
import { historyChannelOf } from './history.ts';
import { EventsRequest, LifecycleRequest } from './input.ts';
import type { AgentEventType, AgentState } from './lifecycle.ts';

/** Source: docs/specification/agents.md#lifecycle-events. */
export interface AgentEventRecord {
  readonly id: string;
  readonly agentUuid: string;
  readonly eventType: AgentEventType;
  readonly fromState: AgentState;
  readonly toState: AgentState;
  readonly metadata: Record<string, unknown>;
  readonly occurredAt: Date;
}

interface EventRow {
  id: string;
  agent_uuid: string;
  event_type: AgentEventType;
  from_state: AgentState;
  to_state: AgentState;
  metadata: Record<string, unknown>;
  occurred_at: Date;
}

/** Events of one look. */
const lookRows = 100;

const recordOf = (row: EventRow): AgentEventRecord => ({
  id: row.id,
  agentUuid: row.agent_uuid,
  eventType: row.event_type,
  fromState: row.from_state,
  toState: row.to_state,
  metadata: row.metadata,
  occurredAt: row.occurred_at,
});

const columns = 'e.id::text, e.agent_uuid, e.event_type, e.from_state, e.to_state, e.metadata, e.occurred_at';

export interface AgentEventDependencies {
  readonly database: Pick<Database, 'read' | 'query' | 'report'>;
  readonly events: Pick<Events, 'subscribe'>;
  /** @throws {ApiError} `NOT_FOUND` for an agent that the caller may not see. */
  readonly find: (caller: Caller, uuid: string) => Promise<unknown>;
}

/** Lifecycle events of agents, stored and live. */
export function createAgentEvents({ database, events, find }: AgentEventDependencies) {
  /**
   * The latest events of agents that the caller may see, the newest first, in one statement.
   *
   * @param input.first Events of each agent: 0 to 10 000, 20 if left out.
   * @throws {ApiError} `VALIDATION_ERROR` out of these bounds.
   */
  async function latest(
    agentUuids: readonly string[],
    input: z.input<typeof EventsRequest>,
  ): Promise<AgentEventRecord[][]> {
    const { first } = parse(EventsRequest, input);
    const rows = await database.read<EventRow & Record<string, unknown>>({
      name: 'agent_events_latest',
      text: `SELECT ${columns} FROM unnest($1::uuid[]) AS a (uuid)
        CROSS JOIN LATERAL (SELECT * FROM agent_events WHERE agent_uuid = a.uuid ORDER BY id DESC LIMIT $2) e`,
      values: [agentUuids, first],
    });
    const byAgent = Map.groupBy(rows, (row) => row.agent_uuid);
    return agentUuids.map((uuid) => (byAgent.get(uuid) ?? []).map(recordOf));
  }

  const after = async (profileUuid: string, place: number): Promise<AgentEventRecord[]> => {
    const rows = await database.read<EventRow & Record<string, unknown>>({
      name: 'agent_events_after',
      text: `SELECT ${columns} FROM agent_events e WHERE e.profile_uuid = $1 AND e.id > $2 ORDER BY e.id LIMIT $3`,
      values: [profileUuid, place, lookRows],
    });
    return rows.map(recordOf);
  };

  const lastPlaces = async (profiles: readonly string[]): Promise<Map<string, number>> => {
    const rows = await database.read<{ profile_uuid: string; id: string | null }>({
      name: 'agent_events_last',
      text: `SELECT p.uuid AS profile_uuid, (SELECT max(id) FROM agent_events WHERE profile_uuid = p.uuid)::text AS id
        FROM unnest($1::uuid[]) AS p (uuid)`,
      values: [profiles],
    });
    return new Map(rows.map((row) => [row.profile_uuid, Number(row.id ?? 0)]));
  };
  const lastPlace = async (profileUuid: string) => (await lastPlaces([profileUuid])).get(profileUuid) ?? 0;

  const watches = createWatches<number, AgentEventRecord, unknown>({
    events,
    report: database.report,
    source: {
      of: 'lifecycle events',
      channelOf: historyChannelOf,
      begin: lastPlace,
      concerns: () => true,
      async look(profileUuid, place) {
        const items = await after(profileUuid, place);
        return { state: Number(items.at(-1)?.id ?? place), items, more: items.length === lookRows };
      },
      async changed(states) {
        const last = await lastPlaces([...states.keys()]);
        return [...states].filter(([uuid, place]) => (last.get(uuid) ?? 0) > place).map(([uuid]) => uuid);
      },
    },
  });

  /**
   * The lifecycle events of the caller's profile, in the order of their ids, each once.
   *
   * @param input.agentUuid Only events of this agent.
   * @param input.sinceId The id of an event, after which the events begin; left out, with the next one.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for an agent that the caller may not see.
   */
  async function follow(
    caller: Caller,
    input: z.input<typeof LifecycleRequest>,
  ): Promise<AsyncGenerator<AgentEventRecord, void, void>> {
    const { profileUuid } = authorize(caller, 'agents:read');
    const { agentUuid, sinceId } = parse(LifecycleRequest, input);
    if (agentUuid) await find(caller, agentUuid);
    const only = agentUuid ? requireUuid(agentUuid, agentNotFound) : null;
    const all = await resumed(await watches.follow(profileUuid), sinceId, {
      rows: lookRows,
      placeOf: ({ id }) => Number(id),
      lastPlace: () => lastPlace(profileUuid),
      after: (place) => after(profileUuid, place),
    });
    return over(all, async (isOver) => {
      while (!isOver()) {
        const { value } = await all.next();
        if (!value) return null;
        if (only === null || value.agentUuid === only) return value;
      }
      return null;
    });
  }

  return { latest, follow, lookAround: watches.lookAround };
}
