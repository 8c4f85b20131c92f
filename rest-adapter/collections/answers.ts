import { z } from 'zod';
import { serverSummary } from '../mcp-servers/answers.ts';

const uuid = z.uuid();
const instant = z.iso.datetime();
const success = z.literal(true);

/** Source: docs/specification/collections.md#collection. */
export const collectionAnswer = z
  .object({
    uuid,
    name: z.string(),
    description: z.string().nullable(),
    profile_uuid: uuid,
    server_uuids: z.array(uuid).describe('Those that you may see, in the order of the owner.'),
    servers: z.array(serverSummary).describe('The same.'),
    is_public: z.boolean(),
    created_at: instant,
    updated_at: instant,
  })
  .strict()
  .meta({ id: 'Collection' });

export const collectionsAnswer = z.object({ collections: z.array(collectionAnswer), total: z.int() }).strict();
export const deletedAnswer = z.object({ success, message: z.string() }).strict();
export const importedAnswer = z
  .object({
    success,
    installed: z.int().describe('How many servers were installed.'),
    already_installed: z.int().describe('How many had been installed before.'),
    servers: z.array(serverSummary).describe('Those of the collection that you may see, all installed now.'),
  })
  .strict();
