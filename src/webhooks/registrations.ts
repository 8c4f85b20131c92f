import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Prisma, Webhook } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid, parse } from '../platform/input/input.ts';
import { rowIn } from '../platform/input/keyset.ts';
import { createListing } from '../platform/input/listing.ts';
import type { Platform } from '../platform/platform.ts';
import { secretContext } from './attempt.ts';
import type { WebhookRef } from './in-flight.ts';
import { NewWebhook, WebhookChange, WebhookPageRequest, webhooksMax } from './input.ts';
import { endWebhook, removeDeliveries, removeWebhook } from './removal-statements.ts';
import { newWebhookSecret } from './secret.ts';

/** How long the secret before a rotation still counts. Source: docs/specification/webhooks.md#rotate. */
const overlapMs = 24 * 3_600_000;
/** Deliveries that one statement deletes. */
const deliveriesAtOnce = 20_000;

/** A webhook as others than this file see it. */
export type WebhookRecord = Omit<Webhook, 'secret' | 'previousSecret'>;
export type WebhookShape = Pick<Prisma.WebhookFindManyArgs, 'select' | 'include' | 'omit'>;

/** `failed`: all attempts of a delivery had failed, and nothing is sent until it is activated again. */
export type WebhookStatus = 'active' | 'inactive' | 'failed';

export interface RegistrationDependencies extends Pick<Platform, 'database' | 'clock' | 'secrets'> {
  readonly egress: Pick<Egress, 'validateUrl'>;
  /** The names of the events that there are. */
  readonly eventTypes: readonly string[];
  /** Says that a webhook may have something due. */
  wake(webhook: WebhookRef): void;
}

const webhooksOf = ({ profileUuid }: Principal) => ({ profileUuid }) satisfies Prisma.WebhookWhereInput;

export const webhookNotFound = () => new ApiError('NOT_FOUND', 'Webhook not found');

/** The webhooks of profiles. Source: docs/specification/webhooks.md. */
export function createRegistrations(deps: RegistrationDependencies) {
  const { database, clock, egress, secrets, eventTypes, wake } = deps;
  const { prisma } = database;
  const known = new Set(eventTypes);

  /** Whether events are sent. */
  function status({ active, failedAt }: Pick<Webhook, 'active' | 'failedAt'>): WebhookStatus {
    if (active) return 'active';
    return failedAt === null ? 'inactive' : 'failed';
  }

  /** Which webhooks the caller may see, for relations that lead to them. */
  function visible(caller: Caller): Prisma.WebhookWhereInput {
    return webhooksOf(authorize(caller, 'webhooks:read'));
  }

  /** The webhooks of the caller's profile, the newest first. */
  const { connection, count, page } = createListing<'webhooks', WebhookRecord, WebhookShape>({
    table: prisma.webhook,
    action: 'webhooks:read',
    direction: 'desc',
    filter: webhooksOf,
    columns: withoutSecrets,
    rows: 'webhooks',
    pages: WebhookPageRequest,
  });

  /** @throws {ApiError} `NOT_FOUND` for a webhook of another profile. */
  async function find(caller: Caller, uuid: string, query: WebhookShape = withoutSecrets): Promise<WebhookRecord> {
    return findIn(webhooksOf(authorize(caller, 'webhooks:read')), uuid, query);
  }

  /**
   * Registers a place to call.
   *
   * @param input.url https, or http outside production; public, without user info. Names are resolved at every send only.
   * @param input.events At least one of the catalogue.
   * @param input.secret 16 to 256 printable ASCII characters; made if left out.
   * @returns The record, and the secret if it was made here: it is shown this once.
   * @throws {ApiError} `VALIDATION_ERROR`; `CONFLICT` over 50 webhooks of the profile.
   * @see docs/specification/webhooks.md#register
   */
  async function create(
    caller: Caller,
    input: z.input<typeof NewWebhook>,
    query: WebhookShape = withoutSecrets,
  ): Promise<{ webhook: WebhookRecord; secret: string | null }> {
    const { profileUuid } = authorize(caller, 'webhooks:write');
    const { url, events, active, secret: given } = parse(NewWebhook, input, mistakesOf);
    const secret = given ?? newWebhookSecret();
    const uuid = randomUUID();
    const now = clock.now();
    const data = { uuid, profileUuid, url, events, active, secret: secrets.seal(secret, secretContext(uuid)) };
    const webhook = await prisma.$transaction(async (tx) => {
      // The count runs under the lock, so that two at once cannot both take the last free place.
      await tx.$queryRaw`SELECT 1 FROM profiles WHERE uuid = ${profileUuid}::uuid FOR NO KEY UPDATE`;
      if ((await tx.webhook.count({ where: { profileUuid } })) >= webhooksMax)
        throw new ApiError('CONFLICT', `A profile can have at most ${webhooksMax} webhooks`);
      return tx.webhook.create({ ...query, data: { ...data, createdAt: now, updatedAt: now } });
    });
    return { webhook, secret: given ? null : secret };
  }

  /**
   * Changes the given fields. `active: true` resumes waiting deliveries, also after a failure; `active: false` stops
   * the retries. A new secret replaces the old one at once: `rotateSecret` keeps both for a time.
   *
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for a webhook of another profile.
   */
  async function update(
    caller: Caller,
    uuid: string,
    input: z.input<typeof WebhookChange>,
    query: WebhookShape = withoutSecrets,
  ): Promise<WebhookRecord> {
    const principal = authorize(caller, 'webhooks:write');
    const { url, events, active, secret } = parse(WebhookChange, input, mistakesOf);
    if (!isUuid(uuid)) throw webhookNotFound();
    const where = { uuid, ...webhooksOf(principal) };
    const { count } = await prisma.webhook.updateMany({
      where,
      data: {
        ...(url && { url }),
        ...(events && { events }),
        ...(active !== null && active !== undefined && { active, failedAt: null }),
        ...(secret && {
          secret: secrets.seal(secret, secretContext(uuid.toLowerCase())),
          previousSecret: null,
          previousSecretUntil: null,
        }),
        updatedAt: clock.now(),
      },
    });
    if (count === 0) throw webhookNotFound();
    if (active) wake({ uuid: uuid.toLowerCase(), profileUuid: principal.profileUuid });
    return findIn(webhooksOf(principal), uuid, query);
  }

  /**
   * Generates a new secret. For 24 hours deliveries are also signed with the old one.
   *
   * @returns The record and the new secret, which is shown only here.
   * @throws {ApiError} `NOT_FOUND` for a webhook of another profile.
   */
  async function rotateSecret(
    caller: Caller,
    uuid: string,
    query: WebhookShape = withoutSecrets,
  ): Promise<{ webhook: WebhookRecord; secret: string }> {
    const principal = authorize(caller, 'webhooks:write');
    if (!isUuid(uuid)) throw webhookNotFound();
    const secret = newWebhookSecret();
    const now = clock.now();
    const [row] = await database.query<{ uuid: string }>({
      name: 'webhooks_rotate_secret',
      text: `UPDATE webhooks SET previous_secret = secret, previous_secret_until = $4, secret = $3, updated_at = $5
        WHERE uuid = $1 AND profile_uuid = $2 RETURNING uuid`,
      values: [
        uuid,
        principal.profileUuid,
        secrets.seal(secret, secretContext(uuid.toLowerCase())),
        new Date(now.getTime() + overlapMs),
        now,
      ],
    });
    if (!row) throw webhookNotFound();
    return { webhook: await findIn(webhooksOf(principal), uuid, query), secret };
  }

  /** Deletes it with its deliveries. @throws {ApiError} `NOT_FOUND` for a webhook of another profile. */
  async function remove(caller: Caller, uuid: string): Promise<string> {
    const { profileUuid } = authorize(caller, 'webhooks:write');
    if (!isUuid(uuid)) throw webhookNotFound();
    const whole = { ...removeWebhook(uuid, profileUuid, deliveriesAtOnce), query_timeout: 9_000 };
    const [row] = await database.query<{ uuid: string }>(whole);
    return row?.uuid ?? removeInParts(uuid, profileUuid);
  }

  /**
   * A webhook with more deliveries than one statement can delete. No new delivery begins, and deleted rows stay deleted
   * if the removal fails.
   */
  async function removeInParts(uuid: string, profileUuid: string): Promise<string> {
    const [row] = await database.query<{ uuid: string }>(endWebhook(uuid, profileUuid));
    if (!row) throw webhookNotFound();
    for (let gone = deliveriesAtOnce; gone === deliveriesAtOnce; )
      ({ length: gone } = await database.query({
        ...removeDeliveries(uuid, deliveriesAtOnce),
        query_timeout: 9_000,
      }));
    await database.query({ ...removeWebhook(uuid, profileUuid, Number.MAX_SAFE_INTEGER), query_timeout: 9_000 });
    return row.uuid;
  }

  /** Removes the webhooks of a profile that was deleted, with their deliveries. */
  async function removeContents(profileUuid: string): Promise<void> {
    const webhooks = await database.query<{ uuid: string }>({
      text: 'SELECT uuid FROM webhooks WHERE profile_uuid = $1',
      values: [profileUuid],
    });
    for (const { uuid } of webhooks) await removeInParts(uuid, profileUuid);
  }

  async function findIn(visible: Prisma.WebhookWhereInput, uuid: string, query: WebhookShape): Promise<WebhookRecord> {
    return rowIn(prisma.webhook, uuid, visible, query, webhookNotFound);
  }

  /** The errors in fields of a webhook that its schema cannot express. */
  function mistakesOf({ url, events }: Partial<z.output<typeof WebhookChange>>) {
    const mistake = typeof url === 'string' ? egress.validateUrl(url).mistake : undefined;
    const isUnknown = events?.some((event) => !known.has(event));
    return {
      url: mistake && `url ${mistake}`,
      events: isUnknown ? 'events must be names of GET /api/webhooks/events' : undefined,
    };
  }

  return {
    mistakesOf,
    status,
    visible,
    page,
    connection,
    count,
    find,
    create,
    update,
    rotateSecret,
    remove,
    removeContents,
  };
}

const withoutSecrets = { omit: { secret: true, previousSecret: true } } as const;
