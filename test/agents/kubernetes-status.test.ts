import { describe, expect, it } from 'vitest';
import type { KubernetesApi } from '../../src/agents/orchestrator/kubernetes/api.ts';
import { ApiFailure, orchestratorErrorOf } from '../../src/agents/orchestrator/kubernetes/api-failure.ts';
import { observedDeployment } from '../../src/agents/orchestrator/kubernetes/deployment-status.ts';
import { describedStatus } from '../../src/agents/orchestrator/kubernetes/failures.ts';
import { linesOf } from '../../src/agents/orchestrator/kubernetes/lines.ts';
import { publicText } from '../../src/agents/orchestrator/kubernetes/public-text.ts';
import type { WireCondition, WireDeployment, WirePod } from '../../src/agents/orchestrator/kubernetes/wire.ts';

const revisionOf = (revision: number) => ({ 'agents.patchbay.dev/revision': String(revision) });

const deploymentOf = (
  status: WireDeployment['status'],
  { generation = 2, replicas = 1, revision = 2 } = {},
): WireDeployment => ({
  metadata: { name: 'worker-1', uid: 'u', generation, annotations: revisionOf(revision) },
  spec: { replicas },
  status,
});

const whole = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };

const podOf = (name: string, reason: string, revision = 2, changes: Partial<WirePod['metadata']> = {}): WirePod => ({
  metadata: { name, uid: name, annotations: revisionOf(revision), ...changes },
  spec: { containers: [{ image: 'ghcr.io/acme/agent:1' }] },
  status: { containerStatuses: [{ name: 'agent', state: { waiting: { reason, message: 'back-off' } } }] },
});

describe('a status', () => {
  it('is ready when the latest revision is rolled out and available', () => {
    expect(observedDeployment(deploymentOf(whole), [])).toEqual({
      status: {
        ready: true,
        replicas: 1,
        readyReplicas: 1,
        unavailableReplicas: 0,
        conditions: [],
        revision: 2,
        failure: null,
      },
      cause: null,
    });
    expect(observedDeployment(deploymentOf({ observedGeneration: 2 }, { replicas: 0 }), []).status.ready).toBe(true);
  });

  it.each([
    ['the controllers have not seen it', { ...whole, observedGeneration: 1 }],
    ['no pod of it is there', { ...whole, updatedReplicas: 0 }],
    ['the pod before is still there', { ...whole, replicas: 2 }],
    ['the pod is not available', { ...whole, availableReplicas: 0 }],
    ['nothing is known', undefined],
  ])('is not ready while %s', (_case, status) => {
    expect(observedDeployment(deploymentOf(status), []).status.ready).toBe(false);
  });

  it.each([
    'CrashLoopBackOff',
    'ImagePullBackOff',
    'ErrImagePull',
    'InvalidImageName',
    'CreateContainerConfigError',
    'CreateContainerError',
    'RunContainerError',
  ])('has failed by %s', (reason) => {
    const { cause } = observedDeployment(deploymentOf({ observedGeneration: 2 }), [podOf('a', reason)]);
    expect(cause).toMatchObject({ reason, pod: 'a', message: expect.stringContaining('back-off') });
  });

  it.each(['ContainerCreating', 'PodInitializing'])('has not failed by %s', (reason) => {
    expect(observedDeployment(deploymentOf({ observedGeneration: 2 }), [podOf('a', reason)]).cause).toBeNull();
  });

  it('does not fail by a pod of another revision, or by one that ends', () => {
    const pods = [
      podOf('old', 'CrashLoopBackOff', 1),
      podOf('ending', 'CrashLoopBackOff', 2, { deletionTimestamp: '2026-03-01T12:00:00Z' }),
    ];
    expect(observedDeployment(deploymentOf({ observedGeneration: 2 }), pods).cause).toBeNull();
  });

  it('fails by the pod before the deadline, and by the quota before the deadline', () => {
    const late: WireCondition = {
      type: 'Progressing',
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: 'late',
    };
    const quota: WireCondition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota' };
    const causeOf = (conditions: WireCondition[], pods: WirePod[] = []) =>
      observedDeployment(deploymentOf({ observedGeneration: 2, conditions }), pods).cause?.reason;
    expect(causeOf([late])).toBe('ProgressDeadlineExceeded');
    expect(causeOf([late, quota])).toBe('FailedCreate');
    expect(causeOf([late, quota], [podOf('a', 'ImagePullBackOff')])).toBe('ImagePullBackOff');
  });

  it('names the image, and how the container ended', () => {
    const pod: WirePod = {
      ...podOf('a', 'ImagePullBackOff'),
      status: {
        containerStatuses: [
          {
            name: 'agent',
            state: { waiting: { reason: 'ImagePullBackOff', message: '' } },
            lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
          },
        ],
      },
    };
    expect(observedDeployment(deploymentOf({ observedGeneration: 2 }), [pod]).cause?.message).toBe(
      'image ghcr.io/acme/agent:1; the container ended with exit code 137 (OOMKilled)',
    );
  });
});

describe('an error of the API server', () => {
  const errorOf = (status: number, message?: string, what?: string) => {
    const { kind, message: text } = orchestratorErrorOf(new ApiFailure(status, message ? { message } : {}), what);
    return [kind, text];
  };

  it.each([
    [401, undefined, 'rejected', 'the cluster does not accept the credentials of the platform'],
    [403, 'pods "a" is forbidden: exceeded quota: q', 'rejected', 'pods "a" is forbidden: exceeded quota: q'],
    [404, undefined, 'rejected', 'the namespace does not exist'],
    [409, undefined, 'conflict', 'another manager owns the object'],
    [422, 'spec.x: Invalid value', 'rejected', 'spec.x: Invalid value'],
    [429, 'slow down', 'unreachable', 'the cluster answered with status 429'],
    [500, 'etcdserver: 10.0.0.1 is away', 'unreachable', 'the cluster answered with status 500'],
  ])('%i', (status, message, kind, text) => {
    expect(errorOf(status, message)).toEqual([kind, text]);
  });

  it('does not reveal the account of the platform', () => {
    const said = 'secrets is forbidden: User "system:serviceaccount:ops:patchbay" cannot create resource "secrets"';
    expect(errorOf(403, said, 'ConfigMap')).toEqual([
      'rejected',
      'ConfigMap: the platform does not have the rights in the cluster that this needs',
    ]);
  });

  it('does not repeat messages about a Secret', () => {
    expect(errorOf(422, 'data[x]: Invalid value: "pbk_canary"', 'Secret')).toEqual([
      'rejected',
      'Secret: the cluster does not accept it',
    ]);
  });

  it('is unreachable without a response, and a bug of this program stays one', () => {
    expect(orchestratorErrorOf(new Error('connect ECONNREFUSED 10.0.0.1:6443'))).toMatchObject({
      kind: 'unreachable',
      message: 'the cluster cannot be reached',
    });
    expect(() => orchestratorErrorOf(new TypeError('x is not a function'))).toThrow(TypeError);
  });
});

it('a text of the cluster has no addresses, no line ends, and a bounded length', () => {
  expect(publicText('dial tcp 10.0.0.1:6443: lookup x on [fd00::1]:53,\n next 192.168.1.1')).toBe(
    'dial tcp <address>: lookup x on <address>, next <address>',
  );
  expect(publicText('x'.repeat(100_000))).toHaveLength(1_000);
});

it('lines are cut where they end, wherever the pieces of the stream do', async () => {
  const text = 'first\nsécond\n\nlast';
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const lines: string[] = [];
    for await (const line of linesOf(pieces())) lines.push(line);
    expect(lines).toEqual(['first', 'sécond', '', 'last']);
  }
});

describe('a failure', () => {
  it('is reported without its events and log lines when a node does not answer', async () => {
    const hangs = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    const api: KubernetesApi = {
      call: (_method, _path, { signal }) => hangs(signal),
      // biome-ignore lint/correctness/useYield: it never comes to a line
      async *lines(_path, { signal }) {
        await hangs(signal);
      },
      close: () => undefined,
    };
    // As when a watch describes a deployment: the whole call has no more time than this.
    const callMs = 600;
    const limit = AbortSignal.timeout(callMs);
    const pods = [podOf('pod-1', 'CrashLoopBackOff')];
    const status = await describedStatus(
      { api, namespace: 'agents', callMs },
      deploymentOf({ ...whole, availableReplicas: 0 }),
      pods,
      limit,
    );
    expect(status.failure).toEqual({ reason: 'CrashLoopBackOff', message: 'back-off', events: [], logLines: [] });
  });
});
