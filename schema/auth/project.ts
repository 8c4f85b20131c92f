import { builder } from '../builder.ts';
import { connectionArgs, connectionType, listed, pageArgs, pageType, rowQuery } from '../connection.ts';
import { enumColumn, enumOf } from '../enum.ts';
import { mutation, selector } from '../mutation.ts';
import { query } from '../query.ts';
import { ownRow } from '../row.ts';

export const ProjectTier = enumOf('ProjectTier', 'Rate tier of the agents of a project. An administrator sets it.', {
  free: 'The tier of a new project.',
  pro: 'Higher limits than FREE.',
  enterprise: 'The highest limits.',
});

export const Project = builder.prismaNode('Project', {
  description: 'A group of profiles. They share clipboard entries of visibility WORKSPACE.',
  ...ownRow(({ caller, services }) => services.auth.projects.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    name: t.exposeString('name', { description: 'The name, 1 to 100 characters.' }),
    tier: t.field(enumColumn('tier', { type: ProjectTier, description: "The rate tier of the project's agents." })),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});

query('projects', {
  type: connectionType(
    'Project',
    Project,
    'A page of your projects, the oldest first. An API key sees only its own project.',
  ),
  description: 'Your projects, the oldest first. An API key sees only its own project.',
  args: () => connectionArgs(),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) => listed(context.services.auth.projects, 'Project', args, context, info),
});

const ProjectPageRef = pageType('ProjectPage', 'projects', Project, 'The projects of this page.', {
  showsWindow: true,
});

query('projectPage', {
  type: ProjectPageRef,
  description: 'Your projects by offset, as GET /api/projects lists them.',
  args: () => pageArgs('1 to 1000; 100 by default.'),
  extensions: { rateLimit: 'general', defaultLength: 100 },
  resolve: (_root, args, context, info) =>
    context.services.auth.projects.page(context.caller, args, rowQuery(context, info, 'Project', 'projects')),
});

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
  input: selector('The project to delete.', { argument: 'The project.', uuid: 'The uuid of the project.' }),
  payload: { uuid: { type: 'UUID', description: 'The uuid of the deleted project.' } },
  resolve: async (input, { caller, services }) => ({
    uuid: await services.auth.removal.removeProject(caller, input),
  }),
});
