import { isApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refresher } from './refresher.ts';
import type { SealedTokens } from './sealed-tokens.ts';
import * as statements from './session-statements.ts';

/** An access token that expires within this time is refreshed before it is used. */
const leastLifeMs = 30_000;
/** Authorizations in a row that a server may cause by asking for more scopes. */
const stepUpsMax = 3;
/** Characters of a challenge that are kept. */
const challengeLengthMax = 2_000;

/** The authorization of an outgoing request to an MCP server. */
export interface ServerToken {
  readonly accessToken: string;
  readonly sessionUuid: string;
  readonly generation: number;
}

export type ServerAccess = ReturnType<typeof createServerAccess>;

/** The tokens of MCP servers for the platform's own requests to them. They are sent to the url that was authorized, and to no other. */
export function createServerAccess(
  deps: Pick<Platform, 'database' | 'clock'> & {
    readonly sealedTokens: SealedTokens;
    readonly refresher: Refresher;
  },
) {
  const { database, clock, sealedTokens, refresher } = deps;

  /** The owner's token for a server; null where there is none that is good. */
  async function tokenFor(server: { readonly uuid: string; readonly url: string }): Promise<ServerToken | null> {
    const [row] = await database.query<statements.SessionRow>(statements.ofServer(server.uuid, clock.pinned()));
    if (!row || row.server_url !== server.url) return null;
    const leftMs = row.expires_at === null ? Number.POSITIVE_INFINITY : row.expires_at.getTime() - row.now.getTime();
    if (leftMs < leastLifeMs && row.refresh_token !== null) return renewed(row.uuid, row.generation, 'expiring');
    if (leftMs <= 0) return null;
    const owner = { userUuid: row.user_uuid, serverUuid: row.server_uuid, sessionUuid: row.uuid };
    const accessToken = sealedTokens.open(row.access_token as string, owner, 'access_token');
    if (accessToken === null) return null;
    await database.query(statements.used(row.uuid, clock.now()));
    return { accessToken, sessionUuid: row.uuid, generation: row.generation };
  }

  /** Another token in the place of one that the server answered 401 to; null where there is none. */
  const renew = ({ sessionUuid, generation }: ServerToken): Promise<ServerToken | null> =>
    renewed(sessionUuid, generation, 'unauthorized');

  async function renewed(sessionUuid: string, seen: number, trigger: 'expiring' | 'unauthorized') {
    try {
      const { accessToken, generation } = await refresher.refresh(sessionUuid, {
        trigger,
        seen,
        actorUuid: null,
        requestId: null,
      });
      await database.query(statements.used(sessionUuid, clock.now()));
      return { accessToken, sessionUuid, generation };
    } catch (error) {
      // The refresher has notified the owner. The caller only needs to know that there is no token.
      if (isApiError(error)) return null;
      throw error;
    }
  }

  /**
   * Keeps the challenge of a 403 `insufficient_scope`: the next authorization asks for the granted and the challenged scopes.
   *
   * @returns False after three such authorizations in a row: the server would go on asking.
   */
  async function needsScopes({ sessionUuid }: ServerToken, challenge: string): Promise<boolean> {
    const [row] = await database.query<statements.SessionRow>(statements.find(sessionUuid, clock.pinned()));
    if (!row || row.step_ups >= stepUpsMax || challenge.length > challengeLengthMax) return false;
    await database.query(
      statements.challenged(sessionUuid, challenge, 'The server asks for more scopes. Authorize it again', clock.now()),
    );
    return true;
  }

  return { tokenFor, renew, needsScopes };
}
