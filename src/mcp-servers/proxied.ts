import { authorize, type Caller, maySeeSecrets } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Statement } from '../platform/database/database.ts';
import { maskedUrl } from '../platform/input/input.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { createVariableSeals } from './sealed-variables.ts';
import { masked } from './server.ts';

/** A server as a proxy that starts or reaches it must know it. */
export interface ProxiedServer {
  readonly uuid: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly transport: string;
  readonly command: string | null;
  readonly args: readonly string[];
  readonly url: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly notes: string | null;
  readonly profileUuid: string;
  readonly createdAt: Date;
}

interface Row {
  uuid: string;
  slug: string;
  name: string;
  description: string | null;
  transport: string;
  command: string | null;
  args: string[];
  url: string | null;
  env: string | null;
  env_names: string[];
  headers: string | null;
  header_names: string[];
  notes: string | null;
  created_at: Date;
}

/** The caller's own servers with their secrets. Source: docs/specification/mcp-servers.md#secrets. */
export function createProxied(deps: { database: Database; clock: Clock; secrets: Secrets; log: Logger }) {
  const { database, clock, secrets, log } = deps;
  const seals = createVariableSeals({ secrets });

  /**
   * The servers of the caller's profile, the oldest first.
   *
   * @param options.isProxyRoute Whether GET /api/mcp-servers asks. There a key that may write is shown the secrets, and it is
   *   written down that it was; everybody and everywhere else they are masked.
   */
  async function list(caller: Caller, options: { isProxyRoute: boolean }): Promise<ProxiedServer[]> {
    const principal = authorize(caller, 'mcp-servers:read');
    const { profileUuid, credentialUuid } = principal;
    const isShown = options.isProxyRoute && principal.kind === 'key' && principal.scopes.has('write');
    const now = clock.now();
    const statement = isShown ? audited(profileUuid, credentialUuid, now, caller.address) : plain(profileUuid);
    const rows = await database.query<Row>(statement);
    if (isShown && rows.length > 0)
      log.info(
        {
          audit: 'mcp-secrets-read',
          profile: profileUuid,
          key: credentialUuid,
          address: caller.address,
          servers: rows.length,
        },
        'a proxy was shown the secrets of MCP servers',
      );
    return rows.map(({ env, headers, env_names, header_names, created_at, ...row }) => ({
      ...row,
      url: row.url === null || maySeeSecrets(caller) ? row.url : maskedUrl(row.url),
      env: isShown ? seals.open(row.uuid, 'env', env) : masked(env_names),
      headers: isShown ? seals.open(row.uuid, 'headers', headers) : masked(header_names),
      profileUuid,
      createdAt: created_at,
    }));
  }

  return { list };
}

const servers = `SELECT uuid, slug, name, description, transport, command, args, url, env, env_names, headers, header_names, notes,
    created_at
  FROM mcp_servers WHERE profile_uuid = $1 ORDER BY created_at, uuid`;

const plain = (profile: string): Statement => ({ name: 'mcp_servers_proxied', text: servers, values: [profile] });

/** One statement: what cannot be written down is not shown. */
const audited = (profile: string, credential: string, now: Date, address: string): Statement => ({
  name: 'mcp_servers_proxied_audited',
  text: `WITH audit AS (
      INSERT INTO mcp_secret_reads AS r
        (profile_uuid, credential_uuid, day, reads, first_read_at, last_read_at, last_address)
      SELECT $1, $2, ($3::timestamptz AT TIME ZONE 'UTC')::date, 1, $3, $3, $4
      WHERE EXISTS (SELECT 1 FROM mcp_servers WHERE profile_uuid = $1)
      ON CONFLICT (profile_uuid, credential_uuid, day) DO UPDATE
        SET reads = r.reads + 1, last_read_at = excluded.last_read_at, last_address = excluded.last_address)
    ${servers}`,
  values: [profile, credential, now, address],
});
