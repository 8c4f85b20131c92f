import { createHash } from 'node:crypto';
import { SealError, type Secrets } from '../platform/security/secrets.ts';
import type { Tokens } from './exchanges/exchanges.ts';
import type { OauthMetrics } from './metrics.ts';

/** The owner of tokens, which a sealed token is bound to. Source: docs/specification/operations.md#secrets-at-rest. */
export interface TokenOwner {
  readonly userUuid: string;
  readonly serverUuid: string | null;
  readonly sessionUuid: string;
}

export type TokenField = 'access_token' | 'refresh_token';

export const tokenContext = ({ userUuid, serverUuid, sessionUuid }: TokenOwner, field: TokenField): string =>
  `oauth user ${userUuid} server ${serverUuid ?? 'none'} session ${sessionUuid} ${field}`;

export const clientSecretContext = (userUuid: string, serverUuid: string, clientUuid: string): string =>
  `oauth user ${userUuid} server ${serverUuid} client ${clientUuid} client_secret`;

/**
 * The `access_token` and `refresh_token` in responses of the general API: copies that only the platform can decrypt.
 */
const responseContext = ({ sessionUuid }: TokenOwner, field: TokenField): string =>
  `oauth session ${sessionUuid} answered ${field}`;

export type SealedTokens = ReturnType<typeof createSealedTokens>;

/** Tokens at rest: AES-256-GCM, bound to user, server, session and field, so that no row can be moved to another place. */
export function createSealedTokens({
  secrets,
  metrics,
}: {
  secrets: Secrets;
  metrics: Pick<OauthMetrics, 'oauth_integrity_violations_total'>;
}) {
  const seal = (token: string, owner: TokenOwner, field: TokenField): string =>
    secrets.seal(token, tokenContext(owner, field));

  /** @returns Null for a token that does not open: it was changed, belongs elsewhere, or its key is missing. */
  function open(sealed: string, owner: TokenOwner, field: TokenField): string | null {
    try {
      return secrets.open(sealed, tokenContext(owner, field));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      metrics.oauth_integrity_violations_total.inc({ violation_type: 'token' });
      return null;
    }
  }

  /** The columns of a session for tokens that came at an instant. */
  const sealed = (tokens: Tokens, owner: TokenOwner, now: Date) => ({
    accessToken: seal(tokens.accessToken, owner, 'access_token'),
    refreshToken: tokens.refreshToken === null ? null : seal(tokens.refreshToken, owner, 'refresh_token'),
    expiresAt: tokens.expiresIn === null ? null : new Date(now.getTime() + tokens.expiresIn * 1_000),
    scopes: tokens.scopes,
  });

  /** The ciphertext that the general API answers. */
  const sealForResponse = (token: string, owner: TokenOwner, field: TokenField): string =>
    secrets.seal(token, responseContext(owner, field));

  return { seal, sealed, open, sealForResponse };
}

/** The mark of a used refresh token. Tokens are random, so a plain hash reveals nothing about them. */
export const usedTokenHash = (sessionUuid: string, refreshToken: string): Buffer =>
  createHash('sha256').update(`${sessionUuid}\n${refreshToken}`).digest();
