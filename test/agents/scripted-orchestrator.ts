import { once } from 'node:events';
import {
  type AgentDeployment,
  type DeploymentStatus,
  type Orchestrator,
  OrchestratorError,
  type StatusListener,
} from '../../src/agents/orchestrator/orchestrator.ts';

type FaultyCall = 'apply' | 'drain' | 'remove' | 'list' | 'watch';

/**
 * How a call fails: before it did anything, after it did everything, or without an end until its signal is aborted. What happens
 * `meanwhile` is over before the error is thrown.
 */
type Fault =
  | { readonly before: Error; meanwhile?(): unknown }
  | { readonly after: Error; meanwhile?(): unknown }
  | 'hangs';

export const unreachable = (message = 'The cluster does not answer') => new OrchestratorError('unreachable', message);

/** All is well with a revision of a deployment. */
export const readyStatus = (revision = 1): DeploymentStatus => ({
  ready: true,
  replicas: 1,
  readyReplicas: 1,
  unavailableReplicas: 0,
  conditions: [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'It is available.' }],
  revision,
  failure: null,
});

export type ScriptedOrchestrator = ReturnType<typeof createScriptedOrchestrator>;

/**
 * An orchestrator in memory whose calls fail as a test says, for what the reconciler makes of it. The real drivers have suites of their
 * own (test/agents/orchestrator).
 */
export function createScriptedOrchestrator() {
  const deployments = new Map<string, AgentDeployment>();
  const drained = new Set<string>();
  /** Each call with the name of its deployment, in their order. */
  const calls: string[] = [];
  const faults = new Map<string, Fault>();
  const listeners = new Set<StatusListener>();
  /** How often `remove` says of each deployment that something is left. */
  let lingering = 0;

  async function run<Result>(
    call: FaultyCall,
    name: string,
    signal: AbortSignal,
    work: () => Result | Promise<Result>,
  ): Promise<Result> {
    calls.push(`${call} ${name}`);
    const fault = [...faults].find(([key]) => `${call} ${name}`.startsWith(key))?.[1];
    if (fault === 'hangs') {
      if (!signal.aborted) await once(signal, 'abort');
      throw unreachable();
    }
    if (fault && 'before' in fault) {
      await fault.meanwhile?.();
      throw fault.before;
    }
    const result = await work();
    if (fault) {
      await fault.meanwhile?.();
      throw fault.after;
    }
    return result;
  }

  const tell = (deployment: string, status: DeploymentStatus | null) => {
    for (const listener of listeners) listener.onStatus(deployment, status);
  };

  const orchestrator: Orchestrator = {
    kind: 'local',
    namespace: 'agents',
    apply: (deployment, signal) =>
      run('apply', deployment.deployment, signal, () => void deployments.set(deployment.deployment, deployment)),
    status: async (deployment) => (deployments.has(deployment) ? readyStatus() : null),
    drain: (deployment, signal) => run('drain', deployment, signal, () => void drained.add(deployment)),
    remove: (deployment, signal) =>
      run('remove', deployment, signal, () => {
        if (lingering > 0) {
          lingering -= 1;
          return false;
        }
        deployments.delete(deployment);
        return true;
      }),
    list: (signal) =>
      run('list', '', signal, () =>
        [...deployments.values()].map(({ deployment, agentUuid }) => ({ deployment, agentUuid })),
      ),
    watch: (listener, signal) =>
      run('watch', '', signal, async () => {
        listeners.add(listener);
        listener.onReachable(true);
        if (!signal.aborted) await once(signal, 'abort');
        listeners.delete(listener);
      }),
    async *logs() {},
    events: async () => [],
    close: async () => {},
  };

  return {
    orchestrator,
    deployments,
    drained,
    calls,
    /** @param key The beginning of a call and the name of its deployment: `apply`, `remove worker-`. */
    fail: (key: string, fault: Fault) => void faults.set(key, fault),
    heal: () => faults.clear(),
    linger: (times: number) => {
      lingering = times;
    },
    /** Says that a deployment has a status, to everyone who watches. */
    tell,
    reachable: (isReachable: boolean) => {
      for (const listener of listeners) listener.onReachable(isReachable);
    },
    watchers: () => listeners.size,
  };
}
