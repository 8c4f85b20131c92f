import { type Clock, systemClock } from '../../../platform/clock.ts';
import { agentLabel, installationSelector, instanceLabel } from '../manifests/labels.ts';
import type { ManifestSettings } from '../manifests/manifest-settings.ts';
import { ownedStagesOf, ownerOf } from '../manifests/manifests.ts';
import { tlsSecretNameOf } from '../manifests/network.ts';
import { secretNameOf } from '../manifests/workload.ts';
import { type DeploymentStatus, type Orchestrator, OrchestratorError, type OwnedDeployment } from '../orchestrator.ts';
import { createKubernetesApi } from './api.ts';
import { isStatus, orchestratorErrorOf } from './api-failure.ts';
import { appliedObject, drainedService } from './applying.ts';
import { type ObservedCertificate, withCertificate } from './certificates.ts';
import { loadCluster } from './cluster.ts';
import { describedStatus } from './failures.ts';
import { type FollowingTiming, usualTiming } from './following.ts';
import { listed } from './listing.ts';
import { type Kind, pathOf } from './paths.ts';
import { podEvents } from './pod-events.ts';
import { deploymentLog, type LogSource } from './pod-log.ts';
import { watchStatuses } from './status-watch.ts';
import type { WireCertificate, WireDeployment, WireObject, WirePod } from './wire.ts';

export interface KubernetesOptions extends ManifestSettings {
  /** See `loadCluster`. */
  readonly kubeconfig: string | undefined;
  readonly clock?: Clock;
  /** Milliseconds after which a call ends; 9 000 when left out. */
  readonly callMs?: number;
  readonly timing?: Partial<FollowingTiming>;
}

export interface KubernetesOrchestrator extends Orchestrator {
  readonly kind: 'kubernetes';
  /**
   * Seconds since the watch received something of the API server: an object, a bookmark (one a minute) or a list. Some minutes mean that
   * statuses are stale. Null while nothing is watched.
   */
  watchAgeSeconds(): number | null;
}

/** Everything of an agent that can outlive its owner: what carries its labels. Its Secrets are removed by name. */
const labelledKinds = [
  'ConfigMap',
  'Deployment',
  'Service',
  'Ingress',
  'ServiceAccount',
  'NetworkPolicy',
] as const satisfies Kind[];

const eventsMax = 50;

/**
 * Runs agents on Kubernetes, each as a Deployment with a Service, an Ingress and a NetworkPolicy, in one namespace.
 *
 * @throws {Error} when the kubeconfig cannot be read.
 */
export function createKubernetesOrchestrator(options: KubernetesOptions): KubernetesOrchestrator {
  const { namespace, installation, clock = systemClock, callMs = 9_000 } = options;
  const api = createKubernetesApi(loadCluster(options.kubeconfig));
  const source: LogSource = { api, namespace, callMs };
  const ending = new AbortController();
  const signs = new Map<string, Date>();
  const hasCertificates = options.certIssuer !== undefined;
  const path = (kind: Kind, name?: string) => pathOf(namespace, kind, name);

  /** Runs a call within its time, and gives its errors a form that may be shown. */
  async function call<Result>(signal: AbortSignal, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    try {
      return await run(AbortSignal.any([signal, ending.signal, AbortSignal.timeout(callMs)]));
    } catch (error) {
      signal.throwIfAborted();
      throw orchestratorErrorOf(error);
    }
  }

  /** @returns Null for an object that does not exist. */
  async function read<Item>(kind: Kind, name: string, signal: AbortSignal): Promise<Item | null> {
    try {
      return await api.call<Item>('GET', path(kind, name), { signal });
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw error;
    }
  }

  /** The certificate that cert-manager makes for the Ingress of a deployment. It has the labels of the Ingress. */
  async function certificateOf(deployment: string, signal: AbortSignal): Promise<ObservedCertificate> {
    const labelSelector = `${instanceLabel}=${deployment}`;
    try {
      const { items } = await listed<WireCertificate>(api, path('Certificate'), { labelSelector, signal });
      return items[0] ?? null;
    } catch (error) {
      // Without cert-manager this kind does not exist; an older role does not permit it.
      if (isStatus(error, 404) || isStatus(error, 403)) return 'unreadable';
      throw error;
    }
  }

  /**
   * @returns Whether the object is removed. The server returns the object while it, or an object that it owns, still
   * ends.
   */
  async function removeObject(kind: Kind, name: string, signal: AbortSignal): Promise<boolean> {
    try {
      const response = await api.call<WireObject>('DELETE', path(kind, name), {
        body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground' },
        signal,
      });
      return response.kind === 'Status';
    } catch (error) {
      if (isStatus(error, 404)) return true;
      throw error;
    }
  }

  const labelled = async <Item extends WireObject>(kind: Kind, labelSelector: string, signal: AbortSignal) =>
    (await listed<Item>(api, path(kind), { labelSelector, metadataOnly: true, signal })).items;

  return {
    kind: 'kubernetes',
    namespace,

    apply: (agent, signal) =>
      call(signal, async (limit) => {
        const owner = await appliedObject(api, ownerOf(agent, options), limit);
        if (owner.metadata.deletionTimestamp)
          throw new OrchestratorError('conflict', 'the previous deployment of this name is still being removed');
        for (const stage of ownedStagesOf(agent, options, owner.metadata.uid)) {
          const outcomes = await Promise.allSettled(stage.map((object) => appliedObject(api, object, limit)));
          const failed = outcomes.find((outcome) => outcome.status === 'rejected');
          if (failed) throw failed.reason;
        }
      }),

    status: (deployment, signal) =>
      call(signal, async (limit): Promise<DeploymentStatus | null> => {
        const found = await read<WireDeployment>('Deployment', deployment, limit);
        if (!found) return null;
        const { items } = await listed<WirePod>(api, path('Pod'), {
          labelSelector: `${instanceLabel}=${deployment}`,
          signal: limit,
        });
        const status = await describedStatus(source, found, items, limit);
        return hasCertificates ? withCertificate(status, await certificateOf(deployment, limit)) : status;
      }),

    drain: (deployment, signal) =>
      call(signal, async (limit) => {
        const service = await read<WireObject>('Service', deployment, limit);
        if (service && !service.metadata.deletionTimestamp)
          await appliedObject(api, drainedService(service, namespace), limit);
      }),

    remove: (deployment, signal) =>
      call(signal, async (limit) => {
        // The owner is deleted last and in the foreground: the garbage collector first removes the objects that it
        // owns, pods included.
        if (!(await removeObject('ConfigMap', deployment, limit))) return false;
        const rest = await Promise.all(
          [...labelledKinds, 'Pod' as const].map(async (kind) => {
            const found = await labelled(kind, `${instanceLabel}=${deployment}`, limit);
            return found.map(({ metadata }) => ({ kind, metadata }));
          }),
        );
        const gone = await Promise.all(
          rest
            .flat()
            .map(async ({ kind, metadata }) => kind !== 'Pod' && (await removeObject(kind, metadata.name, limit))),
        );
        // After the Ingress: while it exists, cert-manager creates its Secret again.
        const secrets = [secretNameOf(deployment), tlsSecretNameOf(deployment)];
        if (gone.includes(false)) return false;
        return (await Promise.all(secrets.map((name) => removeObject('Secret', name, limit)))).every(Boolean);
      }),

    list: (signal) =>
      call(signal, async (limit) => {
        const found = await Promise.all(
          labelledKinds.map((kind) => labelled(kind, installationSelector(installation), limit)),
        );
        const owned = new Map<string, OwnedDeployment>();
        for (const { metadata } of found.flat()) {
          const { [instanceLabel]: deployment, [agentLabel]: agentUuid } = metadata.labels ?? {};
          if (deployment && agentUuid) owned.set(deployment, { deployment, agentUuid });
        }
        return [...owned.values()];
      }),

    watch: (listener, signal) =>
      watchStatuses(
        {
          source,
          labelSelector: installationSelector(installation),
          clock,
          timing: { ...usualTiming, ...options.timing },
          hasCertificates,
          signs,
        },
        listener,
        AbortSignal.any([signal, ending.signal]),
      ).finally(() => signs.clear()),

    logs: (deployment, which, signal) =>
      deploymentLog(source, deployment, which, AbortSignal.any([signal, ending.signal])),

    events: (deployment, signal) => call(signal, (limit) => podEvents(api, namespace, deployment, eventsMax, limit)),

    watchAgeSeconds() {
      const oldest = Math.min(...[...signs.values()].map((at) => at.getTime()));
      return signs.size === 0 ? null : Math.max(0, (clock.now().getTime() - oldest) / 1_000);
    },

    async close() {
      ending.abort();
      api.close();
    },
  };
}
