import { exampleLaterTime, exampleProfile, exampleTime, exampleUuid, uuidOf } from '../reference.ts';

const user = {
  uuid: exampleUuid,
  email: 'ada@example.com',
  username: 'ada',
  isAdmin: false,
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

const project = {
  uuid: 'a3d94c1e-52f7-4b86-91d0-6e8b2f7c4a59',
  name: 'Default',
  tier: 'free',
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

const profile = {
  uuid: exampleProfile,
  projectUuid: project.uuid,
  name: 'Default',
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

const apiKey = {
  uuid: 'e7b0c5d2-394f-4d1a-a86b-0c9f5e2d7b31',
  profileUuid: exampleProfile,
  name: 'Laptop',
  prefix: 'pbk_3vQ8rT1x',
  scopes: ['read', 'write'],
  channel: 'sdk',
  state: 'active',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  createdAt: exampleTime,
} as const;

const viewer = { user, project, profile } as const;
const page = { total: 1, limit: 100, offset: 0 } as const;

export const signUp = {
  summary: 'Sign up',
  description:
    'Creates a user with a first project and profile, and signs the user in with the cookie `session_token`. The password has 8 to 256 characters.',
  example: {
    body: { email: 'ada@example.com', username: 'ada', password: 'correct horse battery staple' },
    response: viewer,
  },
} as const;

export const signIn = {
  summary: 'Sign in',
  description: 'Starts a session in the cookie `session_token`. The body has either `email` or `username`.',
  example: { body: { username: 'ada', password: 'correct horse battery staple' }, response: viewer },
} as const;

export const signOut = {
  summary: 'Sign out',
  description: 'Ends the session of the cookie. Without a session it succeeds too.',
  example: { response: { success: true } },
} as const;

export const session = {
  summary: 'Get the caller',
  description: 'The user, project and profile of the session or API key.',
  example: { response: viewer },
} as const;

export const password = {
  summary: 'Change the password',
  description: 'Ends all sessions of the user and starts a new one for this client.',
  example: {
    body: { currentPassword: 'correct horse battery staple', newPassword: 'staple battery horse correct' },
    response: viewer,
  },
} as const;

export const deleteAccount = {
  summary: 'Delete the account',
  description:
    'Deletes the user with all projects and everything in them. This cannot be undone. API keys and sessions end within a second.',
  example: {
    body: { password: 'correct horse battery staple' },
    response: { success: true, message: 'Account deleted' },
  },
} as const;

export const listProjects = {
  summary: 'List projects',
  description: 'Your projects, the oldest first.',
  example: { query: { limit: 100, offset: 0 }, response: { projects: [project], ...page } },
} as const;

export const createProject = {
  summary: 'Create a project',
  description: 'Creates a project without profiles.',
  example: { body: { name: 'Research' }, response: { project: { ...project, name: 'Research' } } },
} as const;

export const deleteProject = {
  summary: 'Delete a project',
  description:
    'Deletes the project with its profiles and everything in them. The project with your last profile cannot be deleted (409).',
  params: uuidOf('project'),
  example: { response: { success: true, message: 'Project deleted' } },
} as const;

export const listProfiles = {
  summary: 'List profiles',
  description: 'The profiles of a project, the oldest first; of your own project without `projectUuid`.',
  example: {
    query: { projectUuid: project.uuid, limit: 100, offset: 0 },
    response: { profiles: [profile], ...page },
  },
} as const;

export const createProfile = {
  summary: 'Create a profile',
  description: 'Creates a profile in a project; in your own project without `projectUuid`.',
  example: {
    body: { projectUuid: project.uuid, name: 'Agents' },
    response: { profile: { ...profile, name: 'Agents' } },
  },
} as const;

export const deleteProfile = {
  summary: 'Delete a profile',
  description: 'Deletes the profile with everything in it. Your last profile cannot be deleted (409).',
  params: uuidOf('profile', exampleProfile),
  example: { response: { success: true, message: 'Profile deleted' } },
} as const;

export const activateProfile = {
  summary: 'Activate a profile',
  description: 'Your sessions act as this profile from now on. API keys keep theirs.',
  params: uuidOf('profile', exampleProfile),
  example: { response: { profile } },
} as const;

export const listApiKeys = {
  summary: 'List API keys',
  description:
    'The API keys of a profile, the newest first, with revoked and expired ones; of your own profile without `profileUuid`.',
  example: {
    query: { profileUuid: exampleProfile, limit: 100, offset: 0 },
    response: { apiKeys: [apiKey], ...page },
  },
} as const;

export const createApiKey = {
  summary: 'Create an API key',
  description:
    'The response is the only one that shows the secret. Without `scopes` the key may read and write; `channel` becomes the `source` of what the key creates.',
  example: {
    body: { name: 'Laptop', scopes: ['read', 'write'], channel: 'sdk', expiresAt: exampleLaterTime },
    response: {
      apiKey: { ...apiKey, expiresAt: exampleLaterTime },
      secret: 'pbk_3vQ8rT1xExampleExampleExampleExampleExampleExam0aB1cD',
    },
  },
} as const;

export const revokeApiKey = {
  summary: 'Revoke an API key',
  description: 'The key stops working within a second. This cannot be undone.',
  params: uuidOf('API key', apiKey.uuid),
  example: { response: { apiKey: { ...apiKey, state: 'revoked', revokedAt: exampleLaterTime } } },
} as const;
