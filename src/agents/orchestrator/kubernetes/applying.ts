import type { KubernetesObject } from '@kubernetes/client-node';
import { agentLabel, labelKeys } from '../manifests/labels.ts';
import { serviceOf } from '../manifests/network.ts';
import { OrchestratorError } from '../orchestrator.ts';
import type { KubernetesApi } from './api.ts';
import { orchestratorErrorOf } from './api-failure.ts';
import { type Kind, pathOf } from './paths.ts';
import type { WireObject } from './wire.ts';

/** The one manager of the fields that the platform sets. */
const fieldManager = 'patchbay';

/**
 * Makes an object as described, by server-side apply. A field that another manager has set is a conflict, not overwritten: an operator
 * who changes an object by hand, or an autoscaler, sees the platform stop at it and say so.
 *
 * @throws {OrchestratorError}
 */
export async function appliedObject(
  api: KubernetesApi,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<WireObject> {
  const { kind = '', metadata } = object;
  try {
    return await api.call<WireObject>('PATCH', pathOf(metadata?.namespace ?? '', kind as Kind, metadata?.name), {
      query: { fieldManager, force: false },
      contentType: 'application/apply-patch+yaml',
      body: object,
      signal,
    });
  } catch (error) {
    throw orchestratorErrorOf(error, kind);
  }
}

/** The Service that exists, as the platform applied it, but selecting no pod. */
export function drainedService({ metadata }: WireObject, namespace: string): KubernetesObject {
  const { name, labels = {}, ownerReferences = [] } = metadata;
  const agentUuid = labels[agentLabel];
  if (!agentUuid) throw new OrchestratorError('conflict', 'Service: the platform does not manage it');
  // Labels and owners of other managers stay theirs.
  const ours = Object.fromEntries(Object.entries(labels).filter(([key]) => labelKeys.has(key)));
  const owners = ownerReferences.filter(({ controller }) => controller).map((owner) => ({ ...owner }));
  return serviceOf({ name, namespace, labels: ours, ownerReferences: owners }, agentUuid, true);
}
