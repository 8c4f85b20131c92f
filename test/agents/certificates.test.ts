import { EventEmitter, on, once } from 'node:events';
import { expect, it } from 'vitest';
import type { KubernetesApi } from '../../src/agents/orchestrator/kubernetes/api.ts';
import { ApiFailure } from '../../src/agents/orchestrator/kubernetes/api-failure.ts';
import { withCertificate } from '../../src/agents/orchestrator/kubernetes/certificates.ts';
import { usualTiming } from '../../src/agents/orchestrator/kubernetes/following.ts';
import { watchStatuses } from '../../src/agents/orchestrator/kubernetes/status-watch.ts';
import type { WireCertificate, WireCondition } from '../../src/agents/orchestrator/kubernetes/wire.ts';
import type { Condition, DeploymentStatus } from '../../src/agents/orchestrator/orchestrator.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';

const labels = { 'app.kubernetes.io/instance': 'worker-1' };
const rolledOut: DeploymentStatus = {
  ready: true,
  replicas: 1,
  readyReplicas: 1,
  unavailableReplicas: 0,
  conditions: [{ type: 'Available', status: 'True', reason: '', message: '' }],
  revision: 1,
  failure: null,
};

const certificate = (...conditions: WireCondition[]): WireCertificate => ({
  metadata: { name: 'worker-1-tls', uid: 'c', resourceVersion: '2', labels },
  status: { conditions },
});

// The texts are cert-manager's own.
const doesNotExist = 'Issuing certificate as Secret does not exist';
const pending = certificate(
  { type: 'Issuing', status: 'True', reason: 'DoesNotExist', message: doesNotExist },
  { type: 'Ready', status: 'False', reason: 'DoesNotExist', message: doesNotExist },
);
const failed = certificate(
  { type: 'Issuing', status: 'False', reason: 'Failed', message: 'The certificate request has failed to complete' },
  { type: 'Ready', status: 'False', reason: 'DoesNotExist', message: doesNotExist },
);
const issued = certificate({
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: 'Certificate is up to date and has not expired',
});
const renewing = certificate(
  { type: 'Ready', status: 'True', reason: 'Ready', message: 'Certificate is up to date and has not expired' },
  { type: 'Issuing', status: 'False', reason: 'Failed', message: 'The renewal has failed' },
);

it.each([
  ['without a Certificate', null, 'False', 'CertificatePending', 'cert-manager has not created the certificate yet.'],
  ['that is being issued', pending, 'False', 'CertificatePending', doesNotExist],
  ['of which nothing is known', certificate(), 'False', 'CertificatePending', expect.any(String)],
  ['that was denied', failed, 'False', 'CertificateFailed', 'The certificate request has failed to complete'],
  ['that was issued', issued, 'True', 'CertificateIssued', 'Certificate is up to date and has not expired'],
  ['whose renewal fails while it is valid', renewing, 'True', 'CertificateIssued', expect.any(String)],
  ['that cannot be read', 'unreadable' as const, 'Unknown', 'CertificateUnreadable', expect.any(String)],
])('a certificate %s', (_title, observed, status, reason, message) => {
  expect(withCertificate(rolledOut, observed)).toEqual({
    ...rolledOut,
    conditions: [...rolledOut.conditions, { type: 'CertificateReady', status, reason, message }],
  });
});

/** A cluster with one deployment, whose certificates are listed by `certificates`, and change by the events `line`. */
function clusterWith(certificates: () => readonly WireCertificate[], changes = new EventEmitter()): KubernetesApi {
  const deployment = {
    metadata: { name: 'worker-1', uid: 'd', generation: 1, labels },
    spec: { replicas: 1 },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
  };
  const listOf = (items: readonly object[]) => ({ metadata: { resourceVersion: '1' }, items });
  return {
    async call<Response>(_method: string, path: string) {
      if (path.endsWith('/certificates')) return listOf(certificates()) as Response;
      return listOf(path.endsWith('/deployments') ? [deployment] : []) as Response;
    },
    async *lines(path, { signal }) {
      if (path.endsWith('/certificates')) for await (const [line] of on(changes, 'line', { signal })) yield line;
      if (!signal.aborted) await once(signal, 'abort');
      throw signal.reason;
    },
    close: () => undefined,
  };
}

function follow(api: KubernetesApi) {
  const seen: (Condition | undefined)[] = [];
  const reachable: boolean[] = [];
  const signs = new Map<string, Date>();
  const ending = new AbortController();
  const watching = watchStatuses(
    {
      source: { api, namespace: 'agents', callMs: 6_000 },
      labelSelector: 'app.kubernetes.io/managed-by=patchbay',
      clock: systemClock,
      timing: { ...usualTiming, backoffMinMs: 1, backoffMaxMs: 2 },
      hasCertificates: true,
      signs,
    },
    {
      onStatus: (_name, status) => void seen.push(status?.conditions.find(({ type }) => type === 'CertificateReady')),
      onReachable: (isReachable) => void reachable.push(isReachable),
    },
    ending.signal,
  );
  cleanUp(async () => {
    ending.abort();
    await watching;
  });
  return { seen, reachable, signs };
}

it('the watch reports each state of the certificate, with the first report already', async () => {
  const changes = new EventEmitter();
  const { seen } = follow(clusterWith(() => [pending], changes));
  const until = (reason: string) => eventually(reason, () => seen.at(-1)?.reason === reason);
  await until('CertificatePending');
  await eventually('a watch', () => changes.listenerCount('line') > 0);
  changes.emit('line', JSON.stringify({ type: 'MODIFIED', object: issued }));
  await until('CertificateIssued');
  changes.emit('line', JSON.stringify({ type: 'DELETED', object: issued }));
  await until('CertificatePending');
  expect(seen.map((condition) => condition?.reason)).toEqual([
    'CertificatePending',
    'CertificateIssued',
    'CertificatePending',
  ]);
});

it('a cluster without cert-manager is reachable, and its pods are reported', async () => {
  let isInstalled = false;
  const { seen, reachable, signs } = follow(
    clusterWith(() => {
      if (!isInstalled) throw new ApiFailure(404, {});
      return [issued];
    }),
  );
  await eventually('reported', () => seen.at(-1)?.reason === 'CertificateUnreadable');
  expect(reachable).toEqual([true]);
  expect([...signs.keys()].sort()).toEqual(['Deployment', 'Pod']);
  isInstalled = true;
  await eventually('read', () => seen.at(-1)?.reason === 'CertificateIssued');
  expect(reachable).toEqual([true]);
});
