import type { AuthorizationServer } from 'oauth4webapi';
import type { Database } from '../platform/database/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Clients } from './clients.ts';
import type { Exchanges, Tokens } from './exchanges/exchanges.ts';
import type { OauthMetrics, RevocationReason } from './metrics.ts';
import type { SealedTokens } from './sealed-tokens.ts';
import * as statements from './session-statements.ts';
import type { SessionWatch } from './session-watch.ts';
import type { PendingAuthorization } from './states.ts';

/** Messages for the reasons why a session ended. */
const words: Record<RevocationReason, string | null> = {
  user: null,
  replaced: 'The server was authorized again',
  token_reuse: 'A refresh token was used twice',
  provider_refused: 'The authorization server has ended the authorization. Authorize the server again',
};

export type Revocations = ReturnType<typeof createRevocations>;

/** The end of sessions on both sides: here at once, at the authorization server by RFC 7009 as far as it answers. */
export function createRevocations(
  deps: Pick<Platform, 'clock' | 'log'> & {
    readonly exchanges: Pick<Exchanges, 'revoke'>;
    readonly clients: Pick<Clients, 'ofSession'>;
    readonly sealedTokens: Pick<SealedTokens, 'open'>;
    readonly watch: Pick<SessionWatch, 'changed'>;
    readonly metrics: OauthMetrics;
  },
) {
  const { clock, log, exchanges, clients, sealedTokens, watch, metrics } = deps;

  /** Ends sessions as part of a transaction. `finish` is called with the result after the commit. */
  async function end(
    tx: Pick<Database, 'query'>,
    which: statements.Ending,
    reason: RevocationReason,
  ): Promise<statements.EndedRow[]> {
    const status = reason === 'provider_refused' ? 'expired' : 'revoked';
    const ended = await tx.query<statements.EndedRow>(statements.end(which, status, words[reason], clock.now()));
    if (ended.length > 0) metrics.oauth_token_revocations_total.inc({ reason }, ended.length);
    return ended;
  }

  /**
   * After the commit: publishes the change, and revokes the tokens at the authorization server, best effort.
   *
   * @param options.revokesAtProvider False if the authorization server already knows, or must not be notified.
   */
  async function finish(ended: readonly statements.EndedRow[], { revokesAtProvider = true } = {}): Promise<void> {
    for (const { profile_uuid: profileUuid, uuid, status } of ended) watch.changed(profileUuid, { uuid, status });
    if (revokesAtProvider) await Promise.all(ended.map((row) => revokeAtProvider(row, openedOf(row))));
  }

  /** Both tokens of a session that has ended; what does not open is left out. */
  function openedOf(row: statements.EndedRow): (string | null)[] {
    const owner = { userUuid: row.user_uuid, serverUuid: row.server_uuid, sessionUuid: row.uuid };
    return [
      row.access_token && sealedTokens.open(row.access_token, owner, 'access_token'),
      row.refresh_token && sealedTokens.open(row.refresh_token, owner, 'refresh_token'),
    ];
  }

  /** Revokes the tokens at the authorization server, the refresh token first. Never throws. */
  async function revokeAtProvider(
    row: Pick<statements.EndedRow, 'uuid' | 'client_uuid' | 'provider' | 'metadata' | 'issuer' | 'redirect_uri'>,
    [accessToken = null, refreshToken = null]: readonly (string | null)[],
  ): Promise<void> {
    try {
      const metadata = JSON.parse(row.metadata) as AuthorizationServer;
      if (metadata.revocation_endpoint === undefined || (accessToken ?? refreshToken) === null) return;
      const client = await clients.ofSession(row);
      if (refreshToken !== null)
        await exchanges.revoke({ metadata, client, token: refreshToken, kind: 'refresh_token' });
      if (accessToken !== null) await exchanges.revoke({ metadata, client, token: accessToken, kind: 'access_token' });
    } catch (error) {
      log.info(
        { session: row.uuid, reason: error instanceof Error ? error.message : 'unknown' },
        'a revocation could not be sent to an authorization server',
      );
    }
  }

  /** Ends tokens that could be stored nowhere. Never throws. */
  const discard = (pending: PendingAuthorization, provider: string, tokens: Tokens): Promise<void> =>
    revokeAtProvider(
      {
        uuid: pending.sessionUuid ?? '',
        client_uuid: pending.clientUuid,
        provider,
        metadata: JSON.stringify(pending.metadata),
        issuer: pending.issuer,
        redirect_uri: pending.redirectUri,
      },
      [tokens.accessToken, tokens.refreshToken],
    );

  return { end, finish, revokeAtProvider, discard };
}
