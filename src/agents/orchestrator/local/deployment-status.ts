import type { Condition, DeploymentStatus, PodEvent } from '../orchestrator.ts';
import type { DeploymentFolder, LocalSpec, Pod } from './deployment-folder.ts';

const isolation: Condition = {
  type: 'Isolated',
  status: 'False',
  reason: 'LocalProcess',
  message:
    'The agent is a process of this machine and runs as the user of the platform. Nothing isolates it; its resources are not limited.',
};

/** Whether a pod counts: one that ends does not, as on Kubernetes, and one whose image cannot be had does. */
const isCounted = ({ status, runnerPid }: Pod): boolean =>
  status?.phase === 'refused' || (runnerPid !== null && status?.phase !== 'ending' && status?.phase !== 'ended');

const isReady = (pod: Pod) => pod.status?.ready === true;

/**
 * Whether a deployment exists. A deployment whose current pod has no runner does not: the process that applied it has
 * ended, or the runner was killed. It exists again when it is applied again.
 */
export const isThere = ({ spec, pods }: DeploymentFolder): boolean =>
  spec !== null && (spec.podId === null || pods.some((pod) => pod.id === spec.podId && isCounted(pod)));

/**
 * The status of a deployment that exists, in the terms of a Kubernetes Deployment.
 *
 * @param logLines The last lines of the current pod's log; they are part of a failure.
 */
export function statusOf(folder: DeploymentFolder, spec: LocalSpec, logLines: readonly string[]): DeploymentStatus {
  const pods = folder.pods.filter(isCounted);
  const current = pods.find(({ id }) => id === spec.podId);
  const readyReplicas = folder.isDrained ? 0 : pods.filter(isReady).length;
  const failure = current?.status?.failure ?? null;
  const isComplete =
    spec.replicas === 0 ? pods.length === 0 : pods.length === 1 && current !== undefined && isReady(current);
  return {
    ready: isComplete && readyReplicas === spec.replicas,
    replicas: pods.length,
    readyReplicas,
    unavailableReplicas: Math.max(spec.replicas, pods.length) - readyReplicas,
    conditions: [availability(folder, spec, readyReplicas), progress(isComplete, failure), isolation],
    revision: spec.revision,
    failure: failure && { ...failure, events: eventsOf(folder).slice(0, 10), logLines },
  };
}

function availability({ isDrained }: DeploymentFolder, spec: LocalSpec, readyReplicas: number): Condition {
  const unavailable = (reason: string, message: string) => ({ type: 'Available', status: 'False', reason, message });
  if (isDrained) return unavailable('Drained', 'The agent gets no new requests.');
  if (readyReplicas >= spec.replicas)
    return {
      type: 'Available',
      status: 'True',
      reason: 'MinimumReplicasAvailable',
      message: 'The agent is available.',
    };
  return unavailable('MinimumReplicasUnavailable', 'The agent does not pass its health checks.');
}

function progress(isComplete: boolean, failure: { reason: string; message: string } | null): Condition {
  if (failure !== null) return { type: 'Progressing', status: 'False', ...failure };
  return isComplete
    ? { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message: 'The revision is rolled out.' }
    : {
        type: 'Progressing',
        status: 'True',
        reason: 'ReplicaSetUpdated',
        message: 'The revision is being rolled out.',
      };
}

/** The events of all pods, at most 50, the newest first. */
export function eventsOf({ pods }: DeploymentFolder): PodEvent[] {
  const events = pods.flatMap(({ status }) => status?.events ?? []);
  return events.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime()).slice(0, 50);
}
