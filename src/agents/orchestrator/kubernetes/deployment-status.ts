import { revisionAnnotation } from '../manifests/labels.ts';
import type { DeploymentStatus } from '../orchestrator.ts';
import { publicText } from './public-text.ts';
import type { WireDeployment, WirePod } from './wire.ts';

/** A rollout that cannot succeed without a change, before its events and log lines are read. */
export interface FailureCause {
  readonly reason: string;
  readonly message: string;
  /** The pod that shows it; null where no pod could be made. */
  readonly pod: string | null;
}

export interface ObservedDeployment {
  readonly status: DeploymentStatus & { readonly failure: null };
  readonly cause: FailureCause | null;
}

/** Waiting reasons of a container that cannot start without a change of the agent or of the cluster. */
const hopelessReasons = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

/** The status of a deployment, from its objects in the cluster. @param pods All of it, in any order. */
export function observedDeployment(deployment: WireDeployment, pods: readonly WirePod[]): ObservedDeployment {
  const { metadata, spec, status = {} } = deployment;
  const desired = spec.replicas ?? 1;
  const {
    replicas = 0,
    updatedReplicas = 0,
    readyReplicas = 0,
    availableReplicas = 0,
    unavailableReplicas = 0,
  } = status;
  const isObserved = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const ready = isObserved && [updatedReplicas, replicas, availableReplicas].every((count) => count === desired);
  const conditions = (status.conditions ?? []).map(({ type, status, reason = '', message = '' }) => ({
    type,
    status,
    reason,
    message: publicText(message),
  }));
  return {
    status: {
      ready,
      replicas,
      readyReplicas,
      unavailableReplicas,
      conditions,
      revision: Number(metadata.annotations?.[revisionAnnotation] ?? 0),
      failure: null,
    },
    cause: ready || !isObserved || desired === 0 ? null : causeOf(deployment, pods),
  };
}

function causeOf({ metadata, status }: WireDeployment, pods: readonly WirePod[]): FailureCause | null {
  const revision = metadata.annotations?.[revisionAnnotation];
  const current = pods
    .filter((pod) => pod.metadata.annotations?.[revisionAnnotation] === revision && !pod.metadata.deletionTimestamp)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  for (const pod of current) {
    const cause = podCauseOf(pod);
    if (cause) return cause;
  }
  const conditions = status?.conditions ?? [];
  const unmade = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  const late = conditions.find(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded');
  const condition = unmade ?? late;
  if (!condition) return null;
  const { reason = condition.type, message = '' } = condition;
  return { reason, message: publicText(message), pod: unmade ? null : (current[0]?.metadata.name ?? null) };
}

function podCauseOf({ metadata, spec, status }: WirePod): FailureCause | null {
  for (const { state, lastState } of status?.containerStatuses ?? []) {
    const { reason = '', message = '' } = state?.waiting ?? {};
    if (!hopelessReasons.has(reason)) continue;
    const ended = lastState?.terminated;
    const image = spec.containers[0]?.image ?? '';
    const facts = [
      message && publicText(message),
      reason.includes('Image') && !message.includes(image) && `image ${image}`,
      ended && `the container ended with exit code ${ended.exitCode ?? 'unknown'} (${ended.reason ?? 'Error'})`,
    ];
    return { reason, message: facts.filter(Boolean).join('; '), pod: metadata.name };
  }
  return null;
}
