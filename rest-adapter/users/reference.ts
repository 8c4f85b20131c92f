const profile = {
  username: 'ada',
  bio: 'I collect servers.',
  avatar_url: 'https://example.com/ada.png',
  is_public: true,
  followers_count: 12,
  following_count: 3,
  servers_count: 2,
  social_links: { github: 'https://github.com/ada' },
} as const;

const username = { username: { description: 'Name of the user.', example: 'ada' } } as const;

export const checkUsername = {
  summary: 'Check a user name',
  description: 'Whether a new user could take the name now. A name that is not allowed is not available.',
  example: { query: { username: 'ada' }, response: { available: false } },
} as const;

export const getUser = {
  summary: 'Get the profile of a user',
  description:
    'The public profile of a user, or your own profile. 404 for an unknown user and for a profile that is not public.',
  params: username,
  example: { response: profile },
} as const;

export const updateUser = {
  summary: 'Update your user profile',
  description: 'Fields that are left out stay as they are. Null clears a field.',
  example: {
    body: {
      bio: profile.bio,
      is_public: true,
      avatar_url: profile.avatar_url,
      social_links: profile.social_links,
    },
    response: { success: true, profile },
  },
} as const;

export const followUser = {
  summary: 'Follow a user',
  description: 'The profile of the user must be public. Following a user again changes nothing.',
  params: username,
  example: { response: { success: true, following: true } },
} as const;

export const unfollowUser = {
  summary: 'Unfollow a user',
  description: 'Also works when the profile of the user is no longer public.',
  params: username,
  example: { response: { success: true, following: false } },
} as const;
