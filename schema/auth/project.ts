import { queryFromInfo } from '@pothos/plugin-prisma';
import type { ProjectPage } from '../../src/auth/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowColumns, rowPaths } from '../connection.ts';
import { knownUuid } from './known-uuid.ts';

export const ProjectTier = builder.enumType('ProjectTier', {
  description: 'Rate tier of the agents of a project. An administrator sets it.',
  values: {
    FREE: { value: 'free', description: 'The tier of a new project.' },
    PRO: { value: 'pro', description: 'Higher limits than FREE.' },
    ENTERPRISE: { value: 'enterprise', description: 'The highest limits.' },
  } as const,
});

export const Project = builder.prismaNode('Project', {
  description: 'A group of profiles. They share clipboard entries of visibility WORKSPACE.',
  id: { field: 'uuid', description: 'The global id.' },
  select: rowColumns,
  nullable: true,
  findUnique: (uuid, { caller, services }) => ({
    uuid: knownUuid(uuid),
    AND: [services.auth.projects.visible(caller)],
  }),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    name: t.exposeString('name', { description: 'The name, 1 to 100 characters.' }),
    tier: t.field({
      type: ProjectTier,
      description: "The rate tier of the project's agents.",
      select: { tier: true },
      resolve: ({ tier }) => tier as 'free' | 'pro' | 'enterprise',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});

builder.queryField('projects', (t) =>
  t.field({
    type: connectionType(
      'Project',
      Project,
      'A page of your projects, the oldest first. An API key sees only its own project.',
    ),
    description: 'Your projects, the oldest first. An API key sees only its own project.',
    args: connectionArgs(),
    extensions: { rateLimit: 'general' },
    resolve: async (_root, args, context, info) => {
      const { caller, services } = context;
      const query = queryFromInfo({ context, info, typeName: 'Project', paths: rowPaths, select: rowColumns });
      const page = await services.auth.projects.connection(caller, args, query);
      return { ...page, count: () => services.auth.projects.count(caller) };
    },
  }),
);

const ProjectPageRef = builder.objectRef<ProjectPage>('ProjectPage').implement({
  description: 'A page by offset.',
  fields: (t) => ({
    projects: t.field({
      type: [Project],
      description: 'The projects of this page.',
      resolve: ({ projects }) => projects,
    }),
    total: t.exposeInt('total', { description: 'Number of objects on all pages.' }),
    limit: t.exposeInt('limit', { description: 'Size of the page that was requested.' }),
    offset: t.exposeInt('offset', { description: 'Number of objects before this page.' }),
  }),
});

builder.queryField('projectPage', (t) =>
  t.field({
    type: ProjectPageRef,
    description: 'Your projects by offset, as GET /api/projects lists them.',
    args: {
      limit: t.arg.int({ description: '1 to 1000; 100 by default.' }),
      offset: t.arg.int({ description: 'Number of objects to skip; 0 by default.' }),
    },
    extensions: { rateLimit: 'general', defaultLength: 100 },
    resolve: (_root, args, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'Project', path: ['projects'], select: rowColumns });
      return context.services.auth.projects.page(context.caller, args, query);
    },
  }),
);

const ProjectCreateInput = builder.inputType('ProjectCreateInput', {
  description: 'A new project.',
  fields: (t) => ({ name: t.string({ required: true, description: '1 to 100 characters on one line.' }) }),
});

const ProjectCreatePayload = builder
  .objectRef<{ project: typeof Project.$inferType }>('ProjectCreatePayload')
  .implement({
    description: 'Result of `projectCreate`.',
    fields: (t) => ({
      project: t.field({ type: Project, description: 'The new project.', resolve: ({ project }) => project }),
    }),
  });

builder.mutationField('projectCreate', (t) =>
  t.field({
    type: ProjectCreatePayload,
    description: 'Creates a project without profiles. A user has at most 100 projects. Requires a session.',
    args: { input: t.arg({ type: ProjectCreateInput, required: true, description: 'The project.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, context, info) => {
      const query = queryFromInfo({ context, info, typeName: 'Project', path: ['project'], select: rowColumns });
      return { project: await context.services.auth.projects.create(context.caller, input, query) };
    },
  }),
);

const ProjectDeleteInput = builder.inputType('ProjectDeleteInput', {
  description: 'The project to delete.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'The uuid of the project.' }) }),
});

const ProjectDeletePayload = builder.objectRef<{ uuid: string }>('ProjectDeletePayload').implement({
  description: 'Result of `projectDelete`.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'The uuid of the deleted project.' }) }),
});

builder.mutationField('projectDelete', (t) =>
  t.field({
    type: ProjectDeletePayload,
    description:
      'Permanently deletes a project with its profiles and everything that belongs to them. The project of the last profile cannot be deleted. Requires a session.',
    args: { input: t.arg({ type: ProjectDeleteInput, required: true, description: 'The project.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      uuid: await services.auth.removal.removeProject(caller, input),
    }),
  }),
);
