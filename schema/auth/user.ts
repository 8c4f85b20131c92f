import { builder } from '../builder.ts';
import { knownUuid } from './known-uuid.ts';

export const User = builder.prismaNode('User', {
  description: 'A person who signs in. Only oneself is to be seen.',
  id: { field: 'uuid', description: 'The global id.' },
  // Named columns alone are read, so the password's hash never leaves the database.
  select: { uuid: true },
  nullable: true,
  findUnique: (uuid, { caller, services }) => ({ uuid: knownUuid(uuid), AND: [services.auth.users.visible(caller)] }),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The id within the platform, as REST shows it.' }),
    email: t.exposeString('email', { description: 'The e-mail address.' }),
    username: t.exposeString('username', { description: 'The user name, in the case in which it was chosen.' }),
    isAdmin: t.exposeBoolean('isAdmin', { description: 'Whether the user administers the platform.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user signed up.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the account was last changed.' }),
  }),
});
