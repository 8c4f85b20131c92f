import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../schema/context.ts';
import type { EventPayloads } from '../../src/event-catalogue/index.ts';
import { anonymous } from '../../src/platform/caller.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { isApiError } from '../../src/platform/errors.ts';
import type { Outbox } from '../../src/platform/messaging/outbox.ts';
import { eventually } from '../support/deadline.ts';

const everyMs = 100;
const eventType = 'document.deleted';

/** How long the events of a neighbour took from their commit to their first arrival. */
export interface NeighbourReport {
  readonly events: number;
  /** Those of them that never arrived. */
  readonly lost: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly mostMs: number;
}

export interface Neighbour {
  /** Ends its events and waits for the last of them. */
  stop(withinMs: number): Promise<NeighbourReport>;
}

/** Another profile, to whose one webhook an event happens every tenth of a second. */
export async function startNeighbour(deps: {
  services: Services;
  database: Database;
  outbox: Outbox<EventPayloads>;
}): Promise<Neighbour> {
  const { services, database, outbox } = deps;
  const committedAt = new Map<string, number>();
  const arrivedAt = new Map<string, number>();
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString());
      if (!arrivedAt.has(id)) arrivedAt.set(id, performance.now());
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const name = `neighbour-${randomBytes(4).toString('hex')}`;
  const { principal } = await services.auth.accounts.signUp(anonymous('192.0.2.2'), {
    email: `${name}@example.com`,
    username: name,
    password: 'correct horse battery',
  });
  const profileUuid = String(principal.profileUuid);
  const input = { url: `http://127.0.0.1:${port}/`, events: [eventType] };
  await services.webhooks.registrations.create({ principal, address: '192.0.2.2' }, input);
  const stopping = new AbortController();
  const happening = (async () => {
    while (!stopping.signal.aborted) {
      const data = { document_id: randomUUID() };
      // On a busy machine a commit may be late: what is not known to be committed is not counted.
      const id = await database
        .transaction((tx) => outbox.write(tx, { profileUuid, type: eventType, data }))
        .catch((error: unknown) => (isApiError(error) ? null : Promise.reject(error)));
      if (id !== null) committedAt.set(id, performance.now());
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  // Heard by `stop`.
  happening.catch(() => undefined);
  return {
    async stop(withinMs) {
      stopping.abort();
      try {
        await happening;
        const haveArrived = () => [...committedAt.keys()].every((id) => arrivedAt.has(id));
        await eventually('the neighbour has all events', haveArrived, { withinMs }).catch(() => undefined);
      } finally {
        server.closeAllConnections();
        await new Promise<void>((resolve) => server.close(() => resolve()));
      }
      return neighbourReport(committedAt, arrivedAt);
    },
  };
}

/** @param committedAt Milliseconds of a clock, by the event's id. */
export function neighbourReport(
  committedAt: ReadonlyMap<string, number>,
  arrivedAt: ReadonlyMap<string, number>,
): NeighbourReport {
  const times = [...committedAt].map(([id, at]) => (arrivedAt.get(id) ?? Number.POSITIVE_INFINITY) - at);
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
  return {
    events: times.length,
    lost: times.filter((time) => time === Number.POSITIVE_INFINITY).length,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    mostMs: quantile(1),
  };
}
