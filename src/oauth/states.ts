import { createHash } from 'node:crypto';
import type { AuthorizationServer } from 'oauth4webapi';
import type { Caller } from '../platform/caller.ts';
import { inBatches } from '../platform/database/batches.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError, unauthorized } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { SealError } from '../platform/security/secrets.ts';
import type { FlowFigures } from './flow-figures.ts';
import type { CleanupReason, StateError } from './metrics.ts';
import * as statements from './state-statements.ts';

/** Lifetime of a state. Source: docs/specification/oauth.md#states. */
const stateMinutes = 5;
/** Minutes that an expired state is kept. Source: docs/specification/oauth.md#states. */
export const graceMinutes = 10;
/** Rows that one statement of the cleanup deletes. */
const cleanedRows = 5_000;
/** The longest `state` that is looked up; ours have 43 characters. */
const stateLengthMax = 200;

/** An authorization that was requested. */
export interface PendingAuthorization {
  readonly userUuid: string;
  readonly serverUuid: string | null;
  readonly serverUrl: string | null;
  readonly sessionUuid: string | null;
  readonly clientUuid: string | null;
  readonly issuer: string;
  readonly metadata: AuthorizationServer;
  readonly resource: string | null;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly verifier: string;
}

/** The result of taking a state. */
export type TakenState =
  | { readonly pending: PendingAuthorization; readonly createdAt: Date; readonly error?: undefined }
  /** `row` is null where no state was found. Only its ids may be used: the rest has not passed the checks. */
  | { readonly error: StateError; readonly row: statements.StateRow | null; readonly pending?: undefined };

export type States = ReturnType<typeof createStates>;

const hashOf = (state: string) => createHash('sha256').update(state).digest();
export const verifierContext = (userUuid: string, serverUuid: string | null) =>
  `oauth user ${userUuid} server ${serverUuid ?? 'none'} verifier`;

/**
 * PKCE states between an authorization request and its callback. Source: docs/specification/oauth.md#states; RFC 7636.
 */
export function createStates(
  deps: Pick<Platform, 'database' | 'clock' | 'secrets'> & {
    readonly figures: FlowFigures;
  },
) {
  const { database, clock, secrets, figures } = deps;

  /**
   * Stores a state for five minutes, as part of a transaction.
   *
   * @returns When it expires.
   */
  async function store(tx: Pick<Database, 'query'>, state: string, pending: PendingAuthorization): Promise<Date> {
    const { verifier, metadata, ...rest } = pending;
    const createdAt = clock.now();
    const row = {
      ...rest,
      stateHash: hashOf(state),
      metadata: JSON.stringify(metadata),
      verifier: secrets.seal(verifier, verifierContext(rest.userUuid, rest.serverUuid)),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + stateMinutes * 60_000),
    };
    const integrityHash = secrets.sign(signedText({ ...row, verifier }), signatureContext);
    await tx.query(statements.store({ ...row, integrityHash }));
    figures.stateCreated();
    return row.expiresAt;
  }

  /**
   * Removes a state from the store, so that it is used once, and validates it in the order of the specification: it
   * exists and has not expired, its integrity hash verifies, the same user started it.
   *
   * @param userUuid The user who returned.
   * @param sessionUuid The session of the general API that it must belong to; null for a flow of the browser.
   */
  async function take(state: string, userUuid: string, sessionUuid: string | null): Promise<TakenState> {
    const taken = await checked(state, userUuid, sessionUuid);
    figures.stateChecked(taken.error ?? null);
    return taken;
  }

  async function checked(state: string, userUuid: string, sessionUuid: string | null): Promise<TakenState> {
    const isPossible = state !== '' && state.length <= stateLengthMax;
    const [row] = isPossible
      ? await database.query<statements.StateRow>(statements.take(hashOf(state), sessionUuid))
      : [];
    if (!row) return { error: 'state_invalid', row: null };
    if (row.expires_at <= clock.now()) return { error: 'state_expired', row };
    const verifier = verifierOf(row);
    if (verifier === null) return { error: 'integrity_violation', row };
    if (row.user_uuid !== userUuid) return { error: 'user_mismatch', row };
    return {
      createdAt: row.created_at,
      pending: {
        userUuid: row.user_uuid,
        serverUuid: row.server_uuid,
        serverUrl: row.server_url,
        sessionUuid: row.session_uuid,
        clientUuid: row.client_uuid,
        issuer: row.issuer,
        metadata: JSON.parse(row.metadata) as AuthorizationServer,
        resource: row.resource,
        scopes: row.scopes,
        redirectUri: row.redirect_uri,
        verifier,
      },
    };
  }

  /** The verifier of a row that is as it was stored; null for any other. */
  function verifierOf(row: statements.StateRow): string | null {
    let verifier: string;
    try {
      verifier = secrets.open(row.verifier, verifierContext(row.user_uuid, row.server_uuid));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      figures.stateChanged('verifier');
      return null;
    }
    const text = signedText({
      stateHash: row.state_hash,
      userUuid: row.user_uuid,
      serverUuid: row.server_uuid,
      serverUrl: row.server_url,
      sessionUuid: row.session_uuid,
      clientUuid: row.client_uuid,
      issuer: row.issuer,
      metadata: row.metadata,
      resource: row.resource,
      scopes: row.scopes,
      redirectUri: row.redirect_uri,
      verifier,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    });
    if (secrets.isSigned(text, signatureContext, row.integrity_hash)) return verifier;
    figures.stateChanged('state_hash');
    return null;
  }

  /**
   * Removes the states that expired more than ten minutes ago, in bounded batches, and the sessions that waited for them.
   *
   * @returns How many states went. Two cleanups at once count each state once.
   */
  async function cleanUp(reason: CleanupReason): Promise<number> {
    const before = new Date(clock.now().getTime() - graceMinutes * 60_000);
    const removal = (rows: number) => statements.cleanUp(before, rows);
    return inBatches(database, cleanedRows, removal, ({ length }) => figures.statesCleaned(reason, length));
  }

  /**
   * The same on demand: for an administrator, and for a route that has checked CRON_SECRET.
   *
   * @throws {ApiError} `UNAUTHORIZED`, `FORBIDDEN`.
   * @see docs/specification/operations.md#maintenance
   */
  async function cleanUpNow(caller: Caller, mayRunMaintenance: boolean): Promise<{ deleted: number; at: Date }> {
    const { principal } = caller;
    if (!mayRunMaintenance && principal === null) throw unauthorized();
    if (!mayRunMaintenance && !principal?.isAdmin)
      throw new ApiError('FORBIDDEN', 'Only an administrator may clean up PKCE states');
    return { deleted: await cleanUp('on_demand'), at: clock.now() };
  }

  /** States that wait for their callback, for the metrics. */
  async function active(): Promise<number> {
    const [row] = await database.read<{ count: number }>(statements.countActive(clock.now()));
    return row?.count ?? 0;
  }

  return { store, take, cleanUp, cleanUpNow, active };
}

const signatureContext = 'oauth state';

type SignedState = Omit<PendingAuthorization, 'metadata'> & {
  readonly stateHash: Buffer;
  readonly metadata: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** Everything of a state, in one order and one form. Source: docs/specification/oauth.md#states. */
const signedText = (state: SignedState): string =>
  JSON.stringify([
    state.stateHash.toString('hex'),
    state.serverUuid,
    state.userUuid,
    state.verifier,
    state.serverUrl,
    state.sessionUuid,
    state.clientUuid,
    state.issuer,
    state.metadata,
    state.resource,
    state.scopes,
    state.redirectUri,
    state.createdAt.getTime(),
    state.expiresAt.getTime(),
  ]);
