import { rendered } from './page-layout.ts';

/** How an authorization ended, for a person: the outcome in a sentence, and the next step. */
interface Outcome {
  readonly title: string;
  readonly next: string;
}

/** A page that an authorization ends on. Its texts are all that it can show. */
interface LandingTexts {
  readonly heading: string;
  /** Without an outcome in the query. */
  readonly idle: Outcome;
  readonly success: Outcome;
  readonly errors: Readonly<Record<string, Outcome>>;
  /** Every other code. */
  readonly otherError: Outcome;
}

const tryLater = 'Try again in some minutes.';

/** Errors of both callbacks. @see docs/specification/oauth.md#callback-errors */
const errorsOf = (again: string, refused: string): Record<string, Outcome> => ({
  state_expired: { title: 'The authorization took too long.', next: again },
  state_invalid: {
    title: 'This authorization is unknown here, or was completed before.',
    next: `Check that you are signed in with the browser that started it. ${again}`,
  },
  user_mismatch: {
    title: 'Another user, or another session, started this authorization.',
    next: `Continue only what you started yourself. ${again}`,
  },
  access_denied: { title: 'You did not allow the access.', next: refused },
  server_error: { title: 'Patchbay failed to complete the authorization.', next: tryLater },
  unavailable: { title: 'Patchbay cannot complete authorizations at the moment.', next: tryLater },
});

const generalError = (again: string): Outcome => ({ title: 'The authorization failed.', next: again });

const serverAgain = 'Start the authorization of the server again.';

export const serverLanding: LandingTexts = {
  heading: 'MCP servers',
  idle: {
    title: 'No authorization was completed.',
    next: 'This page shows how the authorization of an MCP server ended.',
  },
  success: {
    title: 'The server is authorized.',
    next: 'Patchbay now asks it for its tools. You can close this page.',
  },
  errors: {
    ...errorsOf(serverAgain, 'Nothing was stored. You can start the authorization again at any time.'),
    integrity_violation: {
      title: 'The stored authorization was changed, and was not used.',
      next: `${serverAgain} If it happens again, tell the operator of this platform.`,
    },
    code_exchange_failed: {
      title: 'The authorization server did not complete the authorization.',
      next: `${serverAgain} If it fails again, check the settings of the server and its OAuth client.`,
    },
  },
  otherError: generalError(serverAgain),
};

const linkAgain = 'Link the account again.';

export const linkLanding: LandingTexts = {
  heading: 'Registry',
  idle: { title: 'No account was linked.', next: 'This page shows how the linking of a GitHub account ended.' },
  success: {
    title: 'Your GitHub account is linked.',
    next: 'You can now submit repositories of that account to the registry. You can close this page.',
  },
  errors: {
    ...errorsOf(linkAgain, 'Nothing was linked. You can link the account at any time.'),
    integrity_violation: {
      title: 'The stored authorization was changed, and was not used.',
      next: `${linkAgain} If it happens again, tell the operator of this platform.`,
    },
    code_exchange_failed: { title: 'GitHub did not complete the authorization.', next: linkAgain },
    already_linked: {
      title: 'This GitHub account is linked to another user of this platform.',
      next: 'Sign in as that user, or link another GitHub account.',
    },
  },
  otherError: generalError(linkAgain),
};

/**
 * A page that an authorization ends on. Nothing of the query stands in it.
 *
 * @param query.isDone Whether the query says that it worked.
 * @param query.error The code of the query; null where there is none.
 */
export function landingPage(texts: LandingTexts, { isDone, error }: { isDone: boolean; error: string | null }): string {
  const { title, next } = outcomeOf(texts, isDone, error);
  return rendered({
    title: `${texts.heading} · Patchbay`,
    body: `<h1>${texts.heading}</h1>
<main>
<section>
<p role="${error === null ? 'status' : 'alert'}">${title}</p>
<p>${next}</p>
<p><a href="/">Start page</a></p>
</section>
</main>`,
  });
}

function outcomeOf({ idle, success, errors, otherError }: LandingTexts, isDone: boolean, error: string | null) {
  if (error === null) return isDone ? success : idle;
  return (Object.hasOwn(errors, error) && errors[error]) || otherError;
}
