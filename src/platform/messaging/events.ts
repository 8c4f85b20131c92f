import type { Database } from '../database/database.ts';
import { streamOf } from './stream.ts';

/**
 * Live events that may be lost, for subscriptions. Events that must arrive go to the outbox instead.
 *
 * A payload is plain JSON, so that it passes between processes unchanged.
 */
export interface Events {
  /**
   * Publishes to every subscriber of the channel, in every process. Never throws: the event may be lost, the write may
   * not.
   */
  publish(channel: string, payload: unknown): void;
  /**
   * The events of a channel. Events that any process publishes after this has resolved are received, as long as no
   * connection between the processes fails. Ends when the subscriber returns, or with `SlowListener`.
   */
  subscribe<Payload>(channel: string): Promise<AsyncGenerator<Payload, void, void>>;
  close(): Promise<void>;
}

/** Thrown to a subscriber that does not keep up: memory is bounded, and a subscriber that knows can start again. */
class SlowListener extends Error {
  override name = 'SlowListener';
}

/** Payloads waiting for one listener. */
const pendingMax = 1_000;

/** Listeners of this process by channel. */
export class LocalListeners {
  readonly #byChannel = new Map<string, Set<(payload: unknown) => void>>();

  deliver(channel: string, payload: unknown): void {
    for (const listener of this.#byChannel.get(channel) ?? []) listener(payload);
  }

  add(channel: string, listener: (payload: unknown) => void): void {
    const listeners = this.#byChannel.get(channel);
    if (listeners) listeners.add(listener);
    else this.#byChannel.set(channel, new Set([listener]));
  }

  /** @returns Whether it was the last of its channel. */
  remove(channel: string, listener: (payload: unknown) => void): boolean {
    const listeners = this.#byChannel.get(channel);
    if (!listeners?.delete(listener) || listeners.size > 0) return false;
    return this.#byChannel.delete(channel);
  }

  channels(): string[] {
    return [...this.#byChannel.keys()];
  }
}

/** Turns calls into an async generator with a bounded buffer. `attach` starts listening at once and returns how to stop. */
export function generatorOf<Payload>(
  attach: (push: (payload: unknown) => void) => () => void,
): AsyncGenerator<Payload, void, void> {
  const pending: Payload[] = [];
  let wake: (() => void) | null = null;
  let done = false;
  let tooSlow = false;
  const detach = attach((payload) => {
    if (pending.length >= pendingMax) tooSlow = true;
    else pending.push(payload as Payload);
    wake?.();
  });
  const stop = () => {
    if (!done) detach();
    done = true;
    wake?.();
  };
  const next = async (): Promise<IteratorResult<Payload, void>> => {
    for (;;) {
      if (done) return { done: true, value: undefined };
      if (tooSlow) {
        stop();
        throw new SlowListener(`more than ${pendingMax} payloads are waiting`);
      }
      if (pending.length > 0) return { done: false, value: pending.shift() as Payload };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = null;
    }
  };
  return streamOf(next, stop);
}

type EventStream<Payload> = AsyncGenerator<Payload, void, void>;

/** The same events, filtered; returning it returns its source at once. */
export function filtered<Payload>(
  stream: EventStream<Payload>,
  isWanted: (each: Payload) => Promise<boolean>,
): EventStream<Payload> {
  const next = async (): Promise<IteratorResult<Payload, void>> => {
    for (;;) {
      const each = await stream.next();
      if (each.done) return each;
      try {
        if (await isWanted(each.value)) return each;
      } catch (error) {
        // A subscriber that got the error reads no more, and returns nothing.
        await stream.return();
        throw error;
      }
    }
  };
  return streamOf(next, () => stream.return());
}

/** Events within one process. */
export function createLocalEvents(): Events {
  const listeners = new LocalListeners();
  return {
    publish: (channel, payload) => listeners.deliver(channel, payload),
    subscribe: async (channel) =>
      generatorOf((push) => {
        listeners.add(channel, push);
        return () => void listeners.remove(channel, push);
      }),
    close: async () => {},
  };
}

/** The same events. What a unit of work publishes is heard after its commit, and never if it is rolled back. */
export function publishedAfterCommit(events: Events, database: Pick<Database, 'unit'>): Events {
  return {
    ...events,
    publish(channel, payload) {
      const { unit } = database;
      if (unit) unit.afterCommit(() => events.publish(channel, payload));
      else events.publish(channel, payload);
    },
  };
}
