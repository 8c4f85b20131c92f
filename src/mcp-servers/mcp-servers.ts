import { createCapabilities } from './capabilities.ts';
import { createChanges } from './changes.ts';
import { type ConfigurationDependencies, createConfigurations } from './configurations.ts';
import { createDiscoveries, type DiscoveryDependencies } from './discoveries.ts';
import { createProxied } from './proxied.ts';
import { createToolCalls, type ToolCallDependencies } from './tool-calls.ts';
import { createUsage, type UsageDependencies } from './usage.ts';
import { createWatch } from './watch.ts';

export type McpServerDependencies = Omit<ConfigurationDependencies, 'discoveries'> &
  UsageDependencies &
  DiscoveryDependencies &
  ToolCallDependencies;

export type McpServers = ReturnType<typeof createMcpServers>;

/**
 * MCP servers: how to start or reach them, their capabilities and their use. Source: docs/specification/mcp-servers.md.
 */
export function createMcpServers(deps: McpServerDependencies) {
  const discoveries = createDiscoveries(deps);
  const usage = createUsage(deps);
  return {
    configurations: createConfigurations({ ...deps, discoveries }),
    proxied: createProxied(deps),
    capabilities: createCapabilities(deps),
    changes: createChanges(deps),
    discoveries,
    toolCalls: createToolCalls({ ...deps, report: usage.report }),
    usage,
    watch: createWatch(deps),
  };
}
