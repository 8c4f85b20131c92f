import { once } from 'node:events';
import { type Orchestrator, OrchestratorError } from './orchestrator.ts';

/** The orchestrator of an installation that runs no agents. Their records, heartbeats and metrics work. */
export function createOffOrchestrator(): Orchestrator {
  const off = () => new OrchestratorError('rejected', 'The orchestrator is off');
  return {
    kind: 'off',
    namespace: 'agents',
    async apply() {
      throw off();
    },
    status: async () => null,
    // Nothing runs, so nothing gets requests, and nothing is left: agents that were deployed before can be ended.
    drain: async () => {},
    remove: async () => true,
    list: async () => [],
    async watch(listener, signal) {
      listener.onReachable(false);
      if (!signal.aborted) await once(signal, 'abort');
    },
    async *logs() {},
    events: async () => [],
    close: async () => {},
  };
}
