import { z } from 'zod';
import { channels, scopes } from '../../src/auth/input.ts';
import { namedObject } from '../schema.ts';

const timestamp = z.iso.datetime().describe('ISO 8601, UTC, milliseconds.');

const UserBody = namedObject('User', {
  uuid: z.uuid(),
  email: z.string(),
  username: z.string(),
  isAdmin: z.boolean().describe('Whether the user administers the platform.'),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const ProjectBody = namedObject('Project', {
  uuid: z.uuid(),
  name: z.string(),
  tier: z.enum(['free', 'pro', 'enterprise']).describe("The rate tier of the project's agents."),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const ProfileBody = namedObject('Profile', {
  uuid: z.uuid(),
  projectUuid: z.uuid(),
  name: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const ApiKeyBody = namedObject('ApiKey', {
  uuid: z.uuid(),
  profileUuid: z.uuid(),
  name: z.string(),
  prefix: z.string().describe('The first 12 characters of the secret.'),
  scopes: z.array(z.enum(scopes)),
  channel: z.enum(channels),
  state: z.enum(['active', 'expired', 'revoked']),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable().describe('To the minute.'),
  createdAt: timestamp,
});

const page = { total: z.int(), limit: z.int(), offset: z.int() };

/** The caller: the user of the session or API key, with project and profile. */
export const viewerResponse = namedObject('Viewer', { user: UserBody, project: ProjectBody, profile: ProfileBody });
export const signOutResponse = z.strictObject({ success: z.literal(true) });
export const deletedResponse = z.strictObject({ success: z.literal(true), message: z.string() });
export const projectResponse = z.strictObject({ project: ProjectBody });
export const projectsResponse = z.strictObject({ projects: z.array(ProjectBody), ...page });
export const profileResponse = z.strictObject({ profile: ProfileBody });
export const profilesResponse = z.strictObject({ profiles: z.array(ProfileBody), ...page });
export const apiKeyResponse = z.strictObject({ apiKey: ApiKeyBody });
export const newApiKeyResponse = apiKeyResponse
  .extend({ secret: z.string().describe('The secret of the key. It is shown only in this response.') })
  .strict();
export const apiKeysResponse = z.strictObject({ apiKeys: z.array(ApiKeyBody), ...page });
