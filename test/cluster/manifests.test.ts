import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { documentsOf, renderedChart, type Values } from '../deploy/rendered-chart.ts';
import { type ClusterStage, createClusterStage, never } from '../support/kubernetes/cluster-stage.ts';

const plurals: Readonly<Record<string, string>> = {
  ConfigMap: 'configmaps',
  Deployment: 'deployments',
  Ingress: 'ingresses',
  NetworkPolicy: 'networkpolicies',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  Secret: 'secrets',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
};

/**
 * Sends an object to the API server as a dry run: it parses, completes and validates the object, and stores nothing.
 * Server-side apply rejects unknown fields.
 */
async function dryRun({ api, namespace }: ClusterStage, object: KubernetesObject): Promise<void> {
  const { apiVersion = '', kind = '', metadata } = object;
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = kind === 'Namespace' ? 'namespaces' : `namespaces/${namespace}/${plurals[kind]}`;
  await api
    .call('PATCH', `${group}/${path}/${metadata?.name}`, {
      query: { fieldManager: 'test', force: true, dryRun: 'All' },
      contentType: 'application/apply-patch+yaml',
      body: object,
      signal: never,
    })
    .catch((error) => {
      throw new Error(`${kind} ${metadata?.name}: ${error.message} ${error.body?.message}`);
    });
}

/** Any object of a file in the namespace of the test. */
const inNamespace = (object: KubernetesObject, namespace: string): KubernetesObject =>
  object.kind === 'Namespace' ? object : { ...object, metadata: { ...object.metadata, namespace } };

describe('the API server accepts', () => {
  it('deploy/kubernetes/rbac.yaml', async () => {
    const stage = await createClusterStage();
    const text = readFileSync(new URL('../../deploy/kubernetes/rbac.yaml', import.meta.url), 'utf8');
    const objects = documentsOf(text);
    expect(objects.length).toBe(4);
    for (const object of objects) await dryRun(stage, inNamespace(object, stage.namespace));
  });

  it.each(['usual', 'restarted', 'suspended'])('the objects of an agent: %s', async (name) => {
    const stage = await createClusterStage();
    const text = readFileSync(new URL(`../agents/manifests/${name}.json`, import.meta.url), 'utf8');
    const objects: KubernetesObject[] = JSON.parse(text);
    expect(objects.length).toBeGreaterThanOrEqual(7);
    for (const object of objects) await dryRun(stage, inNamespace(object, stage.namespace));
  });

  it('the chart, with everything and with the least of it', async () => {
    const stage = await createClusterStage();
    const { namespace } = stage;
    const needed = { appUrl: 'https://patchbay.example.com', existingSecret: 'patchbay' };
    const everything: Values = {
      ...needed,
      imagePullSecrets: [{ name: 'pull' }],
      settings: { MAIL_FROM: 'A "b" <a@example.com>' },
      ingress: {
        enabled: true,
        host: 'patchbay.example.com',
        tlsSecret: 'tls',
        annotations: { 'a.example/b': 'true' },
      },
      agents: { domain: 'agents.example.com', namespace, certIssuer: 'letsencrypt', images: 'ghcr.io/acme' },
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    };
    const least: Values = { ...needed, agents: { enabled: false }, networkPolicy: { enabled: false } };
    for (const values of [everything, least]) {
      const objects = renderedChart(values, namespace);
      // The server does not know the objects of the Prometheus operator.
      const known = objects.filter(({ kind }) => kind !== 'ServiceMonitor');
      expect(known.length).toBeGreaterThanOrEqual(4);
      for (const object of known) await dryRun(stage, inNamespace(object, namespace));
    }
  });
});

it('the API server would refuse a field that does not exist, and a value that is wrong', async () => {
  const stage = await createClusterStage();
  const [, deployment] = renderedChart({
    appUrl: 'https://a.example',
    existingSecret: 'patchbay',
    agents: { enabled: false },
  })
    .toSorted((a, b) => Number(a.kind === 'Deployment') - Number(b.kind === 'Deployment'))
    .reverse();
  const object = JSON.stringify(deployment);
  for (const wrong of [
    object.replace('"replicas"', '"replica"'),
    object.replace('"terminationGracePeriodSeconds"', '"terminationGracePeriod"'),
    object.replace('"RuntimeDefault"', '"Default"'),
    object.replace('"IfNotPresent"', '"Sometimes"'),
  ]) {
    expect(wrong).not.toBe(object);
    await expect(dryRun(stage, inNamespace(JSON.parse(wrong), stage.namespace))).rejects.toThrow();
  }
});
