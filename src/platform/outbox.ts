import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import type { Events } from './events.ts';
import { type Queue, queuesChannel } from './queue.ts';

/** Something that happened and must be told. A reader may be handed it twice: `id` tells. */
export interface OutboxEvent {
  readonly id: string;
  readonly profileUuid: string;
  readonly type: string;
  readonly data: object;
  /** ISO 8601. */
  readonly occurredAt: string;
}

/**
 * What must arrive: written in the transaction of what caused it, and read by workers until it has been dealt with. What
 * may be lost goes over src/platform/events.ts instead.
 */
export interface Outbox<Payloads> {
  /**
   * @param tx The transaction of the cause. With its commit the event is there, whatever breaks afterwards.
   * @returns The event's id.
   */
  write<Type extends keyof Payloads & string>(
    tx: Pick<Database, 'query'>,
    event: { readonly profileUuid: string; readonly type: Type; readonly data: Payloads[Type] },
  ): Promise<string>;
  /** To be called after the commit: the workers look at once, in every process. Without it they look within a second. */
  wake(): void;
}

export function createOutbox<Payloads extends Record<string, object>>({
  queue,
  clock,
  events,
}: {
  queue: Pick<Queue, 'send'>;
  clock: Clock;
  events: Pick<Events, 'publish'>;
}): Outbox<Payloads> {
  return {
    async write(tx, { profileUuid, type, data }) {
      const id = randomUUID();
      const occurredAt = clock.now().toISOString();
      const event: OutboxEvent = { id, profileUuid, type, data: storable(data), occurredAt };
      await queue.send(tx, 'events', [event]);
      return id;
    },
    wake: () => events.publish(queuesChannel, 'events'),
  };
}

/** JSON that PostgreSQL takes: it refuses NUL and lone surrogates, and what others told us may hold either. */
function storable(data: object): object {
  const text = JSON.stringify(data);
  if (!/\\u(0000|d[89a-f])/.test(text)) return data;
  const plain = (value: string) => value.replaceAll('\u0000', '\uFFFD').toWellFormed();
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === 'string') return plain(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [plain(key), member]));
  });
}
