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

const shared = { tag: 'Users', errors: generalErrors } as const;

/** The documented paths of the users, and two to follow. Source: spec.md, Users. */
export const userRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/check-username',
    access: 'caller',
    summary: 'Whether somebody could sign up with a user name now',
    operation: CheckUsernameDocument,
    query: UsernameQuestion,
    variables: ({ query }) => query,
    body: ({ usernameAvailable }) => ({ available: usernameAvailable }),
    answer: availableAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/users/:username',
    access: 'public',
    summary: 'What a user shows of itself; with your own credentials also your own profile while it is not public',
    operation: GetUserProfileDocument,
    variables: ({ params }) => ({ username: params.username }),
    body: ({ userProfile }) => profileBody(userProfile),
    answer: userProfileAnswer,
    refusals: ['NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'PATCH',
    path: '/api/users/profile',
    access: 'caller',
    summary: 'Change what your user shows of itself; what is left out stays, null clears',
    operation: UpdateUserProfileDocument,
    input: ProfileChangeBody,
    variables: ({ body }) => ({ input: body }),
    body: ({ userProfileUpdate: { profile } }) => ({ success: true, profile: profileBody(profile) }),
    answer: updateAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/users/:username/follow',
    access: 'caller',
    isIdempotent: true,
    summary: 'Follow a user whose profile is public',
    operation: FollowUserDocument,
    variables: ({ params }) => ({ input: { username: params.username } }),
    body: ({ userFollow: { following } }) => ({ success: true, following }),
    answer: followAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/users/:username/follow',
    access: 'caller',
    summary: 'Follow a user no more, also one who is not public any more',
    operation: UnfollowUserDocument,
    variables: ({ params }) => ({ input: { username: params.username } }),
    body: ({ userUnfollow: { following } }) => ({ success: true, following }),
    answer: followAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
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
