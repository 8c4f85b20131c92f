import type { Clock } from '../../../platform/clock.ts';
import { instanceLabel } from '../manifests/labels.ts';
import type { DeploymentStatus, StatusListener } from '../orchestrator.ts';
import { type ObservedCertificate, withCertificate } from './certificates.ts';
import { observedDeployment } from './deployment-status.ts';
import { describedStatus } from './failures.ts';
import { type Following, type FollowingTiming, follow } from './following.ts';
import { pathOf } from './paths.ts';
import type { LogSource } from './pod-log.ts';
import type { WireCertificate, WireDeployment, WireObject, WirePod } from './wire.ts';

/** Deployments that are described at once: reading the log of one that has failed must not hold up the others. */
const describersMax = 4;

export interface StatusWatch {
  readonly source: LogSource;
  readonly labelSelector: string;
  readonly clock: Clock;
  readonly timing: FollowingTiming;
  /** Whether cert-manager issues the certificates of the agents. */
  readonly hasCertificates: boolean;
  /** When the server gave the last sign of life, by the name of the kind. */
  readonly signs: Map<string, Date>;
}

/** Follows deployments, their pods and their certificates, and reports each status that differs from the last one reported. */
export async function watchStatuses(
  { source, labelSelector, clock, timing, hasCertificates, signs }: StatusWatch,
  listener: StatusListener,
  signal: AbortSignal,
): Promise<void> {
  const deployments = new Map<string, WireDeployment>();
  const pods = new Map<string, Map<string, WirePod>>();
  const certificates = new Map<string, WireCertificate>();
  let canReadCertificates = false;
  const reported = new Map<string, string>();
  const changed = new Set<string>();
  const describers = new Set<Promise<void>>();

  const describing = new Set<string>();

  /** Reports what needs no reading: nothing of it waits for a deployment that has failed. @returns Whether that was all. */
  function reportAtOnce(name: string): boolean {
    const deployment = deployments.get(name);
    if (!deployment) {
      if (reported.delete(name)) listener.onStatus(name, null);
      return true;
    }
    const { status, cause } = observedDeployment(deployment, podsOf(name));
    if (cause) return false;
    emit(name, status);
    return true;
  }

  async function describe(name: string, deployment: WireDeployment): Promise<void> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(source.callMs)]);
    const status = await describedStatus(source, deployment, podsOf(name), limit);
    // It may have changed or been removed since; then that is reported next.
    if (!signal.aborted && !changed.has(name)) emit(name, status);
  }

  const certificateOf = (name: string): ObservedCertificate =>
    canReadCertificates ? (certificates.get(name) ?? null) : 'unreadable';

  function emit(name: string, observed: DeploymentStatus): void {
    const status = hasCertificates ? withCertificate(observed, certificateOf(name)) : observed;
    const text = JSON.stringify(status);
    if (reported.get(name) === text) return;
    reported.set(name, text);
    listener.onStatus(name, status);
  }

  const podsOf = (name: string) => [...(pods.get(name)?.values() ?? [])];

  /** Describes deployments that have failed, a few at once. */
  function describeNext(): void {
    for (const name of changed) {
      if (describers.size >= describersMax || signal.aborted) return;
      if (describing.has(name)) continue;
      changed.delete(name);
      const deployment = deployments.get(name);
      if (reportAtOnce(name) || !deployment) continue;
      describing.add(name);
      const describer = describe(name, deployment)
        // Its time was over: the next change, or the next list, comes back to it.
        .catch(() => undefined)
        .finally(() => {
          describing.delete(name);
          describers.delete(describer);
          describeNext();
        });
      describers.add(describer);
    }
  }
  const onChange = (name: string | undefined) => {
    if (name === undefined || signal.aborted) return;
    // A description that starts now could be reported after later changes: it waits for the running one.
    if (!describing.has(name) && reportAtOnce(name)) {
      changed.delete(name);
      return;
    }
    changed.add(name);
    describeNext();
  };

  const reachable = new Map<string, boolean>();
  let wasReachable: boolean | null = null;
  const onReachable = (kind: string, isReachable: boolean) => {
    reachable.set(kind, isReachable);
    const all = [...reachable.values()].every(Boolean);
    if (signal.aborted || all === wasReachable || (all && reachable.size < 2)) return;
    wasReachable = all;
    listener.onReachable(all);
  };

  const followed = <Item extends WireObject>(
    kind: 'Deployment' | 'Pod' | 'Certificate',
    on: Pick<Following<Item>, 'onItem' | 'onGone'> & Partial<Pick<Following<Item>, 'onReachable' | 'onSign'>>,
  ) =>
    follow<Item>({
      api: source.api,
      path: pathOf(source.namespace, kind),
      labelSelector,
      clock,
      timing,
      signal,
      onReachable: (isReachable) => onReachable(kind, isReachable),
      onSign: (at) => void signs.set(kind, at),
      ...on,
    });

  const instanceOf = ({ metadata }: WireObject) => metadata.labels?.[instanceLabel];

  const certificatesListed = Promise.withResolvers<void>();
  /**
   * Certificates carry the labels of their Ingress. If they cannot be read, the statuses of the pods are still
   * reported.
   */
  const followedCertificates = () => {
    const onCertificate = (certificate: WireCertificate, change: (instance: string) => void) => {
      const instance = instanceOf(certificate);
      if (instance === undefined) return;
      change(instance);
      onChange(instance);
    };
    return followed<WireCertificate>('Certificate', {
      onItem: (certificate) => onCertificate(certificate, (instance) => certificates.set(instance, certificate)),
      onGone: (certificate) => onCertificate(certificate, (instance) => certificates.delete(instance)),
      onReachable(isReachable) {
        certificatesListed.resolve();
        if (canReadCertificates === isReachable) return;
        canReadCertificates = isReachable;
        for (const name of deployments.keys()) onChange(name);
      },
      onSign: () => undefined,
    }).finally(certificatesListed.resolve);
  };
  const followingCertificates = hasCertificates && followedCertificates();
  // First, so that the first report of a deployment already has the condition of its certificate.
  if (followingCertificates) await certificatesListed.promise;
  await Promise.all([
    followingCertificates,
    followed<WireDeployment>('Deployment', {
      onItem(deployment) {
        deployments.set(deployment.metadata.name, deployment);
        onChange(deployment.metadata.name);
      },
      onGone({ metadata: { name } }) {
        deployments.delete(name);
        onChange(name);
      },
    }),
    followed<WirePod>('Pod', {
      onItem(pod) {
        const instance = instanceOf(pod);
        if (instance === undefined) return;
        const known = pods.get(instance) ?? new Map<string, WirePod>();
        pods.set(instance, known.set(pod.metadata.name, pod));
        onChange(instance);
      },
      onGone(pod) {
        const instance = instanceOf(pod);
        const known = instance === undefined ? undefined : pods.get(instance);
        known?.delete(pod.metadata.name);
        if (instance !== undefined && known?.size === 0) pods.delete(instance);
        onChange(instance);
      },
    }),
  ]);
  await Promise.all(describers);
}
