import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { ServerAccess } from '../oauth/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { ApiError } from '../platform/errors.ts';
import { requireUuid, parse } from '../platform/input/input.ts';
import type { Logger } from '../platform/logger.ts';
import type { Events } from '../platform/messaging/events.ts';
import { type Queue, queuesChannel, type Worker } from '../platform/messaging/queue.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { ask } from './ask.ts';
import { createAuthorized } from './authorized.ts';
import { type CapabilityKind, capabilityKinds } from './capabilities.ts';
import { ServerFailure } from './conversation.ts';
import * as statements from './discovery-statements.ts';
import { CapabilitiesReport } from './input.ts';
import { type Offer, offersOf, type Said } from './offers.ts';
import { createVariableSeals } from './sealed-variables.ts';
import { serverNotFound } from './server.ts';
import { toolChanges } from './tool-changes.ts';
import { changesChannel, type DiscoveryEvent, progressChannel, type ToolsChangedEvent } from './watch.ts';

export interface DiscoveryDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly log: Logger;
  readonly egress: Pick<Egress, 'stream'>;
  readonly secrets: Secrets;
  readonly queue: Pick<Queue, 'send'>;
  /** The tokens of servers that ask for authorization. */
  readonly access: ServerAccess;
}

/** Payload of a job. */
export interface DiscoveryJob {
  readonly serverUuid: string;
  /** Its id in the queue, which is marked on the server: of two jobs of a server the later one alone asks. */
  readonly jobUuid: string;
}

export type Discoveries = ReturnType<typeof createDiscoveries>;

/**
 * Discovers the capabilities of servers, as jobs of the queue `discoveries`. Source:
 * docs/specification/mcp-servers.md#discovery.
 */
export function createDiscoveries(deps: DiscoveryDependencies) {
  const { database, clock, events, log, egress, secrets, queue } = deps;
  const authorized = createAuthorized(deps);
  const seals = createVariableSeals({ secrets });

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
    for (const uuid of uuids) publish(profileUuid, { serverUuid: uuid, stage: 'queued' });
    if (uuids.length > 0) events.publish(queuesChannel, 'discoveries');
  }

  /**
   * Discovers a server, and stores its capabilities. It fails only if the database does: the queue then tries again.
   */
  async function run(serverUuid: string, jobUuid: string | null): Promise<void> {
    const [server] = await database.query<statements.BegunRow>(statements.begin(serverUuid, jobUuid, clock.now()));
    // It was deleted, is another now, or is asked by another job.
    if (!server) return;
    const { profile_uuid: profileUuid, transport, url, headers } = server;
    publish(profileUuid, { serverUuid, stage: 'connecting' });
    let said: Said;
    try {
      const opened = seals.open(serverUuid, 'headers', headers);
      const onStage = (stage: CapabilityKind) => publish(profileUuid, { serverUuid, stage });
      const server = { uuid: serverUuid, transport, url, headers: opened };
      said = await authorized(server, (allowed) => ask(allowed, { egress, onStage }));
    } catch (error) {
      if (!(error instanceof ServerFailure))
        log.error({ server: serverUuid, error }, 'the discovery of an MCP server failed');
      const words = error instanceof ServerFailure ? error.message : 'The discovery of the server failed';
      const asked = { server: serverUuid, job: jobUuid, url, headers };
      const status = error instanceof ServerFailure && error.needsAuthorization ? 'needs_authorization' : 'failed';
      const [failed] = await database.query(statements.fail(asked, clock.now(), status, words));
      if (failed) publish(profileUuid, { serverUuid, stage: status, error: words });
      return;
    }
    const offers = offersOf(said);
    const isStored = await keep(
      serverUuid,
      offers,
      capabilityKinds,
      (now) =>
        now.discovery_job === jobUuid &&
        now.discovery_status === 'running' &&
        now.url === url &&
        now.headers === headers,
    );
    // Where it is another server by now, a job for that one is queued.
    if (isStored) publish(profileUuid, { serverUuid, stage: 'succeeded', offers: offers.length });
  }

  /**
   * Stores the capabilities that a client reports of a stdio server of the caller, which the platform never starts.
   *
   * @param input All items of each given kind; an omitted kind stays.
   * @returns The number of stored items: items without a name or over a bound are left out.
   * @throws {ApiError} `VALIDATION_ERROR` for more than 5 000 items of a kind; `NOT_FOUND` for a server of another
   * profile; `CONFLICT` for a server that the platform discovers itself.
   */
  async function report(
    caller: Caller,
    serverUuid: string,
    input: z.input<typeof CapabilitiesReport>,
  ): Promise<number> {
    const { profileUuid } = authorize(caller, 'mcp-servers:write');
    const { tools, resources, resourceTemplates, prompts } = parse(CapabilitiesReport, input);
    const said = { tool: tools, resource: resources, resource_template: resourceTemplates, prompt: prompts };
    const kinds = capabilityKinds.filter((kind) => said[kind] !== undefined && said[kind] !== null);
    const offers = offersOf(Object.fromEntries(kinds.map((kind) => [kind, said[kind]])));
    await keep(requireUuid(serverUuid, serverNotFound), offers, kinds, (server) => {
      if (server.profile_uuid !== profileUuid) throw serverNotFound();
      if (server.transport !== 'stdio')
        throw new ApiError('CONFLICT', 'Only stdio servers accept reported capabilities');
      return true;
    });
    return offers.length;
  }

  /** Replaces the capabilities of a server, and stores the changes, in one transaction. */
  async function keep(
    serverUuid: string,
    offers: readonly Offer[],
    kinds: readonly CapabilityKind[],
    isWanted: (server: statements.HeldRow) => boolean,
  ): Promise<boolean> {
    const now = clock.now();
    const kept = await database.transaction(async (tx) => {
      const [server] = await tx.query<statements.HeldRow>(statements.hold(serverUuid));
      if (!server) throw serverNotFound();
      if (!isWanted(server)) return null;
      const rows = await tx.query<{ name: string; definition: string }>(statements.toolsOf(serverUuid));
      const before = new Map(rows.map(({ name, definition }) => [name, definition]));
      const hasTools = kinds.includes('tool');
      // The first discovery records no changes: there is no earlier state.
      const changes = hasTools && server.are_tools_known ? toolChanges(before, offers) : [];
      await tx.query(statements.forget(serverUuid, kinds));
      if (offers.length > 0) await tx.query(statements.store(serverUuid, offers));
      if (changes.length > 0)
        await tx.query(
          statements.record(
            serverUuid,
            now,
            changes.map(() => randomUUID()),
            changes,
          ),
        );
      await tx.query(statements.succeed(serverUuid, now, hasTools));
      return { profileUuid: server.profile_uuid, changes };
    });
    if (kept === null) return false;
    if (kept.changes.length > 0) {
      const changes = kept.changes.map(({ name, change }) => ({ name, change }));
      const event: ToolsChangedEvent = { serverUuid, changes };
      for (const channel of [changesChannel.ofProfile(kept.profileUuid), changesChannel.ofServer(serverUuid)])
        events.publish(channel, event);
    }
    return true;
  }

  const publish = (profileUuid: string, event: DiscoveryEvent) => events.publish(progressChannel(profileUuid), event);

  /** Runs queued discoveries. Servers of one batch are discovered in parallel. */
  const worker: Worker = {
    name: 'discoveries',
    async handle(batch) {
      const outcomes = await Promise.allSettled(
        // Jobs that were queued before jobs had an id have none.
        (batch as readonly (Omit<DiscoveryJob, 'jobUuid'> & Partial<DiscoveryJob>)[]).map(({ serverUuid, jobUuid }) =>
          run(serverUuid, jobUuid ?? null).catch((error: unknown) => {
            // It was deleted in the meantime.
            if ((error as { code?: string }).code !== 'NOT_FOUND') throw error;
          }),
        ),
      );
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
  };

  return { request, send, announce, afterAuthorization, report, worker };
}
