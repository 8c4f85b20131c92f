/** Source: docs/specification/agents.md#states. */
export const agentStates = ['NEW', 'PROVISIONED', 'ACTIVE', 'DRAINING', 'TERMINATED', 'KILLED'] as const;
export type AgentState = (typeof agentStates)[number];

/**
 * The states that an agent may go to from each state. Every other transition is refused.
 *
 * - NEW: created, not deployed yet.
 * - PROVISIONED: the orchestrator has accepted the deployment.
 * - ACTIVE: the first heartbeat has arrived.
 * - DRAINING: takes no new work, and is terminated when its grace period ends.
 * - TERMINATED: ended by its owner. The record is kept.
 * - KILLED: ended by the control plane alone, never by a request of a user.
 */
export const transitions: Readonly<Record<AgentState, readonly AgentState[]>> = {
  NEW: ['PROVISIONED', 'TERMINATED'],
  PROVISIONED: ['ACTIVE', 'TERMINATED', 'KILLED'],
  ACTIVE: ['DRAINING', 'TERMINATED', 'KILLED'],
  DRAINING: ['TERMINATED', 'KILLED'],
  TERMINATED: [],
  KILLED: [],
};

/** The states in which an agent has ended. */
export const endedStates = ['TERMINATED', 'KILLED'] as const satisfies readonly AgentState[];

export const isEnded = (state: AgentState): boolean => transitions[state].length === 0;

/** The event that each transition records. */
export const eventOfState = {
  PROVISIONED: 'PROVISIONED',
  ACTIVE: 'ACTIVATED',
  DRAINING: 'DRAINING',
  TERMINATED: 'TERMINATED',
  KILLED: 'KILLED',
} as const satisfies Record<Exclude<AgentState, 'NEW'>, string>;

/** Everything that the history of an agent may hold. An event that changes no state has the same state before and after. */
export const agentEventTypes = [
  'CREATED',
  ...Object.values(eventOfState),
  /** The deployment failed; `metadata.reason` says why. */
  'ERROR',
  'AGENT_UNHEALTHY',
  'AGENT_RECOVERED',
  'SUSPENDED',
  'RESUMED',
  'RESTARTED',
  'REDEPLOYED',
] as const;
export type AgentEventType = (typeof agentEventTypes)[number];
