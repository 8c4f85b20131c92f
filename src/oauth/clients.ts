import { randomUUID } from 'node:crypto';
import type { Database, Statement } from '../platform/database/database.ts';
import type { Platform } from '../platform/platform.ts';
import { SealError } from '../platform/security/secrets.ts';
import type { MetadataDocument } from './client-metadata.ts';
import type { AuthenticationMethod, ClientIdentity, Discovery, Exchanges } from './exchanges/exchanges.ts';
import { OauthError } from './exchanges/oauth-error.ts';
import type { OauthMetrics } from './metrics.ts';
import type { Providers } from './providers.ts';
import { clientSecretContext } from './sealed-tokens.ts';
import type { OwnedServer } from './servers.ts';

interface ClientRow {
  uuid: string;
  server_uuid: string;
  user_uuid: string;
  kind: ClientIdentity['kind'];
  issuer: string;
  client_id: string;
  client_secret: string | null;
  authentication_method: AuthenticationMethod;
  redirect_uri: string;
  secret_expires_at: Date | null;
}

const columns =
  'uuid, server_uuid, user_uuid, kind, issuer, client_id, client_secret, authentication_method, redirect_uri, secret_expires_at';

/** The clients in force of a server, the newest first: the configured ones of all issuers, and the last registrations. */
const ofServer = (serverUuid: string, issuer: string): Statement => ({
  name: 'oauth_clients_of_server',
  text: `SELECT ${columns} FROM oauth_clients WHERE server_uuid = $1 AND issuer = $2 AND replaced_at IS NULL
    ORDER BY created_at DESC, uuid DESC LIMIT 20`,
  values: [serverUuid, issuer],
});

const byUuid = (uuid: string): Statement => ({
  name: 'oauth_client',
  text: `SELECT ${columns} FROM oauth_clients WHERE uuid = $1`,
  values: [uuid],
});

const insert = (row: ClientRow, now: Date): Statement => ({
  name: 'oauth_client_insert',
  text: `INSERT INTO oauth_clients (${columns}, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
  values: [
    row.uuid,
    row.server_uuid,
    row.user_uuid,
    row.kind,
    row.issuer,
    row.client_id,
    row.client_secret,
    row.authentication_method,
    row.redirect_uri,
    row.secret_expires_at,
    now,
  ],
});

/** Clients that no session or state needs any more are removed after this many days. */
const keptDays = 30;

export type Clients = ReturnType<typeof createClients>;

/** The platform's clients at authorization servers: kept by server and issuer, and never used for another issuer. */
export function createClients(
  deps: Pick<Platform, 'database' | 'clock' | 'secrets'> & {
    readonly exchanges: Pick<Exchanges, 'identify'>;
    readonly providers: Pick<Providers, 'clientOf'>;
    readonly metrics: Pick<OauthMetrics, 'oauth_integrity_violations_total'>;
    /** Null where the platform is not reached by https. */
    readonly metadataDocument: MetadataDocument | null;
  },
) {
  const { database, clock, secrets, exchanges, providers, metrics, metadataDocument } = deps;

  /**
   * Chooses the client for a flow, and stores a new one.
   *
   * @returns The client and its uuid, and whether it was registered for this flow.
   * @throws {OauthError} if there is none and none can be registered.
   */
  async function forServer(
    server: Pick<OwnedServer, 'uuid' | 'userUuid'>,
    discovery: Discovery,
    redirectUri: string,
  ): Promise<{ uuid: string; client: ClientIdentity; isNew: boolean }> {
    const rows = await database.read<ClientRow>(ofServer(server.uuid, discovery.issuer));
    const configured = rows.find(({ kind }) => kind === 'configured');
    const last = rows.find((row) => row.kind === 'registered' && row.redirect_uri === redirectUri);
    const registered = last ? readable(last) : null;
    const client = await exchanges.identify(discovery, {
      configured: configured ? { ...identityOf(configured), redirectUri } : null,
      // Authorization servers refuse a redirect URI that is not in the document.
      metadataDocumentUrl: metadataDocument?.redirectUri === redirectUri ? metadataDocument.url : null,
      registered,
      redirectUri,
      now: clock.now(),
    });
    const known = rows.find(
      (row) =>
        row.kind === client.kind &&
        row.client_id === client.clientId &&
        (row.kind === 'configured' || row.redirect_uri === client.redirectUri) &&
        (row !== last || registered !== null),
    );
    if (known) return { uuid: known.uuid, client, isNew: false };
    return { uuid: await keep(database, server, client), client, isNew: client.kind === 'registered' };
  }

  /** Stores a client. @returns Its uuid. */
  async function keep(
    tx: Pick<Database, 'query'>,
    server: Pick<OwnedServer, 'uuid' | 'userUuid'>,
    client: ClientIdentity,
  ): Promise<string> {
    const uuid = randomUUID();
    const { clientSecret } = client;
    const row: ClientRow = {
      uuid,
      server_uuid: server.uuid,
      user_uuid: server.userUuid,
      kind: client.kind,
      issuer: client.issuer,
      client_id: client.clientId,
      client_secret:
        clientSecret === null
          ? null
          : secrets.seal(clientSecret, clientSecretContext(server.userUuid, server.uuid, uuid)),
      authentication_method: client.authenticationMethod,
      redirect_uri: client.redirectUri,
      secret_expires_at: client.secretExpiresAt,
    };
    await tx.query(insert(row, clock.now()));
    return uuid;
  }

  /**
   * The client with which a session was authorized.
   *
   * @throws {OauthError} `no_client` where its secret cannot be read, or the setting no longer has its provider.
   */
  async function ofSession(session: {
    readonly client_uuid: string | null;
    readonly provider: string;
    readonly issuer: string;
    readonly redirect_uri: string;
  }): Promise<ClientIdentity> {
    if (session.client_uuid === null) {
      const client = providers.clientOf(session.provider, session.issuer, session.redirect_uri);
      if (client === null) throw new OauthError('no_client');
      return client;
    }
    const [row] = await database.read<ClientRow>(byUuid(session.client_uuid));
    if (!row) throw new OauthError('no_client');
    return { ...identityOf(row), redirectUri: session.redirect_uri };
  }

  function identityOf(row: ClientRow): ClientIdentity {
    return {
      kind: row.kind,
      issuer: row.issuer,
      clientId: row.client_id,
      clientSecret: row.client_secret === null ? null : openSecret(row, row.client_secret),
      authenticationMethod: row.authentication_method,
      redirectUri: row.redirect_uri,
      secretExpiresAt: row.secret_expires_at,
    };
  }

  /** Null for a client whose secret cannot be read: another registration takes its place. */
  function readable(row: ClientRow): ClientIdentity | null {
    try {
      return identityOf(row);
    } catch (error) {
      if (error instanceof OauthError) return null;
      throw error;
    }
  }

  function openSecret(row: ClientRow, sealed: string): string {
    try {
      return secrets.open(sealed, clientSecretContext(row.user_uuid, row.server_uuid, row.uuid));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      metrics.oauth_integrity_violations_total.inc({ violation_type: 'client_secret' });
      throw new OauthError('no_client');
    }
  }

  /** Puts a configured client of one issuer in the place of another, or takes it away. */
  async function configure(
    tx: Pick<Database, 'query'>,
    server: Pick<OwnedServer, 'uuid' | 'userUuid'>,
    client: ClientIdentity | null,
  ): Promise<void> {
    await tx.query({
      name: 'oauth_clients_replace',
      text: `UPDATE oauth_clients SET replaced_at = $2 WHERE server_uuid = $1 AND kind = 'configured' AND replaced_at IS NULL`,
      values: [server.uuid, clock.now()],
    });
    if (client !== null) await keep(tx, server, client);
  }

  /** Removes clients that were replaced, or that neither a session nor a state needs. @returns How many rows went. */
  async function purge(): Promise<number> {
    const before = new Date(clock.now().getTime() - keptDays * 86_400_000);
    const rows = await database.query({
      name: 'oauth_clients_purge',
      query_timeout: 9_000,
      text: `DELETE FROM oauth_clients WHERE uuid = ANY (ARRAY(
          SELECT uuid FROM oauth_clients c WHERE c.created_at < $1 AND (c.kind <> 'configured' OR c.replaced_at IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM oauth_sessions s WHERE s.client_uuid = c.uuid)
            AND NOT EXISTS (SELECT 1 FROM oauth_pkce_states s WHERE s.client_uuid = c.uuid)
          ORDER BY c.created_at LIMIT 5000)) RETURNING 1`,
      values: [before],
    });
    return rows.length;
  }

  return { forServer, ofSession, configure, purge };
}
