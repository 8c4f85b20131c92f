import type { GithubAccount } from '../../src/registry/index.ts';
import { User } from '../auth/user.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enum.ts';
import { mutation } from '../mutation.ts';

const GithubAccountRef = builder.objectRef<GithubAccount>('GithubAccount').implement({
  description: 'A linked GitHub account.',
  fields: (t) => ({
    login: t.exposeString('login', { description: 'Login name at the time of linking.' }),
    linkedAt: t.expose('linkedAt', { type: 'DateTime', description: 'Time at which the account was linked.' }),
    isUsable: t.exposeBoolean('isUsable', {
      description: 'False after GitHub has rejected the authorization; the account must be linked again.',
    }),
  }),
});

builder.prismaObjectField(User, 'githubAccount', (t) =>
  t.field({
    type: GithubAccountRef,
    nullable: true,
    description: 'The linked GitHub account, which proves the ownership of repositories.',
    resolve: (_user, _args, { caller, services }) => services.registry.links.current(caller),
  }),
);

mutation('githubLinkBegin', {
  description:
    'Starts linking a GitHub account to your user. It must be completed within ten minutes in the same session.',
  rateLimit: 'general',
  payload: { authorizationUrl: { type: 'String', description: 'URL to send the browser to.' } },
  resolve: (_none, { caller, services }) => services.registry.links.begin(caller),
});

const GithubLinkError = enumOf('GithubLinkError', 'Reason why an account was not linked.', {
  state_invalid: 'The state is unknown or was already used.',
  state_expired: 'The authorization took more than ten minutes.',
  integrity_violation: 'The stored authorization was changed.',
  user_mismatch: 'Another user or another session started the authorization.',
  access_denied: 'The user denied access at GitHub.',
  code_exchange_failed: 'GitHub did not accept the authorization code.',
  already_linked: 'The account is linked to another user.',
});

mutation('githubLinkComplete', {
  description: 'Completes the link of a GitHub account, as GET /api/registry/github/callback does.',
  rateLimit: 'general',
  input: {
    description: 'The parameters of the callback from GitHub.',
    argument: 'The parameters of the callback.',
    fields: (t) => ({
      state: t.string({ description: 'The `state` of the authorization request.' }),
      code: t.string({ description: 'The authorization code, which can be used once.' }),
      error: t.string({ description: 'The error that GitHub sent instead of a code.' }),
    }),
  },
  payload: {
    error: {
      type: GithubLinkError,
      nullable: true,
      description: 'Reason why the account was not linked; null if it was linked.',
    },
  },
  resolve: async (input, { caller, services }) => ({
    error: await services.registry.links.complete(caller, input),
  }),
});

mutation('githubUnlink', {
  description: 'Removes the link to the GitHub account of your user. Published servers stay in the registry.',
  rateLimit: 'general',
  payload: { unlinked: { type: 'Boolean', description: 'Whether an account was linked.' } },
  resolve: async (_none, { caller, services }) => ({ unlinked: await services.registry.links.remove(caller) }),
});
