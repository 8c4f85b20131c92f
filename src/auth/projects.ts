import type { z } from 'zod';
import type { Prisma, Project } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import { ApiError, unauthorized } from '../platform/errors.ts';
import { parse } from '../platform/input/input.ts';
import { createListing } from '../platform/input/listing.ts';
import type { Platform } from '../platform/platform.ts';
import { NewProject, PageRequest } from './input.ts';

/** Per user. */
export const projectsMax = 100;

export type ProjectShape = Pick<Prisma.ProjectFindManyArgs, 'select' | 'include'>;

export const projectNotFound = () => new ApiError('NOT_FOUND', 'Project not found');

/** The projects that a principal may see: all of its user's for a session, its own for an API key. */
export const projectsOf = (principal: Principal) =>
  ({
    userUuid: principal.userUuid,
    deletedAt: null,
    ...(principal.kind === 'key' && { uuid: principal.projectUuid }),
  }) satisfies Prisma.ProjectWhereInput;

/** Groups of profiles. Source: docs/specification/identity.md#projects-and-profiles. */
export function createProjects({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  const { prisma } = database;

  /** Which projects the caller may see, for relations that lead to projects. */
  function visible(caller: Caller): Prisma.ProjectWhereInput {
    return projectsOf(authorize(caller, 'projects:read'));
  }

  /** The caller's projects, the oldest first; for an API key its own alone. */
  const { connection, count, page } = createListing<'projects', Project, ProjectShape>({
    table: prisma.project,
    action: 'projects:read',
    direction: 'asc',
    filter: projectsOf,
    rows: 'projects',
    pages: PageRequest,
  });

  /** The project that the caller works in. */
  async function current(caller: Caller, query: ProjectShape = {}): Promise<Project> {
    const { projectUuid } = authorize(caller, 'account:read');
    const project = await prisma.project.findUnique({ ...query, where: { uuid: projectUuid } });
    if (project === null) throw unauthorized();
    return project;
  }

  /**
   * Makes an empty project of the caller's user. Its tier is `free`; only an administrator changes that.
   *
   * @throws {ApiError} `FORBIDDEN` for an API key; `VALIDATION_ERROR`; `CONFLICT` over 100 projects.
   */
  async function create(caller: Caller, input: z.input<typeof NewProject>, query: ProjectShape = {}): Promise<Project> {
    const { userUuid } = authorize(caller, 'projects:write');
    const { name } = parse(NewProject, input);
    const now = clock.now();
    return prisma.$transaction(async (tx) => {
      // The count runs under the lock, so that two at once cannot both take the last free place.
      await tx.$queryRaw`SELECT 1 FROM users WHERE uuid = ${userUuid}::uuid FOR NO KEY UPDATE`;
      if ((await tx.project.count({ where: { userUuid, deletedAt: null } })) >= projectsMax)
        throw new ApiError('CONFLICT', `A user can have at most ${projectsMax} projects`);
      return tx.project.create({ ...query, data: { userUuid, name, createdAt: now, updatedAt: now } });
    });
  }

  return { visible, connection, count, page, current, create };
}
