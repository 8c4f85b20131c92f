import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid, parse } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import type { ApiKeys } from './api-keys.ts';
import { TierChange, UserSwitch } from './input.ts';
import { usernameKeyOf } from './usernames.ts';

export interface UserState {
  readonly username: string;
  /** Since when the user is disabled; null for one that is not. */
  readonly disabledAt: Date | null;
}

/** What administrators of the platform decide about projects and users of others. Source: docs/specification/identity.md#administrators. */
export function createAdministration(
  deps: Pick<Platform, 'database' | 'clock'> & {
    apiKeys: Pick<ApiKeys, 'forgetVerified'>;
  },
) {
  const { database, clock, apiKeys } = deps;

  /**
   * Sets the rate tier of a project's agents.
   *
   * @throws {ApiError} `FORBIDDEN` for a key without the scope `admin`; `VALIDATION_ERROR`; `NOT_FOUND`, also for a
   * caller who is not an administrator.
   */
  async function setTier(caller: Caller, input: z.input<typeof TierChange>): Promise<string> {
    const { isAdmin } = authorize(caller, 'platform:administer');
    const { projectUuid, tier } = parse(TierChange, input);
    const [row] =
      isAdmin && isUuid(projectUuid)
        ? await database.query<{ uuid: string }>({
            text: 'UPDATE projects SET tier = $2, updated_at = $3 WHERE uuid = $1 AND deleted_at IS NULL RETURNING uuid',
            values: [projectUuid, tier, clock.now()],
          })
        : [];
    if (!row) throw new ApiError('NOT_FOUND', 'Project not found');
    apiKeys.forgetVerified();
    return row.uuid;
  }

  /**
   * Disables a user, or enables it again. The keys and sessions of a disabled user are refused within a second, and its
   * sockets end; its data stays.
   *
   * @throws {ApiError} like `setTier`; `CONFLICT` for the caller's own user.
   */
  async function setDisabled(caller: Caller, input: z.input<typeof UserSwitch>): Promise<UserState> {
    const { userUuid, isAdmin } = authorize(caller, 'platform:administer');
    const { username, isDisabled } = parse(UserSwitch, input);
    if (!isAdmin) throw userNotFound();
    const now = clock.now();
    const [user] = await database.query<{ uuid: string; username: string; disabled_at: Date | null }>({
      // It writes each follow of the user.
      query_timeout: 9_000,
      // Accounts of the platform itself stay disabled: their passwords are unknown.
      text: `UPDATE users SET updated_at = CASE WHEN uuid = $4 THEN updated_at ELSE $3 END,
          disabled_at = CASE WHEN uuid = $4 THEN disabled_at WHEN $2 THEN coalesce(disabled_at, $3) END
        WHERE username_key = $1 AND deleted_at IS NULL AND email_key NOT LIKE '%@internal'
        RETURNING uuid, username, disabled_at`,
      values: [usernameKeyOf(username), isDisabled, now, userUuid],
    });
    if (!user) throw userNotFound();
    if (user.uuid === userUuid) throw new ApiError('CONFLICT', 'An administrator cannot disable or enable itself');
    apiKeys.forgetVerified();
    return { username: user.username, disabledAt: user.disabled_at };
  }

  return { setTier, setDisabled };
}

const userNotFound = () => new ApiError('NOT_FOUND', 'User not found');
