import type { Aged } from '../platform/input/keyset.ts';

/** The public profile of a user. Source: docs/specification/users.md#profiles. */
export interface UserProfile {
  /** Of the user. */
  readonly uuid: string;
  readonly username: string;
  /** Null also where it was not asked for; likewise the next one. */
  readonly bio: string | null;
  readonly avatarUrl: string | null;
  readonly isPublic: boolean;
  /** A map from a kind of site to a URL; empty also where it was not asked for. */
  readonly socialLinks: Readonly<Record<string, string>>;
  /** All followers, also those whose profiles are not public. */
  readonly followersCount: number;
  readonly followingCount: number;
  /** Public ones alone. */
  readonly serversCount: number;
  /** Whether the caller follows the user. */
  readonly isFollowedByViewer: boolean;
}

/** One of a list of followers; its age is that of the follow. */
export type ListedProfile = UserProfile & Aged;
