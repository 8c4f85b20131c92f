import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Statement } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { invalid, parse } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import type { Clients } from './clients.ts';
import type { ServerExceptions } from './exchanges/exchanges.ts';
import { about } from './flow-requests.ts';
import { callbackPath, ServerSettings } from './input.ts';
import type { Reports } from './report/reports.ts';
import type { SecurityEvents } from './security-events.ts';
import type { OauthServers } from './servers.ts';

/** How the platform is authorized at a server, as its owner sees it. */
export interface ServerAuthorization extends ServerExceptions {
  readonly isAuthorized: boolean;
  readonly issuer: string | null;
  readonly clientKind: 'configured' | 'metadata_document' | 'registered' | null;
  readonly clientId: string | null;
  /** Whether no authorization report is made of the server. */
  readonly omitsReport: boolean;
}

interface AuthorizationRow {
  uuid: string;
  allows_other_issuer: boolean;
  omits_resource: boolean;
  omits_report: boolean;
  session_issuer: string | null;
  client_issuer: string | null;
  kind: ServerAuthorization['clientKind'];
  client_id: string | null;
}

/** Of the servers of one profile among some: the active session, the client in force and the exceptions. */
const authorizationsOf = (profileUuid: string, uuids: readonly string[]): Statement => ({
  name: 'oauth_authorizations_of_servers',
  text: `SELECT s.uuid, coalesce(o.allows_other_issuer, false) AS allows_other_issuer, coalesce(o.omits_resource, false) AS omits_resource,
      coalesce(o.omits_report, false) AS omits_report, session.issuer AS session_issuer, client.issuer AS client_issuer, client.kind, client.client_id
    FROM mcp_servers s
    LEFT JOIN oauth_server_settings o ON o.server_uuid = s.uuid
    LEFT JOIN LATERAL (SELECT issuer, client_uuid FROM oauth_sessions
      WHERE server_uuid = s.uuid AND status = 'active' AND server_url IS NOT DISTINCT FROM s.url
      ORDER BY created_at DESC, uuid DESC LIMIT 1) session ON true
    LEFT JOIN LATERAL (SELECT issuer, kind, client_id FROM oauth_clients c WHERE c.server_uuid = s.uuid AND
        (c.uuid = session.client_uuid OR (session.client_uuid IS NULL AND c.replaced_at IS NULL))
      ORDER BY c.kind = 'configured' DESC, c.created_at DESC LIMIT 1) client ON true
    WHERE s.profile_uuid = $1 AND s.uuid = ANY ($2::uuid[])`,
  values: [profileUuid, uuids],
});

/** Authorization settings of an MCP server's owner. Every change is a security event. */
export function createServerSettings(
  deps: Pick<Platform, 'database' | 'clock'> & {
    readonly appUrl: string;
    readonly servers: OauthServers;
    readonly clients: Pick<Clients, 'configure'>;
    readonly securityEvents: Pick<SecurityEvents, 'record'>;
    readonly reports: Pick<Reports, 'forget'>;
  },
) {
  const { database, clock, appUrl, servers, clients, securityEvents, reports } = deps;

  /**
   * Sets a manually registered client, exceptions from the checks, and whether reports are made. Omitted fields keep
   * their values.
   *
   * @param input.client For exactly one issuer; it replaces an earlier one. Open sessions keep theirs.
   * @throws {ApiError} `VALIDATION_ERROR`; `NOT_FOUND` for a server of another profile.
   */
  async function configure(caller: Caller, input: z.input<typeof ServerSettings>): Promise<string> {
    const { profileUuid } = authorize(caller, 'oauth:write');
    const { serverUuid, client, removesClient, allowsOtherIssuer, omitsResource, ...choice } = parse(
      ServerSettings,
      input,
    );
    if (client && removesClient) throw invalid({ removesClient: 'removesClient must not be true beside a client' });
    const server = await servers.ofProfile(serverUuid, profileUuid);
    if (server === null) throw new ApiError('NOT_FOUND', 'Server not found');
    const exceptions = {
      allowsOtherIssuer: allowsOtherIssuer ?? server.exceptions.allowsOtherIssuer,
      omitsResource: omitsResource ?? server.exceptions.omitsResource,
    };
    const omitsReport = choice.omitsReport ?? server.omitsReport;
    const isChanged =
      omitsReport !== server.omitsReport ||
      exceptions.allowsOtherIssuer !== server.exceptions.allowsOtherIssuer ||
      exceptions.omitsResource !== server.exceptions.omitsResource;
    await database.transaction(async (tx) => {
      if (client || removesClient) {
        const clientSecret = client?.clientSecret ?? null;
        const method = clientSecret === null ? 'none' : (client?.authenticationMethod ?? 'client_secret_basic');
        await clients.configure(
          tx,
          server,
          client
            ? {
                kind: 'configured',
                issuer: client.issuer,
                clientId: client.clientId,
                clientSecret,
                authenticationMethod: method,
                redirectUri: `${appUrl}${callbackPath}`,
                secretExpiresAt: null,
              }
            : null,
        );
        await securityEvents.record(tx, { ...about(server, caller), type: 'client_configured', outcome: 'succeeded' });
      }
      if (isChanged) {
        await tx.query({
          name: 'oauth_server_settings_save',
          text: `INSERT INTO oauth_server_settings (server_uuid, allows_other_issuer, omits_resource, omits_report, updated_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (server_uuid) DO UPDATE SET allows_other_issuer = $2, omits_resource = $3, omits_report = $4, updated_at = $5`,
          values: [server.uuid, exceptions.allowsOtherIssuer, exceptions.omitsResource, omitsReport, clock.now()],
        });
        if (omitsReport) await reports.forget(tx, server.uuid);
        await securityEvents.record(tx, { ...about(server, caller), type: 'exceptions_changed', outcome: 'succeeded' });
      }
    });
    return server.uuid;
  }

  /**
   * How the platform is authorized at servers, in the order of their uuids and in one statement; null for a server of another profile.
   *
   * @param uuids Well-formed.
   */
  async function authorizations(caller: Caller, uuids: readonly string[]): Promise<(ServerAuthorization | null)[]> {
    if (caller.principal === null) return uuids.map(() => null);
    const { profileUuid } = authorize(caller, 'oauth:read');
    const rows = await database.query<AuthorizationRow>(authorizationsOf(profileUuid, uuids));
    const byUuid = new Map(rows.map((row) => [row.uuid, row]));
    return uuids.map((uuid) => {
      const row = byUuid.get(uuid);
      if (!row) return null;
      return {
        isAuthorized: row.session_issuer !== null,
        issuer: row.session_issuer ?? row.client_issuer,
        clientKind: row.kind,
        clientId: row.client_id,
        allowsOtherIssuer: row.allows_other_issuer,
        omitsResource: row.omits_resource,
        omitsReport: row.omits_report,
      };
    });
  }

  return { configure, authorizations };
}
