import { setTimeout as delay } from 'node:timers/promises';
import type { ReportFailure } from '../database/outages.ts';
import type { Events } from './events.ts';

const retryMs = 1_000;

/**
 * Acts on every signal of a channel until it is stopped. For work that a timer also finds: a signal that is lost,
 * because more came at once than may wait, only delays it.
 *
 * @param signals.of The subject of the signals, for the log.
 * @returns A function that stops it and waits for the end.
 */
export async function subscribeToSignals<Signal>(
  { events, report }: { events: Pick<Events, 'subscribe'>; report: ReportFailure },
  signals: { readonly channel: string; readonly of: string },
  onSignal: (signal: Signal) => void,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let stream: AsyncGenerator<Signal, void, void> | null = await events.subscribe<Signal>(signals.channel);
  const listening = (async () => {
    while (!stopping.signal.aborted) {
      try {
        stream ??= await events.subscribe<Signal>(signals.channel);
        // Stopped while it subscribed.
        if (stopping.signal.aborted) await stream.return();
        for await (const signal of stream) onSignal(signal);
      } catch (error) {
        report(error, `signals of ${signals.of} were missed`);
        if (stream === null) await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
      stream = null;
    }
  })();
  return async () => {
    stopping.abort();
    await stream?.return();
    await listening;
  };
}
