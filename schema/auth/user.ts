import { builder } from '../builder.ts';
import { uuidOf } from '../row.ts';

export const User = builder.prismaNode('User', {
  description: 'A user account. Callers can read only their own.',
  id: { field: 'uuid', description: 'The global id.' },
  // Named columns alone are read, so the password's hash never leaves the database.
  select: { uuid: true },
  nullable: true,
  findUnique: (uuid, { caller, services }) => ({ uuid: uuidOf(uuid), AND: [services.auth.accounts.visible(caller)] }),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    email: t.exposeString('email', { description: 'The email address.' }),
    username: t.exposeString('username', { description: 'The user name, in the case chosen at sign-up.' }),
    isAdmin: t.exposeBoolean('isAdmin', { description: 'Whether the user administers the platform.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the sign-up.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change of the account.' }),
  }),
});
