import { authorize, type Caller } from '../platform/caller.ts';
import type { Events } from '../platform/messaging/events.ts';

export type SessionStatus = 'pending' | 'active' | 'expired' | 'revoked';

/** Published when a session is created, authorized, refreshed or ended. */
export interface SessionChange {
  readonly uuid: string;
  readonly status: SessionStatus;
}

const channelOf = (profileUuid: string) => `oauth-sessions:${profileUuid}`;

export type SessionWatch = ReturnType<typeof createSessionWatch>;

/** Live changes of the sessions of a profile. */
export function createSessionWatch({ events }: { events: Events }) {
  const changed = (profileUuid: string, change: SessionChange): void => events.publish(channelOf(profileUuid), change);

  /** @throws {ApiError} `FORBIDDEN` without `oauth:read`. */
  async function changes(caller: Caller): Promise<AsyncGenerator<SessionChange, void, void>> {
    return events.subscribe<SessionChange>(channelOf(authorize(caller, 'oauth:read').profileUuid));
  }

  return { changed, changes };
}
