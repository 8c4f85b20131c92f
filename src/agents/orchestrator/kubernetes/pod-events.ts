import { instanceLabel } from '../manifests/labels.ts';
import type { PodEvent } from '../orchestrator.ts';
import type { KubernetesApi } from './api.ts';
import { listed } from './listing.ts';
import { type Kind, pathOf } from './paths.ts';
import { publicText } from './public-text.ts';
import type { WireEvent, WireObject } from './wire.ts';

/** Objects whose events are read: the deployment's name, its latest replica sets and pods. */
const objectsMax = 12;

/**
 * The events of a deployment's objects, the newest first.
 *
 * @param limit At most this many.
 */
export async function podEvents(
  api: KubernetesApi,
  namespace: string,
  deployment: string,
  limit: number,
  signal: AbortSignal,
): Promise<PodEvent[]> {
  const namesOf = async (kind: Kind) => {
    const labelSelector = `${instanceLabel}=${deployment}`;
    const { items } = await listed<WireObject>(api, pathOf(namespace, kind), {
      labelSelector,
      metadataOnly: true,
      signal,
    });
    return items
      .toSorted(
        (a, b) => (instantOf(b.metadata.creationTimestamp) ?? 0) - (instantOf(a.metadata.creationTimestamp) ?? 0),
      )
      .map(({ metadata }) => metadata.name);
  };
  const [pods, replicaSets] = await Promise.all([namesOf('Pod'), namesOf('ReplicaSet')]);
  const names = [deployment, ...pods.slice(0, objectsMax / 2), ...replicaSets].slice(0, objectsMax);
  const lists = await Promise.all(
    names.map((name) =>
      listed<WireEvent>(api, pathOf(namespace, 'Event'), { fieldSelector: `involvedObject.name=${name}`, signal }),
    ),
  );
  return lists
    .flatMap(({ items }) => items.map(podEventOf))
    .toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime())
    .slice(0, limit);
}

function podEventOf({ type, reason, message, count, series, metadata, ...event }: WireEvent): PodEvent {
  const lastAt =
    instantOf(series?.lastObservedTime) ??
    instantOf(event.lastTimestamp) ??
    instantOf(event.eventTime) ??
    instantOf(event.firstTimestamp) ??
    instantOf(metadata.creationTimestamp) ??
    0;
  return {
    type: type ?? 'Normal',
    reason: reason ?? '',
    message: publicText(message ?? ''),
    count: series?.count ?? count ?? 1,
    lastAt: new Date(lastAt),
  };
}

function instantOf(text: string | null | undefined): number | null {
  const milliseconds = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : milliseconds;
}
