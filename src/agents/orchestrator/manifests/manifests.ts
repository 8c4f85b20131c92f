import type {
  KubernetesObject,
  V1ConfigMap,
  V1OwnerReference,
  V1Secret,
  V1ServiceAccount,
} from '@kubernetes/client-node';
import type { AgentDeployment } from '../orchestrator.ts';
import { metadataOf } from './labels.ts';
import type { ManifestSettings } from './manifest-settings.ts';
import { ingressOf, networkPolicyOf, serviceOf } from './network.ts';
import { deploymentOf, secretNameOf } from './workload.ts';

/**
 * The object that owns all others of an agent: they are deleted with it. It is created first, because the others name
 * its uid.
 */
export const ownerOf = (agent: AgentDeployment, settings: ManifestSettings): V1ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: metadataOf(agent, settings),
  data: { agent: agent.agentUuid },
});

const ownerReferenceOf = (agent: AgentDeployment, uid: string): V1OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: agent.deployment,
  uid,
  controller: true,
  // A foreground deletion of the owner ends when the object is gone.
  blockOwnerDeletion: true,
});

/**
 * All objects that the owner owns, in stages: the objects of one stage are created in parallel, after the stage before.
 * Pods come last, so that a pod never runs without its network policy or waits for its Secret.
 *
 * @param ownerUid The uid of the existing owner.
 */
export function ownedStagesOf(
  agent: AgentDeployment,
  settings: ManifestSettings,
  ownerUid: string,
): readonly (readonly KubernetesObject[])[] {
  const owner = ownerReferenceOf(agent, ownerUid);
  const metadata = metadataOf(agent, settings, owner);
  return [
    [...serviceAccountsOf(metadata, settings), secretOf(agent, metadata), networkPolicyOf(agent, settings, owner)],
    [
      deploymentOf(agent, settings, owner),
      serviceOf(metadata, agent.agentUuid, false),
      ingressOf(agent, settings, owner),
    ],
  ];
}

/**
 * An account without permissions and without a token. Otherwise the pods would use the namespace's default account,
 * which may have permissions.
 */
const serviceAccountOf = (
  metadata: V1ServiceAccount['metadata'] & object,
  annotations: Readonly<Record<string, string>> | undefined,
): V1ServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { ...metadata, ...(annotations && { annotations: { ...annotations } }) },
  automountServiceAccountToken: false,
});

/** None where the pods have an account of the operator's. */
const serviceAccountsOf = (
  metadata: V1ServiceAccount['metadata'] & object,
  { pods: { serviceAccount } }: ManifestSettings,
): V1ServiceAccount[] => (serviceAccount?.name ? [] : [serviceAccountOf(metadata, serviceAccount?.annotations)]);

const secretOf = ({ deployment, secretEnv }: AgentDeployment, metadata: V1Secret['metadata'] & object): V1Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...metadata, name: secretNameOf(deployment) },
  type: 'Opaque',
  data: Object.fromEntries(
    Object.entries(secretEnv).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  ),
});
