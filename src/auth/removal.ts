import type { z } from 'zod';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { uuidIn } from '../platform/input/keyset.ts';
import type { Platform } from '../platform/platform.ts';
import type { Accounts } from './accounts.ts';
import type { ApiKeys } from './api-keys.ts';
import type { PasswordConfirmation } from './input.ts';
import { profileNotFound, profilesOf } from './profiles.ts';
import { projectNotFound, projectsOf } from './projects.ts';

/** Removes what an area holds of a profile, where that may be more rows than one statement can delete. */
export type RemoveContents = (profileUuid: string) => Promise<void>;

export interface RemovalDependencies extends Pick<Platform, 'database' | 'clock' | 'log'> {
  readonly accounts: Pick<Accounts, 'confirmPassword'>;
  readonly apiKeys: Pick<ApiKeys, 'forgetVerified'>;
  /** By the areas that may hold very many rows of a profile; the database removes the rest with the profile itself. */
  readonly contents: readonly RemoveContents[];
}

/**
 * Deletes profiles, projects and accounts. One transaction hides them and deletes their keys and webhooks; the rows are
 * removed afterwards, in the same request, or by a job if the request was interrupted. Source:
 * docs/specification/identity.md#projects-and-profiles.
 */
export function createRemoval({ database, clock, log, accounts, apiKeys, contents }: RemovalDependencies) {
  const { prisma } = database;

  /**
   * Deletes a profile with everything that belongs to it. Its keys and sockets end within a second.
   *
   * @throws {ApiError} `FORBIDDEN` for a key without the scope `admin`; `NOT_FOUND` for a profile that the caller cannot see;
   *   `CONFLICT` for the user's last profile.
   */
  async function removeProfile(caller: Caller, input: { uuid: string }): Promise<string> {
    const principal = authorize(caller, 'profiles:write');
    const profileUuid = await uuidIn(prisma.profile, input.uuid, profilesOf(principal), profileNotFound);
    await remove(principal, { profileUuid });
    return profileUuid;
  }

  /**
   * Deletes a project with its profiles and everything that belongs to them.
   *
   * @throws {ApiError} `FORBIDDEN` for an API key; `NOT_FOUND` for a project that the caller cannot see; `CONFLICT` for a
   *   project that holds all profiles of the user.
   */
  async function removeProject(caller: Caller, input: { uuid: string }): Promise<string> {
    const principal = authorize(caller, 'projects:write');
    const projectUuid = await uuidIn(prisma.project, input.uuid, projectsOf(principal), projectNotFound);
    await remove(principal, { projectUuid });
    return projectUuid;
  }

  /**
   * Deletes the caller's account with its projects and everything that belongs to them. All of its sessions end.
   *
   * @throws {ApiError} `FORBIDDEN` for an API key; `VALIDATION_ERROR` for a wrong password.
   */
  async function removeAccount(caller: Caller, input: z.input<typeof PasswordConfirmation>): Promise<void> {
    const principal = authorize(caller, 'account:write');
    await accounts.confirmPassword(caller, input);
    await remove(principal, {});
  }

  async function remove(
    { userUuid }: Pick<Principal, 'userUuid'>,
    what: { profileUuid?: string; projectUuid?: string },
  ): Promise<void> {
    const profileUuids = await database.transaction((tx) => markDeleted(tx, userUuid, what));
    apiKeys.forgetVerified();
    try {
      await removeMarked({ userUuid, profileUuids });
    } catch (error) {
      log.warn({ error }, 'deleted profiles are removed by the next run of the job');
    }
  }

  /** @returns The profiles that were deleted. */
  async function markDeleted(
    tx: Database,
    userUuid: string,
    { profileUuid = null, projectUuid = null }: { profileUuid?: string | null; projectUuid?: string | null },
  ): Promise<string[]> {
    const now = clock.now();
    // Two requests that each delete one of the last two profiles wait for each other here.
    await tx.query({ text: 'SELECT 1 FROM users WHERE uuid = $1 FOR NO KEY UPDATE', values: [userUuid] });
    const profiles = await tx.query<{ uuid: string; is_deleted: boolean }>({
      text: `SELECT p.uuid, ($2::uuid IS NULL OR p.uuid = $2) AND ($3::uuid IS NULL OR j.uuid = $3) AS is_deleted
        FROM profiles p JOIN projects j ON j.uuid = p.project_uuid
        WHERE j.user_uuid = $1 AND p.deleted_at IS NULL AND j.deleted_at IS NULL`,
      values: [userUuid, profileUuid, projectUuid],
    });
    const isAccount = profileUuid === null && projectUuid === null;
    if (!isAccount && profiles.every(({ is_deleted }) => is_deleted))
      throw new ApiError('CONFLICT', 'The last profile cannot be deleted; delete the account instead');
    const deleted = profiles.filter(({ is_deleted }) => is_deleted).map(({ uuid }) => uuid);
    await tx.query({ text: 'DELETE FROM api_keys WHERE profile_uuid = ANY ($1::uuid[])', values: [deleted] });
    await tx.query({
      text: 'UPDATE webhooks SET active = false, failed_at = NULL WHERE profile_uuid = ANY ($1::uuid[])',
      values: [deleted],
    });
    await tx.query({
      text: 'UPDATE profiles SET deleted_at = $2 WHERE uuid = ANY ($1::uuid[])',
      values: [deleted, now],
    });
    await tx.query({
      text: `UPDATE users SET active_profile_uuid = NULL WHERE uuid = $1 AND active_profile_uuid = ANY ($2::uuid[])`,
      values: [userUuid, deleted],
    });
    if (profileUuid === null)
      await tx.query({
        text: 'UPDATE projects SET deleted_at = $3 WHERE user_uuid = $1 AND ($2::uuid IS NULL OR uuid = $2)',
        values: [userUuid, projectUuid, now],
      });
    if (isAccount) {
      await tx.query({ text: 'DELETE FROM sessions WHERE user_uuid = $1', values: [userUuid] });
      await tx.query({
        text: 'UPDATE users SET deleted_at = $2, disabled_at = coalesce(disabled_at, $2) WHERE uuid = $1',
        values: [userUuid, now],
      });
    }
    return deleted;
  }

  /** Removes the rows of deleted objects: contents first, then profiles, projects and the user. */
  async function removeMarked({
    userUuid,
    profileUuids,
  }: {
    userUuid: string;
    profileUuids: readonly string[];
  }): Promise<void> {
    for (const profileUuid of profileUuids) {
      for (const removeContents of contents) await removeContents(profileUuid);
      await database.query({
        query_timeout: 9_000,
        text: 'DELETE FROM profiles WHERE uuid = $1 AND deleted_at IS NOT NULL',
        values: [profileUuid],
      });
    }
    await database.query({
      text: `DELETE FROM projects j WHERE user_uuid = $1 AND deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM profiles p WHERE p.project_uuid = j.uuid)`,
      values: [userUuid],
    });
    await database.query({
      query_timeout: 9_000,
      text: `DELETE FROM users u WHERE uuid = $1 AND deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM projects j WHERE j.user_uuid = u.uuid)`,
      values: [userUuid],
    });
  }

  /**
   * Removes rows of deleted objects that remain because a process stopped or a statement took too long.
   *
   * @returns The number of users with removed rows.
   */
  async function removeLeftovers(): Promise<number> {
    const rows = await database.query<{ user_uuid: string; profile_uuids: string[] }>({
      text: `SELECT marked.user_uuid, coalesce(array_agg(p.uuid) FILTER (WHERE p.uuid IS NOT NULL), '{}') AS profile_uuids
        FROM (
          SELECT uuid AS user_uuid FROM users WHERE deleted_at IS NOT NULL
          UNION SELECT user_uuid FROM projects WHERE deleted_at IS NOT NULL
          UNION SELECT j.user_uuid FROM profiles p JOIN projects j ON j.uuid = p.project_uuid WHERE p.deleted_at IS NOT NULL
        ) marked
          LEFT JOIN projects j ON j.user_uuid = marked.user_uuid
          LEFT JOIN profiles p ON p.project_uuid = j.uuid AND p.deleted_at IS NOT NULL
        GROUP BY marked.user_uuid LIMIT 1000`,
    });
    for (const { user_uuid: userUuid, profile_uuids: profileUuids } of rows)
      await removeMarked({ userUuid, profileUuids }).catch((error: unknown) =>
        // One that cannot be removed must not keep the others.
        log.error({ error, userUuid }, 'what a user has deleted could not be removed'),
      );
    return rows.length;
  }

  return { removeProfile, removeProject, removeAccount, removeLeftovers };
}
