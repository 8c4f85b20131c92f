import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { invalid, isUuid, parse } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import type { Attempt } from './attempt.ts';
import { createDeliveryReads, type DeliveryRecord, type DeliveryShape } from './delivery-reads.ts';
import type { WebhookRef } from './in-flight.ts';
import { ReplayRequest, TestCall } from './input.ts';
import { webhookNotFound } from './registrations.ts';
import * as replays from './replay-statements.ts';
import { canonicalData } from './signature.ts';
import type { ClaimedRow, Outcome } from './statements.ts';

/** The event of a test call. Source: docs/specification/webhooks.md#test. */
export const testEvent = 'test.ping';
/** Events that one call replays; the next call takes the next ones. */
const replayedMax = 10_000;

export interface DeliveryDependencies extends Pick<Platform, 'database' | 'clock' | 'events'> {
  readonly attempt: Attempt;
  /** The events of test calls, each with example data. */
  readonly examples: Readonly<Record<string, object>>;
  record(outcomes: readonly Outcome[]): Promise<void>;
  /** Says that a webhook may have something due. */
  wake(webhook: WebhookRef): void;
}

/** Deliveries, and their replay. Source: docs/specification/webhooks.md#deliveries. */
export function createDeliveries(deps: DeliveryDependencies) {
  const { database, clock, attempt, examples, record, wake } = deps;
  const { prisma } = database;
  const { ownWebhook, ...reads } = createDeliveryReads(deps);

  /**
   * Calls a webhook now, once, whether it is active or not, and waits for the outcome: at most 5 seconds.
   *
   * @param input.event `test.ping` if left out, or an event of the catalogue, sent with data that is made up.
   * @throws {ApiError} `VALIDATION_ERROR` for another event; `NOT_FOUND` for a webhook that is not the caller's.
   * @see docs/specification/webhooks.md#test
   */
  async function test(
    caller: Caller,
    webhookUuid: string,
    input: z.input<typeof TestCall>,
    query: DeliveryShape = {},
  ): Promise<DeliveryRecord> {
    // The call comes before everything that is written with its outcome, which a transaction must not wait for. With an
    // Idempotency-Key a call whose outcome was lost is made again, like any delivery.
    const { row, claim } = await database.outsideUnit(() => insertTest(caller, webhookUuid, input));
    await record([await attempt(row, claim)]);
    return found(row.uuid, query);
  }

  async function insertTest(
    caller: Caller,
    webhookUuid: string,
    input: z.input<typeof TestCall>,
  ): Promise<{ row: ClaimedRow; claim: string }> {
    const owned = await ownWebhook(caller, 'webhooks:write', webhookUuid);
    const type = parse(TestCall, input).event ?? testEvent;
    const data = Object.hasOwn(examples, type) ? examples[type] : undefined;
    if (data === undefined)
      throw invalid({ event: `event must be ${testEvent} or a name of GET /api/webhooks/events` });
    const [uuid, claim] = [randomUUID(), randomUUID()];
    const [row] = await database.query<ClaimedRow>(
      replays.insertTest(clock.pinned(), {
        webhookUuid: owned,
        deliveryUuid: uuid,
        claim,
        eventUuid: randomUUID(),
        event: type,
        dataText: canonicalData(data),
      }),
    );
    if (!row) throw webhookNotFound();
    return { row, claim };
  }

  /**
   * Sends an event again, with the same id and all attempts. An inactive webhook gets it once it is active.
   *
   * @returns The new delivery.
   * @throws {ApiError} `NOT_FOUND` for a delivery that is not the caller's or not of this webhook; `CONFLICT` while it
   * is pending.
   */
  async function replay(
    caller: Caller,
    webhookUuid: string,
    deliveryUuid: string,
    query: DeliveryShape = {},
  ): Promise<DeliveryRecord> {
    const { profileUuid } = authorize(caller, 'webhooks:write');
    const owned = await ownWebhook(caller, 'webhooks:write', webhookUuid);
    const known = isUuid(deliveryUuid)
      ? await prisma.webhookDelivery.findFirst({
          where: { uuid: deliveryUuid, webhookUuid: owned },
          select: { status: true },
        })
      : null;
    if (known === null) throw new ApiError('NOT_FOUND', 'Delivery not found');
    if (known.status === 'pending') throw new ApiError('CONFLICT', 'This delivery is still pending');
    const uuid = randomUUID();
    await database.query(replays.replayOne(clock.pinned(), deliveryUuid, uuid));
    wake({ uuid: owned, profileUuid });
    return found(uuid, query);
  }

  /**
   * Sends again the events whose deliveries have permanently failed since an instant and were not delivered later.
   *
   * @param input.since ISO 8601. Deliveries older than 30 days are deleted.
   * @returns The number of events; at most 10 000, the oldest first: the next call takes the next ones.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for a webhook that is not the caller's.
   */
  async function replayFailed(
    caller: Caller,
    webhookUuid: string,
    input: z.input<typeof ReplayRequest>,
  ): Promise<number> {
    const { profileUuid } = authorize(caller, 'webhooks:write');
    const owned = await ownWebhook(caller, 'webhooks:write', webhookUuid);
    const { since } = parse(ReplayRequest, input);
    const statement = replays.replayFailed(clock.pinned(), owned, since, replayedMax);
    const replayed = await database.transaction(async (tx) => {
      // Of two concurrent replays the later one sees the rows of the other; otherwise both would send everything again.
      await tx.query(replays.holdWebhook(owned));
      const [row] = await tx.query<{ count: number }>({ ...statement, query_timeout: 9_000 });
      return row?.count ?? 0;
    });
    wake({ uuid: owned, profileUuid });
    return replayed;
  }

  async function found(uuid: string, query: DeliveryShape): Promise<DeliveryRecord> {
    const delivery = await prisma.webhookDelivery.findFirst({ ...query, where: { uuid } });
    // The webhook was deleted this very moment.
    if (delivery === null) throw webhookNotFound();
    return delivery;
  }

  return { ...reads, test, replay, replayFailed };
}
