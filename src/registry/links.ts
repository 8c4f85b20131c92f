import { createHash } from 'node:crypto';
import type { FlowFigures, LinkStatus, StateError } from '../oauth/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import { isUniqueViolation } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { SealError } from '../platform/security/secrets.ts';
import { type Github, GithubTokenRefused } from './github.ts';
import type { GithubOauth, GithubResponse } from './github-oauth.ts';
import * as statements from './link-statements.ts';
import { tokenContext, verifierContext } from './sealed-columns.ts';

/** Between the click and the way back. Source: docs/specification/registry.md#github-accounts. */
const stateMinutes = 10;
/** Begun and not ended, of one user; the oldest goes first. */
const statesMax = 5;
/** The longest `state` that is looked up, and the longest code that is exchanged; a state has 43 characters, a code of GitHub 20. */
const stateLengthMax = 200;
const codeLengthMax = 1_000;

/** A linked account as its user sees it. */
export interface GithubAccount {
  readonly login: string;
  readonly linkedAt: Date;
  /** False once GitHub has rejected the token: the account must be linked again. */
  readonly isUsable: boolean;
}

/** An account with which GitHub can be asked. */
export interface UsableAccount {
  readonly githubId: number;
  readonly login: string;
  readonly token: string;
  /** The token as it is stored. */
  readonly sealed: string;
}

/** Why an account was not linked, as shown to the browser. Source: docs/specification/registry.md#github-accounts. */
export type LinkError = Exclude<LinkStatus, 'success'>;

export interface LinkDependencies extends Pick<Platform, 'database' | 'clock' | 'secrets' | 'log'> {
  readonly github: Github;
  readonly oauth: GithubOauth;
  readonly figures: FlowFigures;
}

export type Links = ReturnType<typeof createLinks>;

const hashOf = (state: string) => createHash('sha256').update(state).digest();

/** Links between users and GitHub accounts. Source: docs/specification/registry.md#github-accounts. */
export function createLinks({ database, clock, secrets, log, github, oauth, figures }: LinkDependencies) {
  /**
   * Begins to link an account: a signed-in user is sent to GitHub, and comes back within ten minutes, in the same session.
   *
   * @returns Where to send the browser.
   * @throws {ApiError} `FORBIDDEN` for an API key; `UNAVAILABLE` where the operator has set up no app.
   */
  async function begin(caller: Caller): Promise<{ authorizationUrl: string }> {
    const { userUuid, credentialUuid } = authorize(caller, 'account:write');
    const { url, state, verifier } = await oauth.begin();
    const now = clock.now();
    await database.query(
      statements.begin({
        stateHash: hashOf(state),
        userUuid,
        sessionUuid: credentialUuid,
        verifier: secrets.seal(verifier, verifierContext(userUuid)),
        now,
        expiresAt: new Date(now.getTime() + stateMinutes * 60_000),
        keep: statesMax - 1,
      }),
    );
    figures.stateCreated();
    return { authorizationUrl: url };
  }

  /**
   * Completes a link. The state is used up, whatever the outcome; without a session it is not checked.
   *
   * @param response The parameters of GitHub's redirect.
   * @returns The obstacle; null when the account is linked.
   * @throws {ApiError} `FORBIDDEN` for an API key.
   */
  async function complete(
    caller: Caller,
    response: GithubResponse & { readonly state?: string | null | undefined },
  ): Promise<LinkError | null> {
    const { userUuid, credentialUuid } = authorize(caller, 'account:write');
    const taken = await take(response.state, userUuid, credentialUuid);
    figures.stateChecked(taken.error ?? null);
    const error = taken.error ?? (await finished(userUuid, taken.verifier, response));
    figures.flowEnded({ provider: 'github', status: error ?? 'success', createdAt: taken.createdAt });
    return error;
  }

  async function take(
    state: string | null | undefined,
    userUuid: string,
    sessionUuid: string,
  ): Promise<
    | { readonly error: StateError; readonly createdAt: Date | null }
    | { readonly error?: undefined; readonly createdAt: Date; readonly verifier: string }
  > {
    const isPossible = state && state.length <= stateLengthMax;
    const [begun] = isPossible ? await database.query<statements.StateRow>(statements.take(hashOf(state))) : [];
    if (!begun) return { error: 'state_invalid', createdAt: null };
    const { created_at: createdAt } = begun;
    if (begun.user_uuid !== userUuid || begun.session_uuid !== sessionUuid) {
      if (begun.user_uuid !== userUuid) figures.codeInjected();
      log.warn({ userUuid }, "a GitHub account was not linked: the state was another session's");
      return { error: 'user_mismatch', createdAt };
    }
    if (begun.expires_at <= clock.now()) return { error: 'state_expired', createdAt };
    try {
      return { createdAt, verifier: secrets.open(begun.verifier, verifierContext(userUuid)) };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      figures.stateChanged('verifier');
      return { error: 'integrity_violation', createdAt };
    }
  }

  /** @returns The obstacle; null when the account is linked. */
  async function finished(userUuid: string, verifier: string, response: GithubResponse): Promise<LinkError | null> {
    if ((response.code?.length ?? 0) > codeLengthMax) return 'code_exchange_failed';
    try {
      const outcome = oauth.read(response);
      if ('error' in outcome) return outcome.error === 'access_denied' ? 'access_denied' : 'code_exchange_failed';
      const token = await oauth.exchange(outcome.code, verifier);
      const { id, login } = await github.user(token);
      const sealed = secrets.seal(token, tokenContext(userUuid));
      const [linked] = await database.query(statements.link(userUuid, id, login, sealed, clock.now()));
      return linked ? null : 'already_linked';
    } catch (failure) {
      // Another user linked the same account first.
      if (isUniqueViolation(failure)) return 'already_linked';
      // What the provider said is not repeated: it may hold the code.
      log.warn(
        { userUuid, reason: failure instanceof Error ? failure.name : 'unknown' },
        'a GitHub account was not linked',
      );
      return 'code_exchange_failed';
    }
  }

  /** Removes the caller's account. Its servers stay in the registry. @returns Whether there was one. */
  async function remove(caller: Caller): Promise<boolean> {
    const { userUuid } = authorize(caller, 'account:write');
    return (await database.query(statements.unlink(userUuid))).length > 0;
  }

  /** The caller's account; null where none is linked. */
  async function current(caller: Caller): Promise<GithubAccount | null> {
    const { userUuid } = authorize(caller, 'account:read');
    const [row] = await database.query<statements.AccountRow>(statements.account(userUuid));
    return row ? { login: row.login, linkedAt: row.linked_at, isUsable: row.token !== null } : null;
  }

  /** The account of a user, to ask GitHub with; null where there is none that could be. */
  async function usable(userUuid: string): Promise<UsableAccount | null> {
    const [row] = await database.read<statements.AccountRow>(statements.account(userUuid));
    if (!row?.token) return null;
    try {
      const token = secrets.open(row.token, tokenContext(userUuid));
      return { githubId: Number(row.github_id), login: row.login, token, sealed: row.token };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      // Sealed with a key that is lost. It is kept, for the key may come back; until then the account must be linked again.
      log.warn({ userUuid, error }, 'the token of a GitHub account cannot be opened');
      return null;
    }
  }

  /**
   * Asks GitHub with a user's account; one that GitHub refuses is marked, and must be linked again.
   *
   * @param apiError What is thrown where there is no account that could be used.
   */
  async function asking<Result>(
    userUuid: string,
    apiError: () => ApiError,
    ask: (account: UsableAccount) => Promise<Result>,
  ): Promise<Result> {
    const account = await usable(userUuid);
    if (account === null) throw apiError();
    try {
      return await ask(account);
    } catch (error) {
      if (!(error instanceof GithubTokenRefused)) throw error;
      await database.query(statements.refuseToken(userUuid, account.sealed));
      throw apiError();
    }
  }

  /** Deletes expired attempts to link. @returns The number of deleted rows. */
  async function purge(): Promise<number> {
    const { length } = await database.query(statements.purge(clock.now()));
    figures.statesCleaned('scheduled', length);
    return length;
  }

  /** States that wait for their callback, for the metrics. */
  async function active(): Promise<number> {
    const [row] = await database.read<{ count: number }>(statements.countActive(clock.now()));
    return row?.count ?? 0;
  }

  return { begin, complete, remove, current, asking, purge, active };
}

export const notLinked = () =>
  new ApiError(
    'FORBIDDEN',
    'Link your GitHub account first (GET /api/registry/github/link, signed in), or link it again',
  );
