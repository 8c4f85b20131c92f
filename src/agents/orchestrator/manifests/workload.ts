import type { V1Container, V1Deployment, V1OwnerReference, V1PodSpec, V1Probe } from '@kubernetes/client-node';
import type { AgentPods } from '../../../platform/settings/agent-json-settings.ts';
import { imageReferenceOf } from '../image-reference.ts';
import type { AgentDeployment } from '../orchestrator.ts';
import { labelsOf, metadataOf, podSelectorOf, revisionAnnotation } from './labels.ts';
import type { ManifestSettings } from './manifest-settings.ts';

/** Where every agent listens. Source: docs/specification/agents.md#fields. */
const agentPort = 8080;
/** The name of the port, by which the Service finds it. */
export const portName = 'http';
export const containerName = 'agent';
/** A user and a group without a meaning on nodes and in usual images. */
const unprivilegedId = 65_532;

export const secretNameOf = (deployment: string): string => `${deployment}-env`;

export function deploymentOf(
  agent: AgentDeployment,
  settings: ManifestSettings,
  owner: V1OwnerReference,
): V1Deployment {
  const revision = { [revisionAnnotation]: String(agent.revision) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadataOf(agent, settings, owner), annotations: revision },
    spec: {
      replicas: agent.replicas,
      revisionHistoryLimit: 2,
      progressDeadlineSeconds: settings.progressDeadlineSeconds,
      selector: { matchLabels: podSelectorOf(agent) },
      // The old pod serves until the new one is ready.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: {
          labels: labelsOf(agent, settings.installation),
          annotations: {
            // Pods say which revision they are of, and a new credential, which is in no manifest of a pod, replaces them.
            ...revision,
            ...(agent.restartedAt && { 'kubectl.kubernetes.io/restartedAt': agent.restartedAt.toISOString() }),
          },
        },
        spec: podSpecOf(agent, settings.pods),
      },
    },
  };
}

/** Keeps every rule of the Pod Security Standard "restricted", field by field. */
const podSpecOf = (agent: AgentDeployment, pods: AgentPods): V1PodSpec => ({
  serviceAccountName: pods.serviceAccount?.name ?? agent.deployment,
  automountServiceAccountToken: false,
  // Keeps the names and addresses of other agents' Services out of the environment.
  enableServiceLinks: false,
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: unprivilegedId,
    runAsGroup: unprivilegedId,
    fsGroup: unprivilegedId,
    ...pods.securityContext,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  ...(pods.runtimeClassName && { runtimeClassName: pods.runtimeClassName }),
  ...(pods.nodeSelector && { nodeSelector: pods.nodeSelector }),
  ...(pods.tolerations && { tolerations: pods.tolerations }),
  containers: [containerOf(agent)],
  volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '256Mi' } }],
});

const containerOf = ({ deployment, image, resources, env, secretEnv }: AgentDeployment): V1Container => ({
  name: containerName,
  image,
  // The registry is asked each time, so that an agent cannot run a private image that another agent has pulled to the node. A digest
  // cannot be guessed, and its content never changes.
  imagePullPolicy: imageReferenceOf(image)?.digest ? 'IfNotPresent' : 'Always',
  ports: [{ name: portName, containerPort: agentPort, protocol: 'TCP' }],
  env: [
    ...sorted(env).map(([name, value]) => ({ name, value })),
    ...sorted(secretEnv).map(([name]) => ({
      name,
      valueFrom: { secretKeyRef: { name: secretNameOf(deployment), key: name } },
    })),
  ],
  resources: {
    requests: { cpu: resources.cpuRequest, memory: resources.memoryRequest, 'ephemeral-storage': '64Mi' },
    limits: { cpu: resources.cpuLimit, memory: resources.memoryLimit, 'ephemeral-storage': '1Gi' },
  },
  securityContext: {
    runAsNonRoot: true,
    privileged: false,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  },
  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
  // Two minutes to begin; out of the Service after 15 seconds of silence, started again after a minute of it.
  startupProbe: probe({ periodSeconds: 2, failureThreshold: 60 }),
  readinessProbe: probe({ periodSeconds: 5, failureThreshold: 3 }),
  livenessProbe: probe({ periodSeconds: 10, failureThreshold: 6 }),
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'FallbackToLogsOnError',
});

/** Probes test only whether the agent accepts connections: no path is demanded of an image. */
const probe = (timing: Pick<V1Probe, 'periodSeconds' | 'failureThreshold'>): V1Probe => ({
  tcpSocket: { port: portName },
  timeoutSeconds: 3,
  ...timing,
});

const sorted = (variables: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
