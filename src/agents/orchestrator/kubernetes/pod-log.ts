import { instanceLabel } from '../manifests/labels.ts';
import { containerName } from '../manifests/workload.ts';
import type { LogLine } from '../orchestrator.ts';
import type { KubernetesApi } from './api.ts';
import { isStatus, orchestratorErrorOf } from './api-failure.ts';
import { listed } from './listing.ts';
import { pathOf } from './paths.ts';
import { pause } from './pause.ts';
import type { WirePod } from './wire.ts';

/** Characters of a line of a log; more are cut off. */
const lineLengthMax = 16_384;
/** Bytes of the existing lines. */
const bytesMax = 1024 * 1024;
const betweenPodsMs = 1_000;

export interface LogSource {
  readonly api: KubernetesApi;
  readonly namespace: string;
  readonly callMs: number;
}

/**
 * The existing lines of a pod's log.
 *
 * @param options.previous Whether to read the log of the previous container.
 * @returns No lines before the container has started.
 */
export async function lastLines(
  { api, namespace }: LogSource,
  pod: string,
  options: { readonly tailLines: number; readonly previous?: boolean },
  signal: AbortSignal,
): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  try {
    for await (const line of rawLines(api, namespace, pod, { ...options, limitBytes: bytesMax }, signal))
      lines.push(logLineOf(line));
  } catch (error) {
    if (!isStatus(error, 400, 404)) throw error;
  }
  return lines;
}

/** The log of a deployment's newest pod; when it is followed, of the pods that come after, too. */
export async function* deploymentLog(
  source: LogSource,
  deployment: string,
  { tailLines, follow }: { readonly tailLines: number; readonly follow: boolean },
  signal: AbortSignal,
): AsyncGenerator<LogLine, void, void> {
  const { api, namespace, callMs } = source;
  const bounded = () => AbortSignal.any([signal, AbortSignal.timeout(callMs)]);
  let last = { pod: '', stamp: '' };
  try {
    for (;;) {
      const pod = await newestPod(source, deployment, bounded());
      if (pod && !follow) yield* await lastLines(source, pod, { tailLines }, bounded());
      if (!follow) return;
      // For a known pod, only the new lines; for its replacement, all lines.
      const query =
        pod === last.pod
          ? { sinceTime: last.stamp.replace(/\.\d+/, '') || undefined }
          : last.pod === ''
            ? { tailLines }
            : {};
      if (pod) {
        const { stamp } = last;
        const isResumed = pod === last.pod;
        last = { pod, stamp: isResumed ? stamp : '' };
        try {
          for await (const line of rawLines(api, namespace, pod, { ...query, follow: true }, signal)) {
            const lineStamp = line.slice(0, line.indexOf(' '));
            // Further lines may have arrived with the last one.
            if (signal.aborted) return;
            if (isResumed && nanoseconds(lineStamp) <= nanoseconds(stamp)) continue;
            last = { pod, stamp: lineStamp };
            yield logLineOf(line);
          }
        } catch (error) {
          // The container has not begun, or the pod is gone.
          if (!isStatus(error, 400, 404)) throw error;
        }
      }
      await pause(betweenPodsMs, signal);
      if (signal.aborted) return;
    }
  } catch (error) {
    if (signal.aborted) return;
    throw orchestratorErrorOf(error);
  }
}

const rawLines = (
  api: KubernetesApi,
  namespace: string,
  pod: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  signal: AbortSignal,
) =>
  api.lines(`${pathOf(namespace, 'Pod', pod)}/log`, {
    query: { container: containerName, timestamps: true, ...query },
    accept: '*/*',
    signal,
  });

/** The newest pod whose container has begun, else the newest. */
async function newestPod(
  { api, namespace }: LogSource,
  deployment: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { items } = await listed<WirePod>(api, pathOf(namespace, 'Pod'), {
    labelSelector: `${instanceLabel}=${deployment}`,
    signal,
  });
  const hasBegun = ({ status }: WirePod) =>
    status?.containerStatuses?.some(({ state, restartCount = 0 }) => restartCount > 0 || !state?.waiting) ? 1 : 0;
  const [newest] = items.toSorted(
    (a, b) =>
      hasBegun(b) - hasBegun(a) ||
      Date.parse(b.metadata.creationTimestamp ?? '') - Date.parse(a.metadata.creationTimestamp ?? ''),
  );
  return newest?.metadata.name ?? null;
}

/** A line as the kubelet stamps it: an instant with nanoseconds, a space, the text. */
function logLineOf(line: string): LogLine {
  const space = line.indexOf(' ');
  const milliseconds = Date.parse(line.slice(0, space));
  if (space === -1 || Number.isNaN(milliseconds)) return { at: null, text: line.slice(0, lineLengthMax) };
  return { at: new Date(milliseconds), text: line.slice(space + 1, space + 1 + lineLengthMax) };
}

function nanoseconds(stamp: string): bigint {
  const milliseconds = Date.parse(stamp.replace(/\.\d+/, ''));
  const fraction = /\.(\d{1,9})/.exec(stamp)?.[1] ?? '';
  return Number.isNaN(milliseconds) ? 0n : BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
