import { z } from 'zod';
import { serverSummary } from '../mcp-servers/responses.ts';
import { namedObject } from '../schema.ts';

const uuid = z.uuid();
const instant = z.iso.datetime();
const success = z.literal(true);

/** Source: docs/specification/collections.md#collection. */
export const collectionResponse = namedObject('Collection', {
  uuid,
  name: z.string(),
  description: z.string().nullable(),
  profile_uuid: uuid,
  server_uuids: z.array(uuid).describe('The servers that you may see, in the order of the owner.'),
  servers: z.array(serverSummary).describe('The same.'),
  is_public: z.boolean(),
  created_at: instant,
  updated_at: instant,
});

export const collectionsResponse = z.strictObject({ collections: z.array(collectionResponse), total: z.int() });
export const deletedResponse = z.strictObject({ success, message: z.string() });
export const importedResponse = z.strictObject({
  success,
  installed: z.int().describe('Number of newly installed servers.'),
  already_installed: z.int().describe('Number of servers that were already installed.'),
  servers: z
    .array(serverSummary)
    .describe('The servers of the collection that you may see. All of them are installed now.'),
});
