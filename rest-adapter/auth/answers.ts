import { z } from 'zod';
import { channels, scopes } from '../../src/auth/input.ts';

const timestamp = z.iso.datetime().describe('ISO 8601, UTC, milliseconds.');

const UserBody = z
  .object({
    uuid: z.uuid(),
    email: z.string(),
    username: z.string(),
    isAdmin: z.boolean().describe('Whether the user administers the platform.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .strict()
  .meta({ id: 'User' });

const ProjectBody = z
  .object({
    uuid: z.uuid(),
    name: z.string(),
    tier: z.enum(['free', 'pro', 'enterprise']).describe("The rate tier of the project's agents."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .strict()
  .meta({ id: 'Project' });

const ProfileBody = z
  .object({
    uuid: z.uuid(),
    projectUuid: z.uuid(),
    name: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .strict()
  .meta({ id: 'Profile' });

const ApiKeyBody = z
  .object({
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
  })
  .strict()
  .meta({ id: 'ApiKey' });

const page = { total: z.int(), limit: z.int(), offset: z.int() };

/** Who is signed in, and what they work on. */
export const viewerAnswer = z
  .object({ user: UserBody, project: ProjectBody, profile: ProfileBody })
  .strict()
  .meta({ id: 'Viewer' });
export const signOutAnswer = z.object({ success: z.literal(true) }).strict();
export const deletedAnswer = z.object({ success: z.literal(true), message: z.string() }).strict();
export const projectAnswer = z.object({ project: ProjectBody }).strict();
export const projectsAnswer = z.object({ projects: z.array(ProjectBody), ...page }).strict();
export const profileAnswer = z.object({ profile: ProfileBody }).strict();
export const profilesAnswer = z.object({ profiles: z.array(ProfileBody), ...page }).strict();
export const apiKeyAnswer = z.object({ apiKey: ApiKeyBody }).strict();
export const newApiKeyAnswer = apiKeyAnswer
  .extend({ secret: z.string().describe('The key itself. Shown this once.') })
  .strict();
export const apiKeysAnswer = z.object({ apiKeys: z.array(ApiKeyBody), ...page }).strict();
