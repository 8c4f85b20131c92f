import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { requireUuid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { type AgentRecord, type AgentShape, agentNotFound, withoutCredential } from './agent.ts';
import type { Agents } from './agents.ts';
import { isEnded } from './lifecycle.ts';
import type { Orchestrator } from './orchestrator/orchestrator.ts';
import type { OrchestratorOutcome, Settlement, Settlements } from './settlement.ts';
import type { Transitions } from './transitions.ts';

export interface EndingDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly transitions: Transitions;
  readonly settlements: Settlements;
  readonly orchestrator: Pick<Orchestrator, 'kind'>;
  readonly findChanged: Agents['findChanged'];
  readonly settings: {
    /** Seconds between the end of an agent's traffic and its termination when it is deleted. */
    readonly drainSeconds: number;
    /** Milliseconds that a request waits for the orchestrator. */
    readonly settleMs: number;
  };
}

/** How agents end. Source: docs/specification/agents.md#states. */
export function createEndings(deps: EndingDependencies) {
  const { database, clock, transitions, settlements, orchestrator, findChanged, settings } = deps;
  const isOff = orchestrator.kind === 'off';

  /**
   * Ends an agent. An active one first gets no new requests for the drain period, and one that drains for longer ends after this
   * period, too. The record is kept; what the orchestrator runs is removed, and tried again until it is gone. An agent that has
   * ended stays as it is.
   *
   * @returns The agent, and whether everything of it is gone.
   * @throws {ApiError} `NOT_FOUND`, also for an agent of another profile.
   * @see docs/specification/agents.md#delete
   */
  async function remove(
    caller: Caller,
    uuid: string,
    query: AgentShape = withoutCredential,
  ): Promise<{ agent: AgentRecord; orchestrator: OrchestratorOutcome }> {
    const { profileUuid } = authorize(caller, 'agents:write');
    const agentUuid = requireUuid(uuid, agentNotFound);
    const { settlement } = await database.outsideUnit(() =>
      settlements.afterChange(
        agentUuid,
        () => beginEnd(agentUuid, profileUuid),
        ({ removedAt }) => removedAt !== null,
        isOff ? 0 : settings.drainSeconds * 1_000 + settings.settleMs,
      ),
    );
    // No process reconciles: the agent ends nevertheless, and its objects go when one does.
    if (settlement?.isDrained) await database.outsideUnit(() => endDrained(agentUuid));
    return { agent: await findChanged(caller, agentUuid, query), orchestrator: removalOutcome(settlement) };
  }

  function removalOutcome(settlement: Settlement | null): OrchestratorOutcome {
    if (isOff || settlement?.removedAt) return { success: true, message: 'Agent terminated successfully' };
    return { success: false, message: settlement?.lastError ?? 'The agent is still being removed' };
  }

  async function beginEnd(uuid: string, profileUuid: string): Promise<void> {
    const publish = await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, uuid, profileUuid);
      if (isEnded(agent.state)) return () => {};
      const isDeployed = agent.appliedRevision > 0 && !isOff;
      if (isDeployed && agent.state === 'ACTIVE')
        return transitions.move(tx, agent, 'DRAINING', { trigger: 'user', drainSeconds: settings.drainSeconds });
      if (!isDeployed || agent.state !== 'DRAINING')
        return transitions.move(tx, agent, 'TERMINATED', { trigger: 'user' });
      await shortenDrain(tx, uuid);
      return () => {};
    });
    publish();
  }

  /** An agent that drains for an hour ends soon when it is deleted. */
  async function shortenDrain(tx: Pick<Database, 'query'>, uuid: string): Promise<void> {
    await tx.query({
      name: 'agents_shorten_drain',
      text: `WITH now AS (SELECT date_trunc('milliseconds', coalesce($2::timestamptz, clock_timestamp())) AS at)
        UPDATE agents SET drain_until = least(drain_until, now.at + make_interval(secs => $3)), due_at = now.at FROM now WHERE uuid = $1`,
      values: [uuid, clock.pinned(), settings.drainSeconds],
    });
  }

  /** Terminates an agent whose grace period is over. Does nothing to any other. */
  async function endDrained(uuid: string): Promise<void> {
    const publish = await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, uuid, null);
      const [row] = await tx.query<{ is_over: boolean }>({
        name: 'agents_is_drained',
        text: 'SELECT drain_until <= coalesce($2::timestamptz, clock_timestamp()) AS is_over FROM agents WHERE uuid = $1',
        values: [uuid, clock.pinned()],
      });
      return agent.state === 'DRAINING' && row?.is_over
        ? transitions.move(tx, agent, 'TERMINATED', { trigger: 'system' })
        : () => {};
    });
    publish();
  }

  /**
   * Ends an agent at once, without a drain period. For administrators of the platform.
   *
   * @throws {ApiError} `FORBIDDEN` for a key without the scope `admin`; `NOT_FOUND`, also for a caller who is not an
   * administrator; `CONFLICT` for an agent that was not deployed or has ended.
   */
  async function kill(caller: Caller, uuid: string): Promise<string> {
    const { isAdmin } = authorize(caller, 'platform:administer');
    if (!isAdmin) throw agentNotFound();
    const agentUuid = requireUuid(uuid, agentNotFound);
    const publish = await database.transaction(async (tx) =>
      transitions.move(tx, await transitions.hold(tx, agentUuid, null), 'KILLED', { trigger: 'control_plane' }),
    );
    publish();
    settlements.wake();
    return agentUuid;
  }

  return { remove, kill, endDrained };
}
