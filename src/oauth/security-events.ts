import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OauthSecurityEvent, Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { parse } from '../platform/input/input.ts';
import { type Connection, ConnectionRequest, connectionIn } from '../platform/input/keyset.ts';
import type { Platform } from '../platform/platform.ts';
import type { OauthMetrics } from './metrics.ts';

/** Every event that is recorded, with its severity. */
export const securityEvents = {
  session_authorized: 'low',
  session_revoked: 'low',
  authorization_denied: 'low',
  client_registered: 'low',
  client_configured: 'low',
  exceptions_changed: 'medium',
  refresh_refused: 'medium',
  issuer_mismatch: 'high',
  integrity_violation: 'critical',
  code_injection: 'critical',
  token_reuse: 'critical',
} as const;

export type SecurityEventType = keyof typeof securityEvents;
export type SecurityEventOutcome = 'succeeded' | 'refused' | 'failed';

export type SecurityEventRecord = OauthSecurityEvent;
export type SecurityEventShape = Pick<Prisma.OauthSecurityEventFindManyArgs, 'select' | 'include'>;

export interface NewSecurityEvent {
  readonly type: SecurityEventType;
  readonly outcome: SecurityEventOutcome;
  /** Whose tokens they are. */
  readonly userUuid: string;
  readonly profileUuid: string;
  /** Who did it; null for the platform. */
  readonly actorUuid: string | null;
  readonly serverUuid: string | null;
  readonly sessionUuid?: string | null;
  readonly requestId: string | null;
}

export type SecurityEvents = ReturnType<typeof createSecurityEvents>;

/** The audit of the area: appended, never changed, readable by the profile that it is about, kept for a year. */
export function createSecurityEvents(
  deps: Pick<Platform, 'database' | 'clock'> & {
    readonly metrics: Pick<OauthMetrics, 'oauth_security_events_total'>;
  },
) {
  const { database, clock, metrics } = deps;
  const { prisma } = database;

  /**
   * Appends an event.
   *
   * @param tx The transaction of its cause, where it has one.
   */
  async function record(tx: Pick<Database, 'query'>, event: NewSecurityEvent): Promise<void> {
    const { type, outcome, userUuid, profileUuid, actorUuid, serverUuid, sessionUuid = null, requestId } = event;
    const severity = securityEvents[type];
    metrics.oauth_security_events_total.inc({ event_type: type, severity });
    await tx.query({
      name: 'oauth_security_event_record',
      text: `INSERT INTO oauth_security_events (uuid, profile_uuid, user_uuid, actor_uuid, server_uuid, session_uuid, type, severity,
          outcome, request_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      values: [
        randomUUID(),
        profileUuid,
        userUuid,
        actorUuid,
        serverUuid,
        sessionUuid,
        type,
        severity,
        outcome,
        requestId,
        clock.now(),
      ],
    });
  }

  /** The events of the caller's profile, the newest first. @throws {ApiError} `FORBIDDEN` without `oauth:read`. */
  async function connection(
    caller: Caller,
    input: z.input<typeof ConnectionRequest>,
    query: SecurityEventShape = {},
  ): Promise<Connection<SecurityEventRecord>> {
    const { profileUuid } = authorize(caller, 'oauth:read');
    return connectionIn(prisma.oauthSecurityEvent, parse(ConnectionRequest, input), 'desc', { profileUuid }, query);
  }

  async function count(caller: Caller): Promise<number> {
    return prisma.oauthSecurityEvent.count({ where: { profileUuid: authorize(caller, 'oauth:read').profileUuid } });
  }

  /** Removes events older than a year, in bounded batches. @returns How many rows went. */
  async function purge(): Promise<number> {
    const rows = await database.query({
      name: 'oauth_security_events_purge',
      query_timeout: 9_000,
      text: `DELETE FROM oauth_security_events WHERE uuid IN (
          SELECT uuid FROM oauth_security_events
          WHERE created_at < least($1::timestamptz, statement_timestamp()) - interval '366 days' ORDER BY created_at LIMIT 10000) RETURNING 1`,
      values: [clock.now()],
    });
    return rows.length;
  }

  return { record, connection, count, purge };
}
