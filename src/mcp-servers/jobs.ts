import type { Job } from '../platform/messaging/jobs.ts';
import type { McpServers } from './mcp-servers.ts';

/** The scheduled jobs of MCP servers. */
export const mcpServerJobs = ({ usage, changes }: Pick<McpServers, 'usage' | 'changes'>): Job[] => [
  { name: 'mcp-servers-recount', cron: '41 3 * * *', run: () => usage.recount() },
  { name: 'mcp-servers-purge-old-changes', cron: '47 3 * * *', run: () => changes.purge() },
  { name: 'mcp-servers-purge-old-usage', cron: '53 * * * *', run: () => usage.purge() },
];
