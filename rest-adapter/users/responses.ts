import { z } from 'zod';
import { namedObject } from '../schema.ts';

const count = z.int().min(0);

/** Source: docs/specification/users.md#profiles. Absent values are explicit nulls. */
export const userProfileResponse = namedObject('UserProfile', {
  username: z.string(),
  bio: z.string().nullable().describe('Plain text. Escape it for display; it may contain text that looks like HTML.'),
  avatar_url: z.string().nullable(),
  is_public: z.boolean().describe('Whether other users can see the profile.'),
  followers_count: count.describe('Number of followers, including users whose profiles are not public.'),
  following_count: count,
  servers_count: count.describe('Number of public servers of the user.'),
  social_links: z.record(z.string(), z.string()).describe('Links by kind of site: http or https URLs.'),
});

const success = z.literal(true);

export const availableResponse = z.strictObject({ available: z.boolean() });
export const updateResponse = z.strictObject({ success, profile: userProfileResponse });
export const followResponse = z.strictObject({
  success,
  following: z.boolean().describe('Whether you follow the user now.'),
});
