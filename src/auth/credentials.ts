import type { Principal } from '../platform/caller.ts';
import type { Platform } from '../platform/platform.ts';
import { holdingAgentsText } from './agent-credentials.ts';

const holdingText = `SELECT k.uuid FROM api_keys k
    JOIN profiles p ON p.uuid = k.profile_uuid JOIN projects j ON j.uuid = p.project_uuid JOIN users u ON u.uuid = j.user_uuid
  WHERE k.uuid = ANY($1::uuid[]) AND k.revoked_at IS NULL AND u.disabled_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > coalesce($2, statement_timestamp()))
  UNION ALL
  SELECT s.uuid FROM sessions s JOIN users u ON u.uuid = s.user_uuid
  WHERE s.uuid = ANY($1::uuid[]) AND s.expires_at > coalesce($2, statement_timestamp()) AND u.disabled_at IS NULL
  UNION ALL
  ${holdingAgentsText}`;

/** Keys, sessions and agents' credentials that were verified a while ago: what lives longer than a request asks here whether they still hold. */
export function createCredentials({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  /** @returns The `credentialUuid` of those principals whose key or session would still be let in. One statement. */
  async function holding(principals: readonly Pick<Principal, 'credentialUuid'>[]): Promise<ReadonlySet<string>> {
    if (principals.length === 0) return new Set();
    const rows = await database.query<{ uuid: string }>({
      name: 'auth_credentials_holding',
      text: holdingText,
      values: [principals.map(({ credentialUuid }) => credentialUuid), clock.pinned()],
    });
    return new Set(rows.map(({ uuid }) => uuid));
  }

  return { holding };
}
