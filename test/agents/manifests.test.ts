import type {
  KubernetesObject,
  V1Deployment,
  V1Ingress,
  V1Secret,
  V1Service,
  V1ServiceAccount,
} from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { ownedStagesOf, ownerOf } from '../../src/agents/orchestrator/manifests/manifests.ts';
import type { NetworkPolicy } from '../../src/agents/orchestrator/manifests/network.ts';
import type { AgentDeployment } from '../../src/agents/orchestrator/orchestrator.ts';
import { verifies } from '../requirements.ts';
import { agentDeployment, manifestSettings } from '../support/agent-deployment.ts';

const agentUuid = '11111111-1111-4111-8111-111111111111';
const ownerUid = '44444444-4444-4444-8444-444444444444';
const agent = agentDeployment({ agentUuid });

const variants: Readonly<Record<string, { deployment: AgentDeployment; settings: typeof manifestSettings }>> = {
  usual: { deployment: agent, settings: manifestSettings },
  suspended: { deployment: { ...agent, replicas: 0, revision: 2 }, settings: manifestSettings },
  placed: {
    deployment: agent,
    settings: {
      ...manifestSettings,
      pods: {
        tolerations: [{ key: 'agents', operator: 'Exists', effect: 'NoSchedule' }],
        nodeSelector: { pool: 'agents' },
        runtimeClassName: 'gvisor',
        securityContext: { supplementalGroups: [2_000], fsGroupChangePolicy: 'OnRootMismatch' },
        serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/agent' } },
      },
    },
  },
  restarted: {
    deployment: {
      ...agent,
      revision: 3,
      restartedAt: new Date('2026-03-01T12:00:00.000Z'),
      image: `ghcr.io/acme/agent@sha256:${'a'.repeat(64)}`,
    },
    settings: {
      ...manifestSettings,
      certIssuer: undefined,
      egress: [{ cidr: '10.1.0.0/16', port: 3_000 }],
      installation: 'staging',
      platform: { namespace: 'patchbay', port: 3_000 },
    },
  },
};

const objectsOf = (deployment: AgentDeployment, settings = manifestSettings): KubernetesObject[] => [
  ownerOf(deployment, settings),
  ...ownedStagesOf(deployment, settings, ownerUid).flat(),
];

/** The one object of a kind. */
function the<Kind extends KubernetesObject>(kind: string, objects = objectsOf(agent)): Kind {
  const [found, ...more] = objects.filter((object) => object.kind === kind);
  expect(found, kind).toBeDefined();
  expect(more).toEqual([]);
  return found as Kind;
}

const podSpecOf = (objects = objectsOf(agent)) => {
  const spec = the<V1Deployment>('Deployment', objects).spec?.template.spec;
  if (!spec) throw new Error('the Deployment has no pods');
  return spec;
};

/** The one container. */
const containerOf = (objects = objectsOf(agent)) => {
  const [container, ...more] = podSpecOf(objects).containers;
  expect(more).toEqual([]);
  if (!container) throw new Error('the pods have no container');
  return container;
};

it('have the account of the operator instead of their own', verifies('agents.defaults-of-installation'), () => {
  const objects = objectsOf(agent, { ...manifestSettings, pods: { serviceAccount: { name: 'agents' } } });
  expect(objects.filter(({ kind }) => kind === 'ServiceAccount')).toEqual([]);
  expect(podSpecOf(objects)).toMatchObject({ serviceAccountName: 'agents', automountServiceAccountToken: false });
});

describe.each(Object.entries(variants))('the manifests of an agent: %s', (name, { deployment, settings }) => {
  const objects = objectsOf(deployment, settings);

  it('are those of the golden file', async () => {
    const text = `${JSON.stringify(objects, null, 2)}
`;
    await expect(text).toMatchFileSnapshot(`manifests/${name}.json`);
  });

  it('are one owner, and what it owns by a controller reference that delays its deletion', () => {
    const [owner, ...owned] = objects;
    expect(owner?.metadata?.ownerReferences).toBeUndefined();
    const reference = {
      apiVersion: owner?.apiVersion,
      kind: owner?.kind,
      name: owner?.metadata?.name,
      uid: ownerUid,
      controller: true,
      blockOwnerDeletion: true,
    };
    for (const object of owned) expect(object.metadata?.ownerReferences).toEqual([reference]);
    expect(owned.map(({ kind }) => kind).sort()).toEqual(
      ['Deployment', 'Ingress', 'NetworkPolicy', 'Secret', 'Service', 'ServiceAccount'].sort(),
    );
  });

  it('carry the recommended labels and those of ours', () => {
    for (const { metadata } of objects) {
      expect(metadata?.namespace).toBe('agents');
      expect(metadata?.labels).toEqual({
        'app.kubernetes.io/name': 'patchbay-agent',
        'app.kubernetes.io/instance': deployment.deployment,
        'app.kubernetes.io/part-of': 'patchbay',
        'app.kubernetes.io/managed-by': 'patchbay',
        'agents.patchbay.dev/installation': settings.installation,
        'agents.patchbay.dev/agent': deployment.agentUuid,
        'agents.patchbay.dev/profile': deployment.profileUuid,
        'agents.patchbay.dev/project': deployment.projectUuid,
      });
    }
  });

  it('have valid names and labels', () => {
    for (const { metadata } of objects) {
      expect(metadata?.name).toMatch(/^[a-z]([-a-z0-9]*[a-z0-9])?$/);
      for (const value of Object.values(metadata?.labels ?? {})) expect(value).toMatch(/^[a-z0-9][-a-z0-9]{0,62}$/);
    }
  });

  it('hold the credential in the Secret alone', () => {
    const [[, credential = ''] = []] = Object.entries(deployment.secretEnv);
    for (const form of [credential, Buffer.from(credential).toString('base64')]) {
      const holders = objects.filter((object) => JSON.stringify(object).includes(form)).map(({ kind }) => kind);
      expect(holders.every((kind) => kind === 'Secret')).toBe(true);
    }
    expect(the<V1Secret>('Secret', objects).data).toEqual({
      PATCHBAY_API_KEY: Buffer.from(credential).toString('base64'),
    });
  });

  it('have no field with an empty value, which an old API server turns into a conflict', () => {
    const walk = (value: unknown, path: string): string[] =>
      value instanceof Object
        ? Object.entries(value).flatMap(([key, inner]) => walk(inner, `${path}.${key}`))
        : value === '' ||
            value === undefined ||
            value === null ||
            (value === 0 && !/\.(replicas|maxUnavailable)$/.test(path))
          ? [path]
          : [];
    expect(objects.flatMap((object) => walk(object, object.kind ?? ''))).toEqual([]);
  });
});

/** The standard's own list of controls. @see https://kubernetes.io/docs/concepts/security/pod-security-standards/ */
describe.each(Object.entries(variants))(
  'the Pod Security Standard "restricted": %s',
  (_name, { deployment, settings }) => {
    const objects = objectsOf(deployment, settings);
    const pod = podSpecOf(objects);
    const container = containerOf(objects);

    it('HostProcess', () => {
      expect(pod.securityContext?.windowsOptions).toBeUndefined();
      expect(container.securityContext?.windowsOptions).toBeUndefined();
    });
    it('Host Namespaces', () => {
      expect([pod.hostNetwork, pod.hostPID, pod.hostIPC, pod.hostUsers]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    });
    it('Privileged Containers', () => expect(container.securityContext?.privileged).toBe(false));
    it('Capabilities', () => expect(container.securityContext?.capabilities).toEqual({ drop: ['ALL'] }));
    it('HostPath Volumes and Volume Types', () => {
      expect(pod.volumes).toEqual([{ name: 'tmp', emptyDir: { sizeLimit: '256Mi' } }]);
    });
    it('Host Ports', () => expect(container.ports?.map(({ hostPort }) => hostPort)).toEqual([undefined]));
    it('AppArmor', () => {
      const annotations = the<V1Deployment>('Deployment', objects).spec?.template.metadata?.annotations ?? {};
      expect(Object.keys(annotations).filter((name) => name.includes('apparmor'))).toEqual([]);
      expect(container.securityContext?.appArmorProfile ?? pod.securityContext?.appArmorProfile).toBeUndefined();
    });
    it('SELinux', () => {
      expect(container.securityContext?.seLinuxOptions ?? pod.securityContext?.seLinuxOptions).toBeUndefined();
    });
    it('/proc Mount Type', () => expect(container.securityContext?.procMount).toBeUndefined());
    it('Seccomp', () => {
      expect(pod.securityContext?.seccompProfile).toEqual({ type: 'RuntimeDefault' });
      expect(container.securityContext?.seccompProfile).toEqual({ type: 'RuntimeDefault' });
    });
    it('Sysctls', () => expect(pod.securityContext?.sysctls).toBeUndefined());
    it('Privilege Escalation', () => expect(container.securityContext?.allowPrivilegeEscalation).toBe(false));
    it('Running as Non-root', () => {
      expect(pod.securityContext?.runAsNonRoot).toBe(true);
      expect(container.securityContext?.runAsNonRoot).toBe(true);
    });
    it('Running as Non-root user', () => {
      expect(pod.securityContext?.runAsUser).toBe(65_532);
      expect(container.securityContext?.runAsUser).toBeUndefined();
    });
    it('covers every container', () => {
      expect(pod.initContainers).toBeUndefined();
      expect(pod.ephemeralContainers).toBeUndefined();
    });
  },
);

describe('the pods', () => {
  it('have no token of the cluster', () => {
    expect(podSpecOf().automountServiceAccountToken).toBe(false);
    expect(podSpecOf().serviceAccountName).toBe(agent.deployment);
    expect(the<V1ServiceAccount>('ServiceAccount').automountServiceAccountToken).toBe(false);
    expect(podSpecOf().enableServiceLinks).toBe(false);
  });

  it('cannot write their image, only /tmp, and of that a bounded amount', () => {
    expect(containerOf().securityContext?.readOnlyRootFilesystem).toBe(true);
    expect(containerOf().volumeMounts).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
    expect(containerOf().resources?.limits?.['ephemeral-storage']).toBe('1Gi');
  });

  it('have requests and limits', () => {
    expect(containerOf().resources).toEqual({
      requests: { cpu: '100m', memory: '256Mi', 'ephemeral-storage': '64Mi' },
      limits: { cpu: '1000m', memory: '1Gi', 'ephemeral-storage': '1Gi' },
    });
  });

  it('have three probes of port 8080', () => {
    const { startupProbe, readinessProbe, livenessProbe, ports } = containerOf();
    for (const probe of [startupProbe, readinessProbe, livenessProbe])
      expect(probe?.tcpSocket).toEqual({ port: 'http' });
    expect(ports).toEqual([{ name: 'http', containerPort: 8080, protocol: 'TCP' }]);
  });

  it('take secrets by reference', () => {
    expect(containerOf().env).toEqual([
      { name: 'PATCHBAY_AGENT_UUID', value: agentUuid },
      { name: 'PATCHBAY_URL', value: 'https://patchbay.example.com' },
      {
        name: 'PATCHBAY_API_KEY',
        valueFrom: { secretKeyRef: { name: `${agent.deployment}-env`, key: 'PATCHBAY_API_KEY' } },
      },
    ]);
  });

  it('are always pulled, unless a digest names the image', () => {
    expect(containerOf().imagePullPolicy).toBe('Always');
    const image = `ghcr.io/acme/agent:1@sha256:${'a'.repeat(64)}`;
    expect(containerOf(objectsOf({ ...agent, image })).imagePullPolicy).toBe('IfNotPresent');
  });
});

describe('the Deployment', () => {
  const { spec, metadata } = the<V1Deployment>('Deployment');

  it('selects its pods by the uuid of the agent alone', () => {
    expect(spec?.selector).toEqual({ matchLabels: { 'agents.patchbay.dev/agent': agentUuid } });
    expect(spec?.template.metadata?.labels).toMatchObject(spec?.selector.matchLabels ?? {});
  });

  it('replaces a pod only when the new one is ready, within a deadline', () => {
    expect(spec?.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    expect(spec?.progressDeadlineSeconds).toBe(300);
  });

  it('names its revision, on the pods too', () => {
    expect(metadata?.annotations).toEqual({ 'agents.patchbay.dev/revision': '1' });
    expect(spec?.template.metadata?.annotations).toEqual({ 'agents.patchbay.dev/revision': '1' });
  });
});

describe('the network', () => {
  it('has a Service from 80 to the named port', () => {
    expect(the<V1Service>('Service').spec).toEqual({
      type: 'ClusterIP',
      selector: { 'agents.patchbay.dev/agent': agentUuid },
      ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }],
    });
  });

  it('has an Ingress with an explicit class, path type, port and certificate', () => {
    const { spec, metadata } = the<V1Ingress>('Ingress');
    expect(metadata?.annotations).toEqual({ 'cert-manager.io/cluster-issuer': 'letsencrypt' });
    expect(spec?.ingressClassName).toBe('nginx');
    expect(spec?.tls).toEqual([{ hosts: [agent.host], secretName: `${agent.deployment}-tls` }]);
    expect(spec?.rules).toEqual([
      {
        host: agent.host,
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: agent.deployment, port: { name: 'http' } } } },
          ],
        },
      },
    ]);
  });

  it('lets in the ingress controller alone', () => {
    const { spec } = the<NetworkPolicy>('NetworkPolicy');
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(spec.podSelector).toEqual({ matchLabels: { 'agents.patchbay.dev/agent': agentUuid } });
    expect(spec.ingress).toEqual([
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
        ports: [{ port: 'http', protocol: 'TCP' }],
      },
    ]);
  });

  it('lets out DNS and https to public addresses, and what the operator adds', () => {
    const egress = [{ cidr: '10.1.0.0/16', port: 3_000 }];
    const { spec } = the<NetworkPolicy>('NetworkPolicy', objectsOf(agent, { ...manifestSettings, egress }));
    const [dns, https, added, ...more] = spec.egress ?? [];
    expect(more).toEqual([]);
    expect(dns?.ports?.map(({ port }) => port)).toEqual([53, 53]);
    expect(dns?.to?.every(({ ipBlock }) => ipBlock === undefined)).toBe(true);
    expect(https?.ports).toEqual([{ port: 443, protocol: 'TCP' }]);
    expect(added).toEqual({ to: [{ ipBlock: { cidr: '10.1.0.0/16' } }], ports: [{ port: 3_000, protocol: 'TCP' }] });
    const inside = objectsOf(agent, { ...manifestSettings, platform: { namespace: 'patchbay', port: 3_000 } });
    expect(the<NetworkPolicy>('NetworkPolicy', inside).spec.egress?.[2]).toEqual({
      to: [
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'patchbay' } },
          podSelector: { matchLabels: { 'app.kubernetes.io/name': 'patchbay' } },
        },
      ],
      ports: [{ port: 3_000, protocol: 'TCP' }],
    });
    const except = https?.to?.flatMap(({ ipBlock }) => ipBlock?.except ?? []) ?? [];
    for (const range of [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '169.254.0.0/16',
      '100.64.0.0/10',
      '127.0.0.0/8',
    ])
      expect(except).toContain(range);
  });
});
