import type { z } from 'zod';
import type { Prisma, Profile } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import { ApiError, unauthorized } from '../platform/errors.ts';
import { parse } from '../platform/input/input.ts';
import { ConnectionRequest, keysetQuery, rowIn, uuidIn } from '../platform/input/keyset.ts';
import { createListing } from '../platform/input/listing.ts';
import type { Platform } from '../platform/platform.ts';
import { NewProfile, PageRequest, ProfileFilter } from './input.ts';
import { projectNotFound, projectsOf } from './projects.ts';

export const profileNotFound = () => new ApiError('NOT_FOUND', 'Profile not found');

/** Per project. */
export const profilesMax = 100;

export type ProfileShape = Pick<Prisma.ProfileFindManyArgs, 'select' | 'include'>;

/**
 * The profiles that a principal may see: all of its user's for a session, its project's for an API key with the scope
 * `admin`, its own for any other key.
 */
export function profilesOf(principal: Principal) {
  const project = projectsOf(principal);
  const own = principal.kind === 'key' && !principal.scopes.has('admin');
  return { project, deletedAt: null, ...(own && { uuid: principal.profileUuid }) } satisfies Prisma.ProfileWhereInput;
}

/** The tenants. Source: docs/specification/identity.md#projects-and-profiles. */
export function createProfiles({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  const { prisma } = database;

  /** Which profiles the caller may see, for relations that lead to profiles. */
  function visible(caller: Caller): Prisma.ProfileWhereInput {
    return profilesOf(authorize(caller, 'profiles:read'));
  }

  /** The query that reads a page of a project's profiles together with the project, restricted to profiles that the caller may see. */
  function related(caller: Caller, input: z.input<typeof ConnectionRequest>) {
    const visible = profilesOf(authorize(caller, 'profiles:read'));
    const { where, ...keyset } = keysetQuery(parse(ConnectionRequest, input), 'asc');
    return { where: { AND: [visible, where] }, ...keyset };
  }

  /**
   * The profiles of a project (the caller's own by default) that the caller may see, the oldest first.
   *
   * @throws {ApiError} `NOT_FOUND` for a project that the caller cannot see.
   */
  const { connection, count, page } = createListing<'profiles', Profile, ProfileShape, z.input<typeof ProfileFilter>>({
    table: prisma.profile,
    action: 'profiles:read',
    direction: 'asc',
    filter: async (principal, input) => {
      const { projectUuid } = parse(ProfileFilter, input);
      return { ...profilesOf(principal), projectUuid: await projectFor(principal, projectUuid) };
    },
    rows: 'profiles',
    pages: PageRequest,
  });

  /** The profile that the caller acts as. */
  async function current(caller: Caller, query: ProfileShape = {}): Promise<Profile> {
    const { profileUuid } = authorize(caller, 'account:read');
    const profile = await prisma.profile.findUnique({ ...query, where: { uuid: profileUuid } });
    if (profile === null) throw unauthorized();
    return profile;
  }

  /**
   * Makes a profile in a project that the caller manages, its own if left out.
   *
   * @throws {ApiError} `FORBIDDEN` for a key without the scope `admin`; `VALIDATION_ERROR`; `NOT_FOUND` for a project that
   * the caller cannot see; `CONFLICT` over 100 profiles in the project.
   */
  async function create(caller: Caller, input: z.input<typeof NewProfile>, query: ProfileShape = {}): Promise<Profile> {
    const principal = authorize(caller, 'profiles:write');
    const { name, projectUuid: asked } = parse(NewProfile, input);
    const projectUuid = await projectFor(principal, asked);
    const now = clock.now();
    return prisma.$transaction(async (tx) => {
      // The lock lets one request count at a time. A project that was deleted in the meantime accepts no profile.
      const locked = await tx.$queryRaw<unknown[]>`SELECT 1 FROM projects
        WHERE uuid = ${projectUuid}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
      if (locked.length === 0) throw projectNotFound();
      if ((await tx.profile.count({ where: { projectUuid, deletedAt: null } })) >= profilesMax)
        throw new ApiError('CONFLICT', `A project can have at most ${profilesMax} profiles`);
      return tx.profile.create({ ...query, data: { projectUuid, name, createdAt: now, updatedAt: now } });
    });
  }

  /**
   * Makes a profile the one that all sessions of the caller's user act as, from their next request on.
   *
   * @throws {ApiError} `FORBIDDEN` for an API key, which is bound to its profile; `NOT_FOUND` for another user's profile.
   */
  async function activate(caller: Caller, input: { uuid: string }, query: ProfileShape = {}): Promise<Profile> {
    const principal = authorize(caller, 'account:write');
    const profile = await rowIn<Profile>(prisma.profile, input.uuid, profilesOf(principal), query, profileNotFound);
    await prisma.user.update({
      where: { uuid: principal.userUuid },
      data: { activeProfileUuid: input.uuid, updatedAt: clock.now() },
      select: { uuid: true },
    });
    return profile;
  }

  /** @throws {ApiError} `NOT_FOUND` for a project that the principal cannot see. */
  async function projectFor(principal: Principal, asked: string | null | undefined): Promise<string> {
    if ((asked ?? null) === null) return principal.projectUuid;
    return uuidIn(prisma.project, asked, projectsOf(principal), projectNotFound);
  }

  return { visible, related, connection, count, page, current, create, activate };
}
