import type { Clock } from '../../../platform/clock.ts';
import type { PodEvent } from '../orchestrator.ts';
import { type PodStatus, readPodStatus, writePodStatus } from './deployment-folder.ts';

const eventsMax = 50;

/** The record of a pod by its runner, for all processes of the machine. */
export interface PodRecord {
  status(): PodStatus;
  /** Changes the status, and writes it soon: changes of one moment share a write. */
  change(changes: Partial<Omit<PodStatus, 'events'>>): void;
  /** Adds an event. One that has come before is counted. */
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
  /** Writes again what could not be written, as on a full disk, and resolves when all is written that can be. */
  flush(): Promise<void>;
}

/** A new event, or the old one with a count that has grown, in front. */
export function withEvent(
  events: readonly PodEvent[],
  { type, reason, message, lastAt }: Omit<PodEvent, 'count'>,
): PodEvent[] {
  const isSame = (event: PodEvent) => event.reason === reason && event.message === message;
  const count = (events.find(isSame)?.count ?? 0) + 1;
  const others = events.filter((event) => !isSame(event));
  return [{ type, reason, message, count, lastAt }, ...others].slice(0, eventsMax);
}

/** Goes on with what an earlier runner of the pod has recorded. */
export async function openPodRecord(folder: string, clock: Clock): Promise<PodRecord> {
  const earlier = await readPodStatus(folder).catch(() => null);
  let status: PodStatus = {
    phase: 'waiting',
    agentPid: null,
    port: null,
    ready: false,
    failure: null,
    events: earlier?.events ?? [],
  };
  let written = '';
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const text = JSON.stringify(status);
    if (text === written) return;
    // The next flush tries again: a runner does not end because of its record.
    await writePodStatus(folder, status).then(
      () => (written = text),
      () => undefined,
    );
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    status: () => status,
    change(changes) {
      status = { ...status, ...changes };
      void flush();
    },
    event(type, reason, message) {
      status = { ...status, events: withEvent(status.events, { type, reason, message, lastAt: clock.now() }) };
      void flush();
    },
    flush,
  };
}
