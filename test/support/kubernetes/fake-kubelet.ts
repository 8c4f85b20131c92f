import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesApi } from '../../../src/agents/orchestrator/kubernetes/api.ts';
import { isStatus } from '../../../src/agents/orchestrator/kubernetes/api-failure.ts';
import { follow, usualTiming } from '../../../src/agents/orchestrator/kubernetes/following.ts';
import type { WirePod } from '../../../src/agents/orchestrator/kubernetes/wire.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { selfSignedCertificate } from '../certificate.ts';

/** What the fake kubelet makes of a pod, by its image. */
export const images = {
  /** Runs and is ready. */
  works: 'registry.test/works:1',
  /** The same, and writes `line 1`, `line 2` … to its log. */
  talks: 'registry.test/talks:1',
  /** Runs and is never ready. */
  unready: 'registry.test/unready:1',
  crashes: 'registry.test/crashes:1',
  unavailable: 'registry.test/unavailable:1',
} as const;

const talkMs = 40;
const merge = 'application/merge-patch+json';
const nodeName = 'fake';
/** Endpoints take no loopback address. */
const podIP = '10.244.0.2';

interface NamespacedPod extends WirePod {
  readonly metadata: WirePod['metadata'] & { readonly namespace: string };
  readonly spec: WirePod['spec'] & { readonly nodeName?: string };
}

/**
 * A node whose pods are only said to run: it takes every pod, sets its status by its image, serves logs, and lets it go when it is
 * deleted. The API server, the controllers and the way of logs through the API server are real.
 *
 * @returns Ends it.
 */
export async function startFakeKubelet(api: KubernetesApi): Promise<() => Promise<void>> {
  const ending = new AbortController();
  const { signal } = ending;
  const begun = new Map<string, number>();

  const stampedLines = (pod: string): string[] => {
    const [start = 0, image] = [begun.get(pod) ?? performance.now(), imageOf.get(pod)];
    const stamp = (offset: number) => new Date(performance.timeOrigin + start + offset).toISOString();
    if (image === images.crashes) return [`${stamp(0)} begins`, `${stamp(1)} about to crash`];
    if (image !== images.talks) return [];
    const count = Math.floor((performance.now() - start) / talkMs);
    return Array.from({ length: count }, (_, index) => `${stamp(index * talkMs)} line ${index + 1}`);
  };
  const imageOf = new Map<string, string>();

  const logs = createServer(selfSignedCertificate('localhost'), async (request, response) => {
    const url = new URL(request.url ?? '', 'https://kubelet');
    const [, , , pod = ''] = url.pathname.split('/');
    const since = url.searchParams.get('sinceTime');
    const all = stampedLines(pod).filter((line) => !since || Date.parse(line.slice(0, 24)) >= Date.parse(since));
    const tail = url.searchParams.get('tailLines');
    let sent = tail === null ? 0 : Math.max(0, all.length - Number(tail));
    const isFollowed = url.searchParams.get('follow') === 'true';
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
    let lines = all;
    while (!response.destroyed) {
      if (lines.length > sent) response.write(`${lines.slice(sent).join('\n')}\n`);
      sent = lines.length;
      if (!isFollowed || signal.aborted) break;
      await delay(talkMs);
      lines = stampedLines(pod).filter((line) => !since || Date.parse(line.slice(0, 24)) >= Date.parse(since));
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await once(logs, 'listening');

  await api.call('POST', '/api/v1/nodes', { body: { metadata: { name: nodeName } }, signal });
  await api.call('PATCH', `/api/v1/nodes/${nodeName}/status`, {
    contentType: merge,
    body: {
      status: {
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        daemonEndpoints: { kubeletEndpoint: { Port: (logs.address() as AddressInfo).port } },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
    signal,
  });

  const seen = new Map<string, string>();
  async function care(pod: NamespacedPod): Promise<void> {
    const { name, namespace, uid, deletionTimestamp } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    if (deletionTimestamp) {
      await api.call('DELETE', path, { body: { gracePeriodSeconds: 0, preconditions: { uid } }, signal });
      return;
    }
    if (!pod.spec.nodeName) {
      const body = { metadata: { name }, target: { kind: 'Node', name: nodeName } };
      await api.call('POST', `${path}/binding`, { body, signal });
      return;
    }
    if (seen.get(uid)) return;
    seen.set(uid, name);
    const image = pod.spec.containers[0]?.image ?? '';
    imageOf.set(name, image);
    begun.set(name, performance.now());
    const { status, event } = lifeOf(image, begunAt());
    await api.call('PATCH', `${path}/status`, { contentType: merge, body: { status }, signal });
    if (event) {
      const involvedObject = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid };
      const at = begunAt();
      const body = {
        metadata: { generateName: `${name}.` },
        involvedObject,
        type: 'Warning',
        count: 2,
        firstTimestamp: at,
        lastTimestamp: at,
        source: { component: 'kubelet', host: nodeName },
        ...event,
      };
      await api.call('POST', `/api/v1/namespaces/${namespace}/events`, { body, signal });
    }
  }
  const onPod = (pod: NamespacedPod) =>
    void care(pod).catch((error) => {
      // Gone or changed meanwhile; the API server away: the next event or list comes back to it.
      seen.delete(pod.metadata.uid);
      if (!isStatus(error, 404, 409) && !signal.aborted) setTimeout(() => onPod(pod), 500).unref();
    });

  const following = follow<NamespacedPod>({
    api,
    path: '/api/v1/pods',
    labelSelector: '',
    clock: systemClock,
    timing: { ...usualTiming, backoffMaxMs: 500 },
    signal,
    onItem: onPod,
    onGone: ({ metadata }) => void seen.delete(metadata.uid),
    onReachable: () => undefined,
    onSign: () => undefined,
  });
  return async () => {
    ending.abort();
    logs.closeAllConnections();
    logs.close();
    await following;
  };
}

const begunAt = () => systemClock.now().toISOString().replace(/\.\d+/, '');

function lifeOf(image: string, at: string): { status: object; event?: object } {
  const container = { name: 'agent', image, imageID: '', restartCount: 0, ready: false, started: false };
  const ready = (status: 'True' | 'False') => ({ type: 'Ready', status, lastTransitionTime: at });
  const waiting = (reason: string, message: string, changes: object = {}) => ({
    phase: 'Pending',
    podIP,
    conditions: [ready('False')],
    containerStatuses: [{ ...container, state: { waiting: { reason, message } }, ...changes }],
  });
  switch (image) {
    case images.crashes: {
      const terminated = { exitCode: 1, reason: 'Error', startedAt: at, finishedAt: at };
      const message = 'back-off 10s restarting failed container=agent pod=x';
      return {
        status: {
          ...waiting('CrashLoopBackOff', message, { restartCount: 3, lastState: { terminated } }),
          phase: 'Running',
        },
        event: { reason: 'BackOff', message: 'Back-off restarting failed container' },
      };
    }
    case images.unavailable:
    case 'registry.invalid/none:1':
      return {
        status: waiting('ImagePullBackOff', `Back-off pulling image "${image}"`),
        event: {
          reason: 'Failed',
          message: `Failed to pull image "${image}": lookup registry.test on 10.0.0.10:53: no such host`,
        },
      };
    default: {
      const isReady = image !== images.unready;
      return {
        status: {
          phase: 'Running',
          podIP,
          podIPs: [{ ip: podIP }],
          startTime: at,
          conditions: [ready(isReady ? 'True' : 'False'), { type: 'ContainersReady', status: 'True' }],
          containerStatuses: [{ ...container, ready: isReady, started: true, state: { running: { startedAt: at } } }],
        },
      };
    }
  }
}
