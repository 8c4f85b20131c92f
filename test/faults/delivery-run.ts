import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventPayloads } from '../../src/event-catalogue/index.ts';
import { openInfrastructure } from '../../src/main/infrastructure.ts';
import { createServices } from '../../src/main/services.ts';
import { anonymous } from '../../src/platform/caller.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createOutbox } from '../../src/platform/messaging/outbox.ts';
import { eventually } from '../support/deadline.ts';
import { type Launch, startWorkerProcess } from '../support/worker-process.ts';
import { type DeliveryBalance, type DeliveryRow, deliveryBalance } from './delivery-balance.ts';
import { startReceivers } from './delivery-receivers.ts';
import { type Neighbour, type NeighbourReport, startNeighbour } from './neighbour.ts';

const secret = 'the-secret-of-the-fault-run';
const eventType = 'document.deleted';
const transactionEvents = 20;

export interface DeliveryReport extends DeliveryBalance {
  readonly kills: number;
  /** How another profile fared meanwhile. */
  readonly neighbour: NeighbourReport;
  readonly milliseconds: number;
}

export interface DeliveryRun {
  /** Of a database that is migrated, and in which nothing else is told. */
  readonly url: string;
  readonly events: number;
  /** Bytes of the data of each event, and a little more; next to nothing if left out. */
  readonly eventBytes?: number;
  readonly endpoints: number;
  readonly kills: number;
  /** Share of the pairs that fail at first, and how often at most. */
  readonly failingShare: number;
  readonly failuresMax: number;
  /** How much faster than the machine's the time of the workers is. */
  readonly clockFactor: number;
  /** How long an endpoint takes to answer. */
  readonly responseMs?: number;
  readonly sampleOf?: number;
  /** Starts a program of the project; as a child of this process if left out. */
  readonly launch?: Launch;
  readonly withinMs: number;
  /** Those of other users of the database. */
  readonly encryptionKeys: string;
}

/**
 * Tells events to endpoints of which some fail at first, by two worker processes of which one or the other is killed again
 * and again, and holds what arrived against what was committed.
 */
export async function runDeliveries(run: DeliveryRun): Promise<DeliveryReport> {
  const begun = performance.now();
  const { url, events, endpoints, kills, eventBytes = 0 } = run;
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: url,
    ENCRYPTION_KEYS: run.encryptionKeys,
    EGRESS_ALLOW: '127.0.0.0/8',
    CLOCK_SINCE: systemClock.now().toISOString(),
    CLOCK_FACTOR: String(run.clockFactor),
  };
  const log = createLogger('error');
  const infrastructure = await openInfrastructure({ config: readConfig(environment), url, log, isWorker: false });
  const receivers = await startReceivers({ secret, ...run });
  const start = () => startWorkerProcess(environment, 'test/faults/delivery-worker.ts', run.launch);
  const workers = [start(), start()];
  let neighbour: Neighbour | null = null;
  try {
    const services = createServices(infrastructure);
    // A database may see several runs.
    const name = `deliveries-${randomBytes(4).toString('hex')}`;
    const { principal } = await services.auth.accounts.signUp(anonymous('192.0.2.1'), {
      email: `${name}@example.com`,
      username: name,
      password: 'correct horse battery',
    });
    const profileUuid = String(principal.profileUuid);
    const caller = { principal, address: '192.0.2.1' };
    const endpointOf = new Map<string, number>();
    for (let endpoint = 0; endpoint < endpoints; endpoint++) {
      const input = { url: receivers.urlOf(endpoint), events: [eventType], secret };
      const { webhook } = await services.webhooks.registrations.create(caller, input);
      endpointOf.set(webhook.uuid, endpoint);
    }
    const outbox = createOutbox<EventPayloads>(infrastructure);
    const committed: string[] = [];
    const { database } = infrastructure;
    const padding = 'x'.repeat(eventBytes);
    const dataOf = (number: number) => ({ document_id: String(number), ...(padding && { padding }) });
    neighbour = await startNeighbour({ services, database, outbox });
    for (let wave = 0; wave <= kills; wave++) {
      const arrivedBefore = receivers.arrivals.length;
      const writtenAfter = Math.round(((wave + 1) * events) / (kills + 1));
      while (committed.length < writtenAfter) {
        const first = committed.length;
        const count = Math.min(transactionEvents, writtenAfter - first);
        const ids = await database.transaction(async (tx) => {
          const written: string[] = [];
          for (let number = first; number < first + count; number++)
            written.push(await outbox.write(tx, { profileUuid, type: eventType, data: dataOf(number) }));
          return written;
        });
        committed.push(...ids);
      }
      if (wave === kills) break;
      const [victim, other] = [wave % 2, (wave + 1) % 2];
      await workers[other]?.ready;
      await eventually('something is under way', () => receivers.arrivals.length > arrivedBefore, { everyMs: 2 });
      // A moment that has nothing to do with the workers' rhythm.
      await delay((wave * 37) % 100);
      await workers[victim]?.kill();
      workers[victim] = start();
    }

    await eventually(
      'everything has arrived, and nothing waits',
      async () => {
        if (receivers.accepted() < committed.length * endpoints) return false;
        const [row] = await database.query<{ waits: boolean }>({
          text: `SELECT EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending' AND webhook_uuid = ANY ($1::uuid[])) AS waits`,
          values: [[...endpointOf.keys()]],
        });
        return !row?.waits;
      },
      { withinMs: run.withinMs, everyMs: 200 },
    ).catch((error: unknown) => log.error({ error }, 'the run is held as it stands'));
    const rows = await database.query<DeliveryRow>({
      text: `SELECT event_uuid, webhook_uuid, attempt, status, error FROM webhook_deliveries WHERE webhook_uuid = ANY ($1::uuid[])`,
      values: [[...endpointOf.keys()]],
      query_timeout: 60_000,
    });
    const milliseconds = performance.now() - begun;
    const told = await neighbour.stop(30_000);
    neighbour = null;
    const balance = deliveryBalance({ committed, endpointOf, rows, receivers });
    const troubles = [...balance.troubles];
    if (told.lost > 0) troubles.push(`${told.lost} of ${told.events} events never reached the neighbour`);
    return { ...balance, troubles, neighbour: told, kills, milliseconds };
  } finally {
    await neighbour?.stop(0);
    await Promise.all(workers.map((worker) => worker.stop()));
    await receivers.close();
    await infrastructure.close();
  }
}
