import { expect, it } from 'vitest';
import type { Condition, DeploymentStatus } from '../../src/agents/orchestrator/orchestrator.ts';
import { agentDeployment } from '../support/agent-deployment.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { createClusterStage, never } from '../support/kubernetes/cluster-stage.ts';
import { images } from '../support/kubernetes/fake-kubelet.ts';

/*
 * What each state of a certificate is shown as: test/agents/certificates.test.ts. The API server of these suites ends when it stores an
 * object of a custom kind (its JSON library is older than the Go that builds it), so only its lists and watches are used here.
 */

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The definition of cert-manager's Certificate, without the schema of its fields. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'certificates.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    scope: 'Namespaced',
    names: { kind: 'Certificate', plural: 'certificates', singular: 'certificate' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const certificateOf = (status: DeploymentStatus | null | undefined): Condition | undefined =>
  status?.conditions.find(({ type }) => type === 'CertificateReady');

it('shows a certificate as unreadable without cert-manager, and as pending once it is installed; the agent is ready meanwhile', async () => {
  const { api, createOrchestrator } = await createClusterStage();
  const orchestrator = createOrchestrator({ timing: { backoffMaxMs: 500 } });
  const agent = agentDeployment({ image: images.works });
  const { deployment } = agent;
  const seen: (DeploymentStatus | null)[] = [];
  const ending = new AbortController();
  const watching = orchestrator.watch(
    { onStatus: (_name, status) => void seen.push(status), onReachable: () => undefined },
    ending.signal,
  );
  cleanUp(async () => {
    ending.abort();
    await watching;
    await api.call('DELETE', `${definitions}/${definition.metadata.name}`, { signal: never }).catch(() => undefined);
  });
  const until = async (expected: Partial<Condition>) => {
    await eventually(String(expected.reason), () => certificateOf(seen.at(-1))?.reason === expected.reason);
    expect(certificateOf(await orchestrator.status(deployment, never))).toMatchObject(expected);
  };

  await orchestrator.apply(agent, never);
  await until({ status: 'Unknown', reason: 'CertificateUnreadable' });
  await eventually('ready', () => seen.at(-1)?.ready);
  await api.call('POST', definitions, { body: definition, signal: never });
  await until({ status: 'False', reason: 'CertificatePending' });
  expect(seen.at(-1)?.ready).toBe(true);
});

it('shows no condition of certificates where no issuer is configured', async () => {
  const { createOrchestrator } = await createClusterStage();
  const orchestrator = createOrchestrator({ certIssuer: undefined });
  const agent = agentDeployment({ image: images.works });
  await orchestrator.apply(agent, never);
  await eventually('ready', async () => (await orchestrator.status(agent.deployment, never))?.ready);
  expect(certificateOf(await orchestrator.status(agent.deployment, never))).toBeUndefined();
});
