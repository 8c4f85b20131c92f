import type { GithubAccount, LinkError } from '../../src/registry/index.ts';
import { User } from '../auth/user.ts';
import { builder } from '../builder.ts';

const GithubAccountRef = builder.objectRef<GithubAccount>('GithubAccount').implement({
  description: 'A linked GitHub account.',
  fields: (t) => ({
    login: t.exposeString('login', { description: 'What it was called when it was linked.' }),
    linkedAt: t.expose('linkedAt', { type: 'DateTime', description: 'When it was linked.' }),
    isUsable: t.exposeBoolean('isUsable', {
      description: 'False once GitHub has refused us: then it must be linked again.',
    }),
  }),
});

builder.prismaObjectField(User, 'githubAccount', (t) =>
  t.field({
    type: GithubAccountRef,
    nullable: true,
    description: 'The GitHub account that the user has linked, by which it proves to own repositories.',
    resolve: (_user, _args, { caller, services }) => services.registry.links.current(caller),
  }),
);

const GithubLinkBeginPayload = builder.objectRef<{ authorizationUrl: string }>('GithubLinkBeginPayload').implement({
  description: 'What `githubLinkBegin` did.',
  fields: (t) => ({
    authorizationUrl: t.exposeString('authorizationUrl', { description: 'Where to send the browser.' }),
  }),
});

builder.mutationField('githubLinkBegin', (t) =>
  t.field({
    type: GithubLinkBeginPayload,
    description: 'Begins to link a GitHub account to your user; it ends within ten minutes, in the same session.',
    extensions: { rateLimit: 'general' },
    resolve: (_root, _args, { caller, services }) => services.registry.links.begin(caller),
  }),
);

const GithubLinkError = builder.enumType('GithubLinkError', {
  description: 'Why an account was not linked.',
  values: {
    STATE_INVALID: { value: 'state_invalid', description: 'The state is none, or was used before.' },
    STATE_EXPIRED: { value: 'state_expired', description: 'It took more than ten minutes.' },
    USER_MISMATCH: { value: 'user_mismatch', description: 'It was begun by another user, or in another session.' },
    ACCESS_DENIED: { value: 'access_denied', description: 'It was not allowed at GitHub.' },
    CODE_EXCHANGE_FAILED: { value: 'code_exchange_failed', description: 'GitHub did not confirm it.' },
    ALREADY_LINKED: { value: 'already_linked', description: 'The account is linked to another user.' },
  } as const,
});

const GithubLinkCompleteInput = builder.inputType('GithubLinkCompleteInput', {
  description: 'What GitHub has sent the browser back with.',
  fields: (t) => ({
    state: t.string({ description: 'The state.' }),
    code: t.string({ description: 'The code; used once.' }),
    error: t.string({ description: 'In its place, what was in the way.' }),
  }),
});

const GithubLinkCompletePayload = builder
  .objectRef<{ error: LinkError | null }>('GithubLinkCompletePayload')
  .implement({
    description: 'What `githubLinkComplete` did.',
    fields: (t) => ({
      error: t.field({
        type: GithubLinkError,
        nullable: true,
        description: 'Why the account was not linked; null if it was.',
        resolve: ({ error }) => error,
      }),
    }),
  });

builder.mutationField('githubLinkComplete', (t) =>
  t.field({
    type: GithubLinkCompletePayload,
    description: 'Ends it: what GET /api/registry/github/callback does with the browser that comes back.',
    args: { input: t.arg({ type: GithubLinkCompleteInput, required: true, description: 'What came back.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      error: await services.registry.links.complete(caller, input),
    }),
  }),
);

const GithubUnlinkPayload = builder.objectRef<{ unlinked: boolean }>('GithubUnlinkPayload').implement({
  description: 'What `githubUnlink` did.',
  fields: (t) => ({
    unlinked: t.exposeBoolean('unlinked', { description: 'Whether an account was linked.' }),
  }),
});

builder.mutationField('githubUnlink', (t) =>
  t.field({
    type: GithubUnlinkPayload,
    description: 'Forgets the GitHub account of your user. What is in the registry stays.',
    extensions: { rateLimit: 'general' },
    resolve: async (_root, _args, { caller, services }) => ({ unlinked: await services.registry.links.remove(caller) }),
  }),
);
