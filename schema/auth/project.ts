import type { ProjectPage } from '../../src/auth/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, rowColumns, rowQuery, rowsQuery } from '../connection.ts';
import { mutation } from '../mutation.ts';
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
      const query = rowsQuery(context, info, 'Project');
      const page = await services.auth.projects.connection(caller, args, query);
      return { ...page, count: () => services.auth.projects.count(caller) };
    },
  }),
);

const ProjectPageRef = builder.objectRef<ProjectPage>('ProjectPage').implement({
  description: 'A page by offset.',
  fields: (t) => ({
    projects: t.expose('projects', { type: [Project], description: 'The projects of this page.' }),
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
    resolve: (_root, args, context, info) =>
      context.services.auth.projects.page(context.caller, args, rowQuery(context, info, 'Project', 'projects')),
  }),
);

mutation('projectCreate', {
  description: 'Creates a project without profiles. A user has at most 100 projects. Requires a session.',
  rateLimit: 'general',
  input: {
    description: 'A new project.',
    argument: 'The project.',
    fields: (t) => ({ name: t.string({ required: true, description: '1 to 100 characters on one line.' }) }),
  },
  payload: { project: { type: Project, description: 'The new project.' } },
  resolve: async (input, context, info) => ({
    project: await context.services.auth.projects.create(
      context.caller,
      input,
      rowQuery(context, info, 'Project', 'project'),
    ),
  }),
});

mutation('projectDelete', {
  description:
    'Permanently deletes a project with its profiles and everything that belongs to them. The project of the last profile cannot be deleted. Requires a session.',
  rateLimit: 'general',
  input: {
    description: 'The project to delete.',
    argument: 'The project.',
    fields: (t) => ({ uuid: t.string({ required: true, description: 'The uuid of the project.' }) }),
  },
  payload: { uuid: { type: 'UUID', description: 'The uuid of the deleted project.' } },
  resolve: async (input, { caller, services }) => ({
    uuid: await services.auth.removal.removeProject(caller, input),
  }),
});
