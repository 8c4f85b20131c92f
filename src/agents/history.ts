import type { EventPayloads, EventType } from '../event-catalogue/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Events } from '../platform/messaging/events.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { AgentEventType, AgentState } from './lifecycle.ts';

/** The agent and the states of a lifecycle event. */
export interface EventSubject {
  readonly uuid: string;
  readonly profileUuid: string;
  readonly name: string;
}

export interface AgentEventFacts {
  readonly agent: EventSubject;
  /** The state before; null for the creation. */
  readonly from: AgentState | null;
  readonly to: AgentState;
  /** Facts of the event beside `triggered_by`. They are shown to the owner of the agent. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Source of an event: a request of the owner, the platform itself, or an administrator. Source: docs/specification/agents.md#lifecycle-events. */
export type Trigger = 'user' | 'system' | 'control_plane';

/** The events that webhooks know. */
const webhookEvents: Partial<Record<AgentEventType, EventType & `agent.${string}`>> = {
  CREATED: 'agent.created',
  PROVISIONED: 'agent.provisioned',
  ACTIVATED: 'agent.activated',
  DRAINING: 'agent.draining',
  TERMINATED: 'agent.terminated',
  KILLED: 'agent.killed',
  SUSPENDED: 'agent.suspended',
  RESUMED: 'agent.resumed',
  AGENT_UNHEALTHY: 'agent.unhealthy',
  AGENT_RECOVERED: 'agent.recovered',
};

/** Published after a commit: the history of an agent of this profile has grown. Carries nothing else. */
export const historyChannelOf = (profileUuid: string): string => `agent-history:${profileUuid}`;

export type History = ReturnType<typeof createHistory>;

/** The lifecycle events of agents: written in the transaction of their cause, in the order of the commits of each profile. */
export function createHistory({
  clock,
  events,
  outbox,
}: {
  clock: Clock;
  events: Pick<Events, 'publish'>;
  outbox: Outbox<EventPayloads>;
}) {
  /**
   * Writes events of one type, and the webhook events that belong to them.
   *
   * It must be the last to lock rows in its transaction: it takes a lock for each profile, so that the ids of a profile's events have
   * the order of their commits, and a subscription that resumes after an id misses none.
   *
   * @returns Publishes that the histories have grown. To be called after the commit.
   */
  async function record(
    tx: Pick<Database, 'query'>,
    type: AgentEventType,
    trigger: Trigger,
    facts: readonly AgentEventFacts[],
  ): Promise<() => void> {
    if (facts.length === 0) return () => {};
    const profiles = [...new Set(facts.map(({ agent }) => agent.profileUuid))].sort();
    await tx.query({
      name: 'agent_events_lock',
      text: `SELECT pg_advisory_xact_lock(hashtextextended('agent-events ' || uuid, 0))
        FROM unnest($1::text[]) WITH ORDINALITY AS p (uuid, place) ORDER BY place`,
      values: [profiles],
    });
    await tx.query({
      name: 'agent_events_insert',
      text: `INSERT INTO agent_events (agent_uuid, profile_uuid, event_type, from_state, to_state, metadata, occurred_at)
        SELECT agent_uuid, profile_uuid, $1, from_state, to_state, metadata::jsonb, coalesce($7::timestamptz, clock_timestamp())
        FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[])
          WITH ORDINALITY AS e (agent_uuid, profile_uuid, from_state, to_state, metadata, place)
        ORDER BY place`,
      values: [
        type,
        facts.map(({ agent }) => agent.uuid),
        facts.map(({ agent }) => agent.profileUuid),
        facts.map(({ from, to }) => from ?? to),
        facts.map(({ to }) => to),
        facts.map(({ metadata }) => JSON.stringify({ triggered_by: trigger, ...metadata })),
        clock.pinned(),
      ],
    });
    const event = webhookEvents[type];
    if (event)
      await outbox.writeAll(
        tx,
        event,
        facts.map(({ agent, from, to }) => ({
          profileUuid: agent.profileUuid,
          data: { agent_uuid: agent.uuid, agent_name: agent.name, from_state: from, to_state: to },
        })),
      );
    return () => {
      if (event) outbox.wake();
      for (const profileUuid of profiles) events.publish(historyChannelOf(profileUuid), null);
    };
  }

  return { record };
}
