/** The desired deployment of one agent: what the orchestrator makes of it depends on this alone. */
export interface AgentDeployment {
  readonly agentUuid: string;
  readonly profileUuid: string;
  readonly projectUuid: string;
  /** DNS label of at most 63 characters. */
  readonly name: string;
  /**
   * Name of the deployment and of all objects beside it, unique across the platform: a DNS label of at most 63 characters that begins
   * with a letter, as the name of a Service must.
   */
  readonly deployment: string;
  /** Host name of the Ingress, such as `worker.agents.example.com`. */
  readonly host: string;
  /** Grows with each change of the other fields; `status` reports the revision that it describes. */
  readonly revision: number;
  readonly image: string;
  /** Kubernetes quantities, such as `100m` and `256Mi`. */
  readonly resources: {
    readonly cpuRequest: string;
    readonly memoryRequest: string;
    readonly cpuLimit: string;
    readonly memoryLimit: string;
  };
  /** 1, or 0 while the agent is suspended. */
  readonly replicas: number;
  /** A new instant replaces the pods. */
  readonly restartedAt: Date | null;
  /** Environment of the agent: PATCHBAY_URL, PATCHBAY_AGENT_UUID. */
  readonly env: Readonly<Record<string, string>>;
  /** The same for secrets: PATCHBAY_API_KEY. Must reach neither a manifest of a pod, nor a log, nor an error. */
  readonly secretEnv: Readonly<Record<string, string>>;
}

export interface Condition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Source: docs/specification/agents.md#orchestrator-status. */
export interface DeploymentStatus {
  /** Whether the revision is rolled out and all desired replicas are available. */
  readonly ready: boolean;
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly unavailableReplicas: number;
  readonly conditions: readonly Condition[];
  /** The revision of the deployment that was observed. */
  readonly revision: number;
  /** Set when the rollout cannot succeed without a change, such as ImagePullBackOff or CrashLoopBackOff; else null. */
  readonly failure: DeploymentFailure | null;
}

export interface DeploymentFailure {
  /** The orchestrator's own name of the reason, such as `CrashLoopBackOff`. */
  readonly reason: string;
  readonly message: string;
  /** The latest events of the pods, at most 10, the newest first. */
  readonly events: readonly PodEvent[];
  /** The last lines of the log, at most 20, the oldest first. */
  readonly logLines: readonly string[];
}

export interface PodEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly lastAt: Date;
}

/** A deployment of this platform that exists at the orchestrator, for the sweep of those without an agent. */
export interface OwnedDeployment {
  readonly deployment: string;
  readonly agentUuid: string;
}

export interface LogLine {
  readonly at: Date | null;
  readonly text: string;
}

/**
 * An error of the orchestrator. Its message is shown to the owner of the agent: it names no secret and no address of the cluster.
 *
 * - `unreachable`: no response, or not in time. Tried again.
 * - `rejected`: the orchestrator does not accept the deployment as it is (403, 422, quota, policy). Tried again with long pauses.
 * - `conflict`: another manager owns a field or an object (409).
 */
export class OrchestratorError extends Error {
  override name = 'OrchestratorError';
  readonly kind: 'unreachable' | 'rejected' | 'conflict';

  constructor(kind: OrchestratorError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Receives what `watch` sees. */
export interface StatusListener {
  /** A deployment was seen for the first time, or changed; null when it is gone. */
  onStatus(deployment: string, status: DeploymentStatus | null): void;
  /** Whether the orchestrator can be reached. Called with each change. */
  onReachable(isReachable: boolean): void;
}

/**
 * Runs agents. One conformance suite describes all drivers (test/agents/orchestrator).
 *
 * Every function may be called again after a failure at any step and then finishes what was begun. Each ends within 10 seconds,
 * and at once when its signal is aborted.
 */
export interface Orchestrator {
  readonly kind: 'kubernetes' | 'local' | 'off';
  /** Where deployments are, as `orchestrator_namespace` shows it. */
  readonly namespace: string;
  /**
   * Makes or changes everything that the deployment consists of, so that it is as described.
   *
   * @throws {OrchestratorError} Parts may exist by then; `remove` removes them.
   */
  apply(deployment: AgentDeployment, signal: AbortSignal): Promise<void>;
  /** @returns null for a deployment that does not exist. @throws {OrchestratorError} */
  status(deployment: string, signal: AbortSignal): Promise<DeploymentStatus | null>;
  /** Takes the agent out of its Service: it gets no new requests, and goes on with those that it has. Idempotent. @throws {OrchestratorError} */
  drain(deployment: string, signal: AbortSignal): Promise<void>;
  /**
   * Removes the deployment, service, ingress, TLS secret and all other objects. An object that is already gone is not
   * an error.
   *
   * @returns Whether everything is removed; false while pods still end.
   * @throws {OrchestratorError}
   */
  remove(deployment: string, signal: AbortSignal): Promise<boolean>;
  /** Everything of this platform that exists, whole or in parts. @throws {OrchestratorError} */
  list(signal: AbortSignal): Promise<OwnedDeployment[]>;
  /**
   * Follows all deployments of this platform until the signal is aborted, with back-off over every failure.
   *
   * @returns Resolves when it has ended.
   */
  watch(listener: StatusListener, signal: AbortSignal): Promise<void>;
  /**
   * The log of the agent's container, the oldest line first.
   *
   * @param options.tailLines At most this many of the existing lines.
   * @param options.follow Whether to go on with new lines until the signal is aborted.
   * @throws {OrchestratorError} also while it is read.
   */
  logs(
    deployment: string,
    options: { readonly tailLines: number; readonly follow: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<LogLine, void, void>;
  /** The latest events of the deployment and its pods, at most 50, the newest first. @throws {OrchestratorError} */
  events(deployment: string, signal: AbortSignal): Promise<PodEvent[]>;
  /** Ends everything that this process runs or holds for it. */
  close(): Promise<void>;
}
