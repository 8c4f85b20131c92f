import type { ServerAccess, ServerToken } from '../oauth/index.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { type AskedServer, ask, DiscoveryError } from './ask.ts';
import type { CapabilityKind } from './capabilities.ts';
import type { Said } from './offers.ts';

type OnStage = (kind: CapabilityKind) => void;

/** RFC 6750, 3.1: the token is good, and its scopes are not enough. */
const asksForScopes = /\berror="?insufficient_scope\b/;

/**
 * Asks a server with its owner's access token, where the server was authorized. A 401 is answered once with a refreshed token. A server
 * whose configured headers hold an `Authorization` of their own is asked with that.
 */
export function createAuthorizedAsk({
  egress,
  access,
}: {
  readonly egress: Pick<Egress, 'stream'>;
  readonly access: ServerAccess;
}) {
  /** @throws {DiscoveryError} With `needsAuthorization` where the owner must authorize the server (again). */
  return async function askAuthorized(
    server: AskedServer & { readonly uuid: string },
    onStage: OnStage,
  ): Promise<Said> {
    const hasOwn = Object.keys(server.headers).some((name) => name.toLowerCase() === 'authorization');
    const token = hasOwn ? null : await access.tokenFor(server);
    try {
      return await askWith(server, token, onStage);
    } catch (error) {
      if (token === null || !(error instanceof DiscoveryError) || error.challenge === null) throw error;
      const { status, header } = error.challenge;
      if (status === 403) throw await refusedScopes(token, header, error);
      const renewed = await access.renew(token);
      if (renewed === null) throw error;
      return askWith(server, renewed, onStage);
    }
  };

  async function refusedScopes(token: ServerToken, header: string, error: DiscoveryError): Promise<DiscoveryError> {
    // Bounded before the pattern runs: the header is the server's own text.
    if (!asksForScopes.test(header.slice(0, 2_000))) return error;
    const mayAsk = await access.needsScopes(token, header);
    const words = mayAsk
      ? 'The server asks for more scopes: authorize it again'
      : 'The server asked for more scopes after several authorizations';
    return new DiscoveryError(words, error.challenge);
  }

  function askWith(server: AskedServer, token: ServerToken | null, onStage: OnStage): Promise<Said> {
    const headers =
      token === null ? server.headers : { ...server.headers, Authorization: `Bearer ${token.accessToken}` };
    return ask({ ...server, headers }, { egress, onStage });
  }
}
