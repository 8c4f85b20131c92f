import { z } from 'zod';
import { transports } from '../../src/mcp-servers/input.ts';

const uuid = z.uuid();
const instant = z.iso.datetime();
const success = z.literal(true);

/** Source: spec.md, MCP server search result. Absent values are explicit nulls. */
const collectedServer = z
  .object({
    uuid,
    slug: z.string(),
    title: z.string().describe('Its name where it has no title.'),
    description: z.string().nullable(),
    repository_url: z.string().nullable(),
    package_type: z.enum(['npm', 'docker', 'pypi']).nullable(),
    installation_count: z.int(),
    rating: z.number().describe('1 to 5; 0 while nobody has rated it.'),
    transports: z.array(z.enum(transports)),
  })
  .strict();

/** Source: gaps.md, Servers. */
export const collectionAnswer = z
  .object({
    uuid,
    name: z.string(),
    description: z.string().nullable(),
    profile_uuid: uuid,
    server_uuids: z.array(uuid).describe('Those that you may see, in the order of the owner.'),
    servers: z.array(collectedServer).describe('The same.'),
    is_public: z.boolean(),
    created_at: instant,
    updated_at: instant,
  })
  .strict();

export const collectionsAnswer = z.object({ collections: z.array(collectionAnswer), total: z.int() }).strict();
export const deletedAnswer = z.object({ success, message: z.string() }).strict();
export const importedAnswer = z
  .object({
    success,
    installed: z.int().describe('How many servers were installed.'),
    already_installed: z.int().describe('How many had been installed before.'),
    servers: z.array(collectedServer).describe('Those of the collection that you may see, all installed now.'),
  })
  .strict();
