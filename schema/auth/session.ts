import type { SignedIn } from '../../src/auth/index.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { viewerType } from './viewer.ts';

/** @throws {Refusal} `FORBIDDEN` over a socket: it would make a session whose token is lost. */
function cookieSetter({ setSession }: Context): NonNullable<Context['setSession']> {
  if (setSession === null) throw new Refusal('FORBIDDEN', 'This sets a cookie: it works over HTTP, not over a socket');
  return setSession;
}

/** Puts the token into the cookie, and lets what follows in the same operation be asked by who has just signed in. */
async function begin(context: Context, signIn: () => Promise<SignedIn>): Promise<object> {
  const setSession = cookieSetter(context);
  const { token, expiresAt, principal } = await signIn();
  setSession({ token, expiresAt });
  context.caller = { ...context.caller, principal };
  return {};
}

const UserSignUpInput = builder.inputType('UserSignUpInput', {
  description: 'A new user.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'An e-mail address, at most 254 characters.' }),
    username: t.string({
      required: true,
      description: '3 to 30 letters, digits, underscores and hyphens; not a reserved one.',
    }),
    password: t.string({ required: true, description: '8 to 256 characters; common passwords are not allowed.' }),
  }),
});

builder.mutationField('userSignUp', (t) =>
  t.field({
    type: viewerType('UserSignUpPayload', 'Result of `userSignUp`.'),
    description:
      'Creates a user with a first project and profile, and signs the user in with the cookie `session_token`.',
    args: { input: t.arg({ type: UserSignUpInput, required: true, description: 'The user.' }) },
    extensions: { rateLimit: 'authentication' },
    resolve: (_root, { input }, context) =>
      begin(context, () => context.services.auth.users.signUp(context.caller, input)),
  }),
);

const UserSignInInput = builder.inputType('UserSignInInput', {
  description: 'The credentials: a password with either an email address or a user name.',
  fields: (t) => ({
    email: t.string({ description: 'The e-mail address; this or `username`.' }),
    username: t.string({ description: 'The user name; this or `email`.' }),
    password: t.string({ required: true, description: 'The password.' }),
  }),
});

builder.mutationField('userSignIn', (t) =>
  t.field({
    type: viewerType('UserSignInPayload', 'Result of `userSignIn`.'),
    description: 'Starts a session of 30 days in the cookie `session_token`. The session of the request, if any, ends.',
    args: { input: t.arg({ type: UserSignInInput, required: true, description: 'The credentials.' }) },
    extensions: { rateLimit: 'authentication' },
    resolve: (_root, { input }, context) =>
      begin(context, () => context.services.auth.users.signIn(context.caller, input)),
  }),
);

const UserSignOutPayload = builder.objectRef<{ signedOut: true }>('UserSignOutPayload').implement({
  description: 'Result of `userSignOut`.',
  fields: (t) => ({
    signedOut: t.exposeBoolean('signedOut', { description: 'Always true: the caller has no session now.' }),
  }),
});

builder.mutationField('userSignOut', (t) =>
  t.field({
    type: UserSignOutPayload,
    description: 'Ends the session of the cookie and removes the cookie. Without a session it changes nothing.',
    extensions: { rateLimit: 'general' },
    resolve: async (_root, _args, context) => {
      await context.services.auth.sessions.end(context.caller);
      context.setSession?.(null);
      context.caller = { ...context.caller, principal: null };
      return { signedOut: true } as const;
    },
  }),
);

const UserPasswordChangeInput = builder.inputType('UserPasswordChangeInput', {
  description: 'The current and the new password.',
  fields: (t) => ({
    currentPassword: t.string({ required: true, description: 'The current password.' }),
    newPassword: t.string({ required: true, description: '8 to 256 characters; common passwords are not allowed.' }),
  }),
});

builder.mutationField('userPasswordChange', (t) =>
  t.field({
    type: viewerType('UserPasswordChangePayload', 'Result of `userPasswordChange`.'),
    description:
      'Changes the password, ends all sessions and starts a new one for this client. API keys stay valid. Requires a session.',
    args: {
      input: t.arg({ type: UserPasswordChangeInput, required: true, description: 'The current and the new password.' }),
    },
    extensions: { rateLimit: 'authentication' },
    resolve: (_root, { input }, context) =>
      begin(context, () => context.services.auth.users.changePassword(context.caller, input)),
  }),
);

const AccountDeleteInput = builder.inputType('AccountDeleteInput', {
  description: 'Confirms the deletion of the account.',
  fields: (t) => ({ password: t.string({ required: true, description: 'The password of the user.' }) }),
});

const AccountDeletePayload = builder.objectRef<{ deleted: true }>('AccountDeletePayload').implement({
  description: 'Result of `accountDelete`.',
  fields: (t) => ({ deleted: t.exposeBoolean('deleted', { description: 'Always true: the account is deleted.' }) }),
});

builder.mutationField('accountDelete', (t) =>
  t.field({
    type: AccountDeletePayload,
    description:
      'Permanently deletes your account with its projects and everything in them. All sessions and API keys end within a second. Requires a session.',
    args: { input: t.arg({ type: AccountDeleteInput, required: true, description: 'The confirmation.' }) },
    extensions: { rateLimit: 'sensitive' },
    resolve: async (_root, { input }, context) => {
      await context.services.auth.removal.removeAccount(context.caller, input);
      context.setSession?.(null);
      context.caller = { ...context.caller, principal: null };
      return { deleted: true } as const;
    },
  }),
);
