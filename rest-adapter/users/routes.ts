import type { z } from 'zod';
import { ProfileChangeBody, UsernameQuestion } from '../../src/users/input.ts';
import { generalErrors } from '../errors.ts';
import {
  CheckUsernameDocument,
  FollowUserDocument,
  GetUserProfileDocument,
  UnfollowUserDocument,
  UpdateUserProfileDocument,
  type UserProfileFieldsFragment,
} from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import { availableAnswer, followAnswer, updateAnswer, userProfileAnswer } from './answers.ts';
import * as reference from './reference.ts';

const shared = { tag: 'Users', errors: generalErrors } as const;

/** The paths of the users. Source: docs/specification/users.md. */
export const userRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/check-username',
    access: 'caller',
    reference: reference.checkUsername,
    operation: CheckUsernameDocument,
    query: UsernameQuestion,
    variables: ({ query }) => query,
    body: ({ usernameAvailable }) => ({ available: usernameAvailable }),
    answer: availableAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/users/:username',
    access: 'public',
    reference: reference.getUser,
    operation: GetUserProfileDocument,
    variables: ({ params }) => ({ username: params.username }),
    body: ({ userProfile }) => profileBody(userProfile),
    answer: userProfileAnswer,
    errorCodes: ['NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: '/api/users/profile',
    access: 'caller',
    reference: reference.updateUser,
    operation: UpdateUserProfileDocument,
    input: ProfileChangeBody,
    variables: ({ body }) => ({ input: body }),
    body: ({ userProfileUpdate: { profile } }) => ({ success: true, profile: profileBody(profile) }),
    answer: updateAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/users/:username/follow',
    access: 'caller',
    isIdempotent: true,
    reference: reference.followUser,
    operation: FollowUserDocument,
    variables: ({ params }) => ({ input: { username: params.username } }),
    body: ({ userFollow: { following } }) => ({ success: true, following }),
    answer: followAnswer,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/users/:username/follow',
    access: 'caller',
    reference: reference.unfollowUser,
    operation: UnfollowUserDocument,
    variables: ({ params }) => ({ input: { username: params.username } }),
    body: ({ userUnfollow: { following } }) => ({ success: true, following }),
    answer: followAnswer,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
];

const profileBody = (profile: UserProfileFieldsFragment): z.output<typeof userProfileAnswer> => ({
  username: profile.username,
  bio: profile.bio,
  avatar_url: profile.avatarUrl,
  is_public: profile.isPublic,
  followers_count: profile.followersCount,
  following_count: profile.followingCount,
  servers_count: profile.serversCount,
  social_links: profile.socialLinks as Record<string, string>,
});
