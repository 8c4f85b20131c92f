import type { SignedIn } from '../../src/auth/index.ts';
import { ApiError } from '../../src/platform/errors.ts';
import type { Context } from '../context.ts';
import { mutation } from '../mutation.ts';
import { viewerType } from './viewer.ts';

/** @throws {ApiError} `FORBIDDEN` over a socket: it would make a session whose token is lost. */
function cookieSetter({ setSession }: Context): NonNullable<Context['setSession']> {
  if (setSession === null)
    throw new ApiError('FORBIDDEN', 'This operation sets a cookie: send it over HTTP, not over a WebSocket');
  return setSession;
}

/** Puts the token into the cookie. Later fields of the same operation run as the user who just signed in. */
async function begin(context: Context, signIn: () => Promise<SignedIn>): Promise<object> {
  const setSession = cookieSetter(context);
  const { token, expiresAt, principal } = await signIn();
  setSession({ token, expiresAt });
  context.caller = { ...context.caller, principal };
  return {};
}

mutation('userSignUp', {
  description:
    'Creates a user with a first project and profile, and signs the user in with the cookie `session_token`.',
  rateLimit: 'authentication',
  input: {
    description: 'A new user.',
    argument: 'The user.',
    fields: (t) => ({
      email: t.string({ required: true, description: 'An email address, at most 254 characters.' }),
      username: t.string({
        required: true,
        description: '3 to 30 letters, digits, underscores and hyphens; not a reserved one.',
      }),
      password: t.string({ required: true, description: '8 to 256 characters; common passwords are not allowed.' }),
    }),
  },
  payload: viewerType('UserSignUpPayload', 'Result of `userSignUp`.'),
  resolve: (input, context) => begin(context, () => context.services.auth.accounts.signUp(context.caller, input)),
});

mutation('userSignIn', {
  description: 'Starts a session of 30 days in the cookie `session_token`. The session of the request, if any, ends.',
  rateLimit: 'authentication',
  input: {
    description: 'The credentials: a password with either an email address or a user name.',
    argument: 'The credentials.',
    fields: (t) => ({
      email: t.string({ description: 'The email address; this or `username`.' }),
      username: t.string({ description: 'The user name; this or `email`.' }),
      password: t.string({ required: true, description: 'The password.' }),
    }),
  },
  payload: viewerType('UserSignInPayload', 'Result of `userSignIn`.'),
  resolve: (input, context) => begin(context, () => context.services.auth.accounts.signIn(context.caller, input)),
});

mutation('userSignOut', {
  description: 'Ends the session of the cookie and removes the cookie. Without a session it changes nothing.',
  rateLimit: 'general',
  payload: { signedOut: { type: 'Boolean', description: 'Always true: the caller has no session now.' } },
  resolve: async (_none, context) => {
    await context.services.auth.sessions.end(context.caller);
    context.setSession?.(null);
    context.caller = { ...context.caller, principal: null };
    return { signedOut: true } as const;
  },
});

mutation('userPasswordChange', {
  description:
    'Changes the password, ends all sessions and starts a new one for this client. API keys stay valid. Requires a session.',
  rateLimit: 'authentication',
  input: {
    description: 'The current and the new password.',
    fields: (t) => ({
      currentPassword: t.string({ required: true, description: 'The current password.' }),
      newPassword: t.string({ required: true, description: '8 to 256 characters; common passwords are not allowed.' }),
    }),
  },
  payload: viewerType('UserPasswordChangePayload', 'Result of `userPasswordChange`.'),
  resolve: (input, context) =>
    begin(context, () => context.services.auth.accounts.changePassword(context.caller, input)),
});

mutation('accountDelete', {
  description:
    'Permanently deletes your account with its projects and everything in them. All sessions and API keys end within a second. Requires a session.',
  rateLimit: 'sensitive',
  input: {
    description: 'Confirms the deletion of the account.',
    argument: 'The confirmation.',
    fields: (t) => ({ password: t.string({ required: true, description: 'The password of the user.' }) }),
  },
  payload: { deleted: { type: 'Boolean', description: 'Always true: the account is deleted.' } },
  resolve: async (input, context) => {
    await context.services.auth.removal.removeAccount(context.caller, input);
    context.setSession?.(null);
    context.caller = { ...context.caller, principal: null };
    return { deleted: true } as const;
  },
});
