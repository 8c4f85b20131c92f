import type { ServerAccess } from '../oauth/index.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { Worker } from '../platform/messaging/queue.ts';
import type { Platform } from '../platform/platform.ts';
import { ask } from './ask.ts';
import { createAuthorized } from './authorized.ts';
import { type CapabilityKind, capabilityKinds } from './capabilities.ts';
import { ServerFailure } from './conversation.ts';
import type { DiscoveryJob } from './discovery-requests.ts';
import * as statements from './discovery-statements.ts';
import type { DiscoveryStore } from './discovery-store.ts';
import { offersOf, type Said } from './offers.ts';
import { createVariableSeals } from './sealed-variables.ts';
import { type DiscoveryEvent, progressChannel } from './watch.ts';

export interface DiscoveryRunDependencies extends Pick<Platform, 'database' | 'clock' | 'events' | 'log' | 'secrets'> {
  readonly egress: Pick<Egress, 'stream'>;
  /** The tokens of servers that require authorization. */
  readonly access: ServerAccess;
  readonly store: DiscoveryStore['store'];
}

/** Runs the discoveries of the queue `discoveries`. Source: docs/specification/mcp-servers.md#discovery. */
export function createDiscoveryRuns(deps: DiscoveryRunDependencies) {
  const { database, clock, events, log, egress, secrets, store } = deps;
  const authorized = createAuthorized(deps);
  const seals = createVariableSeals({ secrets });

  /**
   * Discovers a server, and stores its capabilities. It fails only if the database does: the queue then tries again.
   */
  async function run(serverUuid: string, jobUuid: string | null): Promise<void> {
    const [server] = await database.query<statements.BegunRow>(statements.begin(serverUuid, jobUuid, clock.now()));
    // It was deleted, is another now, or has another job.
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
    const isStored = await store(
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

  return { worker };
}
