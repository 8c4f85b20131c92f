import type { QueryResultRow } from 'pg';
import type { Database, Statement } from '../platform/database/database.ts';
import type { OutboxEvent } from '../platform/messaging/outbox.ts';
import { subscribeToSignals } from '../platform/messaging/signals.ts';
import type { Platform } from '../platform/platform.ts';
import { type Attempt, createAttempts } from './attempt.ts';
import { createDeliveries } from './deliveries.ts';
import { channelOf, type DeliveryEvent } from './delivery-reads.ts';
import { createDispatcher } from './dispatcher.ts';
import type { WebhookRef } from './in-flight.ts';
import { countAttempt, type WebhookMetrics } from './metrics.ts';
import { createRegistrations } from './registrations.ts';
import { removeOld, removeUnusedEvents } from './removal-statements.ts';
import { attemptsMax } from './schedule.ts';
import { canonicalData } from './signature.ts';
import * as statements from './statements.ts';

/** Days that deliveries are kept. */
const keptDays = 30;
/** The channel that signals due deliveries. */
const dueChannel = 'webhooks-due';
const purgedRows = 1_000;
/**
 * No client waits for a worker's statements, and a statement that timed out may have run: deliveries that were claimed
 * that way count as lost. The timeout is shorter than a claim.
 */
const workerTimeoutMs = 9_000;

export interface WebhookDependencies extends Pick<Platform, 'database' | 'clock' | 'events' | 'egress' | 'secrets'> {
  readonly notify: Notify;
  readonly metrics: WebhookMetrics;
  /** Every event that can be subscribed to, and the test event, each with example data. */
  readonly examples: Readonly<Record<string, object>>;
  /** The events that webhooks can subscribe to, with the JSON Schema of each event's data. */
  readonly eventSchemas: Readonly<Record<string, object>>;
}

/**
 * Notifies a profile's people, as part of a transaction.
 *
 * @returns What to call after the commit.
 */
type Notify = (
  tx: Database,
  profileUuid: string,
  notification: {
    readonly type: 'webhook_failed';
    readonly severity: 'ALERT';
    readonly title: string;
    readonly message: string;
    readonly metadata: Readonly<Record<string, string>>;
  },
) => Promise<() => void>;

export type Webhooks = ReturnType<typeof createWebhooks>;

/**
 * Signed calls to the outside whenever something happens: at least once, six attempts, whatever breaks here. Source:
 * docs/specification/webhooks.md.
 */
export function createWebhooks(deps: WebhookDependencies) {
  const { database, clock, events, egress, secrets, notify, metrics, examples, eventSchemas } = deps;
  const eventTypes = Object.keys(eventSchemas);
  const make = createAttempts({ clock, egress, secrets });

  const attempt: Attempt = async (row, claim) => {
    metrics.inFlight.inc();
    const outcome = await make(row, claim);
    metrics.inFlight.dec();
    countAttempt(metrics, outcome.status, outcome.responseMs);
    return outcome;
  };

  const patiently = <Row extends QueryResultRow>(statement: Statement) =>
    database.query<Row>({ ...statement, query_timeout: workerTimeoutMs });

  const dispatcher = createDispatcher({
    attempt,
    report: database.report,
    store: {
      async due() {
        const rows = await patiently<statements.DueRow>(statements.due(clock.pinned()));
        return { webhooks: rows.map(refOf), isAnyApart: rows[0]?.any_apart ?? false };
      },
      claim: async (claim, rooms) => withData(await patiently(statements.claim(clock.pinned(), claim, rooms))),
      claimApart: async (claim) => withData(await patiently(statements.claimApart(clock.pinned(), claim))),
      record,
    },
  });

  /** Creates the deliveries of new events. Reads the outbox. */
  async function fanOut(tx: Database, batch: readonly OutboxEvent[]): Promise<() => void> {
    const payloads = batch.map((event) => ({ ...event, dataText: canonicalData(event.data) }));
    const statement = { ...statements.fanOut(clock.pinned(), payloads), query_timeout: workerTimeoutMs };
    const webhooks = await tx.query<statements.WebhookRow>(statement);
    return () => dispatcher.wake(webhooks.map(refOf));
  }

  async function record(outcomes: readonly statements.Outcome[]): Promise<void> {
    const mayFail = outcomes.some(({ status, retrySeconds }) => status === 'failed' && retrySeconds === null);
    const rows = mayFail
      ? await recordFailures(outcomes)
      : await patiently<statements.RecordedRow>(statements.record(clock.pinned(), outcomes));
    for (const row of rows) events.publish(channelOf(row.profile_uuid), eventOf(row));
  }

  /** Marks webhooks whose last attempt failed, and notifies their owners, in one transaction with the outcome. */
  async function recordFailures(outcomes: readonly statements.Outcome[]): Promise<statements.RecordedRow[]> {
    const announcements: (() => void)[] = [];
    const rows = await database.transaction(async (tx) => {
      const recorded = await tx.query<statements.RecordedRow>({
        ...statements.record(clock.pinned(), outcomes),
        query_timeout: workerTimeoutMs,
      });
      const last = new Map(
        recorded
          .filter(({ status, next_retry_at, is_test }) => status === 'failed' && next_retry_at === null && !is_test)
          .map((row) => [row.webhook_uuid, row]),
      );
      const failed = await tx.query<statements.FailedWebhookRow>(statements.fail(clock.pinned(), [...last.keys()]));
      // Notifying takes each profile's turn: in one order everywhere, so that two of us cannot wait for each other.
      failed.sort((a, b) => (a.profile_uuid < b.profile_uuid ? -1 : 1));
      for (const { uuid, profile_uuid: profileUuid, url } of failed) {
        const row = last.get(uuid) as statements.RecordedRow;
        announcements.push(
          await notify(tx, profileUuid, {
            type: 'webhook_failed',
            severity: 'ALERT',
            title: 'A webhook has failed',
            message: `${URL.parse(url)?.host ?? 'The receiver'} did not take "${row.event}" in ${attemptsMax} attempts: ${row.error}. Nothing more is sent there until you activate the webhook again; what was missed can be replayed.`,
            metadata: { webhook_id: uuid, delivery_id: row.uuid, event_id: row.event_uuid, event: row.event },
          }),
        );
      }
      return recorded;
    });
    for (const announce of announcements) announce();
    metrics.failedWebhooks.inc(announcements.length);
    return rows;
  }

  /**
   * Deletes rows older than 30 days: deliveries, with their events, and events without any. @returns The number of
   * rows.
   */
  async function purge(): Promise<number> {
    const deliveries = await purgeBatches(() => removeOld(clock.pinned(), keptDays, purgedRows));
    return deliveries + (await purgeBatches(() => removeUnusedEvents(clock.pinned(), keptDays, purgedRows)));
  }

  async function purgeBatches(batch: () => Statement): Promise<number> {
    for (let purged = 0; ; ) {
      const [row] = await patiently<{ count: number }>(batch());
      const count = row?.count ?? 0;
      purged += count;
      if (count < purgedRows) return purged;
    }
  }

  /** Signals the dispatchers of all processes after the commit of due deliveries. */
  const wake = (webhook: WebhookRef) => events.publish(dueChannel, [webhook]);
  const registrations = createRegistrations({ database, clock, egress, secrets, eventTypes, wake });
  const deliveries = createDeliveries({ database, clock, events, attempt, examples, record, wake });

  /** Sends due deliveries until it is stopped. @returns A function that stops it and waits for running work. */
  async function start(): Promise<() => Promise<void>> {
    const signals = { channel: dueChannel, of: 'due webhook deliveries' };
    const unsubscribe = await subscribeToSignals<readonly WebhookRef[]>(
      { events, report: database.report },
      signals,
      dispatcher.wake,
    );
    const stop = dispatcher.start();
    return async () => {
      await unsubscribe();
      await stop();
    };
  }

  const { removeContents } = registrations;
  return { registrations, deliveries, fanOut, purge, removeContents, eventSchemas, start, sendDue: dispatcher.drain };
}

const refOf = ({ uuid, profile_uuid: profileUuid }: statements.WebhookRow): WebhookRef => ({ uuid, profileUuid });

/** Gives each row the data of its event, which the statement returns once for each event. */
function withData(rows: readonly statements.ClaimedWithSharedData[]): statements.ClaimedRow[] {
  const dataOf = new Map(rows.flatMap(({ event_uuid: uuid, data }) => (data === null ? [] : [[uuid, data]])));
  return rows.map((row) => ({ ...row, data: dataOf.get(row.event_uuid) ?? '' }));
}

const eventOf = (row: statements.RecordedRow): DeliveryEvent => ({
  uuid: row.uuid,
  webhookUuid: row.webhook_uuid,
  eventUuid: row.event_uuid,
  event: row.event,
  attempt: row.attempt,
  status: row.status,
  responseStatus: row.response_status,
  responseMs: row.response_ms,
  responseBody: row.response_body,
  error: row.error,
  createdAt: row.created_at.toISOString(),
  nextRetryAt: row.next_retry_at?.toISOString() ?? null,
});
