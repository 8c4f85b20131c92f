import type { SignedIn } from '../../src/auth/index.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { viewerType } from './viewer.ts';

/** @throws {Refusal} `FORBIDDEN` over a socket: it would make a session whose token nobody gets. */
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
    password: t.string({ required: true, description: '8 to 256 characters, not one of the commonest.' }),
  }),
});

builder.mutationField('userSignUp', (t) =>
  t.field({
    type: viewerType('UserSignUpPayload', 'What `userSignUp` did: who has signed in.'),
    description:
      'Makes a user with a first project and a first profile, and signs it in: the session is in the cookie `session_token`.',
    args: { input: t.arg({ type: UserSignUpInput, required: true, description: 'The user.' }) },
    extensions: { rateLimit: 'authentication' },
    resolve: (_root, { input }, context) =>
      begin(context, () => context.services.auth.users.signUp(context.caller, input)),
  }),
);

const UserSignInInput = builder.inputType('UserSignInInput', {
  description: 'Who signs in: by e-mail address or by user name.',
  fields: (t) => ({
    email: t.string({ description: 'The e-mail address; this or `username`.' }),
    username: t.string({ description: 'The user name; this or `email`.' }),
    password: t.string({ required: true, description: 'The password.' }),
  }),
});

builder.mutationField('userSignIn', (t) =>
  t.field({
    type: viewerType('UserSignInPayload', 'What `userSignIn` did: who has signed in.'),
    description:
      'Starts a new session, in the cookie `session_token`, for 30 days. One that the request brought is ended.',
    args: { input: t.arg({ type: UserSignInInput, required: true, description: 'Name and password.' }) },
    extensions: { rateLimit: 'authentication' },
    resolve: (_root, { input }, context) =>
      begin(context, () => context.services.auth.users.signIn(context.caller, input)),
  }),
);

const UserSignOutPayload = builder.objectRef<{ signedOut: true }>('UserSignOutPayload').implement({
  description: 'What `userSignOut` did.',
  fields: (t) => ({
    signedOut: t.exposeBoolean('signedOut', { description: 'True: whatever session there was, there is none now.' }),
  }),
});

builder.mutationField('userSignOut', (t) =>
  t.field({
    type: UserSignOutPayload,
    description:
      'Ends the session of the cookie on the server, and removes the cookie. Without a session nothing is to do.',
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
  description: 'The password and the new one.',
  fields: (t) => ({
    currentPassword: t.string({ required: true, description: 'The password as it is.' }),
    newPassword: t.string({ required: true, description: '8 to 256 characters, not one of the commonest.' }),
  }),
});

builder.mutationField('userPasswordChange', (t) =>
  t.field({
    type: viewerType('UserPasswordChangePayload', 'What `userPasswordChange` did: who has a new session.'),
    description:
      'Changes the password and ends all sessions; this browser gets a new one. API keys stay. For a signed-in user alone.',
    args: { input: t.arg({ type: UserPasswordChangeInput, required: true, description: 'Both passwords.' }) },
    extensions: { rateLimit: 'authentication' },
    resolve: (_root, { input }, context) =>
      begin(context, () => context.services.auth.users.changePassword(context.caller, input)),
  }),
);

const AccountDeleteInput = builder.inputType('AccountDeleteInput', {
  description: 'The confirmation that an account may be deleted.',
  fields: (t) => ({ password: t.string({ required: true, description: "The user's password." }) }),
});

const AccountDeletePayload = builder.objectRef<{ deleted: true }>('AccountDeletePayload').implement({
  description: 'What `accountDelete` did.',
  fields: (t) => ({ deleted: t.exposeBoolean('deleted', { description: 'True: the account is gone.' }) }),
});

builder.mutationField('accountDelete', (t) =>
  t.field({
    type: AccountDeletePayload,
    description:
      'Deletes your account with its projects and everything in them, for good. All sessions and API keys end within a second. For a signed-in user alone.',
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
