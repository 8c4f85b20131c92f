import type { z } from 'zod';
import { ProfileChangeBody, UsernameQuestion } from '../../src/users/input.ts';
import { generalErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

const shared = { tag: 'Users', errors: generalErrors } as const;

/** The paths of the users. Source: docs/specification/users.md. */
export const userRoutes: readonly Route[] = [
  route('GET /api/check-username', {
    ...shared,
    access: 'caller',
    reference: reference.checkUsername,
    operation: operations.CheckUsernameDocument,
    query: UsernameQuestion,
    variables: ({ query }) => query,
    body: ({ usernameAvailable }) => ({ available: usernameAvailable }),
    response: responses.availableResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route('GET /api/users/:username', {
    ...shared,
    access: 'public',
    reference: reference.getUser,
    operation: operations.GetUserProfileDocument,
    variables: ({ params }) => ({ username: params.username }),
    body: ({ userProfile }) => profileBody(userProfile),
    response: responses.userProfileResponse,
    errorCodes: ['NOT_FOUND'],
  }),
  route('PATCH /api/users/profile', {
    ...shared,
    access: 'caller',
    reference: reference.updateUser,
    operation: operations.UpdateUserProfileDocument,
    input: ProfileChangeBody,
    variables: ({ body }) => ({ input: body }),
    body: ({ userProfileUpdate: { profile } }) => ({ success: true, profile: profileBody(profile) }),
    response: responses.updateResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route('POST /api/users/:username/follow', {
    ...shared,
    access: 'caller',
    isIdempotent: true,
    reference: reference.followUser,
    operation: operations.FollowUserDocument,
    variables: ({ params }) => ({ input: { username: params.username } }),
    body: ({ userFollow: { following } }) => ({ success: true, following }),
    response: responses.followResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('DELETE /api/users/:username/follow', {
    ...shared,
    access: 'caller',
    reference: reference.unfollowUser,
    operation: operations.UnfollowUserDocument,
    variables: ({ params }) => ({ input: { username: params.username } }),
    body: ({ userUnfollow: { following } }) => ({ success: true, following }),
    response: responses.followResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
];

const profileBody = (
  profile: operations.UserProfileFieldsFragment,
): z.output<typeof responses.userProfileResponse> => ({
  username: profile.username,
  bio: profile.bio,
  avatar_url: profile.avatarUrl,
  is_public: profile.isPublic,
  followers_count: profile.followersCount,
  following_count: profile.followingCount,
  servers_count: profile.serversCount,
  social_links: profile.socialLinks as Record<string, string>,
});
