import type { z } from 'zod';
import type { Prisma, WebhookDelivery } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import { parse } from '../platform/input/input.ts';
import {
  byAge,
  type Connection,
  ConnectionRequest,
  connectionOf,
  uuidIn,
  type WindowPage,
} from '../platform/input/keyset.ts';
import { filtered } from '../platform/messaging/events.ts';
import type { Platform } from '../platform/platform.ts';
import { DeliveryFilter, PageRequest } from './input.ts';
import * as lists from './list-statements.ts';
import { webhookNotFound } from './registrations.ts';

export type DeliveryShape = Pick<Prisma.WebhookDeliveryFindManyArgs, 'select' | 'include' | 'omit'>;

export type DeliveryRecord = WebhookDelivery;

/** A live event: one completed attempt. Plain JSON, as it passes between processes. */
export interface DeliveryEvent {
  readonly uuid: string;
  readonly webhookUuid: string;
  readonly eventUuid: string;
  readonly event: string;
  readonly attempt: number;
  readonly status: 'succeeded' | 'failed';
  readonly responseStatus: number | null;
  readonly responseMs: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly nextRetryAt: string | null;
}

export const channelOf = (profileUuid: string) => `webhook-deliveries:${profileUuid}`;

/** The deliveries that a caller may see, stored and live. Source: docs/specification/webhooks.md#deliveries. */
export function createDeliveryReads({ database, events }: Pick<Platform, 'database' | 'events'>) {
  const { prisma } = database;

  /** Which deliveries the caller may see. */
  function visible(caller: Caller): Prisma.WebhookDeliveryWhereInput {
    return { webhook: { profileUuid: authorize(caller, 'webhooks:read').profileUuid } };
  }

  /**
   * A page after a cursor of each of several webhooks' deliveries, the newest first; each attempt is a delivery. It
   * takes two statements, and reads only the shown rows.
   *
   * @param webhookUuids A webhook of another profile has an empty page.
   */
  async function connections(
    caller: Caller,
    webhookUuids: readonly string[],
    input: z.input<typeof ConnectionRequest> & z.input<typeof DeliveryFilter>,
    query: DeliveryShape = {},
  ): Promise<Connection<DeliveryRecord>[]> {
    const { profileUuid } = authorize(caller, 'webhooks:read');
    const request = parse(ConnectionRequest, input);
    const { status } = parse(DeliveryFilter, input);
    const places = await database.query<{ uuid: string; webhook_uuid: string }>(
      lists.pages(profileUuid, webhookUuids, status ?? null, request),
    );
    const found = places.length
      ? await prisma.webhookDelivery.findMany({ ...query, where: { uuid: { in: places.map(({ uuid }) => uuid) } } })
      : [];
    const rows = new Map(found.map((row) => [row.uuid, row]));
    return webhookUuids.map((webhookUuid) => {
      const page = places.flatMap(({ uuid, webhook_uuid }) => (webhook_uuid === webhookUuid && rows.get(uuid)) || []);
      return connectionOf(page, request);
    });
  }

  /** How many deliveries each of several webhooks has on all pages together, in one statement. */
  async function counts(
    caller: Caller,
    webhookUuids: readonly string[],
    input: z.input<typeof DeliveryFilter> = {},
  ): Promise<number[]> {
    const { profileUuid } = authorize(caller, 'webhooks:read');
    const { status } = parse(DeliveryFilter, input);
    const rows = await database.query<{ uuid: string; count: number }>(
      lists.counts(profileUuid, webhookUuids, status ?? null),
    );
    const known = new Map(rows.map(({ uuid, count }) => [uuid, count]));
    return webhookUuids.map((uuid) => known.get(uuid) ?? 0);
  }

  /**
   * A page by offset of one webhook's deliveries, the newest first: each attempt is one.
   *
   * @param input.limit 1 to 100, 20 if left out.
   * @throws {ApiError} `VALIDATION_ERROR` out of these bounds; `NOT_FOUND` for a webhook that is not the caller's.
   */
  async function page(
    caller: Caller,
    webhookUuid: string,
    input: z.input<typeof PageRequest> & z.input<typeof DeliveryFilter>,
    query: DeliveryShape = {},
  ): Promise<WindowPage<'deliveries', DeliveryRecord>> {
    const owned = await ownWebhook(caller, 'webhooks:read', webhookUuid);
    const { limit, offset } = parse(PageRequest, input);
    const { status } = parse(DeliveryFilter, input);
    const where = { webhookUuid: owned, ...(status && { status }) };
    const [deliveries, total] = await Promise.all([
      prisma.webhookDelivery.findMany({ ...query, where, orderBy: byAge('desc'), take: limit, skip: offset }),
      prisma.webhookDelivery.count({ where }),
    ]);
    return { deliveries, total, limit, offset };
  }

  /** The attempts that are made from now on, of all webhooks of the caller's profile or of one of them. */
  async function delivered(
    caller: Caller,
    input: { webhookUuid?: string | null | undefined } = {},
  ): Promise<AsyncGenerator<DeliveryEvent, void, void>> {
    const { profileUuid } = authorize(caller, 'webhooks:read');
    const { webhookUuid } = input;
    const only =
      webhookUuid === null || webhookUuid === undefined ? null : await ownWebhook(caller, 'webhooks:read', webhookUuid);
    const stream = await events.subscribe<DeliveryEvent>(channelOf(profileUuid));
    return only === null ? stream : filtered(stream, async ({ webhookUuid: uuid }) => uuid === only);
  }

  async function ownWebhook(caller: Caller, action: 'webhooks:read' | 'webhooks:write', uuid: string): Promise<string> {
    const { profileUuid } = authorize(caller, action);
    return uuidIn(prisma.webhook, uuid, { profileUuid }, webhookNotFound);
  }

  /** When the next attempt is made: of a failed delivery until it was made again, or of a retry that waits for its time. */
  function nextRetryAt(
    delivery: Pick<WebhookDelivery, 'status' | 'claim' | 'retryOf' | 'dueAt' | 'nextRetryAt'>,
  ): Date | null {
    const isWaiting = delivery.status === 'pending' && delivery.claim === null && delivery.retryOf !== null;
    return isWaiting ? delivery.dueAt : delivery.nextRetryAt;
  }

  return { visible, connections, counts, page, delivered, ownWebhook, nextRetryAt };
}
