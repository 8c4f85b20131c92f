import type { ReportFailure } from '../database/outages.ts';
import { type Events, generatorOf } from './events.ts';
import { streamOf } from './stream.ts';

/** Reads the rows for the subscribers of a profile. */
export interface Source<State, Item, Signal = unknown> {
  /** The watched rows, for the log. */
  readonly of: string;
  /** Where a signal is published after each commit. It says that there is something to read, never what. */
  channelOf(profileUuid: string): string;
  /** Where the listeners of a profile begin. */
  begin(profileUuid: string): Promise<State>;
  /** The items since the last look. `more` when there was too much for one look. */
  look(profileUuid: string, state: State): Promise<{ state: State; items: readonly Item[]; more: boolean }>;
  /** Whether a signal is about this at all. */
  concerns(signal: Signal): boolean;
  /** The watched profiles with new rows, by one statement. */
  changed(states: ReadonlyMap<string, State>): Promise<readonly string[]>;
}

type Listener<Item> = (item: Item) => void;

/** All local listeners of one profile: they share one look. */
interface Watch<State, Item, Signal> {
  readonly listeners: Set<Listener<Item>>;
  /** Resolved when signals arrive and the state is known. */
  readonly ready: Promise<void>;
  signals: AsyncGenerator<Signal, void, void> | null;
  state: State | undefined;
  isDue: boolean;
  looking: Promise<void> | null;
  isClosed: boolean;
}

/** Between two checks without a signal. A signal may be lost with a connection to Redis; the rows may not. */
const lookAroundEveryMs = 10_000;

export interface Watches<Item> {
  /**
   * The new rows of a profile after it resolves, in order. Ends with `SlowListener` for a subscriber that does not read
   * them.
   *
   * @param keep Selects the rows that wait for the subscriber; all of them by default.
   */
  follow(
    profileUuid: string,
    keep?: (push: Listener<Item>) => Listener<Item>,
  ): Promise<AsyncGenerator<Item, void, void>>;
  /** Looks at a profile now. */
  look(profileUuid: string): void;
  /** Checks all watched profiles, as the timer does. Resolves when all subscribers have the rows. */
  lookAround(): Promise<void>;
}

/**
 * Follows stored rows live. Signals that arrive during a check cause one more check together, so that a profile has at
 * most one running statement in this process, however many subscribers and signals there are.
 */
export function createWatches<State, Item, Signal>({
  source,
  events,
  report,
}: {
  source: Source<State, Item, Signal>;
  events: Pick<Events, 'subscribe'>;
  report: ReportFailure;
}): Watches<Item> {
  const watches = new Map<string, Watch<State, Item, Signal>>();
  let timer: NodeJS.Timeout | null = null;

  function open(profileUuid: string): Watch<State, Item, Signal> {
    const watch: Watch<State, Item, Signal> = {
      listeners: new Set(),
      ready: Promise.resolve().then(() => begin(profileUuid, watch)),
      signals: null,
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

  function close(profileUuid: string, watch: Watch<State, Item, Signal>): void {
    watch.isClosed = true;
    void watch.signals?.return(undefined);
    if (watches.get(profileUuid) === watch) watches.delete(profileUuid);
    if (watches.size > 0 || !timer) return;
    clearInterval(timer);
    timer = null;
  }

  /** Subscribe first: later commits are signalled, earlier ones are in the state. */
  async function begin(profileUuid: string, watch: Watch<State, Item, Signal>): Promise<void> {
    watch.signals = await events.subscribe<Signal>(source.channelOf(profileUuid));
    if (watch.isClosed) return void (await watch.signals.return(undefined));
    hear(watch.signals, profileUuid, watch).catch((error: unknown) =>
      report(error, `signals of ${source.of} are no longer received`),
    );
    watch.state ??= await source.begin(profileUuid);
  }

  async function hear(
    signals: AsyncGenerator<Signal>,
    profileUuid: string,
    watch: Watch<State, Item, Signal>,
  ): Promise<void> {
    try {
      for await (const signal of signals) if (source.concerns(signal)) lookAt(profileUuid, watch);
    } catch (error) {
      // More signals at once than can wait: there certainly are new rows.
      report(error, `signals of ${source.of} were lost`);
      await begin(profileUuid, watch);
      lookAt(profileUuid, watch);
    }
  }

  function lookAt(profileUuid: string, watch: Watch<State, Item, Signal>): void {
    watch.isDue = true;
    watch.looking ??= lookWhileDue(profileUuid, watch);
  }

  async function lookWhileDue(profileUuid: string, watch: Watch<State, Item, Signal>): Promise<void> {
    try {
      await watch.ready;
      while (watch.isDue && !watch.isClosed) {
        watch.isDue = false;
        const seen = await source.look(profileUuid, watch.state as State);
        watch.state = seen.state;
        watch.isDue ||= seen.more;
        for (const item of seen.items) for (const listener of watch.listeners) listener(item);
      }
    } catch (error) {
      // Checked again with the next signal, or when all are checked.
      report(error, `${source.of} could not be read for their subscribers`);
    } finally {
      // In the same turn as the last check of `isDue`: a signal in between would be lost.
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
      report(error, `${source.of} could not be queried`);
    }
  }

  function look(profileUuid: string): void {
    const watch = watches.get(profileUuid);
    if (watch) lookAt(profileUuid, watch);
  }

  return {
    async follow(profileUuid, keep = (push) => push) {
      const watch = watches.get(profileUuid) ?? open(profileUuid);
      const items = generatorOf<Item>((push) => {
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
        await items.return();
        throw error;
      }
      return items;
    },
    look,
    lookAround,
  };
}

/**
 * Everything after a place, in order: first the stored rows, read as they are consumed, then each new one.
 *
 * @param live New rows since before the read of `source.lastPlace`.
 * @param from A place; null for rows that are new after this has resolved.
 * @param source.after The rows after a place, at most `rows`.
 */
export async function resumed<Row>(
  live: AsyncGenerator<Row, void, void>,
  from: number | null,
  source: {
    readonly rows: number;
    placeOf(row: Row): number;
    lastPlace(): Promise<number>;
    after(place: number): Promise<Row[]>;
  },
): Promise<AsyncGenerator<Row, void, void>> {
  let place: number;
  try {
    place = from ?? (await source.lastPlace());
  } catch (error) {
    await live.return();
    throw error;
  }
  // Whatever the live ones do not hold was committed before they began, and is there to be read.
  let isCaughtUp = from === null;
  let stored: Row[] = [];
  return over(live, async (isOver) => {
    while (!isOver()) {
      if (stored.length === 0 && !isCaughtUp) {
        stored = await source.after(place);
        isCaughtUp = stored.length < source.rows;
        continue;
      }
      const next = stored.shift() ?? (await live.next()).value;
      if (!next) return null;
      if (source.placeOf(next) <= place) continue;
      place = source.placeOf(next);
      return next;
    }
    return null;
  });
}

/**
 * A stream over another. Calls of `next` that come at once are served one after another: `take` may keep a place between its awaits.
 *
 * @param take What comes next; null for the end.
 */
export function over<Payload>(
  inner: AsyncGenerator<unknown, void, void>,
  take: (isOver: () => boolean) => Promise<Payload | null>,
): AsyncGenerator<Payload, void, void> {
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  const end = async () => {
    isOver = true;
    await inner.return();
  };
  const step = async (): Promise<IteratorResult<Payload, undefined>> => {
    try {
      const value = await take(() => isOver);
      return value === null ? { done: true, value: undefined } : { done: false, value };
    } catch (error) {
      await end();
      throw error;
    }
  };
  const next = () => {
    const taken = last.then(step);
    last = taken.catch(() => undefined);
    return taken;
  };
  return streamOf(next, end);
}
