import { setTimeout as delay } from 'node:timers/promises';
import type { ReportFailure } from '../database/outages.ts';
import type { Events } from './events.ts';

const retryMs = 1_000;

/**
 * Acts on every signal of a channel until it is stopped. For work that a timer also finds: a signal that is lost,
 * because more came at once than may wait, only delays it.
 *
 * @param hints.of The subject of the signals, for the log.
 * @returns A function that stops it and waits for the end.
 */
export async function heedHints<Hint>(
  { events, report }: { events: Pick<Events, 'subscribe'>; report: ReportFailure },
  hints: { readonly channel: string; readonly of: string },
  heed: (hint: Hint) => void,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let news: AsyncGenerator<Hint, void, void> | null = await events.subscribe<Hint>(hints.channel);
  const listening = (async () => {
    while (!stopping.signal.aborted) {
      try {
        news ??= await events.subscribe<Hint>(hints.channel);
        // Stopped while it subscribed.
        if (stopping.signal.aborted) await news.return();
        for await (const hint of news) heed(hint);
      } catch (error) {
        report(error, `hints of ${hints.of} were missed`);
        if (news === null) await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
      news = null;
    }
  })();
  return async () => {
    stopping.abort();
    await news?.return();
    await listening;
  };
}
