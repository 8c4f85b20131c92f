import type { Events } from '../../platform/messaging/events.ts';
import { type Queue, queuesChannel, type Worker } from '../../platform/messaging/queue.ts';
import type { Platform } from '../../platform/platform.ts';
import { createMetadataCache } from '../exchanges/metadata-cache.ts';
import { createRequests } from '../exchanges/requests.ts';
import { createObserve } from './observe.ts';
import type { HostRun, Reports } from './reports.ts';
import { type Report, reportOf, rulesOf } from './rules.ts';
import * as statements from './statements.ts';

/** Hosts that one tick puts into the queue: 20 000 a week. */
const hostsMax = 120;
/** Servers that one tick makes known. */
const listedMax = 1_000;
/** Of one host in one run: different urls, each of which is asked once, and the servers that have them. The rest waits a week. */
const urlsMax = 20;
const serversMax = 200;
/** Milliseconds of one run, its requests together: within the time after which the queue takes the host for lost. */
const runMs = 20_000;
/** Milliseconds of one request. */
const requestMs = 5_000;
/** Bytes of one response. */
const bytesMax = 256 * 1024;
/** How long the metadata of an authorization server is reused for other servers, in milliseconds. */
const sharedMs = 24 * 3_600_000;
const purgedRows = 1_000;

/**
 * The weekly checks. A host is the scheme, host and port of a url: it is taken for a run once a week in all processes together, and
 * its servers are asked one after the other.
 */
export function createReportRuns(
  deps: Pick<Platform, 'database' | 'clock' | 'log' | 'egress'> & {
    readonly events: Pick<Events, 'publish'>;
    readonly queue: Pick<Queue, 'send'>;
    readonly reports: Pick<Reports, 'store'>;
  },
) {
  const { database, clock, log, egress, events, queue, reports } = deps;
  const requests = createRequests(egress, { timeoutMs: requestMs, bytesMax });
  const observe = createObserve({ requests, cache: createMetadataCache({ clock, ageMs: sharedMs, entriesMax: 500 }) });
  const rules = rulesOf(requests.isEndpoint);

  /** Makes public servers known, and puts the hosts that are due into the queue. @returns How many hosts. */
  async function runDue(): Promise<number> {
    await listNew();
    const hosts = await database.transaction(async (tx) => {
      const rows = await tx.query<{ origin: string }>(statements.takeDue(hostsMax, clock.now()));
      const runs = rows.map(({ origin }): HostRun => ({ origin, serverUuid: null }));
      if (runs.length > 0) await queue.send(tx, 'authorization-reports', runs);
      return runs.length;
    });
    if (hosts > 0) events.publish(queuesChannel, 'authorization-reports');
    return hosts;
  }

  async function listNew(): Promise<void> {
    const found = await database.query<statements.ServerUrl>(statements.unlisted(listedMax));
    const servers = found.flatMap((server) =>
      URL.canParse(server.url) ? [{ ...server, origin: new URL(server.url).origin }] : [],
    );
    if (servers.length === 0) return;
    await database.transaction(async (tx) => {
      await tx.query(statements.removeOthers(servers));
      await tx.query(statements.list(servers, clock.now()));
    });
  }

  /**
   * Checks the servers of a host, and stores the results. Servers with the same url share one check. @returns The
   * number of reports.
   */
  async function run({ origin, serverUuid }: HostRun): Promise<number> {
    const rows = await database.query<statements.ServerUrl>(statements.ofHost(origin, serverUuid, serversMax));
    const endsAt = performance.now() + runMs;
    let stored = 0;
    for (const [url, servers] of [...Map.groupBy(rows, (row) => row.url)].slice(0, urlsMax)) {
      // Checks that ran out of time are not stored: they would look like a server without a response.
      if (performance.now() > endsAt - 2 * requestMs && stored > 0) break;
      const report: Report = reportOf(await observe(url, { endsAt, isFresh: serverUuid !== null }), rules);
      for (const server of servers) if (await reports.store(server, report)) stored += 1;
    }
    return stored;
  }

  /** Removes hosts that have had no server for a month. @returns How many. */
  async function purge(): Promise<number> {
    return (await database.query(statements.purgeHosts(clock.now(), purgedRows))).length;
  }

  /** Hosts of one batch run side by side. One that fails is logged, and stops no other: its next run is in a week. */
  const worker: Worker = {
    name: 'authorization-reports',
    async handle(batch) {
      await Promise.all(
        (batch as readonly HostRun[]).map((host) =>
          run(host).catch((error: unknown) => {
            log.error({ host: host.origin, error }, 'the servers of a host could not be checked');
          }),
        ),
      );
    },
  };

  return { runDue, purge, worker };
}
