import type { ServerAccess, ServerToken } from '../oauth/index.ts';
import { type AskedServer, ServerFailure } from './conversation.ts';

/** RFC 6750, 3.1: the token is good, and its scopes are not enough. */
const asksForScopes = /\berror="?insufficient_scope\b/;

/**
 * Asks a server with its owner's access token, where the server was authorized. A 401 is answered once with a refreshed token. A server
 * whose configured headers hold an `Authorization` of their own is asked with that.
 */
export function createAuthorized({ access }: { readonly access: ServerAccess }) {
  /**
   * @param talk Asks the server with these headers; a second time after a 401, which has changed nothing.
   * @throws {ServerFailure} With `needsAuthorization` where the owner must authorize the server (again).
   */
  return async function authorized<Result>(
    server: AskedServer & { readonly uuid: string },
    talk: (server: AskedServer) => Promise<Result>,
  ): Promise<Result> {
    const hasOwn = Object.keys(server.headers).some((name) => name.toLowerCase() === 'authorization');
    const token = hasOwn ? null : await access.tokenFor(server);
    try {
      return await talk(withToken(server, token));
    } catch (error) {
      if (token === null || !(error instanceof ServerFailure) || error.challenge === null) throw error;
      const { status, header } = error.challenge;
      if (status === 403) throw await refusedScopes(token, header, error);
      const renewed = await access.renew(token);
      if (renewed === null) throw error;
      return talk(withToken(server, renewed));
    }
  };

  async function refusedScopes(token: ServerToken, header: string, error: ServerFailure): Promise<ServerFailure> {
    // Bounded before the pattern runs: the header is the server's own text.
    if (!asksForScopes.test(header.slice(0, 2_000))) return error;
    const mayAsk = await access.needsScopes(token, header);
    const words = mayAsk
      ? 'The server asks for more scopes: authorize it again'
      : 'The server asked for more scopes after several authorizations';
    return new ServerFailure(words, error.challenge);
  }
}

const withToken = (server: AskedServer, token: ServerToken | null): AskedServer =>
  token === null ? server : { ...server, headers: { ...server.headers, Authorization: `Bearer ${token.accessToken}` } };
