import type { EventPayloads } from '../event-catalogue/index.ts';
import type { Database } from '../platform/database/database.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { SessionRow } from './session-statements.ts';

/** Notifies a profile as part of a transaction. @returns To be called after the commit. */
export type Notify = (
  tx: Pick<Database, 'query'>,
  profileUuid: string,
  notice: {
    readonly type: 'ALERT' | 'WARNING' | 'SUCCESS';
    readonly severity: 'ALERT' | 'WARNING' | 'SUCCESS';
    readonly title: string;
    readonly message: string;
    readonly metadata: Readonly<Record<string, string>>;
  },
) => Promise<() => void>;

type Row = Pick<SessionRow, 'uuid' | 'profile_uuid' | 'server_uuid' | 'user_uuid' | 'provider'>;

export type RefreshAlerts = ReturnType<typeof createRefreshAlerts>;

/** Messages for the owner of tokens: a notification and webhook events, written in the transaction of the cause. */
export function createRefreshAlerts({ outbox, notify }: { outbox: Outbox<EventPayloads>; notify: Notify }) {
  /** To be called after the commit, by profile; without it they arrive within seconds. */
  const announcements = new Map<string, () => void>();

  async function sendAlert(
    tx: Pick<Database, 'query'>,
    row: Row,
    severity: 'ALERT' | 'WARNING' | 'SUCCESS',
    title: string,
    message: string,
  ): Promise<void> {
    const metadata = {
      session_id: row.uuid,
      user_id: row.user_uuid,
      ...(row.server_uuid !== null && { server_id: row.server_uuid }),
    };
    const announce = await notify(tx, row.profile_uuid, { type: severity, severity, title, message, metadata });
    announcements.set(row.profile_uuid, announce);
  }

  const failureEvent = (
    tx: Pick<Database, 'query'>,
    row: Row,
    error: string,
    needsAuthorization: boolean,
  ): Promise<unknown> =>
    outbox.write(tx, {
      profileUuid: row.profile_uuid,
      type: 'oauth.refresh_failed',
      data: {
        session_id: row.uuid,
        server_uuid: row.server_uuid,
        provider: row.provider,
        needs_authorization: needsAuthorization,
        error,
      },
    });

  /** @param needsAuthorization Whether the user must authorize again; else it is tried again later. */
  async function failed(
    tx: Pick<Database, 'query'>,
    row: Row,
    error: string,
    needsAuthorization: boolean,
  ): Promise<void> {
    await failureEvent(tx, row, error, needsAuthorization);
    await sendAlert(
      tx,
      row,
      needsAuthorization ? 'ALERT' : 'WARNING',
      needsAuthorization ? `Authorize ${row.provider} again` : `The tokens of ${row.provider} could not be refreshed`,
      needsAuthorization ? error : `${error}. It is tried again.`,
    );
  }

  async function recovered(tx: Pick<Database, 'query'>, row: Row): Promise<void> {
    await outbox.write(tx, {
      profileUuid: row.profile_uuid,
      type: 'oauth.refresh_recovered',
      data: { session_id: row.uuid, server_uuid: row.server_uuid, provider: row.provider },
    });
    await sendAlert(
      tx,
      row,
      'SUCCESS',
      `The tokens of ${row.provider} are refreshed again`,
      'The refresh that failed before has succeeded.',
    );
  }

  async function reused(tx: Pick<Database, 'query'>, row: Row): Promise<void> {
    await failureEvent(tx, row, 'A refresh token was used twice', true);
    await sendAlert(
      tx,
      row,
      'ALERT',
      `Token reuse detected: ${row.provider}`,
      'A refresh token was used twice, so all tokens of this server are revoked. Authorize it again.',
    );
  }

  async function unreadable(tx: Pick<Database, 'query'>, row: Row): Promise<void> {
    await failureEvent(tx, row, 'The stored tokens cannot be read', false);
    await sendAlert(
      tx,
      row,
      'ALERT',
      `The stored tokens of ${row.provider} cannot be read`,
      'They were changed, or their encryption key is missing. Authorize the server again if the operator cannot restore the key.',
    );
  }

  /** After the commit of any of these. */
  function announce(profileUuid: string | null): void {
    if (profileUuid === null) return;
    announcements.get(profileUuid)?.();
    announcements.delete(profileUuid);
  }

  return { failed, recovered, reused, unreadable, announce };
}
