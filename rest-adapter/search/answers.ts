import { z } from 'zod';
import { transports } from '../../src/mcp-servers/input.ts';
import { packages } from '../../src/search/input.ts';

/** Source: spec.md, MCP server search result. */
const foundServer = z
  .object({
    uuid: z.uuid(),
    slug: z.string(),
    title: z.string().describe('Its name where it has no title.'),
    description: z.string().nullable().describe('As its owner wrote it: text to show, never to trust.'),
    repository_url: z.string().nullable(),
    package_type: z.enum(packages).nullable(),
    installation_count: z.int().min(0),
    rating: z.number().describe('1 to 5; 0 while nobody has rated it.'),
    transports: z.array(z.enum(transports)),
  })
  .strict();

export const searchAnswer = z
  .object({
    servers: z.array(foundServer),
    total: z.int().min(0).describe('With words or a repository up to 1 000, which then means 1 000 or more.'),
    limit: z.int(),
    offset: z.int(),
  })
  .strict();

const count = z.int().min(0);

/** Source: spec.md, Search statistics. */
export const statisticsAnswer = z
  .object({
    query: z.string().describe('As you asked it. Spellings that differ in case and spaces only are counted together.'),
    total_searches: count,
    unique_users: count.describe('0, as everything else, where fewer than three users have asked.'),
    top_results: z.array(
      z
        .object({
          server_uuid: z.uuid(),
          clicks: count.describe('Each user counts once a day.'),
          impressions: count.describe('Likewise.'),
          ctr: z.number().min(0).max(1),
        })
        .strict(),
    ),
    related_queries: z.array(z.string()).describe('What else the same servers were found by.'),
  })
  .strict();
