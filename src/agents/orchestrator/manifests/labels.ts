import type { V1ObjectMeta, V1OwnerReference } from '@kubernetes/client-node';
import type { AgentDeployment } from '../orchestrator.ts';

/** Prefix of our labels and annotations. */
const prefix = 'agents.patchbay.dev';

/** The agent's uuid: the one label that selects its pods. It never changes, and no other agent has it. */
export const agentLabel = `${prefix}/agent`;
const profileLabel = `${prefix}/profile`;
const projectLabel = `${prefix}/project`;
const installationLabel = `${prefix}/installation`;
/** The name of the deployment, on each of its objects. */
export const instanceLabel = 'app.kubernetes.io/instance';
/** The revision of the desired deployment, on the Deployment and on its pods. */
export const revisionAnnotation = `${prefix}/revision`;
/** A selector with this label selects no pod, because no pod has it. */
export const drainedLabel = `${prefix}/drained`;

/** Labels of every object of an agent. Each value is a uuid, a constant or the name of the deployment; text of users is in none. */
export const labelsOf = (agent: AgentDeployment, installation: string): Record<string, string> => ({
  'app.kubernetes.io/name': 'patchbay-agent',
  [instanceLabel]: agent.deployment,
  'app.kubernetes.io/part-of': 'patchbay',
  'app.kubernetes.io/managed-by': 'patchbay',
  [installationLabel]: installation,
  [agentLabel]: agent.agentUuid,
  [profileLabel]: agent.profileUuid,
  [projectLabel]: agent.projectUuid,
});

/** The names of those labels. */
export const labelKeys: ReadonlySet<string> = new Set([
  'app.kubernetes.io/name',
  instanceLabel,
  'app.kubernetes.io/part-of',
  'app.kubernetes.io/managed-by',
  installationLabel,
  agentLabel,
  profileLabel,
  projectLabel,
]);

/** Selects everything of one installation. */
export const installationSelector = (installation: string): string =>
  `app.kubernetes.io/managed-by=patchbay,${installationLabel}=${installation}`;

/** Selects the pods of an agent. Minimal, because a Deployment's selector can never change. */
export const podSelectorOf = (agent: Pick<AgentDeployment, 'agentUuid'>): Record<string, string> => ({
  [agentLabel]: agent.agentUuid,
});

/** @param owner Left out for the owner itself. */
export const metadataOf = (
  agent: AgentDeployment,
  { namespace, installation }: { namespace: string; installation: string },
  owner?: V1OwnerReference,
): V1ObjectMeta & { labels: Record<string, string> } => ({
  name: agent.deployment,
  namespace,
  labels: labelsOf(agent, installation),
  ...(owner && { ownerReferences: [owner] }),
});
