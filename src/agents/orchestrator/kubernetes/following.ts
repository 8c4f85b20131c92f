import type { Clock } from '../../../platform/clock.ts';
import type { KubernetesApi } from './api.ts';
import { ApiFailure, isStatus } from './api-failure.ts';
import { listed } from './listing.ts';
import { pause } from './pause.ts';
import type { WireObject } from './wire.ts';

/** How a following keeps itself alive. In milliseconds, except `watchSeconds`. */
export interface FollowingTiming {
  /** The API server ends a watch after so long; the next one goes on from the same place. */
  readonly watchSeconds: number;
  /** How much later than that the client ends a watch by itself: its connection is dead. */
  readonly graceMs: number;
  /** After so long everything is listed again, whatever the watch says. */
  readonly relistMs: number;
  readonly listMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
}

export const usualTiming: FollowingTiming = {
  watchSeconds: 240,
  graceMs: 15_000,
  relistMs: 600_000,
  listMs: 10_000,
  backoffMinMs: 250,
  backoffMaxMs: 15_000,
};

export interface Following<Item> {
  readonly api: KubernetesApi;
  readonly path: string;
  readonly labelSelector: string;
  readonly clock: Clock;
  readonly timing: FollowingTiming;
  readonly signal: AbortSignal;
  /** An object is there, or has changed. A relist repeats those that it finds. */
  onItem(item: Item): void;
  onGone(item: Item): void;
  /** Called after each list that succeeded, and after each failure. A failure leads to a new list. */
  onReachable(isReachable: boolean): void;
  /** Called whenever the server has given a sign of life: a list, an event or a bookmark. */
  onSign(at: Date): void;
}

interface WatchEvent<Item> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Item;
}

/**
 * Follows the objects of a kind until the signal is aborted: a list, then a watch from the list's resource version.
 *
 * The informers of client-node are not used: they do not notice a connection that dies without an error, and they stop
 * at the first error. Here both sides limit the length of a watch, an expired version (410) leads to a new list, a new
 * list is read from time to time, and every failure is followed by a growing, random pause.
 */
export async function follow<Item extends WireObject>(following: Following<Item>): Promise<void> {
  const { signal, timing, clock } = following;
  const known = new Map<string, Item>();
  let failures = 0;
  let version: string | null = null;
  // By the monotonic clock: a system clock that is set back must not delay the next list.
  let listedAt = 0;
  while (!signal.aborted) {
    try {
      if (version === null || performance.now() - listedAt >= timing.relistMs) {
        version = await relist(following, known);
        listedAt = performance.now();
        following.onReachable(true);
        following.onSign(clock.now());
      }
      const begun = performance.now();
      version = await watch(following, known, version, () => {
        failures = 0;
      });
      // A server that ends each watch at once is requested only with a pause.
      if (performance.now() - begun < shortWatchMs) await pause(backoffMs(timing, 2), signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isStatus(error, 410)) following.onReachable(false);
      // A server that starts opens watches and ends them with errors; a list says that it is there.
      version = null;
      await pause(backoffMs(timing, failures++), signal);
    }
  }
}

/** A watch that ends sooner was not wanted by the server. */
const shortWatchMs = 500;

/** Between half and the whole of a pause that doubles, so that many processes do not come back in one instant. */
const backoffMs = ({ backoffMinMs, backoffMaxMs }: FollowingTiming, failures: number): number =>
  Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures, 16)) * (0.5 + Math.random() / 2);

async function relist<Item extends WireObject>(
  { api, path, labelSelector, signal, timing, onItem, onGone }: Following<Item>,
  known: Map<string, Item>,
): Promise<string> {
  const { items, resourceVersion } = await listed<Item>(api, path, {
    labelSelector,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timing.listMs)]),
  });
  const present = new Map(items.map((item) => [item.metadata.name, item]));
  for (const [name, item] of known) {
    if (present.has(name)) continue;
    known.delete(name);
    onGone(item);
  }
  for (const [name, item] of present) {
    known.set(name, item);
    onItem(item);
  }
  return resourceVersion;
}

/**
 * One watch, until the server ends it.
 *
 * @returns The version from which the next one goes on.
 * @throws {ApiFailure} 410 when the version has expired.
 */
async function watch<Item extends WireObject>(
  { api, path, labelSelector, signal, timing, clock, onItem, onGone, onSign }: Following<Item>,
  known: Map<string, Item>,
  from: string,
  onAlive: () => void,
): Promise<string> {
  let version = from;
  const lines = api.lines(path, {
    query: {
      watch: true,
      labelSelector,
      resourceVersion: version,
      allowWatchBookmarks: true,
      timeoutSeconds: timing.watchSeconds,
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timing.watchSeconds * 1_000 + timing.graceMs)]),
  });
  for await (const line of lines) {
    const { type, object } = JSON.parse(line) as WatchEvent<Item>;
    if (type === 'ERROR') {
      const status = object as { code?: number };
      throw new ApiFailure(status.code ?? 500, status);
    }
    onAlive();
    onSign(clock.now());
    version = object.metadata.resourceVersion ?? version;
    if (type === 'BOOKMARK') continue;
    const { name } = object.metadata;
    if (type === 'DELETED') {
      known.delete(name);
      onGone(object);
    } else {
      known.set(name, object);
      onItem(object);
    }
  }
  onAlive();
  onSign(clock.now());
  return version;
}
