import { exampleSummary } from '../mcp-servers/reference.ts';
import { exampleProfile, exampleTime, exampleUuid, uuidOf } from '../reference.ts';

const collection = {
  uuid: exampleUuid,
  name: 'Research',
  description: 'Servers for reading papers.',
  profile_uuid: exampleProfile,
  server_uuids: [exampleSummary.uuid],
  servers: [exampleSummary],
  is_public: true,
  created_at: exampleTime,
  updated_at: exampleTime,
} as const;

export const listCollections = {
  summary: 'List the collections of a profile',
  description:
    'All collections of your own profile, or the public collections of another profile, the newest first. Without `limit` all of them, at most 1000.',
  params: uuidOf('profile', exampleProfile),
  example: { query: { limit: 20, offset: 0 }, response: { collections: [collection], total: 1 } },
} as const;

export const getCollection = {
  summary: 'Get a public collection',
  description: 'With credentials also collections of your own that are not public.',
  params: uuidOf('collection'),
  example: { response: collection },
} as const;

export const createCollection = {
  summary: 'Create a collection',
  description: 'The servers must be public or yours. Without `profileUuid` the collection belongs to your own profile.',
  example: {
    body: {
      name: 'Research',
      description: 'Servers for reading papers.',
      serverUuids: [exampleSummary.uuid],
      isPublic: true,
    },
    response: collection,
  },
} as const;

export const updateCollection = {
  summary: 'Update a collection',
  description: 'Fields that are left out stay as they are. Null empties the description and the list of servers.',
  params: uuidOf('collection'),
  example: { body: { name: 'Papers' }, response: { ...collection, name: 'Papers' } },
} as const;

export const deleteCollection = {
  summary: 'Delete a collection',
  description: 'The servers of the collection stay.',
  params: uuidOf('collection'),
  example: { response: { success: true, message: 'Collection deleted' } },
} as const;

export const importCollection = {
  summary: 'Import a collection',
  description: 'Installs in your profile all servers of the collection that you may see.',
  params: uuidOf('collection'),
  example: { response: { success: true, installed: 1, already_installed: 0, servers: [exampleSummary] } },
} as const;
