import { randomUUID } from 'node:crypto';
import type { AgentDeployment, DeploymentStatus, Orchestrator } from '../../../src/agents/orchestrator/orchestrator.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { eventually } from '../../support/deadline.ts';

/** A driver to describe, and what can be seen of its orchestrator from outside. */
export interface OrchestratorStage {
  readonly orchestrator: Orchestrator;
  /** A driver over the same orchestrator, as another process of the platform has it. */
  readonly elsewhere: Orchestrator;
  readonly images: {
    /** Becomes ready, and ends within its grace period. */
    readonly works: string;
    /** Becomes ready and writes `line 1`, `line 2` … to its log, at least one each 100 ms. Null where there are no logs. */
    readonly talks: string | null;
    /** Ends right after its start, again and again. It writes `about to crash` to its log before. */
    readonly crashes: string;
    /** Cannot be had. */
    readonly unavailable: string;
  };
  /** An id of each instance of the agent that runs, ready or not: a pod's uid, a process's id. */
  instances(deployment: string): Promise<readonly string[]>;
  /** Whether a request to the agent's Service reaches an instance. */
  isServed(deployment: string): Promise<boolean>;
  /** Whatever exists of a deployment: objects, files, processes. Empty when all is gone. */
  remains(deployment: string): Promise<readonly string[]>;
  /** All that other users of the orchestrator can read of a deployment: manifests, files, command lines. */
  readableText(deployment: string): Promise<string>;
}

/** A call that was aborted ends "at once": so much is for a busy machine. */
export const atOnceMs = 5_000;

export const quiet = (): AbortSignal => new AbortController().signal;

/** A deployment like no other, of one instance. */
export function sampleDeployment(image: string, facts: Partial<AgentDeployment> = {}): AgentDeployment {
  const id = randomUUID().slice(0, 8);
  return {
    agentUuid: randomUUID(),
    profileUuid: randomUUID(),
    projectUuid: randomUUID(),
    name: `agent-${id}`,
    deployment: `agent-${id}`,
    host: `agent-${id}.agents.example.com`,
    revision: 1,
    image,
    resources: { cpuRequest: '100m', memoryRequest: '64Mi', cpuLimit: '1', memoryLimit: '256Mi' },
    replicas: 1,
    restartedAt: null,
    env: { PATCHBAY_URL: 'http://127.0.0.1:9', PATCHBAY_AGENT_UUID: randomUUID() },
    secretEnv: { PATCHBAY_API_KEY: `secret-${randomUUID()}` },
    ...facts,
  };
}

/** What tests do with a driver again and again. */
export interface Actions {
  /** A deployment that no other test has; it is removed after the test. */
  deploymentOf(facts?: Partial<AgentDeployment>): AgentDeployment;
  statusOf(deployment: string): Promise<DeploymentStatus | null>;
  /** Waits for a status. */
  statusWith(
    what: string,
    deployment: string,
    isWanted: (status: DeploymentStatus) => boolean,
  ): Promise<DeploymentStatus>;
  /** Applies it and waits until its revision is rolled out. */
  ready(deployment: AgentDeployment): Promise<DeploymentStatus>;
  /** Waits for a failure. */
  failed(deployment: string): Promise<DeploymentStatus>;
  /** Removes it and waits until it is gone. */
  removed(deployment: string): Promise<boolean>;
}

export function actionsOf({ orchestrator, images }: Pick<OrchestratorStage, 'orchestrator' | 'images'>): Actions {
  const removed = (deployment: string) =>
    eventually(`${deployment} is gone`, () => orchestrator.remove(deployment, quiet()));
  const statusOf = (deployment: string) => orchestrator.status(deployment, quiet());

  async function statusWith(
    what: string,
    deployment: string,
    isWanted: (status: DeploymentStatus) => boolean,
  ): Promise<DeploymentStatus> {
    let last: DeploymentStatus | null = null;
    return eventually(`${deployment}: ${what}`, async () => {
      last = await statusOf(deployment);
      return last !== null && isWanted(last) && last;
    }).catch((error: Error) => {
      throw new Error(`${error.message}, but ${JSON.stringify(last)}`);
    });
  }

  return {
    removed,
    statusOf,
    statusWith,
    deploymentOf(facts = {}) {
      const agent = sampleDeployment(images.works, facts);
      cleanUp(() => removed(agent.deployment));
      return agent;
    },
    async ready(agent) {
      await orchestrator.apply(agent, quiet());
      return statusWith('ready', agent.deployment, ({ ready, revision }) => ready && revision === agent.revision);
    },
    failed: (deployment) => statusWith('failed', deployment, (status) => status.failure !== null),
  };
}
