import type { Database } from '../platform/database/database.ts';
import type { Transitions } from './transitions.ts';

export type Activation = ReturnType<typeof createActivation>;

/** Makes provisioned agents ACTIVE when their first heartbeat arrives. Source: docs/specification/agents.md#states. */
export function createActivation({
  database,
  transitions,
}: {
  readonly database: Database;
  readonly transitions: Pick<Transitions, 'hold' | 'move'>;
}) {
  /** Activations in progress, by agent: first heartbeats that come at once share one transaction. */
  const running = new Map<string, Promise<void>>();

  /** One transition and one event, however many call it at once, in any number of processes. Nothing happens in other states. */
  function activate(agentUuid: string): Promise<void> {
    const known = running.get(agentUuid);
    if (known) return known;
    const activation = database.outsideUnit(() => run(agentUuid)).finally(() => running.delete(agentUuid));
    running.set(agentUuid, activation);
    return activation;
  }

  async function run(agentUuid: string): Promise<void> {
    const publish = await database.transaction(async (tx) => {
      const agent = await transitions.hold(tx, agentUuid, null);
      if (agent.state !== 'PROVISIONED') return () => {};
      return transitions.move(tx, agent, 'ACTIVE', { trigger: 'system' });
    });
    publish();
  }

  return { activate };
}
