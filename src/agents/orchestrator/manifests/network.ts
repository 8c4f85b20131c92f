import type {
  V1Ingress,
  V1NetworkPolicy,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
  V1NetworkPolicySpec,
  V1ObjectMeta,
  V1OwnerReference,
  V1Service,
} from '@kubernetes/client-node';
import type { AgentDeployment } from '../orchestrator.ts';
import { drainedLabel, metadataOf, podSelectorOf } from './labels.ts';
import type { ManifestSettings } from './manifest-settings.ts';
import { portName } from './workload.ts';

export const tlsSecretNameOf = (deployment: string): string => `${deployment}-tls`;

/**
 * The Service of an agent, on port 80.
 *
 * @param metadata Of `metadataOf`, or of the Service that exists.
 * @param isDrained Whether it selects no pod, so that the agent gets no new requests.
 */
export const serviceOf = (metadata: V1ObjectMeta, agentUuid: string, isDrained: boolean): V1Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: {
    type: 'ClusterIP',
    selector: { ...podSelectorOf({ agentUuid }), ...(isDrained && { [drainedLabel]: 'true' }) },
    // Without its protocol, a port cannot be applied to an API server of version 1.20.
    ports: [{ name: portName, port: 80, targetPort: portName, protocol: 'TCP' }],
  },
});

/** TLS always: without an issuer, the ingress controller shows the certificate that it has. */
export const ingressOf = (agent: AgentDeployment, settings: ManifestSettings, owner: V1OwnerReference): V1Ingress => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: {
    ...metadataOf(agent, settings, owner),
    ...(settings.certIssuer && { annotations: { 'cert-manager.io/cluster-issuer': settings.certIssuer } }),
  },
  spec: {
    ingressClassName: settings.ingressClass,
    tls: [{ hosts: [agent.host], secretName: tlsSecretNameOf(agent.deployment) }],
    rules: [
      {
        host: agent.host,
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: agent.deployment, port: { name: portName } } },
            },
          ],
        },
      },
    ],
  },
});

/**
 * Public ranges, and what of them is not public: an agent must reach neither other agents, nor nodes, nor the metadata of a cloud.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const publicRanges = {
  '0.0.0.0/0': [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  // Only 2000::/3 is assigned to the Internet. 6to4 and Teredo inside it lead to IPv4 addresses.
  '2000::/3': ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
} as const;

/** The client calls the field `from` `_from`; these objects are sent as they are. */
export interface NetworkPolicy extends Omit<V1NetworkPolicy, 'spec'> {
  readonly spec: Omit<V1NetworkPolicySpec, 'ingress'> & {
    readonly ingress: { readonly from: V1NetworkPolicyPeer[]; readonly ports: V1NetworkPolicyPort[] }[];
  };
}

/**
 * Denies all traffic except: in from the ingress controller, out to DNS, to public addresses on 443, and to the
 * operator's additions.
 */
export function networkPolicyOf(
  agent: AgentDeployment,
  settings: ManifestSettings,
  owner: V1OwnerReference,
): NetworkPolicy {
  const dns: V1NetworkPolicyPeer = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
    podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
  };
  const ingressController: V1NetworkPolicyPeer = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': settings.ingressNamespace } },
  };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadataOf(agent, settings, owner),
    spec: {
      podSelector: { matchLabels: podSelectorOf(agent) },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [ingressController], ports: [{ port: portName, protocol: 'TCP' }] }],
      egress: [
        {
          to: [dns],
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
        },
        {
          to: Object.entries(publicRanges).map(([cidr, except]) => ({ ipBlock: { cidr, except: [...except] } })),
          ports: [{ port: 443, protocol: 'TCP' }],
        },
        ...(settings.platform ? [platformRule(settings.platform)] : []),
        ...settings.egress.map(({ cidr, port }) => ({
          to: [{ ipBlock: { cidr } }],
          ports: [{ port, protocol: 'TCP' }],
        })),
      ],
    },
  };
}

const platformRule = ({ namespace, port }: NonNullable<ManifestSettings['platform']>) => ({
  to: [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'patchbay' } },
    },
  ],
  ports: [{ port, protocol: 'TCP' }],
});
