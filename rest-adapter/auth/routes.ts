import {
  ApiKeyFilter,
  NewApiKey,
  NewProfile,
  NewProject,
  PageRequest,
  PasswordChange,
  ProfileFilter,
  SignIn,
  SignUp,
} from '../../src/auth/input.ts';
import { generalErrors } from '../errors.ts';
import {
  ActivateProfileDocument,
  type ApiKeyCreateInput,
  type ApiKeyFieldsFragment,
  ChangePasswordDocument,
  CreateApiKeyDocument,
  CreateProfileDocument,
  CreateProjectDocument,
  GetSessionDocument,
  ListApiKeysDocument,
  ListProfilesDocument,
  ListProjectsDocument,
  type ProfileCreateInput,
  type ProfileFieldsFragment,
  type ProjectCreateInput,
  type ProjectFieldsFragment,
  RevokeApiKeyDocument,
  SignInDocument,
  SignOutDocument,
  SignUpDocument,
  type UserFieldsFragment,
  type UserPasswordChangeInput,
  type UserSignInInput,
  type UserSignUpInput,
} from '../generated/operations.ts';
import { integerOf, pick, type Route, type RouteRequest, route } from '../route.ts';
import {
  apiKeyAnswer,
  apiKeysAnswer,
  newApiKeyAnswer,
  profileAnswer,
  profilesAnswer,
  projectAnswer,
  projectsAnswer,
  signOutAnswer,
  viewerAnswer,
} from './answers.ts';

const shared = { tag: 'Identity', errors: generalErrors } as const;

/** The paths of identity. Source: gaps.md, Identity. */
export const authRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/auth/sign-up',
    access: 'public',
    summary: 'Make a user with a first project and profile, and sign it in by the cookie `session_token`',
    operation: SignUpDocument,
    input: SignUp,
    variables: ({ body }) => ({ input: pick(body, ['email', 'username', 'password']) as UserSignUpInput }),
    body: ({ userSignUp }) => viewerBody(userSignUp),
    answer: viewerAnswer,
    refusals: ['VALIDATION_ERROR', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/auth/sign-in',
    access: 'public',
    summary: 'Start a session, in the cookie `session_token`; by e-mail address or by user name',
    operation: SignInDocument,
    input: SignIn,
    variables: ({ body }) => ({ input: pick(body, ['email', 'username', 'password']) as UserSignInInput }),
    body: ({ userSignIn }) => viewerBody(userSignIn),
    answer: viewerAnswer,
    refusals: ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/auth/sign-out',
    access: 'public',
    summary: 'End the session of the cookie, if there is one',
    operation: SignOutDocument,
    variables: () => ({}),
    body: ({ userSignOut }) => ({ success: userSignOut.signedOut }),
    answer: signOutAnswer,
    refusals: ['FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/auth/session',
    access: 'caller',
    summary: 'Who is asking: the user, the project and the profile of the session or API key',
    operation: GetSessionDocument,
    variables: () => ({}),
    body: ({ viewer }) => viewerBody(viewer),
    answer: viewerAnswer,
    refusals: ['FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/auth/password',
    access: 'session',
    summary: 'Change the password; all sessions end, and this browser gets a new one',
    operation: ChangePasswordDocument,
    input: PasswordChange,
    variables: ({ body }) => ({
      input: pick(body, ['currentPassword', 'newPassword']) as UserPasswordChangeInput,
    }),
    body: ({ userPasswordChange }) => viewerBody(userPasswordChange),
    answer: viewerAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/projects',
    access: 'caller',
    summary: 'List your projects, the oldest first',
    operation: ListProjectsDocument,
    query: PageRequest,
    variables: ({ query }) => pageOf(query),
    body: ({ projectPage: { projects, total, limit, offset } }) => ({
      projects: projects.map(projectBody),
      total,
      limit,
      offset,
    }),
    answer: projectsAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/projects',
    isIdempotent: true,
    access: 'session',
    summary: 'Make an empty project',
    operation: CreateProjectDocument,
    input: NewProject,
    variables: ({ body }) => ({ input: pick(body, ['name']) as ProjectCreateInput }),
    body: ({ projectCreate }) => ({ project: projectBody(projectCreate.project) }),
    answer: projectAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/profiles',
    access: 'caller',
    summary: 'List the profiles of a project, the oldest first',
    operation: ListProfilesDocument,
    query: ProfileFilter.extend(PageRequest.shape),
    variables: ({ query }) => ({ projectUuid: query.projectUuid, ...pageOf(query) }),
    body: ({ profilePage: { profiles, total, limit, offset } }) => ({
      profiles: profiles.map(profileBody),
      total,
      limit,
      offset,
    }),
    answer: profilesAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/profiles',
    isIdempotent: true,
    access: 'caller',
    summary: 'Make a profile in a project',
    operation: CreateProfileDocument,
    input: NewProfile,
    variables: ({ body }) => ({ input: pick(body, ['projectUuid', 'name']) as ProfileCreateInput }),
    body: ({ profileCreate }) => ({ profile: profileBody(profileCreate.profile) }),
    answer: profileAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/profiles/:uuid/activate',
    access: 'session',
    summary: 'Make a profile the one that your sessions act as',
    operation: ActivateProfileDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid ?? '' } }),
    body: ({ profileActivate }) => ({ profile: profileBody(profileActivate.profile) }),
    answer: profileAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/api-keys',
    access: 'caller',
    summary: 'List the API keys of a profile, the newest first, the revoked and expired ones too',
    operation: ListApiKeysDocument,
    query: ApiKeyFilter.extend(PageRequest.shape),
    variables: ({ query }) => ({ profileUuid: query.profileUuid, ...pageOf(query) }),
    body: ({ apiKeyPage: { apiKeys, total, limit, offset } }) => ({
      apiKeys: apiKeys.map(apiKeyBody),
      total,
      limit,
      offset,
    }),
    answer: apiKeysAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/api-keys',
    isIdempotent: true,
    access: 'caller',
    summary: 'Make an API key of a profile; its secret is shown this once',
    operation: CreateApiKeyDocument,
    input: NewApiKey,
    variables: ({ body }) => ({ input: newApiKeyInput(body) }),
    body: ({ apiKeyCreate }) => ({ apiKey: apiKeyBody(apiKeyCreate.apiKey), secret: apiKeyCreate.secret }),
    answer: newApiKeyAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/api-keys/:uuid',
    access: 'caller',
    summary: 'Revoke an API key, at once and for good',
    operation: RevokeApiKeyDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid ?? '' } }),
    body: ({ apiKeyRevoke }) => ({ apiKey: apiKeyBody(apiKeyRevoke.apiKey) }),
    answer: apiKeyAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
  }),
];

const pageOf = ({ limit, offset }: RouteRequest['query']) => ({ limit: integerOf(limit), offset: integerOf(offset) });

/** The graph's spelling of a scope or channel. What already is in that spelling is not a documented one, and is refused. */
const enumValue = (value: unknown) => {
  if (typeof value !== 'string') return value;
  return /^[a-z]+$/.test(value) ? value.toUpperCase() : '';
};

function newApiKeyInput(body: RouteRequest['body']): ApiKeyCreateInput {
  const input = pick(body, ['profileUuid', 'name', 'scopes', 'channel', 'expiresAt']);
  if ('channel' in input) input.channel = enumValue(input.channel);
  // The graph would take one scope for a list of one.
  if ('scopes' in input) input.scopes = Array.isArray(input.scopes) ? input.scopes.map(enumValue) : input.scopes && '';
  return input as ApiKeyCreateInput;
}

const viewerBody = (viewer: {
  user: UserFieldsFragment;
  project: ProjectFieldsFragment;
  profile: ProfileFieldsFragment;
}) => ({ user: userBody(viewer.user), project: projectBody(viewer.project), profile: profileBody(viewer.profile) });

const userBody = (user: UserFieldsFragment) => ({
  uuid: user.uuid,
  email: user.email,
  username: user.username,
  isAdmin: user.isAdmin,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
});

const projectBody = (project: ProjectFieldsFragment) => ({
  uuid: project.uuid,
  name: project.name,
  tier: project.tier.toLowerCase(),
  createdAt: project.createdAt,
  updatedAt: project.updatedAt,
});

const profileBody = (profile: ProfileFieldsFragment) => ({
  uuid: profile.uuid,
  projectUuid: profile.projectUuid,
  name: profile.name,
  createdAt: profile.createdAt,
  updatedAt: profile.updatedAt,
});

const apiKeyBody = (key: ApiKeyFieldsFragment) => ({
  uuid: key.uuid,
  profileUuid: key.profileUuid,
  name: key.name,
  prefix: key.prefix,
  scopes: key.scopes.map((scope) => scope.toLowerCase()),
  channel: key.channel.toLowerCase(),
  state: key.state.toLowerCase(),
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  lastUsedAt: key.lastUsedAt,
  createdAt: key.createdAt,
});
