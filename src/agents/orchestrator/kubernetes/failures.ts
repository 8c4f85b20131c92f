import type { DeploymentFailure, DeploymentStatus } from '../orchestrator.ts';
import { type FailureCause, observedDeployment } from './deployment-status.ts';
import { podEvents } from './pod-events.ts';
import { type LogSource, lastLines } from './pod-log.ts';
import { publicText } from './public-text.ts';
import type { WireDeployment, WirePod } from './wire.ts';

const eventsMax = 10;
const logLinesMax = 20;
/**
 * The share of a call's time for events and logs: the failure itself must not be late because a node does not respond.
 */
const additionsShare = 1 / 3;

/**
 * The status of a deployment; when it has failed, with the last events and log lines. They are an addition: where they cannot be
 * read, the failure comes without.
 */
export async function describedStatus(
  source: LogSource,
  deployment: WireDeployment,
  pods: readonly WirePod[],
  signal: AbortSignal,
): Promise<DeploymentStatus> {
  const { status, cause } = observedDeployment(deployment, pods);
  if (!cause) return status;
  return { ...status, failure: await describedFailure(source, deployment.metadata.name, cause, signal) };
}

async function describedFailure(
  source: LogSource,
  deployment: string,
  { reason, message, pod }: FailureCause,
  signal: AbortSignal,
): Promise<DeploymentFailure> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(source.callMs * additionsShare)]);
  const [events, logLines] = await Promise.all([
    podEvents(source.api, source.namespace, deployment, eventsMax, limit).catch(() => []),
    pod === null ? [] : failedLines(source, pod, limit).catch(() => []),
  ]);
  signal.throwIfAborted();
  return { reason, message, events, logLines };
}

/** The end of the log of the container that failed: the one that ended before, where there is one. */
async function failedLines(source: LogSource, pod: string, signal: AbortSignal): Promise<string[]> {
  const previous = await lastLines(source, pod, { tailLines: logLinesMax, previous: true }, signal);
  const lines = previous.length > 0 ? previous : await lastLines(source, pod, { tailLines: logLinesMax }, signal);
  return lines.map(({ text }) => publicText(text)).slice(-logLinesMax);
}
