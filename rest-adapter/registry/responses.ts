import { z } from 'zod';
import { packageTypes, submissionStatuses, transports } from '../../src/registry/input.ts';

const uuid = z.uuid();
const instant = z.iso.datetime();
const entryStatus = z.enum(['active', 'deprecated', 'deleted']);

export const healthResponse = z
  .object({
    status: z
      .enum(['healthy', 'degraded'])
      .describe('`degraded` means that the registry can be read and cannot be changed.'),
    version: z.string(),
    last_indexed: instant.nullable().describe('Time of the last change; null while the registry is empty.'),
    total_servers: z.int(),
  })
  .meta({ id: 'RegistryHealth' });

export const submitResponse = z
  .object({
    uuid: uuid.describe('UUID of the submission. A new server that is published from it has the same UUID.'),
    slug: z.string(),
    repository: z.string().describe('owner/name, as GitHub spells it.'),
    package_type: z.enum(packageTypes),
    status: z.enum(submissionStatuses).describe('`pending` until an administrator decides.'),
  })
  .meta({ id: 'NewRegistrySubmission' });

const submission = submitResponse
  .extend({
    transport: z.array(z.enum(transports)),
    environment_variables: z.array(z.string()),
    reason: z.string().nullable(),
    name: z.string(),
    version: z.string(),
    document: z.record(z.string(), z.unknown()).describe('The server.json that will be published.'),
    digest: z
      .string()
      .describe(
        'SHA-256 in hex of the document, package type, transports and environment variables. It is required to accept the submission.',
      ),
    created_at: instant,
    submitted_at: instant,
    decided_at: instant.nullable(),
  })
  .meta({ id: 'RegistrySubmission' });

export const submissionResponse = z.object({ success: z.literal(true), submission });
export const submissionsResponse = z.object({
  submissions: z.array(submission),
  total: z.int(),
  next_cursor: z.string().nullable().describe('Cursor to pass as `after`; null on the last page.'),
});

export const statusResponse = z
  .object({
    success: z.literal(true),
    uuid,
    name: z.string(),
    status: entryStatus,
    message: z.string().nullable(),
  })
  .meta({ id: 'RegistryServerStatus' });

export const linkResponse = z.object({ authorization_url: z.url() });
export const unlinkResponse = z.object({ success: z.literal(true), unlinked: z.boolean() });

/** Of the official registry's API. Source: the official registry, OpenAPI document of 2025-12-01, ServerResponse. */
export const officialKey = 'io.modelcontextprotocol.registry/official';

export const entryResponse = z
  .object({
    server: z.record(z.string(), z.unknown()).describe('The server.json, as the official registry defines it.'),
    _meta: z.object({
      [officialKey]: z.object({
        status: entryStatus,
        statusMessage: z.string().optional(),
        statusChangedAt: instant,
        publishedAt: instant,
        updatedAt: instant,
        isLatest: z.boolean(),
      }),
    }),
  })
  .meta({ id: 'RegistryEntry' });

export const entriesResponse = z.object({
  servers: z.array(entryResponse),
  metadata: z.object({ nextCursor: z.string().optional(), count: z.int() }),
});
