import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { requireUuid } from '../platform/input/input.ts';
import { type Queue, queuesChannel } from '../platform/messaging/queue.ts';
import type { Platform } from '../platform/platform.ts';
import * as statements from './discovery-statements.ts';
import { serverNotFound } from './server.ts';
import { type DiscoveryEvent, progressChannel } from './watch.ts';

export interface DiscoveryRequestDependencies extends Pick<Platform, 'database' | 'clock' | 'events'> {
  readonly queue: Pick<Queue, 'send'>;
}

/** Payload of a job. */
export interface DiscoveryJob {
  readonly serverUuid: string;
  /** Its id in the queue, which is marked on the server: of two jobs of a server the later one alone asks. */
  readonly jobUuid: string;
}

/** Queues discoveries. Source: docs/specification/mcp-servers.md#discovery. */
export function createDiscoveryRequests({ database, clock, events, queue }: DiscoveryRequestDependencies) {
  /**
   * Queues a discovery of one of the caller's servers, or of all. A server that is already queued is not queued again.
   *
   * @param serverUuid All if null.
   * @returns The number of queued servers: 0 for a stdio server, which a client reports.
   * @throws {ApiError} `NOT_FOUND` for a server of another profile.
   */
  async function request(caller: Caller, serverUuid: string | null): Promise<number> {
    const { profileUuid } = authorize(caller, 'mcp-servers:write');
    const uuid = serverUuid === null ? null : requireUuid(serverUuid, serverNotFound);
    const queued = await database.transaction(async (tx) => {
      if (uuid !== null) {
        const [server] = await tx.query<statements.HeldRow>(statements.hold(uuid));
        if (server?.profile_uuid !== profileUuid) throw serverNotFound();
      }
      const rows = await tx.query<statements.QueuedRow>(statements.enqueue(profileUuid, clock.now(), uuid));
      if (rows.length > 0)
        await send(
          tx,
          profileUuid,
          rows.map((row) => ({ serverUuid: row.uuid, jobUuid: row.discovery_job })),
        );
      return rows;
    });
    announce(
      profileUuid,
      queued.map((row) => row.uuid),
    );
    return queued.length;
  }

  /**
   * Queues a discovery of a server that was just authorized, as part of the transaction that stores its tokens.
   *
   * @returns To be called after the commit.
   */
  async function afterAuthorization(
    tx: Database,
    { uuid, profileUuid }: { readonly uuid: string; readonly profileUuid: string },
  ): Promise<() => void> {
    const rows = await tx.query<statements.QueuedRow>(statements.enqueue(profileUuid, clock.now(), uuid));
    const jobs = rows.map((row) => ({ serverUuid: row.uuid, jobUuid: row.discovery_job }));
    if (jobs.length > 0) await send(tx, profileUuid, jobs);
    return () =>
      announce(
        profileUuid,
        jobs.map(({ serverUuid }) => serverUuid),
      );
  }

  /**
   * Puts discoveries into the queue as part of the transaction that made or changed the servers, marked as queued by these
   * jobs. A job that waits there already is not put there again.
   */
  async function send(tx: Pick<Database, 'query'>, profileUuid: string, jobs: readonly DiscoveryJob[]): Promise<void> {
    const [row] = await tx.query<{ count: number }>(statements.waiting(profileUuid));
    const ids = jobs.map(({ jobUuid }) => jobUuid);
    await queue.send(tx, 'discoveries', jobs, Math.max(0, (row?.count ?? 0) - jobs.length), ids);
  }

  /** To be called after the commit: signals the workers and the subscribers. */
  function announce(profileUuid: string, uuids: readonly string[]): void {
    for (const serverUuid of uuids)
      events.publish(progressChannel(profileUuid), { serverUuid, stage: 'queued' } satisfies DiscoveryEvent);
    if (uuids.length > 0) events.publish(queuesChannel, 'discoveries');
  }

  return { request, afterAuthorization, send, announce };
}
