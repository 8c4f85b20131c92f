import { z } from 'zod';
import { namedObject } from '../schema.ts';

const count = z.int().min(0);

/** Source: docs/specification/users.md#profiles. Absent values are explicit nulls. */
export const userProfileAnswer = namedObject('UserProfile', {
  username: z.string(),
  bio: z.string().nullable().describe('Plain text. What looks like HTML is text too: escape it where it is shown.'),
  avatar_url: z.string().nullable(),
  is_public: z.boolean().describe('Whether others see it.'),
  followers_count: count.describe('Also of those whose profiles are not public.'),
  following_count: count,
  servers_count: count.describe('Of public servers.'),
  social_links: z.record(z.string(), z.string()).describe('From a kind of site to an http or https URL.'),
});

const success = z.literal(true);

export const availableAnswer = z.strictObject({ available: z.boolean() });
export const updateAnswer = z.strictObject({ success, profile: userProfileAnswer });
export const followAnswer = z.strictObject({
  success,
  following: z.boolean().describe('Whether you follow the user now.'),
});
