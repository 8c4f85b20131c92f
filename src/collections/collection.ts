import type { Collection, Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';

export type CollectionRecord = Collection;
export type CollectionShape = Pick<Prisma.CollectionFindManyArgs, 'select' | 'include'>;

/** The same for one that does not exist, a malformed id, and another user's private one. */
export const collectionNotFound = () => new ApiError('NOT_FOUND', 'Collection not found');

/** The same for a profile that does not exist, and for another user's that shows no collection. */
export const profileNotFound = () => new ApiError('NOT_FOUND', 'Profile not found');

/** The user whose own collections and servers the caller sees beside the public ones; null for none. */
export const seerOf = (caller: Caller): string | null =>
  caller.principal === null ? null : authorize(caller, 'collections:read').profileUuid;

/** The same where the scope was asked for already. */
export const profileOf = ({ principal }: Caller): string | null => principal?.profileUuid ?? null;

/** The collections that a caller may see. */
export function visibleTo(profileUuid: string | null): Prisma.CollectionWhereInput {
  return profileUuid === null ? { isPublic: true } : { OR: [{ profileUuid }, { isPublic: true }] };
}

/** The changed fields with their new values, in the spelling of REST. */
export function changesOf(
  before: { readonly name: string; readonly description: string | null; readonly isPublic: boolean },
  after: { readonly name: string; readonly description: string | null; readonly isPublic: boolean },
): Record<string, unknown> {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.description !== before.description && { description: after.description }),
    ...(after.isPublic !== before.isPublic && { is_public: after.isPublic }),
  };
}
