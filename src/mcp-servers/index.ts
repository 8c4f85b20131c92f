export type { Capability, CapabilityKind, OwnCapability } from './capabilities.ts';
export type { ToolChangeRecord } from './changes.ts';
export { mcpServerJobs } from './jobs.ts';
export { createMcpServers, type McpServers } from './mcp-servers.ts';
export type { ProxiedServer } from './proxied.ts';
export { type McpServerRecord, ratingOf, urlWithoutQuery } from './server.ts';
export { slugOf } from './slug.ts';
export type { McpServerStats } from './usage.ts';
export type { DiscoveryNews, ToolNews } from './watch.ts';
