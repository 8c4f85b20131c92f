import type { ReportFailure } from '../platform/database/outages.ts';
import { type Events, generatorOf } from '../platform/events.ts';

/** What is read for those who watch a profile. */
export interface Source<State, News> {
  /** Where the listeners of a profile begin. */
  begin(profileUuid: string): Promise<State>;
  /** What there is since. `more` when there was too much for one look. */
  look(profileUuid: string, state: State): Promise<{ state: State; news: readonly News[]; more: boolean }>;
  /** Whether a hint is about this at all. */
  concerns(hint: Hint): boolean;
  /** Of the watched profiles those with news, by one statement. */
  changed(states: ReadonlyMap<string, State>): Promise<readonly string[]>;
}

/** Published after a commit. It says that there is something to see, never what. */
export type Hint = 'created' | 'changed';

export const channelOf = (profileUuid: string): string => `notifications:${profileUuid}`;

type Listener<News> = (news: News) => void;

/** All local listeners of one profile: they share one look. */
interface Watch<State, News> {
  readonly listeners: Set<Listener<News>>;
  /** Resolved when hints arrive and the state is known. */
  readonly ready: Promise<void>;
  hints: AsyncGenerator<Hint, void, void> | null;
  state: State | undefined;
  isDue: boolean;
  looking: Promise<void> | null;
  isClosed: boolean;
}

/** Between two looks without a hint. A hint may be lost with a connection to Redis; what it was about may not. */
const lookAroundEveryMs = 10_000;

export interface Watches<News> {
  /**
   * The news of a profile from when it resolves, in order. Ends with `SlowListener` for who does not take them.
   *
   * @param keep Decides what of the news waits to be taken; all of it if left out.
   */
  follow(
    profileUuid: string,
    keep?: (push: Listener<News>) => Listener<News>,
  ): Promise<AsyncGenerator<News, void, void>>;
  /** Looks at a profile now. */
  look(profileUuid: string): void;
  /** Looks at all watched profiles, as the timer does. Resolves when everybody has been told. */
  lookAround(): Promise<void>;
}

/**
 * Follows stored things live. Hints that come while a look is under way are one more look together, so that however many
 * listen and however many hints come, a profile has at most one statement under way in this process.
 */
export function createWatches<State, News>({
  source,
  events,
  report,
}: {
  source: Source<State, News>;
  events: Pick<Events, 'subscribe'>;
  report: ReportFailure;
}): Watches<News> {
  const watches = new Map<string, Watch<State, News>>();
  let timer: NodeJS.Timeout | null = null;

  function open(profileUuid: string): Watch<State, News> {
    const watch: Watch<State, News> = {
      listeners: new Set(),
      ready: Promise.resolve().then(() => begin(profileUuid, watch)),
      hints: null,
      state: undefined,
      isDue: false,
      looking: null,
      isClosed: false,
    };
    // Heard by each who waits for it, if any still does.
    watch.ready.catch(() => undefined);
    watches.set(profileUuid, watch);
    timer ??= setInterval(() => void lookAround(), lookAroundEveryMs).unref();
    return watch;
  }

  function close(profileUuid: string, watch: Watch<State, News>): void {
    watch.isClosed = true;
    void watch.hints?.return(undefined);
    if (watches.get(profileUuid) === watch) watches.delete(profileUuid);
    if (watches.size > 0 || !timer) return;
    clearInterval(timer);
    timer = null;
  }

  /** First the hints: what is committed after them is hinted at, what is committed before them is in the state. */
  async function begin(profileUuid: string, watch: Watch<State, News>): Promise<void> {
    watch.hints = await events.subscribe<Hint>(channelOf(profileUuid));
    if (watch.isClosed) return void (await watch.hints.return(undefined));
    hear(watch.hints, profileUuid, watch).catch((error: unknown) => report(error, 'hints are not heard any more'));
    watch.state ??= await source.begin(profileUuid);
  }

  async function hear(hints: AsyncGenerator<Hint>, profileUuid: string, watch: Watch<State, News>): Promise<void> {
    try {
      for await (const hint of hints) if (source.concerns(hint)) lookAt(profileUuid, watch);
    } catch (error) {
      // More hints at once than are kept for us: there certainly is something to see.
      report(error, 'hints of notifications were lost');
      await begin(profileUuid, watch);
      lookAt(profileUuid, watch);
    }
  }

  function lookAt(profileUuid: string, watch: Watch<State, News>): void {
    watch.isDue = true;
    watch.looking ??= lookWhileDue(profileUuid, watch);
  }

  async function lookWhileDue(profileUuid: string, watch: Watch<State, News>): Promise<void> {
    try {
      await watch.ready;
      while (watch.isDue && !watch.isClosed) {
        watch.isDue = false;
        const seen = await source.look(profileUuid, watch.state as State);
        watch.state = seen.state;
        watch.isDue ||= seen.more;
        for (const news of seen.news) for (const listener of watch.listeners) listener(news);
      }
    } catch (error) {
      // Looked at again with the next hint, or when all are looked at.
      report(error, 'notifications could not be read for those who watch');
    } finally {
      // In the same turn as the last look at `isDue`: a hint in between would be nobody's.
      watch.looking = null;
    }
  }

  async function lookAround(): Promise<void> {
    try {
      const ready = [...watches].filter(([, { state }]) => state !== undefined);
      if (ready.length === 0) return;
      const changed = await source.changed(new Map(ready.map(([uuid, { state }]) => [uuid, state as State])));
      for (const profileUuid of changed) look(profileUuid);
      await Promise.all(changed.map((profileUuid) => watches.get(profileUuid)?.looking));
    } catch (error) {
      report(error, 'notifications could not be looked for');
    }
  }

  function look(profileUuid: string): void {
    const watch = watches.get(profileUuid);
    if (watch) lookAt(profileUuid, watch);
  }

  return {
    async follow(profileUuid, keep = (push) => push) {
      const watch = watches.get(profileUuid) ?? open(profileUuid);
      const news = generatorOf<News>((push) => {
        const listener = keep(push);
        watch.listeners.add(listener);
        return () => {
          watch.listeners.delete(listener);
          if (watch.listeners.size === 0) close(profileUuid, watch);
        };
      });
      try {
        await watch.ready;
      } catch (error) {
        await news.return();
        throw error;
      }
      return news;
    },
    look,
    lookAround,
  };
}
